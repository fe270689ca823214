"""The connection to the database of this thread."""

from django.db import DEFAULT_DB_ALIAS, connections


def give_connection_back() -> None:
    """Hold no connection while something far away is asked. On SQLite nobody else needs it, and opening it is slow."""
    held = connections[DEFAULT_DB_ALIAS]
    if held.connection is not None and not held.in_atomic_block and held.vendor != "sqlite":
        held.close()
