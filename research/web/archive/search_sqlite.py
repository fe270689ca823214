"""The index on SQLite: a table of the FTS5 extension. It is given terms, so its own tokenizer only splits at blanks."""

from collections.abc import Mapping, Sequence

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from research.web.archive.ranking import TITLE, Analysed, Ranked, Subset

_INSTALL = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS research_archive "
    "USING fts5(title, body, tokenize = \"ascii tokenchars '_'\")",
    "CREATE VIRTUAL TABLE IF NOT EXISTS research_archive_terms USING fts5vocab(research_archive, row)",
    "CREATE TRIGGER IF NOT EXISTS research_archive_forget AFTER DELETE ON research_document "
    "BEGIN DELETE FROM research_archive WHERE rowid = old.id; END",
)
_REMOVE = (
    "DROP TRIGGER IF EXISTS research_archive_forget",
    "DROP TABLE IF EXISTS research_archive_terms",
    "DROP TABLE IF EXISTS research_archive",
)


class SqliteIndex:
    def install(self, connection: BaseDatabaseWrapper) -> None:
        _execute(connection, _INSTALL)

    def restore(self, connection: BaseDatabaseWrapper) -> None:
        """Create the trigger if it is gone: a migration that makes the table of documents anew takes it along."""
        if {"research_document", "research_archive"} <= set(connection.introspection.table_names()):
            _execute(connection, _INSTALL)

    def remove(self, connection: BaseDatabaseWrapper) -> None:
        _execute(connection, _REMOVE)

    def alone(self) -> bool:
        return True  # SQLite has one writer

    def add(self, documents: Sequence[Analysed]) -> None:
        rows = [(each.id, " ".join(each.title), " ".join(each.body)) for each in documents]
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO research_archive (rowid, title, body) VALUES (%s, %s, %s)", rows)

    def tidy(self) -> None:
        """FTS5 merges by itself as it is written to."""

    def counts(self, terms: Sequence[str]) -> dict[str, int]:
        places = ", ".join(["%s"] * len(terms))
        sql = f"SELECT term, doc FROM research_archive_terms WHERE term IN ({places})"  # noqa: S608
        with connection.cursor() as cursor:
            cursor.execute(sql, list(terms))
            return dict(cursor.fetchall())

    def rank(self, terms: Mapping[str, int], subset: Subset | None, limit: int, offset: int) -> Ranked:
        only, values = subset or ("", ())
        match = " OR ".join(f'"{term}"' for term in terms)
        sql = (
            f"SELECT rowid, -bm25(research_archive, {TITLE}, 1) AS score FROM research_archive "  # noqa: S608
            f"WHERE research_archive MATCH %s {f'AND rowid IN ({only})' if only else ''} "
            "ORDER BY score DESC, rowid DESC LIMIT %s OFFSET %s"
        )
        with connection.cursor() as cursor:
            cursor.execute(sql, [match, *values, limit, offset])
            return [(pk, score) for pk, score in cursor.fetchall()]


def _execute(connection: BaseDatabaseWrapper, statements: Sequence[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
