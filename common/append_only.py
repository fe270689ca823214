"""Tables to which rows are only ever added: the database itself refuses everything else, whoever asks.

On PostgreSQL the triggers also fire for TRUNCATE and for a session that plays a replica. On SQLite a row is not
replaced either: ``INSERT OR REPLACE`` removes the old row without asking the trigger for DELETE. Whoever owns the
database can still switch triggers off; ``faults`` tells that, and the audit trail tells what was done meanwhile.
"""

from collections.abc import Iterable, Sequence

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

_BODY = "BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation'; END"
_FUNCTION = (
    f"CREATE OR REPLACE FUNCTION dossier_append_only() RETURNS trigger LANGUAGE plpgsql AS $${_BODY}$$"
)
_POSTGRESQL = {
    "append_only": "BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW",
    "no_truncate": "BEFORE TRUNCATE ON {table} FOR EACH STATEMENT",
}
_TYPES = {"append_only": 27, "no_truncate": 34}  # pg_trigger.tgtype of the two above
_STATES = """
SELECT c.relname, t.tgname, t.tgenabled, t.tgtype, t.tgqual IS NULL AND t.tgattr = '', p.prosrc FROM pg_trigger t
JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace AND c.relname = ANY(%s)
"""
_KEYS = """
SELECT '', name, pk FROM pragma_table_info(%s) WHERE pk
UNION ALL
SELECT key.name, part.name, seqno FROM pragma_index_list(%s) AS key, pragma_index_info(key.name) AS part WHERE "unique"
ORDER BY 1, 3
"""


def install(connection: BaseDatabaseWrapper, tables: Sequence[str]) -> None:
    """Create the triggers that are missing, and those that are not as they should be, on the tables that are there."""
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        wrong = {
            table for table, _ in _faults(connection, cursor, [name for name in tables if name in there])
        }
        if wrong and connection.vendor == "postgresql":
            cursor.execute(_FUNCTION)
        for table in sorted(wrong):
            for statement in _created(connection, cursor, table):
                cursor.execute(statement)


def remove(connection: BaseDatabaseWrapper, tables: Iterable[str]) -> None:
    """Drop the triggers."""
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        for table in (name for name in tables if name in there):
            for statement in _dropped(connection, table):
                cursor.execute(statement)


def faults(connection: BaseDatabaseWrapper, tables: Sequence[str]) -> list[str]:
    """What is wrong with the triggers of the tables, in sentences; nothing where all are there and enabled."""
    with connection.cursor() as cursor:
        return [sentence for _, sentence in _faults(connection, cursor, tables)]


def _faults(
    connection: BaseDatabaseWrapper, cursor: CursorWrapper, tables: Sequence[str]
) -> list[tuple[str, str]]:
    check = _faults_postgresql if connection.vendor == "postgresql" else _faults_sqlite
    return check(connection, cursor, tables)


def _faults_postgresql(
    connection: BaseDatabaseWrapper, cursor: CursorWrapper, tables: Sequence[str]
) -> list[tuple[str, str]]:
    cursor.execute(_STATES, [list(tables)])
    states = {(table, name): rest for table, name, *rest in cursor.fetchall()}
    found = []
    for table in tables:
        for name, kind in _TYPES.items():
            trigger = f"{table}_{name}"
            enabled, type_, always, body = states.get((table, trigger), (None, None, None, None))
            if enabled is None:
                found.append((table, f"the trigger {trigger} is missing"))
            elif enabled != "A":
                word = "disabled" if enabled == "D" else "skipped by a session that plays a replica"
                found.append((table, f"the trigger {trigger} is {word}"))
            elif type_ != kind or not always or body != _BODY:  # always: neither WHEN nor UPDATE OF
                found.append((table, f"the trigger {trigger} does something else than refuse"))
    return found


def _faults_sqlite(
    connection: BaseDatabaseWrapper, cursor: CursorWrapper, tables: Sequence[str]
) -> list[tuple[str, str]]:
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    there = dict(cursor.fetchall())
    found = []
    for table in tables:
        for name, statement in _sqlite(connection, cursor, table).items():
            if name not in there:
                found.append((table, f"the trigger {name} is missing"))
            elif there[name] != statement:
                found.append((table, f"the trigger {name} does something else than refuse"))
    return found


def _created(connection: BaseDatabaseWrapper, cursor: CursorWrapper, table: str) -> list[str]:
    if connection.vendor == "postgresql":
        return [
            statement
            for name, when in _POSTGRESQL.items()
            for statement in (
                f"CREATE OR REPLACE TRIGGER {table}_{name} {when.format(table=table)} "
                "EXECUTE FUNCTION dossier_append_only()",
                f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_{name}",
            )
        ]
    return [*_dropped(connection, table), *_sqlite(connection, cursor, table).values()]


def _dropped(connection: BaseDatabaseWrapper, table: str) -> list[str]:
    if connection.vendor == "postgresql":
        return [f"DROP TRIGGER IF EXISTS {table}_{name} ON {table}" for name in _POSTGRESQL]
    return [f"DROP TRIGGER IF EXISTS {table}_no_{word}" for word in ("update", "delete", "replace")]


def _sqlite(connection: BaseDatabaseWrapper, cursor: CursorWrapper, table: str) -> dict[str, str]:
    cursor.execute(
        _KEYS, [table, table]
    )  # Django would parse the text of the table, which takes sixty times as long
    keys: dict[str, list[str]] = {}
    for key, column, _ in cursor.fetchall():
        keys.setdefault(key, []).append(column)
    same = " OR ".join(
        "(" + " AND ".join(f'"{name}" = NEW."{name}"' for name in key) + ")"
        for key in sorted(set(map(tuple, keys.values())))
    )
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    taken = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})"  # noqa: S608 - names of ours
    return {
        f"{table}_no_update": f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refuse}",
        f"{table}_no_delete": f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}",
        f"{table}_no_replace": f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} {taken} {refuse}",
    }
