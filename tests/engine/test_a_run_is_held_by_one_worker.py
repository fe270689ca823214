import threading
from contextlib import ExitStack
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from research.engine import lease
from research.engine.journal import Entry, Journal
from research.engine.lease_renewal import Heart
from research.models import AuditEvent, Run, Step
from research.models.states import RunState, StepKind
from research.store import run_store
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
    old = Journal(run, lease.claim(run.pk))
    step = old.intend(Entry(StepKind.TOOL, "lei_search", {"id": "1"}))[0]
    lease.claim(run.pk, now=timezone.now() + timedelta(hours=1))
    entered = []
    for write in (
        lambda: old.intend(Entry(StepKind.MODEL, "late")),
        lambda: old.answer(step, {"late": True}),
        lambda: old.answer(step, {"late": True}, before=lambda: entered.append(1)),
        lambda: old.again((step, Decimal(0))),
        lambda: old.ticket(step, "late"),
        lambda: old.note(StepKind.NOTE, "late", {}),
        lambda: lease.release(run.pk, old.fence, RunState.SUCCEEDED),
    ):
        with pytest.raises(lease.LeaseLost):
            write()
    assert Step.objects.get(run=run).answer is None
    assert entered == []
    assert Run.objects.get(pk=run.pk).state == RunState.RUNNING


@pytest.mark.django_db
def test_it_renews_the_lease_with_every_write():
    run = RunFactory()
    journal = Journal(run, lease.claim(run.pk))
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


@pytest.mark.django_db
def test_it_keeps_the_lease_of_every_run_with_one_heart():
    runs = [RunFactory() for _ in range(3)]
    heart, soon = Heart(), timezone.now() + timedelta(minutes=1)
    with ExitStack() as stack:
        held = [stack.enter_context(heart.holding(run.pk, lease.claim(run.pk))) for run in runs]
        heart.beat(soon)
        assert not any(one.stop.is_set() for one in held)
    for run in runs:
        run.refresh_from_db()
        assert run.lease_until > soon + timedelta(seconds=80)
    later = soon + timedelta(hours=1)
    heart.beat(later)
    assert not Run.objects.filter(lease_until__gt=later).exists()


@pytest.mark.django_db
def test_it_learns_from_its_heart_that_a_run_is_lost_or_should_stop():
    lost, stopped, well = RunFactory(), RunFactory(), RunFactory()
    heart = Heart()
    with ExitStack() as stack:
        held = [
            stack.enter_context(heart.holding(run.pk, lease.claim(run.pk))) for run in (lost, stopped, well)
        ]
        lease.claim(lost.pk, now=timezone.now() + timedelta(hours=1))
        Run.objects.filter(pk=stopped.pk).update(cancel_requested=True)
        heart.beat()
        assert [(one.lost, one.stop.is_set()) for one in held] == [
            (True, True),
            (False, True),
            (False, False),
        ]


@pytest.mark.django_db
def test_it_beats_for_more_runs_than_one_statement_may_name():
    runs = [RunFactory(state=RunState.RUNNING, fence=1) for _ in range(205)]
    until = timezone.now() + timedelta(hours=1)
    assert len(run_store().hold_all([(run.pk, 1) for run in runs], until)) == 205
    assert Run.objects.filter(lease_until=until).count() == 205


@pytest.mark.django_db(transaction=True)
def test_it_beats_while_a_call_takes_long(settings):
    settings.DOSSIER_LEASE_SECONDS = 0.03
    run = RunFactory()
    fence = lease.claim(run.pk)
    before = Run.objects.get(pk=run.pk).lease_until
    heart = Heart()
    with heart.holding(run.pk, fence):
        for _ in range(1000):
            if Run.objects.get(pk=run.pk).lease_until > before:
                break
            threading.Event().wait(0.005)
        else:
            pytest.fail("the lease was not renewed")
    heart._thread.join(10)
    assert heart._thread is None  # nothing is held, so no thread is left


def test_it_goes_on_beating_when_the_database_is_busy_for_a_moment(monkeypatch, settings):
    settings.DOSSIER_LEASE_SECONDS = 0.003
    beats, alive = [], threading.Event()

    def beat(self):
        beats.append(1)
        if len(beats) == 1:
            raise OperationalError("database is locked")
        alive.set()

    monkeypatch.setattr(Heart, "beat", beat)
    with Heart().holding(RunFactory.build().pk, 1):
        assert alive.wait(10)


def test_it_goes_on_beating_when_a_connection_cannot_be_closed(monkeypatch, settings):
    settings.DOSSIER_LEASE_SECONDS = 0.003
    closed, alive = [], threading.Event()

    class Connection:
        def close(self):
            closed.append(1)
            if len(closed) == 1:
                raise OperationalError("the server closed the connection")
            alive.set()

    monkeypatch.setattr(Heart, "beat", lambda self: None)
    monkeypatch.setattr("research.engine.lease_renewal.connection", Connection())
    with Heart().holding(RunFactory.build().pk, 1):
        assert alive.wait(10)


@pytest.mark.django_db
def test_it_tells_a_worker_from_its_successor_in_the_same_process():
    run, heart = RunFactory(), Heart()
    first = lease.claim(run.pk)
    second = lease.claim(run.pk, now=timezone.now() + timedelta(hours=1))
    with heart.holding(run.pk, first) as old, heart.holding(run.pk, second) as new:
        heart.beat()
        assert (old.lost, old.stop.is_set(), new.lost, new.stop.is_set()) == (True, True, False, False)


def test_it_gives_the_next_run_a_heart_when_the_last_one_died(monkeypatch, settings):
    settings.DOSSIER_LEASE_SECONDS = 0.003
    beaten = threading.Event()
    monkeypatch.setattr(Heart, "beat", lambda self: beaten.set())
    heart = Heart()
    dead = threading.Thread(target=lambda: None)
    dead.start()
    dead.join()
    heart._thread = dead
    with heart.holding(RunFactory.build().pk, 1):
        assert beaten.wait(10)
