"""What goes into each table of the register for some rows of a file. Asks no database, so any process may do it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from entities.gleif.golden.rows import LeiRow
from entities.gleif.names import search_key

GONE = "gone"  # the register of an incoming row that a delta takes away
Values: TypeAlias = tuple[str | None, ...]
Stamp: TypeAlias = tuple[str, str, str]  # register, publish date, when it was read
_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def values(kind: str, rows: Sequence[Any], stamp: Stamp) -> list[list[Values]]:
    """Rows of each table, in the order of ``store.TABLES``."""
    if kind == "lei2":
        return [[(*row[:9], *stamp) for row in rows], list(_names(rows))]
    gone = (GONE, *stamp[1:])
    return [[(*row[:-1], *(gone if row.deleted else stamp)) for row in rows]]


def copy_text(rows: Iterable[Values]) -> bytes:
    """Rows as the text that PostgreSQL's COPY reads."""
    return lines(rows).encode()


def lines(rows: Iterable[Values]) -> str:
    """That text, of which parts can be put together."""
    return "".join(map(_line, rows))


def _names(rows: Iterable[LeiRow]) -> Iterator[Values]:
    for row in rows:
        for name, kind, language in row.names:
            yield row.lei, name, kind[:60], language[:20], search_key(name)


def _line(values: Values) -> str:
    """A row as COPY reads it. Most rows hold nothing to escape, which one look at the whole line tells."""
    try:
        line = "\t".join(values)  # type: ignore[arg-type]
    except TypeError:
        return "\t".join("\\N" if value is None else value.translate(_ESCAPES) for value in values) + "\n"
    if "\\" in line or "\n" in line or "\r" in line or line.count("\t") >= len(values):
        return "\t".join([value.translate(_ESCAPES) for value in values if value is not None]) + "\n"
    return line + "\n"
