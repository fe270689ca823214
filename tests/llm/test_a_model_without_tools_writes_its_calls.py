"""The JSON text protocol: the same loop for a model, or a server, that knows no tools."""

import json

import pytest

from research.jsontext import JsonTextError
from research.llm.answer_json import read_json
from research.llm.interface import Message, ModelFault, ToolAnswer, ToolSpec, Turn
from research.llm.models import open_model, without
from research.llm.text_protocol import TextProtocolModel, read_reply
from tests.cases import cases
from tests.llm.doubles.scripts import SCRIPTS, research
from tests.llm.doubles.server import Double
from tests.llm.talking import MODELS, SEARCH, point_at, request, talk

CALLS = {"tool_calls": [{"tool": "web_search", "arguments": {"query": "Zürich"}}], "reasoning": "To begin."}


def read(text, **how):
    return read_reply(Turn(text), request(**how))


@pytest.mark.parametrize("name", MODELS)
def test_a_listed_model_researches_like_any_other(settings, name):
    settings.DOSSIER_MODEL_TEXT_PROTOCOL = ["m"]
    with Double(SCRIPTS["seven-turns"], refuse=["tools"]) as double:
        point_at(settings, double)
        turns = talk(name)
    assert [turn.stop for turn in turns] == ["tools"] * 6 + ["end"]
    assert turns[0].tool_calls[0].arguments == {"query": "question 1"}
    assert len({call.id for turn in turns for call in turn.tool_calls}) == 6
    assert json.loads(turns[-1].text) == {"entity": "Example AG", "sources": 6}
    assert double.bill.violations == []
    assert not any("tools" in body for body in double.bodies())


@pytest.mark.parametrize("name", MODELS)
def test_a_server_that_refuses_tools_is_asked_without(settings, caplog, name):
    with Double(research(1), refuse=["tools"]) as double:
        point_at(settings, double)
        model = open_model(name)
        with pytest.raises(ModelFault) as raised:
            model.complete(request())
        assert (raised.value.kind, raised.value.feature) == ("unsupported", "tools")
        other = without(model, raised.value)
        turn = other.complete(request())
    assert turn.tool_calls[0].name == "web_search"
    assert (other.name, other.abilities.tools) == (name, False)
    assert "text protocol" in caplog.text
    assert without(other, raised.value) is None


def test_a_conversation_moves_between_a_model_with_tools_and_one_without(settings):
    settings.DOSSIER_MODEL_TEXT_PROTOCOL = ["openai-chat:m"]
    for names in (["openai-chat:m", "anthropic:m", "openai:m"], ["anthropic:m", "openai-chat:m"]):
        with Double(research(4)) as double:
            point_at(settings, double)
            turns = talk(*names)
        assert [turn.stop for turn in turns] == ["tools"] * 4 + ["end"]
        assert double.bill.violations == []


def test_the_model_reads_the_tools_the_answers_and_the_schema_as_text(settings):
    settings.DOSSIER_MODEL_TEXT_PROTOCOL = ["m"]
    with Double(research(1)) as double:
        point_at(settings, double)
        talk("openai-chat:m")
    first, second = (body["messages"] for body in double.bodies())
    for shown in ("web_search: Search the web.", '"max_results"', '"tool_calls"', '"minLength":1'):
        assert shown in first[0]["content"]
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]
    assert json.loads(second[2]["content"])["tool_calls"][0]["tool"] == "web_search"
    assert second[3]["content"].startswith("Result of web_search:")


def test_the_last_question_is_a_plain_one(settings):
    settings.DOSSIER_MODEL_TEXT_PROTOCOL = ["m"]
    with Double(SCRIPTS["answer"]) as double:
        point_at(settings, double)
        turn = open_model("openai-chat:m").complete(request(tools=False))
    (body,) = double.bodies()
    assert turn.stop == "end"
    assert "tool_calls" not in str(body)
    assert body["response_format"]["type"] == "json_schema"


def test_what_a_person_and_a_tool_say_in_a_row_is_one_message():
    seen = []

    class Inner:
        name, abilities = "x", open_model("register").abilities

        def complete(self, asked):
            seen.extend(asked.messages)
            return Turn("{}")

    answers = (ToolAnswer("1", "web_search", {"success": True}),)
    talked = [
        Message("user", "go"),
        Message("tool", answers=answers),
        Message("user", "Your budget is spent."),
    ]
    TextProtocolModel(Inner()).complete(request(talked))
    assert [message.role for message in seen] == ["user"]
    assert seen[0].text.endswith("Your budget is spent.")


