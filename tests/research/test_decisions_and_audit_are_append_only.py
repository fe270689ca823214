import pytest
from django.db import DatabaseError, connection, transaction

from research import audit
from research.models import AuditSeal, Decision
from tests.factories import ResultFactory, UserFactory

pytestmark = pytest.mark.django_db


def a_decision():
    result = ResultFactory()
    return Decision.objects.create(
        result=result,
        verdict="rejected",
        reviewer=UserFactory(),
        result_digest=result.digest,
        macro=result.run.macro,
    )


def a_seal():
    audit.record("tested", ResultFactory())
    audit.seal_events()
    return AuditSeal.objects.get()


def an_event():
    return audit.record("tested", ResultFactory())


@pytest.mark.parametrize("make", [a_decision, an_event, a_seal])
def test_it_refuses_an_update_in_the_database(make):
    row = make()
    field = "reason" if isinstance(row, Decision) else "leaf" if isinstance(row, AuditSeal) else "action"
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        type(row).objects.filter(pk=row.pk).update(**{field: "changed"})


@pytest.mark.parametrize("make", [a_decision, an_event, a_seal])
def test_it_refuses_a_delete_in_the_database(make):
    row = make()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        type(row).objects.filter(pk=row.pk)._raw_delete("default")
    assert type(row).objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize("make", [a_decision, an_event, a_seal])
def test_it_refuses_to_put_another_row_in_its_place(make):
    row = make()
    table, word = row._meta.db_table, "INSERT OR REPLACE" if connection.vendor == "sqlite" else "INSERT"
    statement = f"{word} INTO {table} SELECT * FROM {table}"
    with pytest.raises(DatabaseError, match=r"append-only|duplicate key"), transaction.atomic():
        connection.cursor().execute(statement)
    assert type(row).objects.filter(pk=row.pk).exists()


def test_it_takes_one_decision_for_a_result():
    decision = a_decision()
    with pytest.raises(DatabaseError), transaction.atomic():
        Decision.objects.create(
            result=decision.result,
            verdict="approved",
            reviewer=decision.reviewer,
            data={},
            digest="x",
            result_digest="x",
            macro=decision.macro,
        )
    assert Decision.objects.count() == 1
