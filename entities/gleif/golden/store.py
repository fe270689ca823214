"""The tables of the register, and the incoming ones that are filled beside them while the old register answers.

A full file fills new tables that then take the place of the old ones; a delta replaces only the rows it names. Either
is one transaction. What PostgreSQL and SQLite do differently is in the module called like the database.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

from django.db import connection, models, transaction

from entities.gleif.golden import postgresql, sqlite
from entities.gleif.golden.rows import ExceptionRow, LeiRow, RelationshipRow
from entities.gleif.names import search_key
from entities.models import LeiName, LeiRecord, LeiRelationship, RegisterName, ReportingException

BATCH = 2_500
GONE = "gone"  # the register of an incoming row that a delta takes away
_STAMP = ("register", "as_of", "fetched_at")


class Duplicate(Exception):
    """The key comes twice in one file, where that cannot be."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(key)


@dataclass(frozen=True)
class Table:
    """One table of the register. ``key`` tells rows apart; ``best`` says which of two rows with one key counts."""

    model: type[models.Model]
    columns: tuple[str, ...]
    key: tuple[str, ...] = ()
    newest_wins: bool = False

    @property
    def name(self) -> str:
        return self.model._meta.db_table

    @property
    def incoming(self) -> str:
        return f"{self.name}_incoming"


_RECORD = (
    "lei",
    "legal_name",
    "jurisdiction",
    "category",
    "entity_status",
    "registration_status",
    "next_renewal",
    "successor",
    "attributes",
)
RECORDS = Table(LeiRecord, (*_RECORD, *_STAMP), ("lei",))
NAMES = Table(LeiName, ("lei", "name", "type", "language", "key"))
RELATIONSHIPS = Table(
    LeiRelationship, ("start", "end", "type", "status", "attributes", *_STAMP), ("start", "end", "type"), True
)
EXCEPTIONS = Table(
    ReportingException, ("lei", "category", "reason", "reference", *_STAMP), ("lei", "category"), True
)
TABLES = {"lei2": (RECORDS, NAMES), "rr": (RELATIONSHIPS,), "repex": (EXCEPTIONS,)}


