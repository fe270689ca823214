"""The tables of the register, and the incoming ones that are filled beside them while the old register answers.

A full file fills new tables that then take the place of the old ones; a delta replaces only the rows it names. Either
is one transaction. What PostgreSQL and SQLite do differently is in the module called like the database.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

from django.db import IntegrityError, connection, models, transaction

from entities.gleif.golden import postgresql, sqlite
from entities.gleif.golden.rows import GONE
from entities.models import LeiName, LeiRecord, LeiRelationship, RegisterName, ReportingException

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

    def __init__(self, kind: str) -> None:
        self.tables = TABLES[kind]

    def prepare(self) -> None:
        """Empty incoming tables; what a broken import left behind goes away."""
        self.drop()
        with transaction.atomic(), connection.cursor() as cursor:
            for table in self.tables:
                _database().create(cursor, table.name, table.incoming)

    def write(self, texts: Sequence[bytes]) -> None:
        """Take lines as COPY reads them, per table. Raises Duplicate where the database notices it at once."""
        with _database().staging(), connection.cursor() as cursor:
            for table, text in zip(self.tables, texts, strict=True):
                if twice := _database().write(cursor, table, text):
                    raise Duplicate(twice)

    def complete(self) -> int:
        """Indexes like those of the live tables; of rows with one key the best stays. The number of the others.

        Raises Duplicate for kinds of which there is one record a key.
        """
        repeated, statements = 0, []
        with transaction.atomic(), connection.cursor() as cursor:
            for table in self.tables:
                if table.newest_wins:
                    repeated += _database().keep_best(cursor, table)
                statements += _database().completing(cursor, table.name, table.incoming)
        try:
            with nullcontext() if not connection.in_atomic_block else transaction.atomic():
                _database().complete(statements)
        except IntegrityError as error:
            raise Duplicate(self._twice()) from error
        return repeated

    def _twice(self) -> str:
        """The key for which no unique index could be made."""
        with connection.cursor() as cursor:
            found = (str(_database().duplicate(cursor, table)) for table in self.tables if table.key)
            return next(filter(None, found))

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

    def analyse(self, *, replaced: bool) -> None:
        """Let the planner know what the tables now hold."""
        if replaced and _database().KNOWS:
            return
        with connection.cursor() as cursor:
            for table in self.tables:
                cursor.execute(f'ANALYZE "{table.name}"')

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
