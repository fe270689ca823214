import sqlite3
from types import SimpleNamespace

import psycopg
import pytest
from django.contrib.auth.models import Group, User
from django.db import DatabaseError, OperationalError, connection, transaction
from django.utils.functional import SimpleLazyObject

from common import transactions
from common.transactions import atomic, is_away, is_full, passes, retried
from tests.cases import cases
from tests.factories import UserFactory

REFUSALS = [
    # what the database said, passes, away, full
    (psycopg.errors.DeadlockDetected, True, False, False),
    (psycopg.errors.SerializationFailure, True, False, False),
    (psycopg.errors.LockNotAvailable, True, False, False),
    (psycopg.errors.QueryCanceled, False, False, False),
    (psycopg.errors.DiskFull, False, False, True),
    (psycopg.errors.AdminShutdown, False, True, False),
    (psycopg.errors.CannotConnectNow, False, True, False),
    (psycopg.OperationalError, False, True, False),
    ("SQLITE_BUSY", True, False, False),
    ("SQLITE_BUSY_SNAPSHOT", True, False, False),
    ("SQLITE_LOCKED_SHAREDCACHE", True, False, False),
    ("SQLITE_FULL", False, False, True),
    ("SQLITE_ERROR", False, False, False),
]


def refusal(cause):
    """What Django raises for it."""
    if isinstance(cause, str):
        said = sqlite3.OperationalError(cause)
        said.sqlite_errorname = cause
    else:
        said = cause("it was refused")
    error = OperationalError(str(said))
    error.__cause__ = said
    return error


@cases(("cause", "passing", "away", "full"), REFUSALS)
def test_it_knows_what_a_refusal_of_the_database_means(cause, passing, away, full):
    error = refusal(cause)
    assert (passes(error), is_away(error), is_full(error)) == (passing, away, full)


@pytest.fixture
def pauses(monkeypatch):
    """The pauses that were made, none of which lasts."""
    made = []
    monkeypatch.setattr(transactions, "time", SimpleNamespace(sleep=made.append, monotonic=lambda: 0.0))
    return made


class Work:
    """Writes a group; the database refuses it the first ``times`` times."""

    def __init__(self, times, cause=psycopg.errors.DeadlockDetected):
        self.left, self.cause, self.calls = times, cause, 0

    def __call__(self, name="written"):
        self.calls += 1
        Group.objects.create(name=name)
        if self.left:
            self.left -= 1
            raise refusal(self.cause)
        return "done"

    __qualname__ = "work"


@pytest.mark.django_db(transaction=True)
def test_it_begins_again_until_it_is_done_and_keeps_nothing_of_what_was_refused(pauses):
    work = Work(3)
    assert atomic(work)() == "done"
    assert (work.calls, Group.objects.count(), len(pauses)) == (4, 1, 3)
    assert pauses == sorted(pauses)


@pytest.mark.django_db(transaction=True)
def test_it_gives_up_after_a_bounded_number_of_attempts(pauses):
    work = Work(1_000)
    with pytest.raises(OperationalError):
        atomic(work)()
    assert work.calls == transactions.ATTEMPTS
    assert not Group.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_it_does_not_begin_again_for_what_does_not_pass(pauses):
    work = Work(1, "SQLITE_FULL")
    with pytest.raises(OperationalError):
        atomic(work)()
    assert (work.calls, pauses) == (1, [])


@pytest.mark.django_db(transaction=True)
def test_inside_another_transaction_the_outer_one_begins_again(pauses):
    work = Work(2)
    inner, outer = atomic(work), []

    @atomic
    def whole():
        outer.append("begun")
        return inner()

    assert whole() == "done"
    assert (work.calls, len(outer), Group.objects.count()) == (3, 3, 1)


@pytest.mark.django_db(transaction=True)
def test_rows_that_were_given_are_as_they_were_given(pauses):
    group, seen = Group(name="before"), []

    @atomic
    def rename(row):
        seen.append((row.name, row.pk))
        row.name = "after"
        row.save()
        if len(seen) == 1:
            raise refusal(psycopg.errors.DeadlockDetected)

    rename(group)
    assert seen == [("before", None)] * 2
    assert list(Group.objects.values_list("name", flat=True)) == ["after"]


@pytest.mark.django_db(transaction=True)
def test_the_person_of_a_request_is_a_proxy_and_is_let_through(pauses):
    person = UserFactory()
    proxy = SimpleLazyObject(lambda: person)
    assert isinstance(proxy, User)
    assert retried(lambda *, actor: actor.pk)(actor=proxy) == person.pk


@pytest.mark.django_db(transaction=True)
def test_work_that_opens_its_transaction_itself_begins_again_as_a_whole(pauses):
    work = Work(1)

    @retried
    def serve():
        with transaction.atomic():
            return work()

    assert serve() == "done"
    assert (work.calls, Group.objects.count()) == (2, 1)


@pytest.mark.django_db(transaction=True)
def test_what_follows_a_commit_follows_it_once(pauses):
    work, rung = Work(2), []

    @atomic
    def ring():
        transaction.on_commit(lambda: rung.append("rung"))
        work()

    ring()
    assert rung == ["rung"]


@pytest.mark.django_db(transaction=True)
def test_two_that_wait_for_each_other_both_end_well_on_postgresql():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: nobody waits in a circle")
    import threading

    one, two = Group.objects.create(name="one"), Group.objects.create(name="two")
    both, ends = threading.Barrier(2), []

    def swap(first, second):
        met = []

        @atomic
        def change():
            Group.objects.filter(pk=first).update(name=f"{first} by {first}")
            if not met:  # each holds the row that the other wants next
                met.append(both.wait(10))
            Group.objects.filter(pk=second).update(name=f"{second} by {first}")

        try:
            change()
            ends.append("well")
        except DatabaseError as error:
            ends.append(repr(error))
        finally:
            connection.close()

    threads = [threading.Thread(target=swap, args=pair) for pair in ((one.pk, two.pk), (two.pk, one.pk))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert ends == ["well", "well"]
