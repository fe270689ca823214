"""Triggers that refuse UPDATE and DELETE on the tables that record what people decided, on both databases."""

from django.db.backends.base.base import BaseDatabaseWrapper

from common.triggers import idle_triggers

TABLES = (
    "research_decision",
    "research_auditevent",
    "research_auditseal",
    "research_verbeffect",
    "research_rollback",
)

_POSTGRES_FUNCTION = """
CREATE OR REPLACE FUNCTION dossier_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation'; END $$
"""


def install(connection: BaseDatabaseWrapper) -> None:
    """Create the triggers on the tables that are there; safe to repeat."""
    remove(connection)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_POSTGRES_FUNCTION)
        for table in _present(connection):
            for statement in _create(table, connection.vendor):
                cursor.execute(statement)


def restore(connection: BaseDatabaseWrapper) -> None:
    """Create them anew if one is gone, disabled or changed: SQLite loses those of a table that is made anew."""
    if idle_triggers(connection, trigger_names(connection.vendor)):
        install(connection)


def remove(connection: BaseDatabaseWrapper) -> None:
    """Drop the triggers (reversing the migration, and emptying test databases on SQLite)."""
    with connection.cursor() as cursor:
        for table in _present(connection):
            for statement in _drop(table, connection.vendor):
                cursor.execute(statement)


def trigger_names(vendor: str) -> list[str]:
    """What ``install`` creates."""
    endings = ("append_only",) if vendor == "postgresql" else ("no_update", "no_delete")
    return [f"{table}_{ending}" for table in TABLES for ending in endings]


def _present(connection: BaseDatabaseWrapper) -> list[str]:
    there = set(connection.introspection.table_names())
    return [table for table in TABLES if table in there]


def _create(table: str, vendor: str) -> list[str]:
    if vendor == "postgresql":
        return [
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION dossier_append_only()"
        ]
    return [
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_{event.lower()} BEFORE {event} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for event in ("UPDATE", "DELETE")
    ]


def _drop(table: str, vendor: str) -> list[str]:
    if vendor == "postgresql":
        return [f"DROP TRIGGER IF EXISTS {table}_append_only ON {table}"]
    return [f"DROP TRIGGER IF EXISTS {table}_no_{event}" for event in ("update", "delete")]
