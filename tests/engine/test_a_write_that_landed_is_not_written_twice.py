"""A connection that breaks after the commit: the database is asked what became of it before it is written again."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from research.engine import journal as journals
from research.engine import lease
from research.engine.journal import Entry, Journal
from research.models import Run, Step
from research.models.states import StepKind
from research.store import run_store
from tests.factories import RunFactory

STORE = type(run_store())

pytestmark = pytest.mark.django_db(transaction=True)
CALL = Entry(StepKind.TOOL, "search", {"id": "1", "arguments": {}}, reserve=Decimal("0.25"))
ASK = Entry(StepKind.MODEL, "model", reserve=Decimal("0.25"))


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(journals, "RETRIES", (0, 0, 0))


@pytest.fixture
def breaks_after_commit(monkeypatch):
    """The next write is committed, and nobody hears of it; then the database cannot be asked once."""

    def install(unreachable=0):
        commit, landed, broken = STORE.write, Journal._landed, []

        def breaking(self, *args):
            refusal = commit(self, *args)
            if not broken:
                broken.append("commit")
                raise OperationalError("the connection broke after COMMIT")
            return refusal

        def asked(self, *args):
            if len(broken) <= unreachable:
                broken.append("asked")
                raise OperationalError("the database is away")
            return landed(self, *args)

        monkeypatch.setattr(STORE, "write", breaking)
        monkeypatch.setattr(Journal, "_landed", asked)
        return broken

    return install


def account(run):
    run.refresh_from_db()
    return run.reserved_usd, run.spent_usd, run.lost_usd


def taken_over(run):
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    return Journal(Run.objects.get(pk=run.pk), lease.claim(run.pk))


@pytest.fixture
def run():
    return RunFactory(budget_usd=Decimal(1))


@pytest.mark.parametrize("entry", [ASK, CALL])
def test_what_a_dead_worker_reserved_is_booked_once(run, breaks_after_commit, entry):
    Journal(run, lease.claim(run.pk)).intend(entry)
    breaks_after_commit()
    taken_over(run)
    assert account(run) == (0, 0, Decimal("0.25"))


def test_what_a_dead_worker_left_with_its_provider_is_booked_once(run, breaks_after_commit):
    first = Journal(run, lease.claim(run.pk))
    first.ticket(first.intend(ASK)[0], "resp_1")
    later = taken_over(run)
    breaks_after_commit()
    later.answer(later.live[0], {"text": "one"}, cost=Decimal("0.10"))
    assert account(run) == (0, Decimal("0.10"), 0)


def test_calls_that_are_made_again_are_reserved_once(run, breaks_after_commit):
    Journal(run, lease.claim(run.pk)).intend(CALL)
    later = taken_over(run)
    breaks_after_commit()
    later.again((later.live[0], Decimal("0.25")))
    assert account(run) == (Decimal("0.25"), 0, Decimal("0.25"))
    assert Step.objects.get(run=run).attempt == 2


def test_it_is_asked_again_when_the_database_cannot_say(run, breaks_after_commit):
    journal = Journal(run, lease.claim(run.pk))
    step = journal.intend(ASK)[0]
    broken = breaks_after_commit(unreachable=1)
    journal.answer(step, {"text": "one"}, cost=Decimal("0.10"))
    assert broken == ["commit", "asked"]
    assert account(run) == (0, Decimal("0.10"), 0)


def test_it_is_written_again_when_it_did_not_land(run, monkeypatch):
    journal = Journal(run, lease.claim(run.pk))
    step = journal.intend(ASK)[0]
    commit, broken = STORE.write, []

    def breaking(self, *args):
        if not broken:
            broken.append(connection.vendor)
            raise OperationalError("the connection broke before COMMIT")
        return commit(self, *args)

    monkeypatch.setattr(STORE, "write", breaking)
    journal.answer(step, {"text": "one"}, cost=Decimal("0.10"))
    assert account(run) == (0, Decimal("0.10"), 0)
    assert Step.objects.get(run=run).answer == {"text": "one"}
