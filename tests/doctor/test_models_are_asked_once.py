"""Each language model has one short conversation over its own protocol, and is told apart by what it does in it."""

import json

import pytest

from research.doctor import models
from research.doctor.findings import examine
from research.services.prices import read_price, set_price
from tests.factories import UserFactory
from tests.llm.doubles.server import Double

GOOD = [
    {"calls": [{"name": "look_up", "arguments": {"company": "Example"}}]},
    {"text": json.dumps({"legal_name": models.NAME})},
]
NAMES = ("anthropic:some-model", "openai:some-model", "openai-chat:some-model")


@pytest.fixture
def asked(settings, db):
    """What is found of a model when the server plays a script; and the server."""
    settings.ANTHROPIC_API_KEY = settings.OPENAI_API_KEY = settings.OPENAI_CHAT_API_KEY = "sk-very-secret"

    def ask(name, script=GOOD, **server):
        with Double(script, **server) as double:
            settings.ANTHROPIC_BASE_URL = double.url
            settings.OPENAI_BASE_URL = settings.OPENAI_CHAT_BASE_URL = f"{double.url}/v1"
            settings.DOSSIER_MODEL = name
            ((_, finding),) = examine(models.examinations())
        return finding, double

    return ask


def test_it_calls_a_tool_and_writes_a_document(asked):
    set_price(
        model="some-model", price=read_price({"input": 3, "output": 15}), actor=UserFactory(is_superuser=True)
    )
    for name in NAMES:
        finding, double = asked(name)
        assert (finding.state, double.bill.requests, double.bill.violations) == ("ok", 2, []), (name, finding)
        assert "tokens a second" in finding.seen


def test_it_says_that_the_price_is_missing(asked):
    finding, _ = asked(NAMES[0])
    assert finding.state == "warning"
    assert "research prices --set" in finding.todo


def test_what_its_server_refuses_is_left_away_and_told(asked):
    by_text = [
        {"text": json.dumps({"tool_calls": [{"tool": "look_up", "arguments": {"company": "Example"}}]})},
        GOOD[1],
    ]
    finding, _ = asked("openai-chat:some-model", by_text, refuse=["tools"])
    assert finding.state == "warning"
    assert "writes its calls of tools as text" in finding.seen


def test_faults_are_told_with_what_to_do(asked):
    wrong = []
    for fault, said, todo in (
        ("auth", "key", "ANTHROPIC_API_KEY"),
        ("quota", "", "account"),
        ("not_found", "", "name of the model"),
        ("unavailable", "", ""),
    ):
        finding, _ = asked(NAMES[0], [{**GOOD[0], "before": [fault]}, GOOD[1]])
        if finding.state != "broken" or said not in finding.seen or todo not in finding.todo:
            wrong.append((fault, finding))
        assert "sk-very-secret" not in finding.seen
    assert wrong == []


def test_a_model_that_calls_no_tool_or_does_not_read_its_answer_is_named(asked):
    finding, _ = asked(NAMES[0], [{"text": "I would rather not."}, GOOD[1]])
    assert (finding.state, "DOSSIER_MODEL_TEXT_PROTOCOL" in finding.todo) == ("broken", True)
    finding, _ = asked(NAMES[0], [GOOD[0], {"text": '{"legal_name": "Somebody else"}'}])
    assert (finding.state, "stronger" in finding.todo) == ("warning", True)


def test_a_model_that_cannot_be_asked_is_named_without_asking(settings, db):
    settings.DOSSIER_MODEL, settings.ANTHROPIC_API_KEY = "register,nonsense,anthropic:some-model", ""
    found = {one.name: finding for one, finding in examine(models.examinations())}
    assert [found[name].state for name in ("register", "nonsense", "anthropic:some-model")] == [
        "ok",
        "broken",
        "broken",
    ]
    assert "anthropic:nonsense" in found["nonsense"].seen
    assert "Set ANTHROPIC_API_KEY" in found["anthropic:some-model"].todo
