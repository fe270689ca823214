"""The same script gives the same turns by every protocol, streamed or not, and nothing a server would refuse."""

import json

import pytest

from research.llm.interface import Message, ToolAnswer
from research.llm.models import open_model
from tests.cases import cases
from tests.llm.doubles.scripts import FOUND, QUOTE, SCRIPTS, research
from tests.llm.doubles.server import Double
from tests.llm.talking import MODELS, point_at, request, talk

STREAM = ("on", "off")


@cases("stream", STREAM)
@cases("name", MODELS)
def test_it_researches_in_seven_turns(settings, name, stream):
    with Double(SCRIPTS["seven-turns"]) as double:
        point_at(settings, double, stream)
        turns = talk(name)
    assert [turn.stop for turn in turns] == ["tools"] * 6 + ["end"]
    assert [call.arguments["query"] for turn in turns for call in turn.tool_calls] == [
        f"question {n}" for n in range(1, 7)
    ]
    assert json.loads(turns[-1].text) == {"entity": "Example AG", "sources": 6}
    assert (double.bill.requests, double.bill.answered, double.bill.violations) == (7, 7, [])


@cases("stream", STREAM)
@cases("name", MODELS)
def test_it_sends_back_thinking_and_encrypted_reasoning_unchanged(settings, name, stream):
    with Double(SCRIPTS["thinking"]) as double:
        point_at(settings, double, stream)
        turns = talk(name)
    assert (turns[-1].stop, double.bill.violations) == ("end", [])
    sent = json.dumps(double.bodies()[-1])
    assert {"anthropic": "sig-1", "openai": "enc-1", "openai-chat": "call_1_0"}[name.split(":")[0]] in sent


@cases("stream", STREAM)
@cases("name", MODELS)
def test_it_answers_every_call_of_a_turn(settings, name, stream):
    with Double(SCRIPTS["two-calls"]) as double:
        point_at(settings, double, stream)
        turns = talk(name)
    assert [len(turn.tool_calls) for turn in turns] == [2, 0]
    assert double.bill.violations == []


@cases("stream", STREAM)
@cases("name", MODELS)
def test_calls_that_come_with_the_same_id_are_told_apart(settings, name, stream):
    with Double(SCRIPTS["same-id"]) as double:
        point_at(settings, double, stream)
        turns = talk(name)
    assert double.bill.violations == []
    calls = [call for turn in turns for call in turn.tool_calls]
    assert [call.arguments["query"] for call in calls] == ["one", "two", "three"]
    assert len({call.id for call in calls}) == 3
    if name != "openai-chat:m":  # what the provider said is kept as it was said
        assert "'one'" in str(turns[1].raw)


def test_an_answer_from_the_background_tells_them_apart_too(settings):
    with Double(SCRIPTS["same-id"]) as double:
        point_at(settings, double)
        settings.DOSSIER_MODEL_BACKGROUND = True
        model = open_model("openai:m")
        ticket = model.start(request())
        turn = model.collect(ticket)
        while turn is None:
            turn = model.collect(ticket)
    assert len({call.id for call in turn.tool_calls}) == 2


@cases("stream", STREAM)
@cases("name", MODELS)
def test_it_asks_a_last_time_without_tools(settings, name, stream):
    with Double(SCRIPTS["seven-turns"]) as double:
        point_at(settings, double, stream)
        messages = [Message("user", "go")]
        turn = open_model(name).complete(request(messages))
        messages += [
            Message("assistant", turn=turn),
            Message(
                "tool", answers=tuple(ToolAnswer(c.id, c.name, {"success": True}) for c in turn.tool_calls)
            ),
            Message("user", "The budget is spent; answer now."),
        ]
        last = open_model(name).complete(request(messages, tools=False))
    assert (last.stop, double.bill.violations) == ("end", [])


@pytest.mark.parametrize("stream", STREAM)
def test_it_goes_on_after_a_pause(settings, stream):
    with Double([*SCRIPTS["paused"], {"text": '{"again": true}'}]) as double:
        point_at(settings, double, stream)
        turns = talk("anthropic:m", server_search=True, then="Now once more.")
    assert [turn.stop for turn in turns] == ["paused", "end", "end"]
    assert double.bill.violations == []
    assert {citation.quote for citation in turns[1].citations} == {QUOTE}


@pytest.mark.parametrize("stream", STREAM)
@pytest.mark.parametrize("name", ["anthropic:m", "openai:m"])
def test_it_keeps_what_the_search_of_the_provider_cites(settings, name, stream):
    with Double(SCRIPTS["server-search"]) as double:
        point_at(settings, double, stream)
        (turn,) = talk(name, server_search=True)
    assert {citation.url for citation in turn.citations} == {found["url"] for found in FOUND}
    assert turn.usage
    assert turn.usage.searches == 1
    assert json.loads(turn.text) == {"entity": "Example AG"}
    assert double.bill.violations == []


@pytest.mark.parametrize("stream", STREAM)
def test_a_search_goes_back_without_the_sources_that_were_asked_for(settings, stream):
    """They come in kinds that are not taken back."""
    with Double([*SCRIPTS["server-search"], {"text": "{}"}]) as double:
        point_at(settings, double, stream)
        turns = talk("openai:m", server_search=True, then="Now once more.")
        (sent,) = [item for item in double.bodies()[-1]["input"] if item.get("type") == "web_search_call"]
    assert sent["action"] == {"type": "search", "query": turns[0].raw["responses"][0]["action"]["query"]}
    assert turns[0].raw["responses"][0]["action"]["sources"]


@cases(("first", "second"), [(one, two) for one in MODELS for two in MODELS if one != two])
def test_another_provider_takes_over_in_the_middle(settings, first, second):
    with Double(research(3)) as double:
        point_at(settings, double, "off")
        turns = talk(first, second)
    assert [turn.stop for turn in turns] == ["tools"] * 3 + ["end"]
    assert double.bill.violations == []
