"""Statements that are put together once read and write the same rows as the ORM does."""

from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from research import rows
from research.engine import at_once
from research.models import AuditEvent, ModelPrice, Run, Step
from research.models.states import RunState
from tests.factories import MacroFactory, RunFactory

pytestmark = pytest.mark.django_db


def values(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_it_reads_a_row_as_the_orm_does():
    run = RunFactory(
        params={"name": "Zürich", "n": [1, None]},
        budget_usd=Decimal("1.5"),
        deadline=timezone.now(),
        error={"code": "x"},
    )
    read = rows.read(Run, "WHERE state = %s", [RunState.QUEUED])
    assert [values(one) for one in read] == [values(Run.objects.get(pk=run.pk))]
    assert values(rows.read(type(run.macro), "")[0]) == values(run.macro)


def test_it_inserts_a_row_as_the_orm_does():
    run = Run(macro=MacroFactory(), params={"a": "ü"}, trigger="cli", model="m", register="demo")
    run.max_turns = run.max_tool_calls = 3
    rows.insert(run)
    stored = Run.objects.get(pk=run.pk)
    assert values(stored) == values(run)
    assert stored.created_at
    run.phase = "later"
    run.save()
    assert Run.objects.get().phase == "later"


def test_it_gives_many_rows_their_keys_in_one_statement():
    events = [AuditEvent(action=f"a{n}", object_type="run", object_id=str(n)) for n in range(3)]
    with CaptureQueriesContext(connection) as asked:
        rows.insert(*events)
    assert len(asked) == 1
    stored = AuditEvent.objects.filter(object_type="run").order_by("pk")
    assert [(one.pk, one.action, one.detail) for one in stored] == [
        (one.pk, one.action, {}) for one in events
    ]


def test_it_inserts_nothing_when_there_is_nothing():
    with CaptureQueriesContext(connection) as asked:
        rows.insert()
    assert len(asked) == 0


def test_it_refuses_what_the_database_refuses():
    run = RunFactory()
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.insert(Step(run=run, seq=1, kind="nothing", name="x", fence=1))
    assert not Step.objects.exists()


def test_it_changes_the_rows_that_are_asked_for():
    run, other = RunFactory(), RunFactory()
    changes = {
        "state": RunState.FAILED,
        "error": {"code": "x"},
        "lease_until": None,
        "spent_usd": Decimal("0.5"),
    }
    key = run.pk if connection.features.has_native_uuid_field else run.pk.hex
    assert rows.update(Run, changes, "WHERE id = %s", [key]) == 1
    run.refresh_from_db()
    other.refresh_from_db()
    assert (run.state, run.error, run.spent_usd) == (RunState.FAILED, {"code": "x"}, Decimal("0.5"))
    assert other.state == RunState.QUEUED


def test_it_reads_days_and_amounts():
    price = ModelPrice(
        model="m",
        valid_from=timezone.localdate(),
        input_usd=Decimal("1.25"),
        cached_usd=0,
        cache_write_usd=0,
        output_usd=Decimal("10.0001"),
    )
    rows.insert(price)
    read = rows.read(ModelPrice, "WHERE valid_from <= %s", [timezone.localdate()])
    assert [(one.output_usd, one.valid_from) for one in read] == [(Decimal("10.0001"), timezone.localdate())]


def test_a_fresh_row_is_one_that_the_orm_can_save():
    run = RunFactory()
    step = rows.fresh(
        Step,
        {
            **values(Step(run=run, seq=7, kind="note", name="x", intent={}, fence=1, attempt=1)),
            "answer": {"a": "ü"},
        },
    )
    assert step._state.adding
    assert step.pk is None
    step.save()
    assert values(Step.objects.get(run=run)) == values(step)
    assert step.run == run


def test_rows_of_several_models_are_stored_together_or_not_at_all():
    macro = MacroFactory()
    fields = {"params": {"a": "ü"}, "trigger": "cli", "model": "m", "register": "demo"}
    run = Run(macro=macro, max_turns=3, max_tool_calls=3, **fields)
    told = AuditEvent(action="run.started", object_type="run", object_id=str(run.pk), detail={"n": [1]})
    if connection.vendor != "postgresql":
        pytest.skip("elsewhere they are inserted one after the other, in a transaction")
    with CaptureQueriesContext(connection) as asked:
        at_once.enter([run], [told])
    assert len(asked) == 1
    assert values(Run.objects.get()) == values(run)
    assert AuditEvent.objects.get(action="run.started").detail == {"n": [1]}
    with pytest.raises(IntegrityError), transaction.atomic():
        at_once.enter([AuditEvent(action="again", object_type="run", object_id="1")], [run])
    assert not AuditEvent.objects.filter(action="again").exists()
