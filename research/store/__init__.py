"""Where runs and their journals are kept: one interface, and a module for a database that has quicker ways."""

from functools import cache

from django.db import connection

from research.store.portable import Account, RunStore, Verdict, Write
from research.store.postgresql import PostgresqlStore

__all__ = ["Account", "RunStore", "Verdict", "Write", "run_store"]


@cache
def run_store() -> RunStore:
    """The store for the database that this process is connected to."""
    if connection.vendor != "postgresql":
        return RunStore()

    return PostgresqlStore()
