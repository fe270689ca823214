"""Of a provider's blocks only those are stored that say more than the turn which was read from them."""

import json
from dataclasses import replace

import pytest

from research.llm.anthropic import read_turn as read_blocks
from research.llm.chat import PROTOCOL as CHAT
from research.llm.interface import Message, ToolAnswer
from research.llm.models import open_model
from research.llm.verbatim import kept
from tests.cases import cases
from tests.llm.doubles.scripts import SCRIPTS
from tests.llm.doubles.server import Double
from tests.llm.talking import point_at, request

CALL = {"id": "c1", "type": "function", "function": {"name": "web_search", "arguments": '{ "query": "x" }'}}
USE = {"type": "tool_use", "id": "c1", "name": "web_search", "input": {"query": "x"}}


def chat_turn(message, finish="stop"):
    """What the adapter makes of a message of Chat Completions."""
    from research.llm.chat import read_turn
    from research.llm.http import Endpoint
    from research.llm.wire import Namer

    completion = {"choices": [{"message": message, "finish_reason": finish}]}
    return read_turn(Endpoint("The server", "http://x"), completion, Namer(request()))


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": "{}", "refusal": None, "annotations": []},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "assistant", "content": "so far", "tool_calls": [CALL, {**CALL, "id": "c2"}]},
    ],
)
def test_a_message_of_text_and_calls_is_not_stored_twice(message):
    turn = chat_turn(message)
    assert turn.raw
    assert kept(turn) == {}


@cases(
    "message",
    [
        {"role": "assistant", "content": "<think>hm</think>{}"},
        {"role": "assistant", "content": "{}", "reasoning_content": "hm"},
        {"role": "assistant", "content": [{"type": "text", "text": "{}"}]},
        {"role": "assistant", "content": "", "tool_calls": [{**CALL, "extra_content": {"signature": "s"}}]},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{**CALL, "function": {"name": "web_search", "arguments": '{"que'}}],
        },
        {"role": "assistant", "content": "{}", "tool_calls": 1},
        {"role": "assistant", "content": "{}", "tool_calls": [1]},
    ],
)
def test_a_message_that_says_more_is_kept_as_it_came(message):
    turn = chat_turn(message)
    assert kept(turn) == turn.raw == {CHAT: message}


@cases(
    ("blocks", "says_more"),
    [
        ([{"type": "text", "text": "{}"}], False),
        ([USE], False),
        ([{"type": "text", "text": "so far"}, USE, {**USE, "id": "c2"}], False),
        ([{"type": "thinking", "thinking": "hm", "signature": "s"}, USE], True),
        ([{"type": "text", "text": "{}", "citations": [{"url": "https://example.org"}]}], True),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], True),
        ([USE, {"type": "text", "text": "after"}], True),
        ([{**USE, "caller": {"type": "direct"}}], True),
    ],
)
def test_blocks_of_anthropic_are_kept_when_they_say_more(blocks, says_more):
    turn = read_blocks({"content": blocks, "stop_reason": "end_turn"}, {})
    assert bool(kept(turn)) is says_more


@pytest.mark.parametrize("name", ["openai-chat:m", "anthropic:m"])
def test_what_is_sent_again_without_them_means_the_same(settings, name):
    with Double(
        [{"calls": [{"name": "web_search", "arguments": {"query": "x"}}]}, *SCRIPTS["answer"] * 2]
    ) as double:
        point_at(settings, double)
        model = open_model(name)
        turn = model.complete(request())
        assert kept(turn) == {}
        answer = ToolAnswer(turn.tool_calls[0].id, "web_search", {"success": True, "data": {}})
        for told in (turn, replace(turn, raw={})):
            said = [
                Message("user", "go"),
                Message("assistant", turn=told),
                Message("tool", answers=(answer,)),
            ]
            model.complete(request(said))
        first, second = double.bodies()[1:]
        assert double.bill.violations == []
    assert meaning(first) == meaning(second)


def meaning(body):
    """The messages, with what is JSON in a text read, and without what is empty."""
    messages = json.loads(json.dumps(body["messages"]))
    for message in messages:
        for call in message.get("tool_calls") or ():
            call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    return [{key: value for key, value in message.items() if value} for message in messages]


@pytest.mark.parametrize(
    ("arguments", "stored"),
    [('{"query":"x"}', False), ('{ "query": "x" }', False), ("{}", False), ("", True)],
)
def test_arguments_are_sent_again_letter_by_letter(arguments, stored):
    call = {**CALL, "function": {"name": "web_search", "arguments": arguments}}
    turn = chat_turn({"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls")
    assert bool(kept(turn)) is stored
