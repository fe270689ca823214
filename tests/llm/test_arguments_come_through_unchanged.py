"""Whatever JSON a model calls a tool with is what the tool gets, and what the model is shown again."""

import json
from string import ascii_letters

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from research.llm.adapter import Options
from research.llm.anthropic import AnthropicModel
from research.llm.chat import ChatModel
from research.llm.http import Endpoint
from research.llm.interface import Message, ToolAnswer, ToolCall, Turn
from research.llm.responses import ResponsesModel
from tests.llm.doubles.scripts import SCRIPTS
from tests.llm.doubles.server import Double
from tests.llm.talking import KEY, request

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXT = st.text(CHARACTERS, max_size=30)
NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(-1e15, 1e15)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
ARGUMENTS = st.dictionaries(TEXT, VALUES, max_size=4)
IDS = st.text(CHARACTERS, min_size=1, max_size=80)


@pytest.fixture(scope="module")
def double():
    with Double(SCRIPTS["answer"]) as serving:
        yield serving


def adapters(double, stream):
    headers = {"Authorization": f"Bearer {KEY}", "anthropic-version": "2026-10-21"}
    options = Options(stream=stream)
    yield AnthropicModel("m", Endpoint("A", double.url, headers), options)
    for kind in (ResponsesModel, ChatModel):
        yield kind("m", Endpoint("O", f"{double.url}/v1", headers), options)


@pytest.mark.parametrize("stream", ["on", "off"])
@given(arguments=ARGUMENTS)
@settings(max_examples=25)
def test_they_reach_the_tool_as_they_were_meant(double, stream, arguments):
    double.script = [{"calls": [{"name": "web_search", "arguments": arguments}]}]
    for model in adapters(double, stream):
        (call,) = model.complete(request()).tool_calls
        assert (call.arguments, call.fault) == (arguments, "")


@given(arguments=ARGUMENTS, call_id=IDS, text=TEXT, found=ARGUMENTS)
@settings(max_examples=40)
def test_a_conversation_of_another_provider_is_told_again_as_it_was(double, arguments, call_id, text, found):
    double.script = [{"calls": []}, {"text": "{}"}]
    turn = Turn(text, (ToolCall(call_id, "web_search", arguments),), "tools", raw={"somebody": []})
    answer = ToolAnswer(call_id, "web_search", {"success": True, "data": found})
    messages = [
        Message("user", "go"),
        Message("assistant", text, turn=turn),
        Message("tool", answers=(answer,)),
    ]
    for model in adapters(double, "off"):
        double.bill.violations.clear()
        double.requests.clear()
        assert model.complete(request(messages)).stop == "end"
        assert double.bill.violations == []
        sent, shown = read_back(double.bodies()[0])
        assert sent == arguments
        assert json.loads(shown) == {"success": True, "data": found}


def read_back(body):
    """The arguments and the answer of the one call in a request, whatever its protocol."""
    if "input" in body:
        items = {item.get("type"): item for item in body["input"]}
        return json.loads(items["function_call"]["arguments"]), items["function_call_output"]["output"]
    if "system" in body:
        blocks = {block["type"]: block for message in body["messages"] for block in message["content"]}
        return blocks["tool_use"]["input"], blocks["tool_result"]["content"]
    *_, asked, answered = body["messages"]
    return json.loads(asked["tool_calls"][0]["function"]["arguments"]), answered["content"]


@given(name=st.text(ascii_letters, min_size=1, max_size=10), text=TEXT)
@settings(max_examples=20)
def test_final_texts_arrive_whole(double, name, text):
    document = json.dumps({name: text}, ensure_ascii=False)
    double.script = [{"text": document}]
    for stream in ("on", "off"):
        for model in adapters(double, stream):
            assert model.complete(request()).text == document
