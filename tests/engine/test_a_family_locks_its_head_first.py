"""Heads before children: whoever writes several runs of a family never waits in a circle with another who does."""

import threading
from contextlib import contextmanager

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from research.engine import children, lease
from research.engine.journal import Journal
from research.engine.lease_renewal import Heart, Held
from research.engine.pauses import leave, wait_for_person
from research.engine.stops import Cancelled, Parked
from research.models import Run
from research.models.states import RunState
from research.services.runs import cancel_run
from tests.factories import RunFactory

PATIENCE = 30  # seconds, after which a test gives up; nothing waits so long unless it is broken
pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def family():
    """A head that works, and a child that works for it; the head's row is stored behind its child's."""
    head = RunFactory()
    child = RunFactory(parent=head, directive="a")
    lease.claim(child.pk)
    lease.claim(head.pk)
    for run in (head, child):
        run.refresh_from_db()
    return head, child


class Other:
    """What another worker does meanwhile, on a connection of its own."""

    def __init__(self, act):
        self.error, self._act, self.pid = None, act, 0
        self._connected = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                self.pid = cursor.fetchone()[0]
            self._connected.set()
            self._act()
        except (Cancelled, Parked, DatabaseError) as error:
            self.error = error
        finally:
            connection.close()

    def until_it_waits(self):
        """Come back when it waits for somebody's lock, at the latest when it is done."""
        self._thread.start()
        assert self._connected.wait(PATIENCE)
        while self._thread.is_alive():
            with connection.cursor() as cursor:
                cursor.execute("SELECT cardinality(pg_blocking_pids(%s))", [self.pid])
                if cursor.fetchone()[0]:
                    return
            self._thread.join(0.01)
        raise AssertionError("it did not wait")

    def done(self):
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        return self.error


@contextmanager
def holding(run):
    """A transaction that begins, as every one does, with the head."""
    with transaction.atomic():
        assert Run.objects.select_for_update().get(pk=run.pk)
        yield


def is_free(run):
    """Whether nobody has locked the row: the one who waits for the head holds nothing that we might want next."""
    return bool(Run.objects.filter(pk=run.pk).select_for_update(skip_locked=True))


def ways(head, child):
    """Everything that writes a child and its head, or several runs, in one transaction."""
    journal = Journal(child, child.fence)
    heart = Heart()
    heart._held = {Held(child.pk, child.fence), Held(head.pk, head.fence)}
    return {
        "a child asks for money": lambda: wait_for_person(child, journal, "budget", {"needed_usd": "1"}),
        "a child fails": lambda: leave(child, journal, RunState.FAILED, "run.failed"),
        "a child is cancelled": lambda: cancel_run(run=child, actor=None),
        "the leases are renewed": heart.beat,
    }


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
@pytest.mark.parametrize("way", ["a child asks for money", "a child fails", "a child is cancelled"])
def test_it_touches_no_child_before_it_has_the_head(family, way):
    head, child = family
    other = Other(ways(head, child)[way])
    with holding(head):
        other.until_it_waits()
        free = is_free(child)
        if free:
            children.cancel_children(head.pk)
    ended = other.done()
    assert free
    assert ended is None or isinstance(ended, Cancelled)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_it_renews_the_lease_of_a_head_before_those_of_its_children(family):
    head, child = family
    other = Other(ways(head, child)["the leases are renewed"])
    with holding(head):
        other.until_it_waits()
        assert is_free(child)
    assert other.done() is None
    assert Run.objects.filter(lease_until__gt=timezone.now()).count() == 2


def test_a_cancelled_family_and_a_child_that_asks_for_money_both_come_to_an_end(family):
    """Both at once, as often as chance likes: no statement is refused because of a circle."""
    head, child = family
    start, errors = threading.Barrier(2), []

    def at_once(act):
        try:
            start.wait(PATIENCE)
            act()
        except (Cancelled, Parked, DatabaseError) as error:
            errors.append(error)
        finally:
            connection.close()

    acts = (ways(head, child)["a child asks for money"], lambda: cancel_run(run=head, actor=None))
    threads = [threading.Thread(target=at_once, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert [type(error).__name__ for error in errors] in (["Parked"], ["Cancelled"])
    assert Run.objects.get(pk=head.pk).cancel_requested
