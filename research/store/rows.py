"""Rows that are read by statements which are put together once, as the ORM would read them.

Django composes each statement anew and takes longer for it than the database takes to answer. Of what a short run
costs that was a quarter (``python -m bench engine``).
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models

from research.store import prepared

Row = TypeVar("Row", bound=models.Model)
Convert: TypeAlias = Callable[[Any], Any]


def read(model: type[Row], rest: str, values: Sequence[Any] = ()) -> list[Row]:
    """The rows for which ``rest`` asks: everything that follows ``FROM table`` in a SELECT."""
    found = prepared.rows(f"SELECT {columns(model)} FROM {model._meta.db_table} {rest}", *values)  # noqa: S608 - names of ours
    return [made(model, row) for row in found]


def made(model: type[Row], row: Sequence[Any]) -> Row:
    """The object for a row of ``columns(model)``, as the database driver gives it."""
    names, converters = _reading(model, connections[DEFAULT_DB_ALIAS].vendor)
    values = list(row)
    for place, convert in converters:
        values[place] = convert(values[place])
    return model.from_db(DEFAULT_DB_ALIAS, names, values)


@lru_cache(maxsize=100)
def columns(model: type[models.Model]) -> str:
    """The names of all columns, in the order that ``made`` wants them."""
    table = model._meta.db_table
    return ", ".join(f"{table}.{field.column}" for field in model._meta.concrete_fields)


@lru_cache(maxsize=100)
def _reading(model: type[models.Model], vendor: str) -> tuple[list[str], list[tuple[int, Convert]]]:
    """The names of the fields, and what is to be made of the driver's values: by their places."""
    fields = model._meta.concrete_fields
    pairs = [(place, _converters(field)) for place, field in enumerate(fields)]
    found = [(place, _one_after_the_other(each, fields[place])) for place, each in pairs if each]
    return [field.attname for field in fields], found


def _converters(field: Any) -> list[Any]:
    column, database = field.get_col(field.model._meta.db_table), connections[DEFAULT_DB_ALIAS]
    return [*database.ops.get_db_converters(column), *field.get_db_converters(database)]


def _one_after_the_other(converters: Iterable[Any], field: Any) -> Convert:
    column, steps = field.get_col(field.model._meta.db_table), list(converters)

    def convert(value: Any) -> Any:
        for step in steps:
            value = step(value, column, connections[DEFAULT_DB_ALIAS])
        return value

    return convert
