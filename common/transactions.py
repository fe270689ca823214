"""Transactions that are done again when the database ended them for the sake of another, and what its refusals mean.

PostgreSQL ends one of two transactions that wait for each other, and one that waits for a lock for too long; SQLite
says that it is locked. Nothing of such a transaction is kept, so the same work may begin again: a little later.
"""

import errno
import logging
import random
import time
from collections.abc import Callable, Iterator
from copy import copy
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection, models, transaction

P = ParamSpec("P")
T = TypeVar("T")

ATTEMPTS = 8
PATIENCE = 30.0  # seconds after which nothing is tried once more
PAUSE, LONGEST_PAUSE = (
    0.02,
    1.0,
)  # the first pause in seconds, doubled each time; half to the whole of it, by chance

# https://www.postgresql.org/docs/current/errcodes-appendix.html
_PASSING = frozenset(("40001", "40P01", "55P03"))  # serialisation, deadlock, lock not available
_FULL = "53100"  # no space left on its disk
_AWAY = ("08", "57P0", "53300")  # connections; shut down, crashed, starting; too many clients

log = logging.getLogger(__name__)


def passes(error: BaseException) -> bool:
    """Whether the same work may succeed a moment later: a deadlock, a serialisation failure, a lock that is held."""
    return _sqlstate(error) in _PASSING or _sqlite(error).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def is_full(error: BaseException) -> bool:
    """Whether there is no room on the disk, of the database or ours: reads go on, nothing can be written."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return _sqlstate(error) == _FULL or _sqlite(error) == "SQLITE_FULL"


def is_away(error: BaseException) -> bool:
    """Whether the database cannot be reached, or has just broken the connection; also what a pool says of it."""
    if not isinstance(error, OperationalError | InterfaceError) or _sqlite(error):
        return False
    state = _sqlstate(error)
    return state.startswith(_AWAY) if state else True  # the client's own words have no code


def atomic(work: Callable[P, T]) -> Callable[P, T]:
    """The work in a transaction, done again while what the database says of it passes.

    Inside another transaction it is a savepoint as with ``transaction.atomic``, and whoever opened that one begins
    again.
    """
    return retried(transaction.atomic(work))


def retried(work: Callable[P, T]) -> Callable[P, T]:
    """The same for work that reads first and then opens its one transaction: nothing before that may have an effect.

    Each time it begins with its arguments as they were given: rows among them are put back.
    """

    @wraps(work)
    def done(*args: P.args, **kwargs: P.kwargs) -> T:
        if connection.in_atomic_block:
            return work(*args, **kwargs)
        # by its type: request.user says that it is a person, and is a proxy without the attributes of one
        rows = [row for row in (*args, *kwargs.values()) if issubclass(type(row), models.Model)]
        given = [(row, _copied(vars(row))) for row in rows]
        for pause in _pauses():
            try:
                return work(*args, **kwargs)
            except DatabaseError as error:
                if pause is None or not passes(error):
                    raise
                log.info("%s begins again: %s", work.__qualname__, error)
            time.sleep(pause)
            for row, values in given:
                vars(row).clear()
                vars(row).update(_copied(values))
        raise AssertionError("unreachable")

    return done


def _pauses() -> Iterator[float | None]:
    """How long to wait after each attempt; None after the last."""
    end = time.monotonic() + PATIENCE
    for attempt in range(ATTEMPTS - 1):
        if time.monotonic() > end:
            break
        longest = min(PAUSE * 2**attempt, LONGEST_PAUSE)
        yield random.uniform(longest / 2, longest)  # noqa: S311 - so that two do not meet again
    yield None


def _copied(values: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a row, so that changes of the row, of its lists and of its state are not seen in them."""
    copied = {
        name: copy(value) if isinstance(value, dict | list) else value for name, value in values.items()
    }
    state = copied["_state"] = copy(values["_state"])
    if "fields_cache" in vars(state):
        state.fields_cache = dict(state.fields_cache)
    return copied


def _sqlstate(error: BaseException) -> str:
    return str(getattr(error.__cause__, "sqlstate", None) or "")


def _sqlite(error: BaseException) -> str:
    return str(getattr(error.__cause__, "sqlite_errorname", None) or "")
