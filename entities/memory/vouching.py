"""Which rows a piece of work wrote that an audit trail vouches for: told to it once, when the work is done.

Entities know no trail; whoever keeps one says so with ``vouch_with``. It is told in the transaction of the work, so
that neither is there without the other.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

from django.db import transaction

Touched: TypeAlias = Mapping[str, Collection[Any]]

_keepers: list[Callable[[Touched], None]] = []
_touched: ContextVar[dict[str, dict[Any, None]] | None] = ContextVar("touched", default=None)


def vouch_with(keeper: Callable[[Touched], None]) -> None:
    """Tell this trail the keys of what was written, by kind. Rows of a savepoint that was left are told as well."""
    _keepers[:] = [keeper]


@contextmanager
def together() -> Iterator[None]:
    """A transaction, or a part of one: what is written within the outermost block is vouched for at its end."""
    with transaction.atomic():
        if _touched.get() is not None:
            yield
            return
        touched: dict[str, dict[Any, None]] = {}
        token = _touched.set(touched)
        try:
            yield
        finally:
            _touched.reset(token)
        if touched:
            for keeper in _keepers:
                keeper(touched)


def written(kind: str, keys: Collection[Any]) -> None:
    """These rows were made or changed by this piece of work; ``kind`` is the name of their model.

    That a statement has ended is a row of its own here, of the kind ``statementend``.
    """
    told = _touched.get()
    if told is not None:
        told.setdefault(kind, {}).update(dict.fromkeys(keys))
    elif keys:
        with together():
            written(kind, keys)
