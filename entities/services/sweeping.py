"""Looking for words in every text of every table, and taking them out.

A table that is added later is looked through as well: what is left out is named in ``PUBLISHED`` or by ``leave_out``.
"""

import secrets
from collections.abc import Mapping
from typing import Any, TypeAlias

from django.apps import apps
from django.db import connection, models
from django.db.models import Model

from entities.memory.redaction import ERASED, Words, holds, redact

Found: TypeAlias = dict[type[Model], dict[Any, dict[str, Any]]]
AT_ONCE = 500
TEXTS = (models.CharField, models.TextField, models.JSONField)
PUBLISHED = {  # registers, lists and courts say it, whoever is erased here
    *("entities.leirecord", "entities.leiname", "entities.leirelationship", "entities.reportingexception"),
    *("entities.listversion", "entities.listentry", "entities.gleifimport", "entities.goldencopyimport"),
    *("entities.entitytype", "entities.registerthreshold", "entities.screeningpolicy"),
    *("entities.erasure", "entities.erasedrow"),
}
OTHER_APPS = {"citations", "auth", "contenttypes", "sessions", "knox"}
_left_out: set[str] = set()


def leave_out(*labels: str) -> None:
    """Do not look through these tables of another app: what stands in them was written for everybody."""
    _left_out.update(labels)


def swept_models() -> list[type[Model]]:
    """The models whose texts are looked through."""
    out = PUBLISHED | _left_out
    return [
        model
        for model in apps.get_models()
        if model._meta.managed
        and model._meta.label_lower not in out
        and model._meta.app_label not in OTHER_APPS
    ]


def sweep(words: Words) -> Found:
    """The rows in which a word stands, by model and key, with the columns that hold it."""
    found: Found = {}
    if not words:
        return found
    for model in swept_models():
        rows = _rows_of(model, words)
        if rows:
            found[model] = rows
    return found


def emptied_of(
    model: type[Model], row: Mapping[str, Any], already: Mapping[str, Any], words: Words
) -> dict[str, Any]:
    """What the columns of a row are without the words, but for those that are emptied altogether."""
    alone = _unique(model)
    values: dict[str, Any] = {}
    for name, value in row.items():
        if name in already:
            continue
        put = f"erased-{secrets.token_hex(6)}" if name in alone else ERASED
        column = model._meta.get_field(name)
        redacted = redact(value, words, put)
        most = getattr(column, "max_length", None)
        values[name] = redacted[:most] if most and isinstance(redacted, str) else redacted
    return values


def _rows_of(model: type[Model], words: Words) -> dict[Any, dict[str, Any]]:
    names = [
        column.name
        for column in model._meta.concrete_fields
        if isinstance(column, TEXTS) and not column.choices and not column.primary_key
    ]
    rows: dict[Any, dict[str, Any]] = {}
    for name in names:
        for key in keys_holding(model, name, words):
            rows.setdefault(key, {})[name] = None
    keys = list(rows)
    for start in range(0, len(keys), AT_ONCE):
        some = model._base_manager.filter(pk__in=keys[start : start + AT_ONCE]).order_by()
        for row in some.values("pk", *names):
            key = row.pop("pk")
            rows[key] = {name: value for name, value in row.items() if holds(value, words)}
    return {key: row for key, row in rows.items() if row}


def keys_holding(model: type[Model], name: str, words: Words) -> list[Any]:
    """Keys of rows that may hold a word: the database finds more than there are, and never less."""
    named = next(field.column for field in model._meta.concrete_fields if field.name == name)
    column = f'"{model._meta.db_table}"."{named}"'
    like = "ILIKE" if connection.vendor == "postgresql" else "LIKE"
    either = " OR ".join([f"CAST({column} AS TEXT) {like} %s"] * len(words.likes))
    pk = model._meta.pk
    with connection.cursor() as cursor:
        cursor.execute(
            f'SELECT "{pk.column}" FROM "{model._meta.db_table}" WHERE {either}',  # noqa: S608 - names of ours
            list(words.likes),
        )
        return [pk.to_python(key) for (key,) in cursor.fetchall()]


def _unique(model: type[Model]) -> set[str]:
    """Columns that are part of something that has to be unique."""
    parts = {name for one in model._meta.total_unique_constraints for name in one.fields}
    return parts | {column.name for column in model._meta.concrete_fields if column.unique}
