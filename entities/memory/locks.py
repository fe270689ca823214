"""One writer at a time for one name, where no unique key can say that two rows would be the same thing."""

import hashlib

from django.db import connection


def alongside(key: str) -> None:
    """Until the end of the transaction together with others who call this, but never with who is ``one_at_a_time``."""
    _lock(key, "pg_advisory_xact_lock_shared")


def one_at_a_time(key: str) -> None:
    """Until the end of the transaction nobody else comes past this line with the same key.

    PostgreSQL has locks for it. SQLite needs none: its transactions begin IMMEDIATE, so writers queue as a whole.
    """
    _lock(key, "pg_advisory_xact_lock")


def _lock(key: str, function: str) -> None:
    if connection.vendor == "postgresql":
        number = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big", signed=True)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s)", [number])
