"""The statement of every write is planned once for each connection, and nothing depends on that."""

import pytest
from django.db import DataError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from research.engine import prepared

SQL = "SELECT %s = 'one', true"
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite plans in its own process"),
]


@pytest.fixture(autouse=True)
def only_the_pool():
    """This thread holds no connection, as a worker does that has waited for a call."""
    connection.close()
    yield
    connection.close()


def planned():
    with connection.cursor() as cursor:
        this = SQL.replace("%s", "$1")
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement = %s", [this])
        return cursor.fetchone()[0]


def test_it_is_planned_on_the_connection_that_the_thread_has():
    with connection.cursor():
        assert prepared.flags(SQL, "one") == [True, True]
        assert prepared.flags(SQL, "two") == [False, True]
        assert planned() == 1


def test_it_opens_no_connection_of_the_thread():
    assert prepared.flags(SQL, "one") == [True, True]
    assert connection.connection is None


def test_no_row_is_none():
    assert prepared.flags("SELECT true WHERE %s = 'one'", "two") is None


def test_it_is_asked_all_the_same_when_the_plan_is_gone():
    with connection.cursor() as cursor:
        prepared.flags(SQL, "one")
        cursor.execute("DISCARD ALL")
        assert prepared.flags(SQL, "one") == [True, True]
        assert planned() == 1


def test_it_sees_what_a_transaction_of_the_caller_wrote(django_user_model):
    with transaction.atomic():
        django_user_model.objects.create(username="one")
        assert prepared.flags("SELECT EXISTS (SELECT 1 FROM auth_user WHERE username = %s)", "one") == [True]


def test_whoever_looks_at_statements_sees_it():
    with CaptureQueriesContext(connection) as asked:
        prepared.flags(SQL, "one")
    assert len(asked) == 1


@pytest.mark.parametrize("held", [True, False])
def test_a_value_that_is_refused_is_a_fault_as_everywhere(held):
    if held:
        connection.ensure_connection()
    with pytest.raises(DataError):
        prepared.flags("SELECT %s::json IS NULL", '{"cut')


def test_a_connection_that_broke_is_said_to_have_broken():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (own,) = cursor.fetchone()
    pool = connection.pool
    with pool.connection(timeout=10) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [own])
    with pytest.raises(OperationalError, match="broke"):
        prepared.flags(SQL, "one")
