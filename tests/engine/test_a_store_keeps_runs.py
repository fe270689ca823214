"""Whichever store a database has, the same calls leave the same rows."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import DataError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from research.models import AuditEvent, Run, Step
from research.models.states import RunState
from research.store import Account, RunStore, Verdict, Write, run_store
from tests.factories import RunFactory

NOTHING = Account(Decimal(0), Decimal(0), Decimal(0), Decimal(0))
HOUR = timedelta(hours=1)
pytestmark = pytest.mark.django_db


@pytest.fixture(params=["portable", "own"])
def store(request):
    """The store for any database, and the one for this database."""
    return RunStore() if request.param == "portable" else run_store()


@pytest.fixture
def run():
    return RunFactory(state=RunState.RUNNING, fence=3, budget_usd=Decimal("1.00"))


def values(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def step(run, seq, **fields):
    known = {"kind": "tool", "name": "lei_record", "intent": {"arguments": {"lei": "ü"}}, "fence": run.fence}
    return Step(run=run, seq=seq, started_at=timezone.now(), **{**known, **fields})


def write(run, **fields):
    known = {"filled": [], "added": [], "repeated": [], "account": NOTHING, "in_time": True, "calls": True}
    until = timezone.now() + HOUR
    return Write(run_id=run.pk, root_id=run.pk, until=until, **{"fence": run.fence, **known, **fields})


def test_it_adds_what_is_to_be_done_and_reserves_its_cost(store, run):
    wanted = [step(run, number, reserved_usd=Decimal("0.25")) for number in (1, 2)]
    account = Account(Decimal(0), Decimal(0), Decimal(0), Decimal("0.50"))
    assert store.write(write(run, added=wanted, account=account)) == Verdict(stop=False, fits=True)
    stored = list(Step.objects.filter(run=run))
    assert [{**values(one), "id": None} for one in stored] == [{**values(one), "id": None} for one in wanted]
    run.refresh_from_db()
    assert run.reserved_usd == Decimal("0.50")
    assert run.lease_until > timezone.now()


def test_it_fills_what_was_answered_and_books_what_it_cost(store, run):
    Step.objects.bulk_create([step(run, 1, reserved_usd=Decimal("0.25"))])
    Run.objects.filter(pk=run.pk).update(reserved_usd=Decimal("0.25"))
    answered = Step.objects.get(run=run)
    answered.answer, answered.answered_at = {"success": True, "data": ["ü", 1.5, None]}, timezone.now()
    answered.reserved_usd, answered.cost_usd, answered.usage = Decimal(0), Decimal("0.123456"), {"input": 1}
    account = Account(Decimal("-0.25"), Decimal("0.123456"), Decimal(0), Decimal(0))
    assert store.write(write(run, filled=[answered], account=account)) == Verdict(stop=False, fits=True)
    assert values(Step.objects.get(run=run)) == values(answered)
    run.refresh_from_db()
    assert (run.reserved_usd, run.spent_usd) == (Decimal(0), Decimal("0.123456"))


@pytest.mark.parametrize(
    ("stopped", "in_time", "reserve", "wanted"),
    [
        (True, True, 0, Verdict(stop=True, fits=True)),
        (False, False, 0, Verdict(stop=False, fits=True)),
        (False, True, Decimal("1.01"), Verdict(stop=False, fits=False)),
    ],
)
def test_it_keeps_an_answer_and_adds_nothing_where_it_may_not_go_on(
    store, run, stopped, in_time, reserve, wanted
):
    Step.objects.bulk_create([step(run, 1), step(run, 2)])
    Run.objects.filter(pk=run.pk).update(cancel_requested=stopped)
    answered, again = Step.objects.filter(run=run)
    answered.answer, answered.answered_at = {"success": True}, timezone.now()
    again.attempt = 2
    account = Account(Decimal(0), Decimal(0), Decimal(0), reserve)
    more = {"filled": [answered], "repeated": [again], "added": [step(run, 3)], "account": account}
    assert store.write(write(run, in_time=in_time, **more)) == wanted
    assert list(Step.objects.filter(run=run).values_list("answer", "attempt")) == [
        ({"success": True}, 1),
        (None, 1),
    ]


def test_it_writes_nothing_under_a_lost_fence(store, run):
    more = {"added": [step(run, 1)], "account": Account(Decimal(0), Decimal(1), Decimal(0), Decimal(0))}
    assert store.write(write(run, fence=2, **more)) is None
    assert store.hold(run.pk, 2, timezone.now()) is None
    assert not store.leave(run.pk, 2, {"state": RunState.FAILED}, [[AuditEvent(action="x")]])
    run.refresh_from_db()
    assert (run.state, run.spent_usd, run.steps.count()) == (RunState.RUNNING, 0, 0)
    assert not AuditEvent.objects.filter(action="x").exists()


def test_it_leaves_a_run_with_what_else_is_stored_then(store, run):
    changes = {
        "state": RunState.FAILED,
        "error": {"code": "ü"},
        "lease_until": None,
        "spent_usd": Decimal("0.5"),
    }
    event = AuditEvent(action="run.failed", object_type="run", object_id=str(run.pk))
    assert store.leave(run.pk, run.fence, changes, [[step(run, 1), step(run, 2)], [event]])
    run.refresh_from_db()
    assert {name: getattr(run, name) for name in changes} == changes
    assert (run.steps.count(), AuditEvent.objects.filter(action="run.failed").count()) == (2, 1)


def test_it_refuses_what_the_database_refuses(store, run):
    with pytest.raises((IntegrityError, DataError)), transaction.atomic():
        store.write(write(run, added=[step(run, 1, kind="nothing")]))
    assert not run.steps.exists()


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="elsewhere they are several in a transaction")
def test_on_postgresql_a_write_is_one_statement(run):
    with CaptureQueriesContext(connection) as asked:
        run_store().write(write(run, added=[step(run, 1)]))
    assert len(asked) == 1
