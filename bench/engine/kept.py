"""The floor that keeps: the least code that makes the same calls and commits what each of them brought."""

import os
from typing import Any

from psycopg.types.json import Jsonb
from psycopg_pool import ConnectionPool

from bench.engine.floor import Floor

TABLE = "CREATE TABLE said (run int, seq int, body jsonb, PRIMARY KEY (run, seq))"


class KeptFloor(Floor):
    """One bare INSERT for the question and for every answer: enough to continue, and nothing else.

    No lease, no intent before a call, no ledger, no checks, no result.
    """

    def __init__(self, url: str) -> None:
        super().__init__(url)
        options = {"autocommit": True}
        self.pool = ConnectionPool(os.environ["DATABASE_URL"], max_size=16, kwargs=options, open=True)
        with self.pool.connection() as connection:
            connection.execute(TABLE)

    def keep(self, case: int, messages: list[dict[str, Any]]) -> None:
        """One row in a transaction of its own; the connection goes back before the next call."""
        row = (case, len(messages), Jsonb(messages[-1]))
        with self.pool.connection() as connection:
            connection.execute("INSERT INTO said VALUES (%s, %s, %s)", row, prepare=True)
