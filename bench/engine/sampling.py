"""What a contender asks of its database, seen from outside: open connections, and bytes that stay."""

import threading

import psycopg

EVERY = 0.05
OPEN = "select count(*) from pg_stat_activity where datname = %s and backend_type = 'client backend'"
# the journal: what grows with every step of a run, with its indexes and long values; tables of settings are not counted
TABLES = """
select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint from pg_class
where relkind = 'r' and (relname = any(%s) or relname like 'checkpoint%%' and relname <> 'checkpoint_migrations')
"""
JOURNALS = ["research_step", "workflow_status", "operation_outputs"]


class Sampler:
    """The most connections to one database at any moment."""

    def __init__(self, url: str, database: str) -> None:
        self.url, self.database, self.peak = url, database, 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "Sampler":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            while not self._stop.wait(EVERY):
                row = connection.execute(OPEN, [self.database]).fetchone()
                self.peak = max(self.peak, row[0] if row else 0)


def storage(url: str) -> int:
    """Bytes of the journal once dead rows are swept out."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum full")
        row = connection.execute(TABLES, [JOURNALS]).fetchone()
        return int(row[0]) if row else 0
