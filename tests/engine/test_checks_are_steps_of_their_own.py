"""Verification: resumable, and never the end of a run."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.checks.verdict import Verdict
from research.engine import check_steps
from research.engine.check_steps import Family
from research.engine.runner import perform_run
from research.models import Run, Step
from research.models.states import CheckKind, RunState
from tests.engine.conftest import answers
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


def test_it_says_unknown_for_a_check_that_breaks_and_ends_the_run_well(play, monkeypatch):
    def broken(subject):
        raise ZeroDivisionError

    families = [*check_steps.FAMILIES, Family("broken", CheckKind.CLAIM, broken)]
    monkeypatch.setattr(check_steps, "FAMILIES", families)
    play(answers())
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    check = run.result.checks.get(code="check-failed")
    assert (check.kind, check.verdict) == ("claim", "unknown")
    assert "ZeroDivisionError" in check.message
    assert run.result.checks.filter(kind="lei", verdict="pass").exists()


def test_it_finds_again_what_nobody_had_to_be_asked_for(play, monkeypatch):
    class Killed(BaseException):
        pass

    asked = []

    def local(subject):
        asked.append("local")
        return [Verdict("claim", "local", "", "", "warn", "It\0 holds.", {"passage": "long"})]

    def last(subject):
        asked.append("last")
        if asked.count("last") == 2:
            return []
        raise Killed

    def remote(subject):
        asked.append("remote")
        return []

    families = [
        Family("local", CheckKind.CLAIM, local, asks=check_steps.never),
        Family("remote", CheckKind.CLAIM, remote),
        Family("last", CheckKind.CLAIM, last),
    ]
    monkeypatch.setattr(check_steps, "FAMILIES", families)
    play(answers())
    run = RunFactory()
    with pytest.raises(Killed):
        perform_run(run.pk)
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    perform_run(run.pk)
    run.refresh_from_db()
    assert asked == ["local", "remote", "last", "local", "last"]
    assert [(check.code, check.message) for check in run.result.checks.all()] == [("local", "It holds.")]
    assert Step.objects.get(run=run, name="local").answer == {"pass": 0, "warn": 1, "fail": 0, "unknown": 0}


def test_it_does_not_check_again_what_was_checked_before_a_kill(play, monkeypatch):
    class Killed(BaseException):
        pass

    asked = []

    def costly(subject):
        asked.append("costly")
        return [Verdict("claim", "costly", "", "", "pass", "It holds.")]

    def deadly(subject):
        asked.append("deadly")
        if asked.count("deadly") == 1:
            raise Killed
        return []

    families = [Family("costly", CheckKind.CLAIM, costly), Family("deadly", CheckKind.CLAIM, deadly)]
    monkeypatch.setattr(check_steps, "FAMILIES", families)
    script = play(answers())
    run = RunFactory()
    with pytest.raises(Killed):
        perform_run(run.pk)
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    perform_run(run.pk)
    run.refresh_from_db()
    assert asked == ["costly", "deadly", "deadly"]
    assert len(script.requests) == 1
    assert [check.code for check in run.result.checks.all()] == ["costly"]
    assert Step.objects.filter(run=run, kind="check").count() == 2


def test_it_finishes_a_check_that_was_begun_with_an_intent_and_now_needs_none(play, monkeypatch):
    """A run that an earlier version of Dossier began."""

    class Killed(BaseException):
        pass

    def deadly(subject):
        raise Killed

    play(answers())
    run = RunFactory()
    with monkeypatch.context() as earlier:
        earlier.setattr(check_steps, "FAMILIES", [Family("local", CheckKind.CLAIM, deadly)])
        with pytest.raises(Killed):
            perform_run(run.pk)
    local = Family("local", CheckKind.CLAIM, lambda subject: [], asks=check_steps.never)
    monkeypatch.setattr(check_steps, "FAMILIES", [local])
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert [step.answer["pass"] for step in Step.objects.filter(run=run, kind="check")] == [0]
