"""Pieces of names on SQLite: a full-text table of trigrams (FTS5), kept up to date by triggers.

A full import puts a new table of names in place of the old one, and the triggers go with that: by their absence it is
seen that the index must be built anew.
"""

from collections.abc import Callable, Sequence
from itertools import combinations

from django.db import DatabaseError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from common.likeness import fuzz, process
from entities.names.pieces import LEAST, parts
from entities.names.table import NameTable

CHUNK = 20_000  # names between two reports
PARTS, WHOLE = 5, 3  # two slips leave three of five parts of a name whole
MOST = 800  # names that are looked at for three parts
_NO_FTS = "SQLite was built without FTS5, or is older than 3.34"


class SqliteNames:
    """See ``entities.names.index.NameIndex``."""

    def __init__(self, table: NameTable) -> None:
        self._table, self._key = table, table.key
        self._pieces, self._trigger = f"{table.name}_pieces", f"{table.prefix}_pieces"
        self._some = (
            f"SELECT {table.holder}, {table.key} FROM {table.name} WHERE id IN "  # noqa: S608 - names of ours
            f"(SELECT rowid FROM {self._pieces} WHERE {self._pieces} MATCH %s LIMIT %s)"
        )

    def install(self, connection: BaseDatabaseWrapper) -> str:
        try:
            with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
                for statement in self._statements():
                    cursor.execute(statement)
        except DatabaseError:
            return _NO_FTS
        return ""

    def rebuild(self, connection: BaseDatabaseWrapper, report: Callable[[int, int], None]) -> None:
        """In one transaction, so that others see the old index until it is done."""
        pieces, key, table = self._pieces, self._key, self._table.name
        some = f"INSERT INTO {pieces} (rowid, {key}) SELECT id, {key} FROM {table} WHERE id > %s AND id <= %s"  # noqa: S608
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute(f"SELECT coalesce(max(id), 0) FROM {table}")  # noqa: S608
            last = int(cursor.fetchone()[0])
            cursor.execute(f"INSERT INTO {pieces} ({pieces}) VALUES ('delete-all')")  # noqa: S608
            for start in range(0, last, CHUNK):
                cursor.execute(some, [start, start + CHUNK])
                report(min(start + CHUNK, last), last)

    def remove(self, connection: BaseDatabaseWrapper) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER IF EXISTS {self._trigger}_in")
            cursor.execute(f"DROP TRIGGER IF EXISTS {self._trigger}_out")
            cursor.execute(f"DROP TABLE IF EXISTS {self._pieces}")

    def missing(self) -> str:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s AND name IN (%s, %s)",
                [self._table.name, f"{self._trigger}_in", f"{self._trigger}_out"],
            )
            if cursor.fetchone()[0] == 2:
                return ""
        return "the names have not been put into the index yet, or SQLite cannot make one (FTS5)"

    def _statements(self) -> list[str]:
        pieces, key, table = self._pieces, self._key, self._table.name
        return [
            f"CREATE VIRTUAL TABLE IF NOT EXISTS {pieces} USING fts5("
            f"{key}, content='{table}', content_rowid='id', tokenize='trigram', columnsize=0)",
            f"INSERT INTO {pieces} ({pieces}) VALUES ('rebuild')",  # noqa: S608 - here and below: names of ours
            f"CREATE TRIGGER IF NOT EXISTS {self._trigger}_in AFTER INSERT ON {table} "  # noqa: S608
            f"BEGIN INSERT INTO {pieces} (rowid, {key}) VALUES (new.id, new.{key}); END",
            f"CREATE TRIGGER IF NOT EXISTS {self._trigger}_out AFTER DELETE ON {table} "  # noqa: S608
            f"BEGIN INSERT INTO {pieces} ({pieces}, rowid, {key}) VALUES ('delete', old.id, old.{key}); END",
        ]

    def near(self, key: str, limit: int) -> list[tuple[str, str]]:
        cut = parts(key, PARTS)
        if min(map(len, cut)) < LEAST:
            return []
        phrases = [" AND ".join(f'"{part}"' for part in some) for some in combinations(cut, WHOLE)]
        return self._most_like(key, self._matching(phrases, MOST), limit)

    def alike(self, pieces: Sequence[str], key: str, limit: int, most: int) -> list[tuple[str, str]]:
        return self._most_like(key, self._matching([f'"{piece}"' for piece in pieces], most), limit)

    def _matching(self, phrases: Sequence[str], most: int) -> dict[tuple[str, str], str]:
        found: dict[tuple[str, str], str] = {}
        with connection.cursor() as cursor:
            for phrase in phrases:
                cursor.execute(self._some, [phrase, most])
                found |= {(holder, name): name for holder, name in cursor.fetchall()}
        return found

    def _most_like(self, key: str, found: dict[tuple[str, str], str], limit: int) -> list[tuple[str, str]]:
        ranked = process.extract(key, found, scorer=fuzz.token_sort_ratio, limit=limit)
        return [place for _, _, place in ranked]
