"""A statement that the server has planned already, on a connection borrowed for as long as it lasts. PostgreSQL only.

Django would open its connection for one statement, paste the value into the text, have the server parse and plan it
anew, and give the connection back: for a write of the journal that is most of the work. Here the pool's connection is
used as it is. What a transaction of the caller's must see, and what somebody logs or wraps, goes Django's way.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

UNKNOWN_STATEMENT = b"26000"
TRUE = b"t"


def flags(sql: str, value: str) -> list[bool] | None:
    """The first row of a statement with one parameter whose columns are all boolean; None when there is none.

    Without a transaction of the caller's the statement is one by itself. Raises what a cursor of Django's raises.
    """
    django: Any = connections[DEFAULT_DB_ALIAS]
    if not _is_plain(django):
        found = _by_django(django, sql, value)
        return list(found[0]) if found else None
    with django.wrap_database_errors, _borrowed(django) as line:
        return _row(_asked(line.pgconn, *_named(sql), value.encode()))


def rows(sql: str, value: str) -> list[tuple[Any, ...]]:
    """All rows of a statement with one parameter, as a cursor of Django's gives them; the rest as ``flags``."""
    django: Any = connections[DEFAULT_DB_ALIAS]
    if not _is_plain(django):
        return _by_django(django, sql, value)
    from psycopg.adapt import Transformer

    with django.wrap_database_errors, _borrowed(django) as line:
        result = _asked(line.pgconn, *_named(sql), value.encode())
        reader = Transformer(line)
        reader.set_pgresult(result)
        return reader.load_rows(0, result.ntuples, tuple)


def _by_django(django: Any, sql: str, value: str) -> list[tuple[Any, ...]]:
    with django.cursor() as cursor:
        cursor.execute(sql, [value])
        return list(cursor.fetchall())


def _is_plain(django: Any) -> bool:
    """Whether no transaction is open, and nobody looks at the statements."""
    if django.in_atomic_block or django.execute_wrappers or django.queries_logged:
        return False
    return django.connection is not None or django.pool is not None


@contextmanager
def _borrowed(django: Any) -> Iterator[Any]:
    """The connection that this thread has, else one of the pool's."""
    if django.connection is not None:
        yield django.connection
        return
    pool = django.pool
    pool.open()
    line = pool.getconn()
    try:
        yield line
    finally:
        pool.putconn(line)


@lru_cache(maxsize=100)
def _named(sql: str) -> tuple[bytes, bytes]:
    return b"dossier_" + hashlib.sha256(sql.encode()).hexdigest()[:12].encode(), sql.replace(
        "%s", "$1"
    ).encode()


def _asked(wire: Any, name: bytes, sql: bytes, value: bytes) -> Any:
    from psycopg import errors, pq  # which a process on SQLite does without

    result = wire.exec_prepared(name, [value])
    if result.error_field(pq.DiagnosticField.SQLSTATE) == UNKNOWN_STATEMENT:
        # a new connection; behind a pooler of transactions perhaps every time, so nothing depends on the plan
        result = wire.exec_params(sql, [value])
        wire.prepare(name, sql)
    if result.status != pq.ExecStatus.TUPLES_OK:
        if wire.status != pq.ConnStatus.OK:
            raise OperationalError("the connection to the database broke")
        raise errors.error_from_result(result)
    return result


def _row(result: Any) -> list[bool] | None:
    if not result.ntuples:
        return None
    return [result.get_value(0, column) == TRUE for column in range(result.nfields)]
