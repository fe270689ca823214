"""What the golden copy does on PostgreSQL: COPY into tables without indexes, and one exchange of tables."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

AT_ONCE = 2  # indexes that are built side by side
KNOWS = True  # the planner has statistics of the incoming table, which stay with it
_MEMORY = "SELECT set_config('maintenance_work_mem', '256MB', true)"  # trigrams are sorted in few goes


def create(cursor: Any, table: str, incoming: str) -> None:
    """An empty table with the columns of another, without its indexes."""
    cursor.execute(
        f'CREATE TABLE "{incoming}" '
        f'(LIKE "{table}" INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING CONSTRAINTS INCLUDING STORAGE)'
    )


@contextmanager
def staging() -> Iterator[None]:
    """One transaction that does not wait for the disk: rows that are lost with the machine are those of no register."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('synchronous_commit', 'off', true)")
        yield


def write(cursor: Any, table: Any, text: bytes) -> str:
    """COPY rows. "" always: duplicates are noticed by ``duplicate``."""
    columns = ", ".join(f'"{name}"' for name in table.columns)
    with cursor.copy(f'COPY "{table.incoming}" ({columns}) FROM STDIN') as copy:
        copy.write(text)
    return ""


def duplicate(cursor: Any, table: Any) -> str:
    """A key that comes twice, "" if none does."""
    key = ", ".join(f'"{name}"' for name in table.key)
    cursor.execute(
        f'SELECT {key} FROM "{table.incoming}" GROUP BY {key} HAVING count(*) > 1 ORDER BY {key} LIMIT 1'
    )
    found = cursor.fetchone()
    return " ".join(found) if found else ""


def keep_best(cursor: Any, table: Any) -> int:
    """Of rows with one key the active and newest stays; the number of the others."""
    key = ", ".join(f'"{name}"' for name in table.key)
    order = "id DESC"
    if "attributes" in table.columns:
        order = f"status = 'ACTIVE' DESC, attributes #>> '{{registration,lastUpdateDate}}' DESC NULLS LAST, {order}"
    cursor.execute(
        f'DELETE FROM "{table.incoming}" WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER '
        f'(PARTITION BY {key} ORDER BY {order}) AS place FROM "{table.incoming}") ranked WHERE place > 1)'
    )
    return int(cursor.rowcount)


def completing(cursor: Any, table: str, incoming: str) -> list[str]:
    """What gives the incoming table the indexes of the live one, under names that ``replace`` knows, and statistics."""
    indexes = [
        f'CREATE {"UNIQUE " * unique}INDEX "{_passing(oid)}" ON "{incoming}" USING '
        + definition.partition(" USING ")[2]
        for oid, _, _, unique, definition in _indexes(cursor, table)
    ]
    return [*indexes, f'ANALYZE "{incoming}"']


def complete(statements: Sequence[str]) -> None:
    """Several side by side, indexes of trigrams first, for they take longest. Raises IntegrityError."""
    longest_first = sorted(statements, key=lambda statement: "USING gin" not in statement)
    if connection.in_atomic_block:  # then no other connection sees the tables
        for statement in longest_first:
            with connection.cursor() as cursor:
                cursor.execute(statement)
        return
    with ThreadPoolExecutor(AT_ONCE) as builders:
        for _ in builders.map(_complete, longest_first):
            pass


def _complete(statement: str) -> None:
    """On the connection of this thread."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_MEMORY)
            cursor.execute(statement)
    finally:
        connection.close()


def replace(cursor: Any, table: str, incoming: str) -> None:
    """The incoming table under the name of the live one, its indexes and sequence under theirs."""
    indexes = _indexes(cursor, table)
    cursor.execute(f'DROP TABLE "{table}"')
    cursor.execute(f'ALTER TABLE "{incoming}" RENAME TO "{table}"')
    for oid, name, constraint, _, _ in indexes:
        if constraint:
            kind = "PRIMARY KEY" if constraint == "p" else "UNIQUE"
            cursor.execute(
                f'ALTER TABLE "{table}" ADD CONSTRAINT "{name}" {kind} USING INDEX "{_passing(oid)}"'
            )
        else:
            cursor.execute(f'ALTER INDEX "{_passing(oid)}" RENAME TO "{name}"')
    cursor.execute(f'ALTER SEQUENCE IF EXISTS "{incoming}_id_seq" RENAME TO "{table}_id_seq"')


def _indexes(cursor: Any, table: str) -> list[tuple[int, str, str | None, bool, str]]:
    """(id, name, kind of the constraint behind it, unique, definition)"""
    cursor.execute(
        "SELECT i.indexrelid::bigint, c.relname, k.contype::text, i.indisunique, pg_get_indexdef(i.indexrelid) "
        "FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
        "LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.contype IN ('p', 'u') "
        "WHERE i.indrelid = %s::regclass ORDER BY i.indexrelid",
        [f'"{table}"'],
    )
    return list(cursor.fetchall())


def _passing(oid: int) -> str:
    return f"incoming_index_{oid}"
