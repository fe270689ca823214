"""A vendor's strict mode is used for a schema that it takes as it is, and for no other."""

import json

import pytest
from jsonschema import Draft202012Validator

from research.llm.models import open_model
from research.llm.schemas import keeps_as_format, keeps_strictly
from tests.cases import cases
from tests.llm.doubles.scripts import SCRIPTS
from tests.llm.doubles.server import Double
from tests.llm.talking import point_at, request


def closed(required=("a",), **properties):
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": list(required),
    }


TEXT = {"type": "string"}
PLAIN = closed(a=TEXT)
NESTED = closed(a={"type": "array", "items": closed(a={"anyOf": [TEXT, {"type": "null"}]})})
DEFINED = {**closed(a={"$ref": "#/$defs/one"}), "$defs": {"one": PLAIN}}
OPTIONAL = closed((), a=TEXT)
LIMITED = closed(a={"type": "string", "minLength": 2, "pattern": "^[A-Z]+$"})
OPEN = {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}
DEEP_OPEN = closed(a=OPEN)
RECURSIVE = {**closed(a={"$ref": "#/$defs/one"}), "$defs": {"one": closed(a={"$ref": "#/$defs/one"})}}
CHOICE = closed(a={"oneOf": [TEXT, {"type": "null"}]})
FREE = closed(a={})
LIST = {"type": "array", "items": TEXT}


@pytest.mark.parametrize("schema", [PLAIN, NESTED, DEFINED, RECURSIVE])
def test_openai_takes_closed_objects_without_options(schema):
    assert keeps_strictly(schema)


@cases("schema", [OPTIONAL, LIMITED, OPEN, DEEP_OPEN, CHOICE, FREE, LIST, True, {}])
def test_openai_is_not_strict_about_others(schema):
    assert not keeps_strictly(schema)


@pytest.mark.parametrize("schema", [PLAIN, NESTED, DEFINED, OPTIONAL])
def test_anthropic_takes_closed_objects_as_they_are(schema):
    assert keeps_as_format(schema) == schema


@cases("schema", [OPEN, DEEP_OPEN, RECURSIVE, CHOICE, FREE, LIST, True, {}])
def test_anthropic_is_not_sent_others(schema):
    assert keeps_as_format(schema) is None


@pytest.mark.parametrize("document", [{"a": "AB"}, {"a": "ABCDEF"}])
def test_what_is_left_out_for_anthropic_forbids_nothing(document):
    loose = keeps_as_format(LIMITED)
    assert loose == PLAIN
    assert Draft202012Validator(LIMITED).is_valid(document)
    assert Draft202012Validator(loose).is_valid(document)


def test_a_property_called_like_a_limit_stays():
    schema = closed(("pattern", "format"), pattern=TEXT, format=TEXT)
    assert keeps_as_format(schema) == schema
    assert keeps_strictly(schema)


@pytest.mark.parametrize(("schema", "strict"), [(PLAIN, True), (OPEN, False)])
def test_the_schema_is_sent_with_the_question_and_said_in_it(settings, schema, strict):
    with Double(SCRIPTS["answer"]) as double:
        point_at(settings, double)
        for name in ("openai:m", "openai-chat:m", "anthropic:m"):
            open_model(name).complete(request(tools=False, schema=schema))
    responses, chat, messages = double.bodies()
    assert responses["text"]["format"]["strict"] is chat["response_format"]["json_schema"]["strict"] is strict
    assert responses["text"]["format"]["schema"] == chat["response_format"]["json_schema"]["schema"] == schema
    assert ("output_config" in messages) is strict
    for said in (responses["instructions"], chat["messages"][0]["content"], messages["system"][0]["text"]):
        assert json.dumps(schema, sort_keys=True, separators=(",", ":")) in said


def test_chat_completions_never_gets_tools_and_a_schema_together(settings):
    with Double(SCRIPTS["answer"]) as double:
        point_at(settings, double)
        open_model("openai-chat:m").complete(request())
    (body,) = double.bodies()
    assert "tools" in body
    assert "response_format" not in body


def test_anthropic_never_gets_its_search_and_a_format_together(settings):
    with Double(SCRIPTS["server-search"]) as double:
        point_at(settings, double)
        open_model("anthropic:m").complete(request(server_search=True))
        open_model("anthropic:m").complete(request())
    assert ["output_config" in body for body in double.bodies()] == [False, True]


def test_our_search_makes_room_for_that_of_the_provider(settings):
    calls = [{"name": "dossier_web_search", "arguments": {"query": "x"}}]
    for name in ("anthropic:m", "openai:m"):
        with Double([{"calls": calls}]) as double:
            point_at(settings, double)
            turn = open_model(name).complete(request(server_search=True))
        names = [tool.get("name") or tool["type"] for tool in double.bodies()[0]["tools"]]
        assert names == ["dossier_web_search", "web_search"]
        assert turn.tool_calls[0].name == "web_search"
