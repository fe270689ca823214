"""One row per leaf of a document, in the order of its schema: what the review page shows and lets a person edit."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from research.jsontext import Json, JsonObject
from research.review.facets import Facets, facets_of, kind_of
from research.review.pointer import join

MAX_ROWS = 3_000
MAX_DEPTH = 12
LONG_TEXT = 80
ADDABLE_ITEMS = 50
PREFIX = "leaf:"

Widget: TypeAlias = Literal["heading", "text", "long", "choice", "readonly", "add"]


@dataclass(frozen=True)
class Choice:
    """An option of a select: the JSON text it posts, what a person reads, and whether the schema allows it."""

    text: str
    label: str
    valid: bool = True


@dataclass(frozen=True)
class Row:
    """One place of the document.

    ``shown`` is the text the field starts with and ``state`` value, absent, null or empty. A ``heading`` opens an
    object or array, ``readonly`` shows what the form cannot edit, ``add`` offers a new item of an array.
    """

    pointer: str
    label: str
    depth: int
    widget: Widget
    value: Json = None
    shown: str = ""
    state: str = "value"
    required: bool = False
    choices: tuple[Choice, ...] = ()
    facets: Facets = field(default_factory=Facets, compare=False, repr=False)
    removable: bool = False
    description: str = ""

    @property
    def name(self) -> str:
        """The form field's name."""
        return PREFIX + self.pointer

    @property
    def editable(self) -> bool:
        return self.widget in ("text", "long", "choice")


@dataclass(frozen=True)
class Section:
    """A top-level part of the document with its rows."""

    pointer: str
    title: str
    rows: tuple[Row, ...]


def leaf_rows(data: Json, schema: JsonObject) -> list[Row]:
    """All rows, at most 3,000; past that one readonly row says that the rest is in the raw JSON."""
    rows: list[Row] = []
    for row in _walk(data, schema, schema, "", 0):
        if len(rows) >= MAX_ROWS:
            rows.append(
                Row("", f"more than {MAX_ROWS} fields: edit the rest as raw JSON", 0, "readonly", state="cut")
            )
            break
        rows.append(row)
    return rows


def sections(rows: list[Row]) -> list[Section]:
    """The rows by top-level part; scalars at the top form a part of their own."""
    parts: dict[str, list[Row]] = {}
    titles: dict[str, str] = {}
    current = ""
    for row in rows:
        if row.depth == 0:
            current = row.pointer if row.widget == "heading" else ""
            titles.setdefault(current, row.label if current else "General")
            if row.widget == "heading":
                parts.setdefault(current, [])
                continue
        parts.setdefault(current, []).append(row)
    return [
        Section(pointer, titles.get(pointer, "General"), tuple(found)) for pointer, found in parts.items()
    ]


def json_text(value: Json) -> str:
    """The JSON text of a scalar, as choices post it."""
    return json.dumps(value, ensure_ascii=False)


def _walk(value: Json, schema: Json, root: JsonObject, pointer: str, depth: int) -> Iterator[Row]:
    facets = facets_of(schema, root, value)
    if isinstance(value, dict):
        yield from _members(value, facets, root, pointer, depth)
    elif isinstance(value, list):
        yield from _items(value, facets, root, pointer, depth)
    else:
        yield _leaf(pointer, "value", depth, value, facets)


def _members(value: JsonObject, facets: Facets, root: JsonObject, pointer: str, depth: int) -> Iterator[Row]:
    for key in [*facets.properties, *sorted(set(value) - set(facets.properties))]:
        schema = facets.properties.get(key, facets.additional)
        required, place = key in facets.required, join(pointer, key)
        if key in value:
            yield from _child(value[key], schema, root, place, _label(key), depth, required)
            continue
        missing = facets_of(schema, root)
        if not missing.kinds or missing.kinds - {"object", "array"} or missing.enum is not None:
            yield replace(_leaf(place, _label(key), depth, None, missing, required), state="absent", shown="")


def _items(value: list[Json], facets: Facets, root: JsonObject, pointer: str, depth: int) -> Iterator[Row]:
    schema = facets.items if isinstance(facets.items, dict) else {}
    for position, item in enumerate(value):
        place, label = join(pointer, position), _item_label(position, item)
        first, *rest = _child(item, schema, root, place, label, depth, required=False)
        yield replace(first, removable=True)
        yield from rest
    below = facets_of(schema, root)
    scalar = not below.kinds or bool(below.kinds - {"object", "array"})
    label = "add an item" if scalar else "add an item (its fields can be filled in after a preview)"
    yield Row(join(pointer, "-"), label, depth, "add", facets=below, state="absent")


def _child(
    value: Json, schema: Json, root: JsonObject, pointer: str, label: str, depth: int, required: bool
) -> Iterator[Row]:
    facets = facets_of(schema, root, value)
    if not isinstance(value, dict | list):
        yield _leaf(pointer, label, depth, value, facets, required)
    elif depth >= MAX_DEPTH:
        text = json.dumps(value, ensure_ascii=False)[:200]
        yield Row(pointer, label, depth, "readonly", value, text, required=required)
    else:
        yield Row(
            pointer,
            label,
            depth,
            "heading",
            value,
            required=required,
            facets=facets,
            description=facets.description,
        )
        yield from _walk(value, schema, root, pointer, depth + 1)


def _leaf(pointer: str, label: str, depth: int, value: Json, facets: Facets, required: bool = False) -> Row:
    choices = _choices(value, facets, required)
    state = "null" if value is None else "empty" if value == "" else "value"
    shown = json_text(value) if choices and value is not None else "" if value is None else _shown(value)
    widget: Widget = "choice" if choices else "long" if _is_long(value) else "text"
    return Row(
        pointer,
        label,
        depth,
        widget,
        value,
        shown,
        state,
        required,
        choices,
        facets,
        False,
        facets.description,
    )


def _choices(value: Json, facets: Facets, required: bool) -> tuple[Choice, ...]:
    if facets.enum is not None:
        allowed = [item for item in facets.enum if item is not None]
    elif facets.kinds - {"null"} == {"boolean"} or isinstance(value, bool):
        allowed = [True, False]
    else:
        return ()
    choices = [Choice(json_text(item), _plain(item)) for item in allowed]
    if value is not None and json_text(value) not in {choice.text for choice in choices}:
        choices.append(Choice(json_text(value), f"{_plain(value)[:80]} (not allowed)", valid=False))
    return (Choice("", "null" if facets.allows("null") and value is None else "–"), *choices)


def _shown(value: Json) -> str:
    return value if isinstance(value, str) else json_text(value)


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json_text(value)


def _is_long(value: Json) -> bool:
    return isinstance(value, str) and (
        len(value) > LONG_TEXT or any(char in value for char in "\n\r\x0b\x0c\x85\u2028\u2029")
    )


def _label(key: str) -> str:
    return key or '""'


def _item_label(position: int, item: Json) -> str:
    names = ("name", "title", "owner_name", "entity_name", "label", "lei")
    name = (
        next((item[key] for key in names if isinstance(item.get(key), str) and item[key]), "")
        if isinstance(item, dict)
        else ""
    )
    return f"{position + 1}. {name[:80]}" if name else f"{position + 1}"


__all__ = ["MAX_ROWS", "PREFIX", "Choice", "Row", "Section", "json_text", "kind_of", "leaf_rows", "sections"]
