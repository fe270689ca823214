"""Tables of cases: one test walks all rows, so that thousands of rows cost what the code costs that they try."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import override_settings

SHOWN = 20
Test = Callable[..., None]


def short(value: object) -> str:
    return repr(value)[:80]


def take_back(overrides: list[override_settings], since: int) -> None:
    while len(overrides) > since:
        overrides.pop().disable()


@contextmanager
def apart(fixtures: dict[str, Any]) -> Iterator[None]:
    """What a row writes to the database, sets in ``settings``, patches and logs is no other row's."""
    with ExitStack() as stack:
        if connection.in_atomic_block:
            row = transaction.atomic()
            row._from_testcase = True  # as Django's own: a durable block inside is one of the outermost
            stack.enter_context(row)
            stack.callback(transaction.set_rollback, True)
        if "caplog" in fixtures:
            fixtures["caplog"].clear()
        if "monkeypatch" in fixtures:
            fixtures["monkeypatch"] = stack.enter_context(pytest.MonkeyPatch.context())
        if "settings" in fixtures:
            overrides = fixtures["settings"]._to_restore
            stack.callback(take_back, overrides, len(overrides))
        yield


def cases(
    names: str | Sequence[str], values: Iterable[Any], ids: Callable[[Any], str] = short
) -> Callable[[Test], Test]:
    """``pytest.mark.parametrize`` as one test: it tries every row, then fails with the first twenty that did not pass.

    The rows share the fixtures, kept ``apart``. A test that needs more than that (a fixture that remembers what it was
    asked, a transactional database, marks of a row) stays parametrised.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    one = isinstance(names, str) and len(arguments) == 1
    params = [
        row if isinstance(row, type(pytest.param())) else pytest.param(*([row] if one else row))
        for row in values
    ]
    assert params, "a table without rows tries nothing"
    assert not any(param.marks for param in params), "a row with marks needs parametrize"
    rows = [
        (
            f"[{number}] {param.id or ', '.join(map(ids, param.values))}",
            dict(zip(arguments, param.values, strict=True)),
        )
        for number, param in enumerate(params)
    ]

    def decorate(test: Test) -> Test:
        tried, inner = getattr(test, "table", (test, [("", {})]))  # tables on top of each other are one
        table = [(f"{name} {more}".strip(), row | rest) for name, row in rows for more, rest in inner]

        @functools.wraps(test)
        def walk(**fixtures: Any) -> None:
            __tracebackhide__ = True
            failures: list[tuple[str, BaseException]] = []
            for name, row in table:
                try:
                    with apart(fixtures):
                        tried(**row, **fixtures)
                except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:  # noqa: BLE001
                    failures.append((name, error))
            if failures:
                told = [f"{name}: {type(error).__name__}: {error}" for name, error in failures[:SHOWN]]
                summary = f"{len(failures)} of {len(table)} rows failed"
                raise AssertionError("\n".join([summary, *told])) from failures[0][1]

        kept = [each for name, each in inspect.signature(test).parameters.items() if name not in arguments]
        walk.__signature__ = inspect.Signature(kept)  # what pytest reads
        walk.table = tried, table
        return walk

    return decorate
