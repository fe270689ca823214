"""Pieces of names on SQLite: a full-text table of trigrams (FTS5), kept up to date by triggers.

A full import puts a new table of names in place of the old one, and the triggers go with that: by their absence it is
seen that the index must be built anew.
"""

from collections.abc import Callable, Sequence
from itertools import combinations

from django.db import DatabaseError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from common.likeness import fuzz, process
from entities.gleif.name_keys import LEAST, parts

TABLE, TRIGGER = "entities_leiname_pieces", "lei_name_pieces"
_INSTALL = (
    f"CREATE VIRTUAL TABLE IF NOT EXISTS {TABLE} USING fts5("
    "key, content='entities_leiname', content_rowid='id', tokenize='trigram', columnsize=0)",
    f"INSERT INTO {TABLE} ({TABLE}) VALUES ('rebuild')",  # noqa: S608 - here and below: names of ours
    f"CREATE TRIGGER IF NOT EXISTS {TRIGGER}_in AFTER INSERT ON entities_leiname "  # noqa: S608
    f"BEGIN INSERT INTO {TABLE} (rowid, key) VALUES (new.id, new.key); END",
    f"CREATE TRIGGER IF NOT EXISTS {TRIGGER}_out AFTER DELETE ON entities_leiname "  # noqa: S608
    f"BEGIN INSERT INTO {TABLE} ({TABLE}, rowid, key) VALUES ('delete', old.id, old.key); END",
)
_REMOVE = (
    f"DROP TRIGGER IF EXISTS {TRIGGER}_in",
    f"DROP TRIGGER IF EXISTS {TRIGGER}_out",
    f"DROP TABLE IF EXISTS {TABLE}",
)
CHUNK = 20_000  # names between two reports
_PUT_IN = f"INSERT INTO {TABLE} (rowid, key) SELECT id, key FROM entities_leiname WHERE id > %s AND id <= %s"  # noqa: S608
_SOME = (
    "SELECT lei, key FROM entities_leiname WHERE id IN "  # noqa: S608
    f"(SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH %s LIMIT %s)"
)
PARTS, WHOLE = 5, 3  # two slips leave three of five parts of a name whole
MOST = 800  # names that are looked at for three parts
_NO_FTS = "SQLite was built without FTS5, or is older than 3.34"


class SqliteNames:
    def install(self, connection: BaseDatabaseWrapper) -> str:
        try:
            with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
                for statement in _INSTALL:
                    cursor.execute(statement)
        except DatabaseError:
            return _NO_FTS
        return ""

    def rebuild(self, connection: BaseDatabaseWrapper, report: Callable[[int, int], None]) -> None:
        """In one transaction, so that others see the old index until it is done."""
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute("SELECT coalesce(max(id), 0) FROM entities_leiname")
            last = int(cursor.fetchone()[0])
            cursor.execute(f"INSERT INTO {TABLE} ({TABLE}) VALUES ('delete-all')")  # noqa: S608
            for start in range(0, last, CHUNK):
                cursor.execute(_PUT_IN, [start, start + CHUNK])
                report(min(start + CHUNK, last), last)

    def remove(self, connection: BaseDatabaseWrapper) -> None:
        with connection.cursor() as cursor:
            for statement in _REMOVE:
                cursor.execute(statement)

    def missing(self) -> str:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'entities_leiname' "
                "AND name IN (%s, %s)",
                [f"{TRIGGER}_in", f"{TRIGGER}_out"],
            )
            if cursor.fetchone()[0] == 2:
                return ""
        return "the names have not been put into the index yet, or SQLite cannot make one (FTS5)"

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
                cursor.execute(_SOME, [phrase, most])
                found |= {(lei, name): name for lei, name in cursor.fetchall()}
        return found

    def _most_like(self, key: str, found: dict[tuple[str, str], str], limit: int) -> list[tuple[str, str]]:
        ranked = process.extract(key, found, scorer=fuzz.token_sort_ratio, limit=limit)
        return [place for _, _, place in ranked]
