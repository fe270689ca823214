"""Pieces of names on PostgreSQL: a GIN index of trigrams (extension pg_trgm) serves ``LIKE '%piece%'``.

Only GIN: with a GiST index beside it the planner takes that one, which is six times as slow.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from django.db import DatabaseError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from entities.names.pieces import trigrams
from entities.names.table import NameTable

# For the sake of a LIMIT the planner would read the table from its beginning; and compiling costs more than it gives.
_PLAN = "SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)"
_AS_BEFORE = (  # whoever asks may be in the middle of a longer transaction
    "SET LOCAL enable_seqscan TO DEFAULT; SET LOCAL jit TO DEFAULT; "
    "SET LOCAL pg_trgm.similarity_threshold TO DEFAULT"
)
_THRESHOLD = "SELECT set_config('pg_trgm.similarity_threshold', %s, true)"
LOST = 8  # trigrams that two slips take from a name, at most; as many others come instead
LEAST = 0.4  # names less similar than that are so many that the index is no help
MOST = 0.7
_EVERY = 0.5  # seconds
_PROGRESS = (
    "SELECT blocks_done, blocks_total FROM pg_stat_progress_create_index WHERE pid = %s AND blocks_total > 0"
)
_REASON = "PostgreSQL has no extension pg_trgm (Debian: postgresql-contrib), or may not create it"


class PostgresqlNames:
    """See ``entities.names.index.NameIndex``."""

    def __init__(self, table: NameTable) -> None:
        self.index, self._table = f"{table.prefix}_trigram", table.name
        self._place = f"ON {table.name} USING gin ({table.key} gin_trgm_ops)"
        found, key = f"SELECT {table.holder}::text AS holder, {table.key} AS key FROM {table.name}", table.key  # noqa: S608
        self._some = f"({found} WHERE {key} LIKE %s LIMIT %s)"
        self._near = f"{found} WHERE {key} %% %s ORDER BY similarity({key}, %s) DESC, 2, 1 LIMIT %s"

    def install(self, connection: BaseDatabaseWrapper) -> str:
        with connection.cursor() as cursor:
            try:
                with transaction.atomic(using=connection.alias):
                    cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            except DatabaseError:
                return _REASON
            cursor.execute(f"CREATE INDEX IF NOT EXISTS {self.index} {self._place}")
        return ""

    def rebuild(self, connection: BaseDatabaseWrapper, report: Callable[[int, int], None]) -> None:
        """Beside the old one, which serves until the exchange; names cannot be written meanwhile."""
        exchange = transaction.atomic(using=connection.alias)
        with _watched(connection, report), exchange, connection.cursor() as cursor:
            cursor.execute(f"CREATE INDEX {self.index}_new {self._place}")
            cursor.execute(f"DROP INDEX {self.index}")
            cursor.execute(f"ALTER INDEX {self.index}_new RENAME TO {self.index}")

    def remove(self, connection: BaseDatabaseWrapper) -> None:
        """The extension stays: others may use it."""
        with connection.cursor() as cursor:
            cursor.execute(f"DROP INDEX IF EXISTS {self.index}")

    def missing(self) -> str:
        with connection.cursor() as cursor:
            cursor.execute("SELECT to_regclass(%s)", [self.index])
            return "" if cursor.fetchone()[0] else _REASON

    def near(self, key: str, limit: int) -> list[tuple[str, str]]:
        """What two slips leave of the trigrams that the longer name has is the similarity to ask for."""
        whole = len(trigrams(key))
        similarity = (whole - LOST) / (whole + LOST)
        if similarity < LEAST:
            return []
        with _planned() as cursor:
            cursor.execute(_THRESHOLD, [str(min(similarity, MOST))])
            cursor.execute(self._near, [key, key, limit])
            return list(cursor.fetchall())

    def alike(self, pieces: Sequence[str], key: str, limit: int, most: int) -> list[tuple[str, str]]:
        sql = (
            f"SELECT holder, key FROM ({' UNION '.join([self._some] * len(pieces))}) found "  # noqa: S608 - pieces are values
            "ORDER BY similarity(key, %s) DESC, key, holder LIMIT %s"
        )
        with _planned() as cursor:
            values = [value for piece in pieces for value in (f"%{piece}%", most)]
            cursor.execute(sql, [*values, key, limit])
            return list(cursor.fetchall())


@contextmanager
def _planned() -> Iterator[CursorWrapper]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_PLAN)
        yield cursor
        cursor.execute(_AS_BEFORE)


@contextmanager
def _watched(watched: BaseDatabaseWrapper, report: Callable[[int, int], None]) -> Iterator[None]:
    """Tell how far the database is, asked on a connection of its own."""
    done = threading.Event()
    with watched.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        builder = cursor.fetchone()[0]
    watcher = threading.Thread(target=_watch, args=(builder, done, report), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(builder: int, done: threading.Event, report: Callable[[int, int], None]) -> None:
    try:
        while not done.wait(_EVERY):
            with connection.cursor() as cursor:
                cursor.execute(_PROGRESS, [builder])
                if found := cursor.fetchone():
                    report(*found)
    finally:
        connection.close()
