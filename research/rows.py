"""Whole rows, written and read by statements that are put together once.

Django composes each statement anew and takes longer for it than the database takes to carry it out. Where a run begins
and ends that was most of what it cost. Nothing here differs from what the ORM does with the same rows, but that no
signals are sent.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models

Row = TypeVar("Row", bound=models.Model)
Convert: TypeAlias = Callable[[Any], Any]


@dataclass(frozen=True)
class Statement:
    """Something to be written, and the rows that are stored by it."""

    sql: str
    values: list[Any]
    rows: Sequence[models.Model] = ()


def insert(*rows: models.Model) -> None:
    """Add new rows of one model; keys that the database gives are filled in. Raises what ``save`` raises."""
    if not rows:
        return
    statement = insertion(*rows)
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(f"{statement.sql} RETURNING {rows[0]._meta.pk.column}", statement.values)
        keys = cursor.fetchall()
    for row, (key,) in zip(rows, keys, strict=True):
        if row.pk is None:
            row.pk = key
    _stored(rows)


def insertion(*rows: models.Model) -> Statement:
    """New rows of one model, at least one; for ``together``, which does not learn keys that the database gives."""
    model = type(rows[0])
    fields = _inserted(model)
    database = connections[DEFAULT_DB_ALIAS]
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), database) for row in rows for field in fields
    ]
    return Statement(_insert(model, len(rows)), values, rows)


def change(
    model: type[models.Model], changes: Mapping[str, object], rest: str, values: Sequence[Any]
) -> Statement:
    """Fields, by their names, set in the rows that ``rest`` asks for."""
    fields: list[tuple[Any, object]] = [
        (model._meta.get_field(name), value) for name, value in changes.items()
    ]
    names = ", ".join(f"{field.column} = %s" for field, _ in fields)
    database = connections[DEFAULT_DB_ALIAS]
    given = [field.get_db_prep_save(value, database) for field, value in fields]
    return Statement(f"UPDATE {model._meta.db_table} SET {names} {rest}", [*given, *values])  # noqa: S608 - names of ours


def together(*statements: Statement) -> int:
    """Carry them out as part of the caller's transaction; how many rows the last one touched.

    On PostgreSQL they are one statement: none sees what another writes, and foreign keys are checked at the end.
    """
    database = connections[DEFAULT_DB_ALIAS]
    batches = [_joined(statements)] if database.vendor == "postgresql" else statements
    with database.cursor() as cursor:
        for one in batches:
            cursor.execute(one.sql, one.values)
        touched = int(cursor.rowcount)
    for one in statements:
        _stored(one.rows)
    return touched


def _joined(statements: Sequence[Statement]) -> Statement:
    *parts, last = statements
    before = ", ".join(f"part_{number} AS ({part.sql})" for number, part in enumerate(parts))
    values = [value for one in statements for value in one.values]
    return Statement(f"WITH {before} {last.sql}" if parts else last.sql, values)


def _stored(rows: Iterable[models.Model]) -> None:
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def read(model: type[Row], rest: str, values: Sequence[Any] = ()) -> list[Row]:
    """The rows for which ``rest`` asks: everything that follows ``FROM table`` in a SELECT."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(f"SELECT {columns(model)} FROM {model._meta.db_table} {rest}", values)  # noqa: S608 - names of ours
        return [made(model, row) for row in cursor.fetchall()]


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
def _inserted(model: type[models.Model]) -> list[Any]:
    return [field for field in model._meta.local_concrete_fields if not isinstance(field, models.AutoField)]


@lru_cache(maxsize=100)
def _insert(model: type[models.Model], count: int) -> str:
    fields = _inserted(model)
    names = ", ".join(field.column for field in fields)
    row = f"({', '.join(['%s'] * len(fields))})"
    return f"INSERT INTO {model._meta.db_table} ({names}) VALUES {', '.join([row] * count)}"  # noqa: S608 - names of ours


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
