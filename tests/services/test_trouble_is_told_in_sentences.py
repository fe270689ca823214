"""What ended a run or holds it up is told in a sentence, with what to do next."""

from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from research.llm.interface import FaultKind, Stop
from research.models import Step
from research.services.checkpoints import LEGAL_PHASES
from research.services.trouble import (
    explain_end,
    explain_error,
    explain_wait,
    resuming,
    used_by,
    what_it_asks,
)
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
STOPS = set(get_args(Stop)) - {"end", "tools", "paused", "error"}


@pytest.mark.parametrize("kind", sorted({*get_args(FaultKind), *STOPS}))
def test_every_fault_of_a_model_has_a_sentence_and_an_advice(kind):
    told = explain_error({"code": kind, "message": "the provider's own words", "retryable": False})
    assert told.sentence.endswith(".")
    assert len(told.advice) > 20
    assert told.detail == "the provider's own words"
    assert told.sentence != told.detail


@pytest.mark.parametrize(
    "code", ["budget", "deadline", "no_price", "invalid_json", "not_found", "ambiguous", "internal"]
)
def test_what_the_engine_and_the_register_report_is_explained(code):
    assert explain_error({"code": code, "message": "x"}).advice


def test_the_last_reason_says_more_than_that_no_model_answered():
    told = explain_error({"code": "model_unavailable", "reason": "quota", "message": "402"})
    assert "used up" in told.sentence


def test_a_code_that_nobody_knows_keeps_its_words():
    told = explain_error({"code": "brand_new", "message": "Something else.", "retryable": True})
    assert (told.sentence, told.detail) == ("Something else.", "")
    assert "Resume" in told.advice
    assert explain_error({"code": "brand_new"}).sentence == "The run failed."


@pytest.mark.parametrize("error", [None, {}])
def test_no_error_is_not_explained(error):
    assert explain_error(error) is None


def test_a_parked_run_says_until_when_and_why():
    run = RunFactory(state="waiting", wake_at=NOW + timedelta(minutes=30))
    failed = {"success": False, "error": {"code": "rate_limit", "message": "slow down", "retryable": True}}
    Step.objects.create(run=run, seq=1, kind="model", name="m", answer=failed, fence=1)
    told = explain_wait(run, NOW)
    assert told.sentence.startswith("The provider of the model had no room")
    assert "goes on by itself at 2026-11-21 08:30 UTC, in 30\xa0minutes." in told.sentence
    assert told.detail == "slow down"


@pytest.mark.parametrize(
    ("state", "phase", "words"),
    [
        ("queued", "", "waits for a worker"),
        ("awaiting_confirmation", "plan", "shows its plan"),
        ("awaiting_confirmation", "budget", "budget does not suffice"),
        ("awaiting_confirmation", "clarification", "has a question"),
        ("awaiting_confirmation", "sources.2", "gave nothing, or not all of it could be reached"),
        ("awaiting_confirmation", "something new", "waits for a person"),
        ("waiting", "", "asked later"),
    ],
)
def test_whoever_waits_says_for_what(state, phase, words):
    assert words in explain_wait(RunFactory(state=state, phase=phase), NOW).sentence


@pytest.mark.parametrize(
    "phase",
    [*LEGAL_PHASES, "clarification", "sources", "brief", "directives.2", "sources.1", "synthesis", "budget"],
)
def test_each_phase_in_which_a_run_waits_has_words_of_its_own(phase):
    run = RunFactory(state="awaiting_confirmation", phase=phase)
    assert what_it_asks(run).sentence != "The run waits for a person."


def test_a_run_that_waits_for_its_parts_says_how_many_are_over():
    run = RunFactory(state="awaiting_children")
    for state in ("succeeded", "running", "failed"):
        RunFactory(parent=run, macro=run.macro, state=state, directive=state)
    assert "2 of 3" in explain_wait(run, NOW).sentence


@pytest.mark.parametrize("state", ["running", "succeeded", "failed", "cancelled"])
def test_who_does_not_wait_says_nothing(state):
    assert explain_wait(RunFactory(state=state), NOW) is None


def test_it_tells_how_far_a_run_is_within_its_limits():
    run = RunFactory(max_turns=20, max_tool_calls=50)
    for seq, kind in enumerate(("model", "tool", "tool", "model"), start=1):
        Step.objects.create(run=run, seq=seq, kind=kind, name="x", answer={} if seq < 4 else None, fence=1)
    assert used_by(run) == {"turns": 1, "max_turns": 20, "tool_calls": 2, "max_tool_calls": 50}


def test_the_demo_register_is_never_taken_for_the_whole_register():
    error = {"code": "not_found", "message": "“Muster AG” was not found in the LEI register."}
    demo, live = RunFactory(error=error, register="demo"), RunFactory(error=error, register="gleif")
    assert "demo register" in explain_end(demo).sentence
    assert "small selection" in explain_end(demo).advice
    assert explain_end(demo).detail == error["message"]
    assert explain_end(live) == explain_error(error)
    assert explain_end(RunFactory()) is None


@pytest.mark.parametrize(
    ("error", "first", "words"),
    [
        (None, True, "Resume"),
        ({"code": "timeout", "retryable": True}, True, "Resume"),
        ({"code": "deadline", "retryable": True}, True, "Resume"),
        ({"code": "auth", "retryable": False}, True, "Resume, once that is done"),
        (
            {"code": "model_unavailable", "reason": "quota", "retryable": True},
            True,
            "Resume, once that is done",
        ),
        ({"code": "no_price", "retryable": True}, True, "Resume, once that is done"),
        ({"code": "refusal", "retryable": False}, False, "Resume all the same"),
        ({"code": "not_found", "retryable": False}, False, "Resume all the same"),
        ({"code": "budget", "retryable": False}, False, "Resume all the same"),
        ({"code": "brand_new", "retryable": False}, False, "Resume all the same"),
        ({"code": "brand_new", "retryable": True}, True, "Resume"),
    ],
)
def test_resuming_is_offered_first_only_where_it_can_help(error, first, words):
    told = resuming(RunFactory(state="failed", error=error))
    assert (told.first, told.words) == (first, words)
    assert bool(told.why) is (words != "Resume")
