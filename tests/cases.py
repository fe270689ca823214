"""Tables of cases: one test walks all rows, so that thousands of rows cost what the code costs that they try."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import connection, transaction

SHOWN = 20
Test = Callable[..., None]


def short(value: object) -> str:
    return repr(value)[:80]


def cases(
    names: str | Sequence[str], rows: Iterable[Any], ids: Callable[[Any], str] = short
) -> Callable[[Test], Test]:
    """``pytest.mark.parametrize`` as one test: it tries every row, then fails with the first twenty that did not pass.

    All rows share the fixtures; what a row writes to the database is taken back. A test whose rows need more than that
    to be apart (a double that counts, a transactional database, marks of its own) stays parametrised.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    one = isinstance(names, str) and len(arguments) == 1
    params = [
        row if isinstance(row, type(pytest.param())) else pytest.param(*([row] if one else row))
        for row in rows
    ]
    assert params, "a table without rows tries nothing"
    assert not any(param.marks for param in params), "a row with marks needs parametrize"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def walk(**fixtures: Any) -> None:
            __tracebackhide__ = True
            failures: list[tuple[str, BaseException]] = []
            for number, param in enumerate(params):
                row = dict(zip(arguments, param.values, strict=True))
                try:
                    with ExitStack() as stack:
                        if connection.in_atomic_block:
                            stack.enter_context(transaction.atomic())
                            stack.callback(transaction.set_rollback, True)
                        test(**row, **fixtures)
                except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:  # noqa: BLE001
                    failures.append((f"[{number}] {param.id or ', '.join(map(ids, param.values))}", error))
            if failures:
                told = [f"{name}: {type(error).__name__}: {error}" for name, error in failures[:SHOWN]]
                summary = f"{len(failures)} of {len(params)} rows failed"
                raise AssertionError("\n".join([summary, *told])) from failures[0][1]

        kept = [each for name, each in inspect.signature(test).parameters.items() if name not in arguments]
        walk.__signature__ = inspect.Signature(kept)  # what pytest reads
        return walk

    return decorate
