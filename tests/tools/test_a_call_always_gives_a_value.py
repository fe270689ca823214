"""Whatever happens in a tool, the caller gets a value it can store and show."""

import json
import logging

import pytest

from entities.gleif.errors import (
    GleifBadAnswer,
    GleifBadRequest,
    GleifNotFound,
    GleifRateLimited,
    GleifUnavailable,
)
from research.jsontext import check_json
from research.tools.tool import REGISTRY, ToolContext
from tests.cases import cases
from tests.tools.calls import call_tool

ALLIANZ = "529900K9B0N5BT694847"


@cases(
    ("tool", "arguments", "said"),
    [
        ("lei_search", {}, "name"),
        ("lei_search", {"name": ""}, "name"),
        ("lei_search", {"name": 5}, "name"),
        ("lei_search", {"name": "Allianz", "colour": "blue"}, "colour"),
        ("lei_search", {"name": "Allianz", "limit": 0}, "limit"),
        ("lei_search", {"name": "Allianz", "limit": 1000}, "limit"),
        ("lei_search", {"name": "Allianz", "status": "ISSUED"}, "status"),
        ("lei_search", {"name": "NUL \0"}, "NUL"),
        ("lei_record", {"lei": "529900"}, "lei"),
        ("lei_record", {"lei": None}, "lei"),
        ("lei_children", {"lei": ALLIANZ, "level": "both"}, "level"),
        ("lei_managed_funds", {"lei": ALLIANZ, "limit": "10"}, "limit"),
    ],
)
def test_it_refuses_bad_arguments_and_names_them(call, tool, arguments, said):
    error = call(tool, **arguments)["error"]
    assert error["code"] == "bad_arguments"
    assert said in error["message"]
    assert not error["retryable"]


@pytest.mark.parametrize("arguments", [None, [], "lei", 7])
def test_it_refuses_arguments_that_are_no_object(register, arguments):
    answer = call_tool("lei_record", arguments, ToolContext(register=register))
    assert answer["error"]["code"] == "bad_arguments"


def test_it_keeps_an_error_message_bounded(call):
    assert len(call("lei_search", name="x" * 50_000)["error"]["message"]) <= 500


@cases(
    ("error", "code", "retryable"),
    [
        (GleifNotFound("no such record"), "not_found", False),
        (GleifBadRequest("bad filter"), "bad_request", False),
        (GleifUnavailable("no answer in time"), "register_unavailable", True),
        (GleifBadAnswer("HTML instead of JSON"), "register_unavailable", True),
        (GleifRateLimited("too many", 30.0), "rate_limited", True),
    ],
)
@cases("tool", ["lei_record", "lei_parents", "lei_children", "lei_managed_funds"])
def test_it_tells_what_kind_of_trouble_the_register_has(call_failing, tool, error, code, retryable):
    answer = call_failing(error, tool, lei=ALLIANZ)
    assert answer["success"] is False
    assert answer["error"]["code"] == code
    assert answer["error"]["retryable"] is retryable
    assert answer["error"]["message"] == str(error)


def test_it_says_how_long_to_wait_when_the_rate_is_limited(call_failing):
    answer = call_failing(GleifRateLimited("too many", 30.0), "lei_search", name="Allianz")
    assert answer["error"]["retry_after"] == 30.0


def test_it_shows_only_the_class_of_an_unforeseen_exception(call_failing, caplog):
    with caplog.at_level(logging.ERROR):
        answer = call_failing(KeyError("s3cret"), "lei_record", lei=ALLIANZ)
    assert answer["error"]["code"] == "internal"
    assert "KeyError" in answer["error"]["message"]
    assert "s3cret" not in json.dumps(answer)
    assert "s3cret" in caplog.text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("lei_search", {"name": "Allianz Global Investors GmbH"}),
        ("lei_record", {"lei": ALLIANZ}),
        ("lei_parents", {"lei": ALLIANZ}),
        ("lei_children", {"lei": ALLIANZ}),
        ("lei_managed_funds", {"lei": "OJ2TIQSVQND4IZYYK658"}),
    ],
)
def test_it_gives_data_and_sources_that_both_databases_can_store(call, tool, arguments):
    answer = call(tool, **arguments)
    assert answer["success"] is True
    check_json(answer)
    assert answer["data"]["register"] == "demo"
    assert answer["data"]["as_of"]
    [source] = answer["sources"]
    assert source["kind"] == "register"
    assert all(source[part] for part in ("key", "url", "title", "snippet", "as_of"))
    json.loads(source["text"])


@pytest.mark.django_db
def test_every_tool_declares_its_arguments_its_effect_and_its_cost():
    for tool in REGISTRY.values():
        assert tool.parameters["additionalProperties"] is False
        assert set(tool.parameters.get("required", [])) <= set(tool.parameters["properties"])
        assert tool.effect in ("read", "write")
        assert tool.cost({}) >= 0
        assert tool.description
