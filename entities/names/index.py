"""The index of names by pieces of them, one interface over what each database has for it."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from entities.names.index_postgresql import PostgresqlNames
from entities.names.index_sqlite import SqliteNames
from entities.names.table import NameTable

Report: TypeAlias = Callable[[int, int], None]
REGISTER = NameTable("entities_leiname", "lei", "key", "lei_name")
MEMORY = NameTable("entities_namekey", "entity_id", "spelled", "name_key")


class NameIndex(Protocol):
    """Without it names are found by their whole key or their beginning only."""

    def install(self, connection: BaseDatabaseWrapper) -> str:
        """Make the index if the database can; else the reason why it cannot."""

    def rebuild(self, connection: BaseDatabaseWrapper, report: Report) -> None:
        """Make the index anew while the old one serves; ``report`` gets what is done and of how much."""

    def remove(self, connection: BaseDatabaseWrapper) -> None:
        """Take the index away."""

    def missing(self) -> str:
        """Why there is no index to be asked now, "" when there is one."""

    def near(self, key: str, limit: int) -> list[tuple[str, str]]:
        """(holder, key) of names that two slips of the pen may part from ``key``, in no order that counts.

        None for a key too short to tell: a word or two, which very many names are like.
        """

    def alike(self, pieces: Sequence[str], key: str, limit: int, most: int) -> list[tuple[str, str]]:
        """(holder, key) of names that contain one of the pieces, those most like ``key`` first.

        Of each piece at most ``most`` names are looked at: one that more have is a common word, and others decide.
        """


def name_index(table: NameTable = REGISTER, using: BaseDatabaseWrapper | None = None) -> NameIndex:
    """The index of a table of names in the database in use: of the imported register, or of entity memory."""
    vendor = (using or connection).vendor
    return PostgresqlNames(table) if vendor == "postgresql" else SqliteNames(table)


def refresh_name_index() -> str:
    """Bring the register's index up to date after its names were replaced; the reason if it cannot be made."""
    index = name_index()
    return index.install(connection) if index.missing() else ""


def rebuild_name_index(report: Report) -> str:
    """Make the register's index anew, or for the first time; the reason if the database cannot."""
    index = name_index()
    reason = index.install(connection) if index.missing() else ""
    if not reason:
        index.rebuild(connection, report)
    return reason
