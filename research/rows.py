"""Whole rows, written and read by statements that are put together once.

Django composes each statement anew and takes longer for it than the database takes to carry it out. Where a run begins
and ends that was most of what it cost. Nothing here differs from what the ORM does with the same rows, but that no
signals are sent.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.base import ModelState

from research import prepared

Row = TypeVar("Row", bound=models.Model)
Convert: TypeAlias = Callable[[Any], Any]


def insert(*rows: models.Model) -> None:
    """Add new rows of one model; keys that the database gives are filled in. Raises what ``save`` raises."""
    if not rows:
        return
    model = type(rows[0])
    fields = _inserted(model)
    database = connections[DEFAULT_DB_ALIAS]
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), database) for row in rows for field in fields
    ]
    with database.cursor() as cursor:
        cursor.execute(_insert(model, len(rows)), values)
        keys = cursor.fetchall()
    for row, (key,) in zip(rows, keys, strict=True):
        if row.pk is None:
            row.pk = key
    stored(rows)


def update(model: type[models.Model], changes: Mapping[str, object], rest: str, values: Sequence[Any]) -> int:
    """Set fields, by their names, in the rows that ``rest`` asks for; how many there were."""
    fields: list[tuple[Any, object]] = [
        (model._meta.get_field(name), value) for name, value in changes.items()
    ]
    names = ", ".join(f"{field.column} = %s" for field, _ in fields)
    database = connections[DEFAULT_DB_ALIAS]
    given = [field.get_db_prep_save(value, database) for field, value in fields]
    with database.cursor() as cursor:
        cursor.execute(f"UPDATE {model._meta.db_table} SET {names} {rest}", [*given, *values])  # noqa: S608 - names of ours
        return int(cursor.rowcount)


def packed(rows: Sequence[models.Model]) -> list[dict[str, Any]]:
    """New rows of one model as JSON objects by column, for ``unpacking``; see ``text_of`` for what JSON cannot say.

    The database makes of each value what its column holds, and refuses what cannot be that.
    """
    model = type(rows[0])
    for row in rows:
        for field in _timed(model):
            field.pre_save(row, add=True)
    names = _names(model)
    return [{column: row.__dict__[name] for column, name in names} for row in rows]


def packed_changes(model: type[models.Model], changes: Mapping[str, object]) -> dict[str, Any]:
    """Values of fields, by their names, as one JSON object by column."""
    fields: list[tuple[Any, object]] = [
        (model._meta.get_field(name), value) for name, value in changes.items()
    ]
    return {field.column: field.get_prep_value(value) for field, value in fields}


def text_of(value: object) -> str:
    """A moment, a key or an amount as PostgreSQL reads it, for ``json.dumps``."""
    return value.isoformat() if isinstance(value, date) else str(value)


@lru_cache(maxsize=100)
def unpacking(model: type[models.Model], source: str) -> str:
    """The statement that inserts ``packed`` rows, its parameter, if ``source`` has a row. PostgreSQL only."""
    table = model._meta.db_table
    names = [field.column for field in _inserted(model)]
    given = ", ".join(f"new.{name}" for name in names)
    return (
        f"INSERT INTO {table} ({', '.join(names)}) SELECT {given} "  # noqa: S608 - names of ours
        f"FROM {source}, json_populate_recordset(NULL::{table}, %s::json) AS new"
    )


def stored(rows: Iterable[models.Model]) -> None:
    """Say so to the rows; keys that the database gave are not known."""
    for row in rows:
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


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
    return _filled(model, dict(zip(names, values, strict=True)), DEFAULT_DB_ALIAS)


def fresh(model: type[Row], values: dict[str, Any]) -> Row:
    """A new object with a value for every column, by attribute: a tenth of the time that its constructor takes.

    Nothing is filled in and no signal is sent. Keeps the dictionary.
    """
    return _filled(model, values, None)


def _filled(model: type[Row], values: dict[str, Any], database: str | None) -> Row:
    state = ModelState()
    state.db, state.adding = database, database is None
    row = model.__new__(model)
    values["_state"] = state
    row.__dict__ = values
    return row


@lru_cache(maxsize=100)
def columns(model: type[models.Model]) -> str:
    """The names of all columns, in the order that ``made`` wants them."""
    table = model._meta.db_table
    return ", ".join(f"{table}.{field.column}" for field in model._meta.concrete_fields)


@lru_cache(maxsize=100)
def _inserted(model: type[models.Model]) -> list[Any]:
    return [field for field in model._meta.local_concrete_fields if not isinstance(field, models.AutoField)]


@lru_cache(maxsize=100)
def _names(model: type[models.Model]) -> list[tuple[str, str]]:
    return [(field.column, field.attname) for field in _inserted(model)]


@lru_cache(maxsize=100)
def _timed(model: type[models.Model]) -> list[Any]:
    """The fields that get their value at this moment, as ``auto_now`` does."""
    return [field for field in _inserted(model) if type(field).pre_save is not models.Field.pre_save]


@lru_cache(maxsize=100)
def _insert(model: type[models.Model], count: int) -> str:
    fields, key = _inserted(model), model._meta.pk.column
    names = ", ".join(field.column for field in fields)
    row = f"({', '.join(['%s'] * len(fields))})"
    return f"INSERT INTO {model._meta.db_table} ({names}) VALUES {', '.join([row] * count)} RETURNING {key}"  # noqa: S608 - names of ours


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
