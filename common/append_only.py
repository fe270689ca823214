"""Tables to which rows are only ever added: the database itself refuses everything else, whoever asks.

On PostgreSQL the triggers also fire for TRUNCATE and for a session that plays a replica. On SQLite a row is not
replaced either: ``INSERT OR REPLACE`` removes the old row without asking the trigger for DELETE. Whoever owns the
database can still switch triggers off; ``faults`` tells that, and the audit trail tells what was done meanwhile.

In a table that ``may_end`` names, the columns that say when and why a row ended may be set, once, from null to a value.
A row that the table of ``erased_rows_in`` names may go, or be emptied: that it was named stays.
"""

from collections.abc import Iterable, Sequence

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

_BODY = """BEGIN
IF TG_OP = 'UPDATE' AND TG_NARGS > 0 AND to_jsonb(OLD) - TG_ARGV = to_jsonb(NEW) - TG_ARGV
AND to_jsonb(NEW) @> jsonb_strip_nulls(to_jsonb(OLD)) THEN RETURN NEW; END IF;
IF TG_OP <> 'TRUNCATE' THEN
IF EXISTS (SELECT 1 FROM {erased} WHERE "table" = TG_TABLE_NAME AND "row" = replace(OLD.id::text, '-', '')) THEN
IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
RETURN NEW; END IF; END IF;
RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END"""
_FUNCTION = "CREATE OR REPLACE FUNCTION dossier_append_only() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
_POSTGRESQL = {
    "append_only": "BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW",
    "no_truncate": "BEFORE TRUNCATE ON {table} FOR EACH STATEMENT",
}
_TYPES = {"append_only": 27, "no_truncate": 34}  # pg_trigger.tgtype of the two above
_STATES = """
SELECT c.relname, t.tgname, t.tgenabled, t.tgtype, t.tgqual IS NULL AND t.tgattr = '', p.prosrc, t.tgargs
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace AND c.relname = ANY(%s)
"""
_KEYS = """
SELECT '', name, pk, 0 FROM pragma_table_info(%s) WHERE pk
UNION ALL
SELECT key.name, part.name, seqno, partial
FROM pragma_index_list(%s) AS key, pragma_index_info(key.name) AS part WHERE "unique"
ORDER BY 1, 3
"""
_ENDS: dict[str, tuple[str, ...]] = {}
_ERASED: list[str] = []


def may_end(table: str, *columns: str) -> None:
    """Let rows of the table end: each of the columns may be set once. Called when apps are loaded.

    Keys that are unique under a condition hold for the rows whose first of these columns is null.
    """
    _ENDS[table] = columns


def erased_rows_in(table: str) -> None:
    """Where it stands that a row of any table may go: columns ``table`` and ``row``, the key without hyphens.

    Called when apps are loaded. The table has to be there as soon as a trigger fires.
    """
    _ERASED[:] = [table]


def install(connection: BaseDatabaseWrapper, tables: Sequence[str]) -> None:
    """Create the triggers that are missing, and those that are not as they should be, on the tables that are there."""
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        wrong = {
            table for table, _ in _faults(connection, cursor, [name for name in tables if name in there])
        }
        if wrong and connection.vendor == "postgresql":
            cursor.execute(_FUNCTION.format(body=_body()))
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
            enabled, type_, always, body, given = states.get((table, trigger), (None,) * 5)
            if enabled is None:
                found.append((table, f"the trigger {trigger} is missing"))
            elif enabled != "A":
                word = "disabled" if enabled == "D" else "skipped by a session that plays a replica"
                found.append((table, f"the trigger {trigger} is {word}"))
            elif (type_, always, body, _words(given)) != (kind, True, _body(), _given(table, name)):
                found.append((table, f"the trigger {trigger} does something else than refuse"))
    return found


def _body() -> str:
    return _BODY.format(erased=_ERASED[0])


def _given(table: str, name: str) -> tuple[str, ...]:
    return _ENDS.get(table, ()) if name == "append_only" else ()


def _words(tgargs: bytes | memoryview) -> tuple[str, ...]:
    """The arguments of a trigger as PostgreSQL keeps them, each with a zero byte behind it."""
    return tuple(bytes(tgargs).decode().split("\0")[:-1])


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
                f"EXECUTE FUNCTION dossier_append_only({', '.join(map(repr, _given(table, name)))})",
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
    for key, column, _, partial in cursor.fetchall():
        still = f'"{_ENDS[table][0]}" IS NULL' if partial and table in _ENDS else ""  # unique until it ends
        keys.setdefault(key, [still] if still else []).append(f'"{column}" = NEW."{column}"')
    same = " OR ".join(f"({' AND '.join(key)})" for key in sorted(set(map(tuple, keys.values()))))
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    taken = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})"  # noqa: S608 - names of ours
    changes = f"{_changes_more(cursor, table)} AND " if table in _ENDS else ""
    key = "replace(CAST(OLD.id AS TEXT), '-', '')"
    named = f'SELECT 1 FROM {_ERASED[0]} WHERE "table" = \'{table}\' AND "row" = {key}'  # noqa: S608
    stays = f"NOT EXISTS ({named})"
    return {
        f"{table}_no_update": (
            f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} WHEN {changes}{stays} {refuse}"
        ),
        f"{table}_no_delete": (
            f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} WHEN {stays} {refuse}"
        ),
        f"{table}_no_replace": f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} {taken} {refuse}",
    }


def _changes_more(cursor: CursorWrapper, table: str) -> str:
    """The condition of a trigger: an UPDATE does something else than set what says that a row ended."""
    cursor.execute("SELECT name FROM pragma_table_info(%s) ORDER BY cid", [table])
    same = [
        f'(OLD."{name}" IS NULL OR NEW."{name}" IS OLD."{name}")'
        if name in _ENDS[table]
        else f'NEW."{name}" IS OLD."{name}"'
        for (name,) in cursor.fetchall()
    ]
    return f"NOT ({' AND '.join(same)})"
