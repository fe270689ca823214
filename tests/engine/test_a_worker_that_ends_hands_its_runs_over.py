"""Told to end, a process begins no call, gives those in flight their time, and gives the leases back."""

import threading

import pytest
from django.db import connection

from research.engine.lane import Lane
from research.engine.lease_renewal import HEART
from research.engine.runner import perform_run
from research.models import AuditEvent, Run, Step
from research.models.states import RunState
from research.services.runs import cancel_run
from tests.engine.conftest import ALLIANZ, answers, asks
from tests.factories import RunFactory


@pytest.fixture(autouse=True)
def stays_again():
    yield
    HEART.leaving.clear()


def leaves(turn):
    """The process is told to end while the model answers."""

    def answer(request):
        HEART.leaving.set()
        return turn

    return answer


@pytest.mark.django_db
def test_it_keeps_the_answer_in_flight_and_asks_nothing_more(
    play, silent_doorbell, django_capture_on_commit_callbacks
):
    script = play(leaves(asks(("lei_record", {"lei": ALLIANZ}))), answers())
    run = RunFactory()
    with django_capture_on_commit_callbacks(execute=True):
        perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.lease_owner, run.lease_until) == (RunState.QUEUED, "", None)
    assert [step.answer is not None for step in Step.objects.filter(run=run, kind="model")] == [True]
    assert not Step.objects.filter(run=run, kind="tool").exists()
    assert silent_doorbell[-1] == ("perform_run", (str(run.pk),))
    HEART.leaving.clear()
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert len(script.requests) == 2
    assert run.lost_usd == 0


@pytest.mark.django_db
def test_it_finishes_what_needs_no_further_call(play):
    play(leaves(answers()))
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state in (RunState.SUCCEEDED, RunState.QUEUED)
    HEART.leaving.clear()
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED


@pytest.mark.django_db
def test_a_run_that_was_to_stop_stops(play):
    run = RunFactory()

    def stopped(request):
        cancel_run(run=Run.objects.get(pk=run.pk), actor=None)
        HEART.leaving.set()
        return asks(("lei_record", {"lei": ALLIANZ}))

    play(stopped)
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED


@pytest.mark.django_db(transaction=True)
def test_a_call_that_outlasts_the_time_loses_its_run_at_once(play, settings):
    settings.DOSSIER_DRAIN_SECONDS = 0
    asked, end = threading.Event(), threading.Event()

    def slow(request):
        asked.set()
        assert end.wait(30)
        return answers()

    play(slow)
    lane, run = Lane(perform_run), RunFactory()
    lane.open()
    assert asked.wait(30)
    lane.close()
    lane.wait()
    run.refresh_from_db()
    assert (run.state, run.lease_owner) == (RunState.QUEUED, "")
    assert AuditEvent.objects.filter(action="run.handed_over", object_id=str(run.pk)).count() == 1
    workers = [thread for thread in threading.enumerate() if thread.name == "run"]
    end.set()
    for thread in workers:
        thread.join(30)
    assert Step.objects.get(run=run).answer is None  # what came too late is refused
    run.refresh_from_db()
    assert (run.state, run.fence) == (RunState.QUEUED, 1)


@pytest.mark.django_db(transaction=True)
def test_a_lane_takes_up_what_is_queued_and_due_and_nothing_after_it_was_closed(play):
    done = threading.Semaphore(0)

    def perform(run_id):
        perform_run(run_id)
        done.release()

    play(answers())
    queued, due = RunFactory(), RunFactory(state="waiting", wake_at="2020-01-01T00:00:00Z")
    lane = Lane(perform)
    lane.open()
    lane.ring()
    assert done.acquire(timeout=30)
    assert done.acquire(timeout=30)
    lane.close()
    lane.wait()
    late = RunFactory()
    lane.ring()
    states = dict(Run.objects.values_list("pk", "state"))
    connection.close()
    assert states == {queued.pk: "succeeded", due.pk: "succeeded", late.pk: "queued"}
