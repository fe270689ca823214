"""What the golden copy does on PostgreSQL: COPY into tables without indexes, and one exchange of tables."""

from collections.abc import Iterable, Sequence
from typing import Any

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def create(cursor: Any, table: str, incoming: str) -> None:
    """An empty table with the columns of another, without its indexes."""
    cursor.execute(
        f'CREATE TABLE "{incoming}" '
        f'(LIKE "{table}" INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING CONSTRAINTS INCLUDING STORAGE)'
    )


def encoded(rows: Iterable[Sequence[str | None]]) -> bytes:
    """Rows as the text that COPY reads."""
    return "".join(map(_line, rows)).encode()


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


def index(cursor: Any, table: str, incoming: str) -> None:
    """The indexes of the live table on the incoming one, under names that ``replace`` knows."""
    for oid, _, _, unique, definition in _indexes(cursor, table):
        using = definition.partition(" USING ")[2]
        cursor.execute(f'CREATE {"UNIQUE " * unique}INDEX "{_passing(oid)}" ON "{incoming}" USING {using}')


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


def _line(values: Sequence[str | None]) -> str:
    """A row as COPY reads it. Most rows hold nothing to escape, which one look at the whole line tells."""
    try:
        line = "\t".join(values)  # type: ignore[arg-type]
    except TypeError:
        return "\t".join("\\N" if value is None else value.translate(_ESCAPES) for value in values) + "\n"
    if "\\" in line or "\n" in line or "\r" in line or line.count("\t") >= len(values):
        return "\t".join([value.translate(_ESCAPES) for value in values if value is not None]) + "\n"
    return line + "\n"
