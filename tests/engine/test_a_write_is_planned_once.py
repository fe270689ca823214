"""The statement of every write is planned once for each connection, and nothing depends on that."""

from datetime import date
from uuid import UUID

import pytest
from django.db import DataError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from research.store import prepared

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
        assert prepared.flags(SQL, b"one") == [True, True]
        assert prepared.flags(SQL, b"two") == [False, True]
        assert planned() == 1


def test_it_opens_no_connection_of_the_thread():
    assert prepared.flags(SQL, b"one") == [True, True]
    assert connection.connection is None


def test_no_row_is_none():
    assert prepared.flags("SELECT true WHERE %s = 'one'", b"two") is None


def test_it_is_asked_all_the_same_when_the_plan_is_gone():
    with connection.cursor() as cursor:
        prepared.flags(SQL, b"one")
        cursor.execute("DISCARD ALL")
        assert prepared.flags(SQL, b"one") == [True, True]
        assert planned() == 1


VALUES = (
    "SELECT %s::uuid, '2026-02-03 04:05:06.7+02'::timestamptz, '{\"a\": [1.50, null]}'::jsonb, 1.50::numeric(12, 6), "
    "NULL::jsonb, 'ä', 7, true"
)


@pytest.mark.parametrize("held", [True, False])
def test_rows_are_what_a_cursor_of_django_gives(held):
    if held:
        connection.ensure_connection()
    key = "5f1f1b0e-6c55-4b8a-9a3e-0f6d1f1c2b3a"
    found = prepared.rows(VALUES, key)
    with connection.cursor() as cursor:
        cursor.execute(VALUES, [key])
        wanted = cursor.fetchall()
    assert found == wanted
    assert [type(value) for value in found[0]] == [type(value) for value in wanted[0]]
    assert found[0][1].utcoffset() == wanted[0][1].utcoffset()


def test_it_sees_what_a_transaction_of_the_caller_wrote(django_user_model):
    with transaction.atomic():
        django_user_model.objects.create(username="one")
        assert prepared.flags("SELECT EXISTS (SELECT 1 FROM auth_user WHERE username = %s)", b"one") == [True]


def test_whoever_looks_at_statements_sees_it():
    with CaptureQueriesContext(connection) as asked:
        prepared.flags(SQL, b"one")
    assert len(asked) == 1


@pytest.mark.parametrize("held", [True, False])
def test_a_value_that_is_refused_is_a_fault_as_everywhere(held):
    if held:
        connection.ensure_connection()
    with pytest.raises(DataError):
        prepared.flags("SELECT %s::json IS NULL", b'{"cut')


def test_a_connection_that_broke_is_said_to_have_broken():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (own,) = cursor.fetchone()
    pool = connection.pool
    with pool.connection(timeout=10) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [own])
    with pytest.raises(OperationalError, match="broke"):
        prepared.flags(SQL, b"one")


def test_each_value_has_the_type_that_the_statement_asks_for():
    sql = "SELECT %s::int + 1, %s::date, %s::uuid, length(%s)"
    key = UUID(int=7)
    assert prepared.rows(sql, 41, date(2026, 1, 2), key, "a%sü") == [(42, date(2026, 1, 2), key, 4)]


def test_no_rows_are_an_empty_list():
    assert prepared.rows("SELECT 1 WHERE %s = 'one'", "two") == []


def test_a_table_that_was_changed_is_read_as_it_is_now():
    sql = "SELECT number FROM changing WHERE number::text = %s"
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE changing (number int)")
        cursor.execute("INSERT INTO changing VALUES (1)")
        assert prepared.rows(sql, "1") == [(1,)]
        cursor.execute("ALTER TABLE changing ALTER number TYPE text")
        assert [prepared.rows(sql, "1"), prepared.rows(sql, "1")] == [[("1",)], [("1",)]]
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%changing%$1'")
        assert cursor.fetchone() == (1,)
        cursor.execute("DROP TABLE changing")


def test_it_is_planned_for_all_values_from_the_first_on():
    with connection.cursor() as cursor:
        for word in (b"one", b"two"):
            prepared.flags(SQL, word)
        this = SQL.replace("%s", "$1")
        cursor.execute("SELECT sum(custom_plans) FROM pg_prepared_statements WHERE statement = %s", [this])
        assert cursor.fetchone() == (0,)


class Forgetful:
    """A connection behind a pooler that gives every statement to another server."""

    def __init__(self, wire):
        self.wire = wire

    def __getattr__(self, name):
        return getattr(self.wire, name)

    def prepare(self, name, sql):
        """It lands elsewhere."""


def test_it_is_asked_all_the_same_when_no_plan_is_ever_kept():
    connection.ensure_connection()
    wire = Forgetful(connection.connection.pgconn)
    found = prepared._asked(wire, b"dossier_forgotten", b"SELECT $1 = 'one', true", [b"one"])
    assert found.get_value(0, 0) == prepared.TRUE