@cases(
    ("text", "repaired"),
    [
        (json.dumps(CALLS), False),
        (f"```json\n{json.dumps(CALLS)}\n```", True),
        (f"I will search [1].\n{json.dumps(CALLS)}\nThat is all.", True),
        (json.dumps(CALLS["tool_calls"]), False),
        ("{'tool_calls': [{'tool': 'web_search', 'arguments': {'query': 'Zürich'}}]}", True),
        (json.dumps(CALLS).replace("}]", "},]"), True),
        ('{"tool_calls": [{"tool": "web_search", "arguments": "{\\"query\\": \\"Zürich\\"}"}]}', False),
    ],
)
def test_calls_are_read_however_they_are_written(text, repaired):
    turn = read(text)
    assert turn.stop == "tools"
    assert [(call.name, call.arguments) for call in turn.tool_calls] == [("web_search", {"query": "Zürich"})]
    assert turn.detail.get("repaired", False) is repaired


def test_calls_that_stand_side_by_side_are_all_made():
    call = {"tool": "web_search", "arguments": {"query": "one"}}
    other = {"tool": "web_search", "arguments": {"query": "two"}}
    turn = read(f"{json.dumps(call)}\n{json.dumps(other)}")
    assert [one.arguments["query"] for one in turn.tool_calls] == ["one", "two"]


@cases(
    ("text", "said"),
    [
        ("Let me think about it.", "not one JSON object"),
        ('{"tool_calls": [{"tool": "web_search", "arguments": {"query": "Zür', "not one JSON object"),
        ('Here: {"entity": "Example AG", "rows": [1, 2, 3', "not one JSON object"),
        ('{"tool_calls": ["web_search"]}', "names no tool"),
        ('{"tool_calls": [{"arguments": {}}]}', "names no tool"),
    ],
)
def test_what_cannot_be_read_is_said_and_nothing_is_completed(text, said):
    turn = read(text)
    assert (turn.stop, turn.tool_calls) == ("error", ())
    assert said in turn.detail["parse_failure"]


def test_a_document_is_the_end_also_when_it_has_a_field_of_that_name():
    for document in (
        {"entity": "Example AG"},
        {"entity": "x", "tool_calls": 3},
        {"entity": "x", "tool_calls": []},
    ):
        turn = read(json.dumps(document))
        assert (turn.stop, json.loads(turn.text)) == ("end", document)


def test_prose_is_the_end_where_prose_is_wanted():
    assert read("A short report.", schema=None).stop == "end"


def test_no_more_calls_means_that_the_research_is_complete():
    asked = request()
    done = ToolSpec("research_complete", "Done.", {"type": "object"})
    offered = type(asked)(**{**vars(asked), "tools": [SEARCH, done]})
    turn = read_reply(Turn('{"tool_calls": [], "reasoning": "Enough."}'), offered)
    assert [(call.name, call.arguments) for call in turn.tool_calls] == [
        ("research_complete", {"summary": "Enough."})
    ]
    assert read('{"tool_calls": []}').stop == "end"
    assert read("").stop == "end"


CUT = (
    "[1, 2",
    '{"tool_calls": [{"tool": "web_search"}], "rea',
    '{"a": {"b": 1}',
    '{"a": "b',
    '{"a": 1} {"b": 2',
    '{"rows": [1, 2], "more": "x',
    "nothing",
    "5",
)


@cases("text", CUT)
def test_cut_json_is_never_repaired(text):
    with pytest.raises(JsonTextError):
        read_json(text)


@pytest.mark.parametrize("text", ['{"a": 1}\n{"a": 2,}', '{"a": 1,}\n{"a": 2}', '{"a": 1,} or {"a": 2,}'])
def test_none_of_several_documents_is_lost_because_it_cannot_be_read(text):
    with pytest.raises(JsonTextError):
        read_json(text)


def test_a_document_is_read_beside_braces_that_are_no_json():
    assert read_json('For {name} and {}: {"a": 1}') == ({"a": 1}, True)
    assert read_json('For {name}: {"a": 1,}')[1]


def test_a_refusal_of_the_model_within_passes_through(settings):
    settings.DOSSIER_MODEL_TEXT_PROTOCOL = ["m"]
    with Double([{"stop": "refusal", "text": "No."}]) as double:
        point_at(settings, double)
        turn = open_model("anthropic:m").complete(request())
    assert (turn.stop, turn.text) == ("refusal", "No.")
