"""What a database refuses, and what stops every worker, ends the run instead of being paid for again and again."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import DataError
from django.utils import timezone

from research.engine import check_steps
from research.engine.runner import MAX_FRUITLESS, perform_run
from research.llm.interface import Usage
from research.models import ModelPrice, Run, Step
from research.models.states import RunState
from research.services.runs import resume_run
from research.store import run_store
from tests.engine.conftest import answers
from tests.factories import RunFactory

STORE = type(run_store())

pytestmark = pytest.mark.django_db


@pytest.fixture
def run():
    ModelPrice.objects.create(
        model="x", valid_from="2020-01-01", input_usd=10, cached_usd=1, cache_write_usd=10, output_usd=10
    )
    return RunFactory(model="openai:x", budget_usd=Decimal(1))


@pytest.mark.parametrize("tokens", [10**9, 10**15, 10**400])
def test_a_usage_that_cannot_be_is_booked_as_reserved(play, run, tokens):
    script = play(replace(answers(), usage=Usage(1, 0, 0, tokens)))
    script.name = "openai:x"
    perform_run(run.pk)
    run.refresh_from_db()
    step = Step.objects.get(run=run, kind="model")
    assert (run.state, len(script.requests)) == (RunState.SUCCEEDED, 1)
    assert step.usage["cost"] == "reserved"
    assert 0 < run.spent_usd == step.cost_usd < 1
    assert run.reserved_usd == 0


def test_an_answer_that_the_database_refuses_is_paid_once_and_the_run_fails(play, run, monkeypatch):
    script = play(replace(answers(), usage=Usage(1, 0, 0, 1)))
    commit = STORE.write

    def refuse(self, write):
        if any("text" in (step.answer or {}) for step in write.filled):
            raise DataError("numeric field overflow")
        return commit(self, write)

    monkeypatch.setattr(STORE, "write", refuse)
    perform_run(run.pk)
    run.refresh_from_db()
    step = Step.objects.get(run=run, kind="model")
    assert (run.state, run.error["code"], len(script.requests)) == (RunState.FAILED, "internal", 1)
    assert step.answer["error"]["code"] == "unstorable"
    assert (run.reserved_usd, run.spent_usd) == (0, 0)
    assert run.lost_usd == step.lost_usd > 0


class Killed(BaseException):
    """kill -9: no handler of ours sees it."""


def test_a_run_that_stops_every_worker_fails_and_can_be_resumed(play, run, monkeypatch):
    script, killed = play(answers()), []

    def kill(*args):
        killed.append(1)
        raise Killed

    monkeypatch.setattr(check_steps, "_checked", kill)
    for _ in range(MAX_FRUITLESS + 1):
        with pytest.raises(Killed):
            perform_run(run.pk)
        Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"], run.error["retryable"]) == (RunState.FAILED, "stuck", True)
    assert (len(killed), len(script.requests)) == (MAX_FRUITLESS + 1, 1)
    monkeypatch.undo()
    resume_run(run=run, actor=None)
    play(answers())
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