class Incoming:
    """The incoming tables of one kind of file, from ``prepare`` to ``go_live`` or ``drop``."""

    def __init__(self, kind: str, publish_date: datetime, now: datetime) -> None:
        self.tables = TABLES[kind]
        self._stamp = (as_of(publish_date), now.isoformat())

    def prepare(self) -> None:
        """Empty incoming tables; what a broken import left behind goes away."""
        self.drop()
        with transaction.atomic(), connection.cursor() as cursor:
            for table in self.tables:
                _database().create(cursor, table.name, table.incoming)

    def encoded(self, rows: Sequence[Any]) -> list[Any]:
        """Some rows of the file as ``write`` takes them, per table; asks no database, so any thread may do it."""
        return [_database().encoded(values) for values in self._values(rows)]

    def write(self, encoded: Sequence[Any]) -> None:
        """Raises Duplicate where the database notices it at once."""
        for table, values in zip(self.tables, encoded, strict=True):
            with connection.cursor() as cursor:
                twice = _database().write(cursor, table, values)
            if twice:
                raise Duplicate(twice)

    def complete(self) -> int:
        """Indexes like those of the live tables; of rows with one key the best stays. The number of the others.

        Raises Duplicate for kinds of which there is one record a key.
        """
        repeated = 0
        with transaction.atomic(), connection.cursor() as cursor:
            for table in self.tables:
                if table.newest_wins:
                    repeated += _database().keep_best(cursor, table)
                elif table.key and (twice := _database().duplicate(cursor, table)):
                    raise Duplicate(twice)
                _database().index(cursor, table.name, table.incoming)
        return repeated

    def replace(self) -> None:
        """The incoming tables become the live ones; call it in a transaction. Rows of other registers come along."""
        with connection.cursor() as cursor:
            for table in self.tables:
                if table.key:
                    cursor.execute(f'DELETE FROM "{table.incoming}" WHERE register = %s', [GONE])
                    self._bring_along(cursor, table)
                _database().replace(cursor, table.name, table.incoming)

    def merge(self) -> dict[str, int]:
        """The incoming rows take the place of those with their keys; call it in a transaction."""
        records = self.tables[0]
        with connection.cursor() as cursor:
            counts = self._differences(cursor, records)
            for table in self.tables:
                key = table.key or records.key
                match = " AND ".join(f'i."{name}" = "{table.name}"."{name}"' for name in key)
                cursor.execute(
                    f'DELETE FROM "{table.name}" WHERE EXISTS (SELECT 1 FROM "{records.incoming}" i WHERE {match})'
                )
                _insert(cursor, table, f'SELECT {{}} FROM "{table.incoming}" i' + _unless_gone(table))
        self.drop()
        return counts

    def drop(self) -> None:
        """No incoming tables."""
        with transaction.atomic(), connection.cursor() as cursor:
            for table in self.tables:
                cursor.execute(f'DROP TABLE IF EXISTS "{table.incoming}"')

    def analyse(self) -> None:
        """Let the planner know what the tables now hold."""
        with connection.cursor() as cursor:
            for table in self.tables:
                cursor.execute(f'ANALYZE "{table.name}"')

    def _values(self, rows: Sequence[Any]) -> list[list[tuple[str | None, ...]]]:
        """What goes into each table."""
        stamp = (RegisterName.LOCAL.value, *self._stamp)
        gone = (GONE, *self._stamp)
        if self.tables[0] is RECORDS:
            records: list[tuple[str | None, ...]] = [(*row[:9], *stamp) for row in rows]
            return [records, list(_names(rows))]
        return [[(*row[:-1], *(gone if row.deleted else stamp)) for row in rows]]

    def _bring_along(self, cursor: Any, table: Table) -> None:
        match = " AND ".join(f'i."{name}" = o."{name}"' for name in table.key)
        _insert(
            cursor,
            Table(table.model, _own_columns(table), table.key),
            f"SELECT {{}} FROM \"{table.name}\" o WHERE o.register <> '{RegisterName.LOCAL.value}' "
            f'AND NOT EXISTS (SELECT 1 FROM "{table.incoming}" i WHERE {match})',
            into=table.incoming,
        )

    def _differences(self, cursor: Any, table: Table) -> dict[str, int]:
        match = " AND ".join(f'i."{name}" = o."{name}"' for name in table.key)
        known = f"EXISTS (SELECT 1 FROM \"{table.name}\" o WHERE {match} AND o.register = 'local')"
        cursor.execute(
            f"SELECT sum(CASE WHEN register <> '{GONE}' AND {known} THEN 1 ELSE 0 END), "
            f"sum(CASE WHEN register <> '{GONE}' AND NOT {known} THEN 1 ELSE 0 END), "
            f"sum(CASE WHEN register = '{GONE}' AND {known} THEN 1 ELSE 0 END) FROM \"{table.incoming}\" i"
        )
        return dict(
            zip(("changed", "added", "removed"), (int(n or 0) for n in cursor.fetchone()), strict=True)
        )


def as_of(moment: datetime) -> str:
    """A publish date as the API writes it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _names(rows: Iterable[LeiRow]) -> Iterator[tuple[str | None, ...]]:
    for row in rows:
        for name, kind, language in row.names:
            yield row.lei, name, kind[:60], language[:20], search_key(name)


def _own_columns(table: Table) -> tuple[str, ...]:
    """All columns but a key that the database counts up."""
    fields = table.model._meta.concrete_fields
    return tuple(str(field.column) for field in fields if not isinstance(field, models.AutoField))


def _unless_gone(table: Table) -> str:
    return f" WHERE i.register <> '{GONE}'" if table.key else ""


def _insert(cursor: Any, table: Table, select: str, into: str = "") -> None:
    columns = ", ".join(f'"{name}"' for name in table.columns)
    cursor.execute(f'INSERT INTO "{into or table.name}" ({columns}) {select.format(columns)}')


def _database() -> ModuleType:
    return postgresql if connection.vendor == "postgresql" else sqlite


__all__ = ["BATCH", "Duplicate", "ExceptionRow", "Incoming", "RelationshipRow", "as_of"]
