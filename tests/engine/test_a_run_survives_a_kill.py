"""A worker is killed at every commit point in turn; another takes over and ends the run."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine import results
from research.engine.runner import perform_run
from research.models import ResearchResult, Run, Step
from research.models.states import RunState
from research.services.runs import sweep_runs
from research.store import run_store
from tests.engine.conftest import ALLIANZ, SIX, answers, asks
from tests.factories import RunFactory

STORE = type(run_store())

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """kill -9: no handler of ours sees it."""


SEVEN = [asks(("lei_record", {"lei": lei})) for lei in SIX]
COMMITS = 22  # the first intent; three a turn, as the tool read a source; the checks and the result


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("number", range(1, COMMITS))
def test_it_repeats_at_most_the_call_in_flight(play, monkeypatch, number, moment):
    script = play(*SEVEN, answers())
    run = RunFactory()
    tools = count_tools(monkeypatch)
    kill_at(monkeypatch, number, moment)
    with pytest.raises(Killed):
        perform_run(run.pk)
    monkeypatch.undo()
    script_again = play(*SEVEN, answers())
    again = count_tools(monkeypatch)
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert sweep_runs() == 1
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.fence) == (RunState.SUCCEEDED, 2)
    assert ResearchResult.objects.filter(run=run).count() == 1
    assert 7 <= len(script.requests) + len(script_again.requests) <= 8
    assert 6 <= len(tools) + len(again) <= 7
    assert len(script.requests) + len(script_again.requests) + len(tools) + len(again) <= 14
    good = [step for step in Step.objects.filter(run=run, kind="model") if step.answer.get("success", True)]
    assert len(good) == 7
    assert list(Step.objects.filter(run=run).values_list("seq", flat=True)) == list(
        range(1, Step.objects.filter(run=run).count() + 1)
    )


def test_it_kills_at_every_commit(play, monkeypatch):
    play(*SEVEN, answers())
    run = RunFactory()
    commits = kill_at(monkeypatch, 10**6, "never")
    perform_run(run.pk)
    assert Run.objects.get(pk=run.pk).state == RunState.SUCCEEDED
    assert len(commits) == COMMITS - 1


@pytest.mark.parametrize("moment", ["verify", "_result"])
def test_it_stores_no_result_when_the_lease_is_lost_while_it_finishes(play, monkeypatch, moment):
    play(answers())
    run = RunFactory()
    original = getattr(results, moment)

    def overtaken(*args, **kwargs):
        outcome = original(*args, **kwargs)
        Run.objects.filter(pk=run.pk).update(fence=7)
        return outcome

    monkeypatch.setattr(results, moment, overtaken)
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.RUNNING
    assert not ResearchResult.objects.exists()


def test_it_leaves_a_run_alone_that_another_worker_holds(play):
    play(answers())
    run = RunFactory(state="running", lease_until=timezone.now() + timedelta(minutes=1), fence=3)
    perform_run(run.pk)
    assert not Step.objects.filter(run=run).exists()


def test_it_does_nothing_when_a_message_is_delivered_twice(play):
    script = play(answers())
    run = RunFactory()
    perform_run(run.pk)
    perform_run(run.pk)
    assert len(script.requests) == 1
    assert ResearchResult.objects.filter(run=run).count() == 1


def test_it_stops_between_two_steps_when_it_is_cancelled(play):
    run = RunFactory()

    def cancel(request):
        Run.objects.filter(pk=run.pk).update(cancel_requested=True)
        return asks(("lei_record", {"lei": ALLIANZ}))

    play(cancel, answers())
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED
    assert not Step.objects.filter(run=run, kind="tool").exists()


def test_it_ends_at_its_deadline(play):
    play(answers())
    run = RunFactory(deadline=timezone.now() - timedelta(seconds=1))
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (RunState.FAILED, "deadline")


def count_tools(monkeypatch):
    from research.engine import tool_calls

    calls, call = [], tool_calls.call
    monkeypatch.setattr(tool_calls, "call", lambda tool, *rest: calls.append(tool.name) or call(tool, *rest))
    return calls


def kill_at(monkeypatch, number, moment):
    """Kill the worker at the nth write of its journal, before or after it is committed."""
    original, used = STORE.write, []

    def killing(self, *args, **kwargs):
        used.append(1)
        if len(used) == number and moment == "before":
            raise Killed
        outcome = original(self, *args, **kwargs)
        if len(used) == number:
            raise Killed
        return outcome

    monkeypatch.setattr(STORE, "write", killing)
    return used
