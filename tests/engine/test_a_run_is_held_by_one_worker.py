import threading
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from research.engine import lease
from research.engine.journal import Journal
from research.models import AuditEvent, Run, Step
from research.models.states import RunState, StepKind
from tests.factories import RunFactory


@pytest.mark.django_db
def test_it_gives_the_lease_to_the_first_who_asks():
    run = RunFactory()
    assert lease.claim(run.pk) == 1
    assert lease.claim(run.pk) is None
    run.refresh_from_db()
    assert (run.state, run.fence) == (RunState.RUNNING, 1)
    assert run.started_at
    claimed = AuditEvent.objects.get(action="run.claimed", object_id=str(run.pk))
    assert claimed.detail == {"worker": run.lease_owner, "fence": 1}


@pytest.mark.django_db
@pytest.mark.parametrize("state", ["succeeded", "failed", "cancelled", "awaiting_confirmation", "waiting"])
def test_it_gives_no_lease_of_a_run_that_is_not_to_be_worked_on(state):
    assert lease.claim(RunFactory(state=state).pk) is None


@pytest.mark.django_db
def test_it_lets_a_second_worker_take_over_when_the_first_went_silent():
    run = RunFactory()
    first = lease.claim(run.pk)
    later = timezone.now() + timedelta(hours=1)
    assert lease.claim(run.pk, now=later) == first + 1


@pytest.mark.django_db
def test_it_refuses_every_write_of_a_worker_that_was_replaced():
    run = RunFactory()
    old = Journal(run.pk, lease.claim(run.pk))
    step = old.intend(StepKind.TOOL, "lei_search", {"id": "1"})
    lease.claim(run.pk, now=timezone.now() + timedelta(hours=1))
    for write in (
        lambda: old.intend(StepKind.MODEL, "late", {}),
        lambda: old.answer(step, {"late": True}),
        lambda: old.retry(step),
        lambda: old.note(StepKind.NOTE, "late", {}),
        lambda: old.answer_tool(step, {}, [{"url": "https://example.org/", "kind": "web"}]),
        lambda: lease.release(run.pk, old.fence, RunState.SUCCEEDED),
    ):
        with pytest.raises(lease.LeaseLost):
            write()
    step.refresh_from_db()
    assert step.answer is None
    assert Step.objects.filter(run=run).count() == 1
    assert Run.objects.get(pk=run.pk).state == RunState.RUNNING


@pytest.mark.django_db
def test_it_renews_the_lease_with_every_write():
    run = RunFactory()
    journal = Journal(run.pk, lease.claim(run.pk))
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now())
    journal.note(StepKind.NOTE, "working", {})
    assert Run.objects.get(pk=run.pk).lease_until > timezone.now() + timedelta(seconds=30)


@pytest.mark.django_db(transaction=True)
def test_it_gives_one_lease_to_twenty_workers_at_once():
    run = RunFactory()
    start, fences = threading.Barrier(20), []

    def work():
        connection.close()  # twenty waiting threads must not hold the pool's connections
        start.wait(timeout=30)
        try:
            fences.append(lease.claim(run.pk))
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(fences, key=str) == [1] + [None] * 19


@pytest.mark.django_db(transaction=True)
def test_it_beats_while_a_call_takes_long(settings):
    settings.DOSSIER_LEASE_SECONDS = 0.03
    run = RunFactory()
    fence = lease.claim(run.pk)
    before = Run.objects.get(pk=run.pk).lease_until
    beaten = threading.Event()
    with lease.Heartbeat(run.pk, fence) as heart:
        for _ in range(1000):
            if Run.objects.get(pk=run.pk).lease_until > before:
                beaten.set()
                break
            heart._stop.wait(0.005)
    assert beaten.is_set()


def test_it_goes_on_beating_when_the_database_is_busy_for_a_moment(monkeypatch, settings):
    settings.DOSSIER_LEASE_SECONDS = 0.003
    beats, alive = [], threading.Event()

    def hold(run_id, fence):
        beats.append(fence)
        if len(beats) == 1:
            raise OperationalError("database is locked")
        alive.set()

    monkeypatch.setattr(lease, "hold", hold)
    monkeypatch.setattr(lease, "connection", SimpleNamespace(close=lambda: None))
    with lease.Heartbeat(RunFactory.build().pk, 1):
        assert alive.wait(10)
