"""What the golden copy does on SQLite: batches in short transactions, so that others can write, and one exchange."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, transaction

KNOWS = False  # the planner does not follow a table that changes its name
_SOME = 500
_ESCAPE, _ESCAPED = re.compile(r"\\(.)"), {"t": "\t", "n": "\n", "r": "\r"}


def create(cursor: Any, table: str, incoming: str) -> None:
    """An empty table with the columns and constraints of another; its other indexes follow in ``replace``."""
    cursor.execute("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = %s", [table])
    cursor.execute(cursor.fetchone()[0].replace(f'"{table}"', f'"{incoming}"', 1))


@contextmanager
def staging() -> Iterator[None]:
    """No transaction around all of it: others want to write in between."""
    yield


def write(cursor: Any, table: Any, text: bytes) -> str:
    """Insert rows; of two with one key the better stays where the table says so. Else the key that is there twice."""
    rows = [[*map(_cell, line.split("\t"))] for line in text.decode().split("\n")[:-1]]
    if not rows:
        return ""
    columns = ", ".join(f'"{name}"' for name in table.columns)
    marks = ", ".join(["%s"] * len(table.columns))
    sql = f'INSERT INTO "{table.incoming}" ({columns}) VALUES ({marks})' + _on_conflict(table)
    try:
        with transaction.atomic():
            cursor.executemany(sql, rows)
    except IntegrityError:
        return _twice(cursor, table, rows)
    return ""


def duplicate(cursor: Any, table: Any) -> str:
    """ "" always: ``write`` notices at once."""
    return ""


def keep_best(cursor: Any, table: Any) -> int:
    """0 always: ``write`` has kept the best already."""
    return 0


def completing(cursor: Any, table: str, incoming: str) -> list[str]:
    """Nothing: an index cannot be renamed, so it is made when its name is free."""
    return []


def complete(statements: Sequence[str]) -> None:
    """Nothing, for there are none."""


def replace(cursor: Any, table: str, incoming: str) -> None:
    """The incoming table under the name of the live one, with the indexes that this one had."""
    cursor.execute(
        "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = %s AND sql IS NOT NULL", [table]
    )
    indexes = [sql for (sql,) in cursor.fetchall()]
    cursor.execute(f'DROP TABLE "{table}"')
    cursor.execute(f'ALTER TABLE "{incoming}" RENAME TO "{table}"')
    for sql in indexes:
        cursor.execute(sql)


def _cell(text: str) -> str | None:
    """A cell of COPY's text format."""
    if "\\" not in text:
        return text
    return None if text == "\\N" else _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)


def _on_conflict(table: Any) -> str:
    if not table.newest_wins:
        return ""
    key = ", ".join(f'"{name}"' for name in table.key)
    others = ", ".join(f'"{name}" = excluded."{name}"' for name in table.columns if name not in table.key)
    better = ""
    if "attributes" in table.columns:
        own, new = (_rank(name) for name in (f'"{table.incoming}"', "excluded"))
        better = f" WHERE {new} >= {own}"
    return f" ON CONFLICT ({key}) DO UPDATE SET {others}{better}"


def _rank(name: str) -> str:
    updated = f"coalesce(json_extract({name}.attributes, '$.registration.lastUpdateDate'), '')"
    return f"({name}.status = 'ACTIVE', {updated})"


def _twice(cursor: Any, table: Any, rows: Sequence[Sequence[str | None]]) -> str:
    place = table.columns.index(table.key[0])
    keys = [str(row[place]) for row in rows]
    within = next((key for key, times in Counter(keys).items() if times > 1), "")
    if within:
        return within
    for start in range(0, len(keys), _SOME):
        some = keys[start : start + _SOME]
        marks = ", ".join(["%s"] * len(some))
        cursor.execute(
            f'SELECT {table.key[0]} FROM "{table.incoming}" WHERE {table.key[0]} IN ({marks})', some
        )
        if found := cursor.fetchone():
            return str(found[0])
    raise AssertionError("a key was refused that is nowhere twice")
