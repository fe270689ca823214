"""What stays the same from turn to turn is marked, so that it is not paid for in full again."""

import json

from tests.llm.doubles.scripts import SCRIPTS
from tests.llm.doubles.server import Double
from tests.llm.talking import point_at, talk


def bodies(settings, name):
    with Double(SCRIPTS["three-turns"]) as double:
        point_at(settings, double)
        talk(name)
    return double.bodies()


def test_anthropic_is_told_where_the_system_the_tools_and_the_conversation_end(settings):
    for body in bodies(settings, "anthropic:m"):
        assert json.dumps(body).count('"cache_control"') == 3
        assert "cache_control" in body["system"][-1]
        assert "cache_control" in body["tools"][-1]
        assert "cache_control" in body["messages"][-1]["content"][-1]


def test_openai_gets_one_key_for_a_conversation(settings):
    keys = {body["prompt_cache_key"] for body in bodies(settings, "openai:m")}
    assert len(keys) == 1
    assert len(keys.pop()) == 32


def test_each_request_begins_as_the_one_before_ended(settings):
    first, second, third = (body["input"] for body in bodies(settings, "openai:m"))
    assert second[: len(first)] == first
    assert third[: len(second)] == second
    plain = [[strip(message) for message in body["messages"]] for body in bodies(settings, "anthropic:m")]
    assert plain[2][: len(plain[1])] == plain[1]


def strip(message):
    content = [
        {key: value for key, value in block.items() if key != "cache_control"} for block in message["content"]
    ]
    return {**message, "content": content}
