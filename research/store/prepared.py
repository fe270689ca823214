"""A statement that the server has planned already, on a connection borrowed for as long as it lasts.

Django would open its connection for one statement, paste the values into the text, have the server parse and plan it
anew, and give the connection back: for a write of the journal that is most of the work. Here the pool's connection is
used as it is. What a transaction of the caller's must see, what somebody logs or wraps, and everything on SQLite goes
Django's way.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import count
from typing import Any, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

UNKNOWN_STATEMENT = b"26000"
OTHER_COLUMNS = b"0A000"  # the table was changed since the plan was made
TRUE = b"t"
# otherwise the server plans the first five calls anew, each for its values: with rows that are found by their keys that
# gains nothing, and took a new connection half of its first run
PLAN_ONCE = b"SET plan_cache_mode = force_generic_plan"
Read = TypeVar("Read")


def flags(sql: str, *values: object) -> list[bool] | None:
    """The first row of a statement whose columns are all boolean; None if there is none.

    Without a transaction of the caller's the statement is one by itself. Raises what a cursor of Django's raises.
    """
    return _performed(sql, values, _first_row, lambda found: list(found[0]) if found else None)


def rows(sql: str, *values: object) -> list[tuple[Any, ...]]:
    """All rows of a statement, as a cursor of Django's gives them; the rest as ``flags``.

    The server knows by itself of which type each value is: it is sent as text.
    """
    return _performed(sql, values, _all_rows, lambda found: found)


def _performed(
    sql: str,
    values: Sequence[object],
    read: Callable[[Any, Any], Read],
    convert: Callable[[list[tuple[Any, ...]]], Read],
) -> Read:
    django: Any = connections[DEFAULT_DB_ALIAS]
    line, pool = django.connection, None
    plain = _is_plain(django)
    if plain and line is None:
        pool = django.pool
    if not plain or (line is None and pool is None):
        return convert(_by_django(django, sql, values))
    with django.wrap_database_errors:
        if pool is not None:
            pool.open()
            line = pool.getconn()
        try:
            return read(line, _asked(line.pgconn, *_named(sql), [_text(value) for value in values]))
        finally:
            if pool is not None:
                pool.putconn(line)


def _is_plain(django: Any) -> bool:
    """Whether it is PostgreSQL, no transaction is open, and nobody looks at the statements."""
    if django.in_atomic_block or django.execute_wrappers or django.vendor != "postgresql":
        return False
    return not django.queries_logged


def _by_django(django: Any, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
    given = [value.decode() if isinstance(value, bytes) else value for value in values]
    with django.cursor() as cursor:
        cursor.execute(sql, given)
        return list(cursor.fetchall())


def _text(value: object) -> bytes | None:
    return value if value is None or isinstance(value, bytes) else str(value).encode()


@lru_cache(maxsize=100)
def _named(sql: str) -> tuple[bytes, bytes]:
    """A name of its own, and the text with PostgreSQL's numbered marks."""
    first, *rest = sql.split("%s")
    marked = first + "".join(f"${number}{part}" for number, part in zip(count(1), rest, strict=False))
    return b"dossier_" + hashlib.sha256(sql.encode()).hexdigest()[:12].encode(), marked.encode()


class _Words(NamedTuple):
    """Of the driver, which a process on SQLite does without."""

    rows: Any
    connected: Any
    state: Any
    error_of: Callable[[Any], Exception]
    reader: Callable[[Any], Any]


@cache
def _words() -> _Words:
    from psycopg import errors, pq
    from psycopg.adapt import Transformer

    field = pq.DiagnosticField.SQLSTATE
    return _Words(pq.ExecStatus.TUPLES_OK, pq.ConnStatus.OK, field, errors.error_from_result, Transformer)


def _asked(wire: Any, name: bytes, sql: bytes, values: Sequence[bytes | None]) -> Any:
    words = _words()
    result = wire.exec_prepared(name, values)
    if result.status == words.rows:
        return result
    state = result.error_field(words.state)
    if state == OTHER_COLUMNS:
        wire.exec_(b"DEALLOCATE " + name)
    if state in (UNKNOWN_STATEMENT, OTHER_COLUMNS):
        result = _prepared(wire, name, sql, values)
    if result.status != words.rows:
        if wire.status != words.connected:
            raise OperationalError("the connection to the database broke")
        raise words.error_of(result)
    return result


def _prepared(wire: Any, name: bytes, sql: bytes, values: Sequence[bytes | None]) -> Any:
    """On a new connection, and behind a pooler of transactions perhaps every time: nothing depends on the plan."""
    wire.exec_(PLAN_ONCE)
    wire.prepare(name, sql)
    result = wire.exec_prepared(name, values)
    if result.error_field(_words().state) == UNKNOWN_STATEMENT:
        result = wire.exec_params(sql, values)
    return result


def _first_row(line: Any, result: Any) -> list[bool] | None:
    if not result.ntuples:
        return None
    return [result.get_value(0, column) == TRUE for column in range(result.nfields)]


def _all_rows(line: Any, result: Any) -> list[tuple[Any, ...]]:
    if not result.ntuples:
        return []
    reader = _words().reader(line)
    reader.set_pgresult(result)
    found: list[tuple[Any, ...]] = reader.load_rows(0, result.ntuples, tuple)
    return found
