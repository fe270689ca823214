"""Leaf rows: a document and its schema as the flat list of rows that the review page shows and a form edits."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from research.jsontext import Json, canonical_json
from research.review.pointer import join
from research.review.shapes import SCALARS, Shape, kind_of, shape_of

MAX_ROWS = 20_000
MAX_LEVELS = 12
MAX_BLANKS = 20
LONG_TEXT = 48  # what a field of the page shows without scrolling
LONG_TITLE = 80
ACRONYMS = frozenset(
    {"aum", "bic", "cbu", "id", "isin", "kyc", "lei", "pep", "ubo", "ubos", "url", "usd", "vat"}
)
CAMEL = re.compile(r"[a-z]{2,}(?:[A-Z][a-z0-9]+)+")
CAPITAL = re.compile(r"[A-Z]")
NAMES = ("name", "title", "legal_name", "owner_name", "label", "lei", "identifier", "id", "description")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}(?:T|$)")

Kind: TypeAlias = Literal["group", "list", "item", "leaf", "more"]
State: TypeAlias = Literal["absent", "null", "empty", "value"]
Widget: TypeAlias = Literal["line", "area", "choice", "fixed"]


@dataclass(frozen=True)
class Choice:
    """One option of a select: what is posted (JSON text, or nothing for absent) and what is read."""

    text: str
    label: str
    allowed: bool = True


@dataclass(frozen=True)
class Row:
    """One line of the form.

    ``kind``: ``group`` and ``item`` are headings of objects, ``list`` is the heading of an array, ``leaf`` holds a
    value, ``more`` says that there is more than the page shows. ``shown`` is exactly the text in the field. ``blank``
    marks what is not in the document yet, ``removable`` what is an item of a list, ``no_claim`` what a macro says tells
    how the answer came about.
    """

    pointer: str
    kind: Kind
    label: str
    depth: int
    state: State = "value"
    widget: Widget = "fixed"
    value: Json = None
    shown: str = ""
    kinds: frozenset[str] = frozenset()
    choices: tuple[Choice, ...] = ()
    required: bool = False
    nullable: bool = False
    blank: bool = False
    removable: bool = False
    growable: bool = False
    read_only: bool = False
    no_claim: bool = False
    count: int = 0
    description: str = ""


@dataclass(frozen=True)
class Section:
    """A top-level group of the document with its rows; ``leaves`` counts the fields that have a value."""

    pointer: str
    label: str
    rows: tuple[Row, ...]
    heading: Row | None = None
    leaves: int = 0
    items: int | None = None


@dataclass
class _Walk:
    """What the whole walk shares: the root schema, the blank items asked for, and how many rows are left."""

    root: Json
    blanks: Mapping[str, int]
    left: int
    known: dict[tuple[int, str | int], tuple[Shape, Shape]] = field(default_factory=dict)

    def member(self, above: Shape, key: str) -> Shape:
        return self._below(above, key, lambda: above.member(key))

    def item(self, above: Shape, index: int) -> Shape:
        return self._below(above, min(index, len(above.leading_items)), lambda: above.item(index))

    def _below(self, above: Shape, token: str | int, schema: Callable[[], Json]) -> Shape:
        """The shape of a place below another, read once for all items of a list; nobody changes it afterwards.

        What is said of a place is said of all within it.
        """
        key = id(above), token
        if key not in self.known:
            inner = shape_of(schema(), self.root)
            inner.read_only = inner.read_only or above.read_only
            inner.no_claim = inner.no_claim or above.no_claim
            self.known[key] = above, inner  # the one above is held, so that no other gets its id
        return self.known[key][1]


@dataclass(frozen=True)
class _Spot:
    """One place of the document before it is known what row it makes."""

    at: str
    label: str
    depth: int
    shape: Shape
    required: bool = True
    blank: bool = False

    def row(self, kind: Kind, **facts: Any) -> Row:
        about = self.shape.description
        return replace(
            Row(self.at, kind, self.label, self.depth, description=about, blank=self.blank),
            read_only=self.shape.read_only,
            no_claim=self.shape.no_claim,
            **facts,
        )


def leaf_rows(data: Json, schema: Json, blanks: Mapping[str, int] | None = None) -> list[Row]:
    """Every value of the document, and every optional scalar that it could have, in the schema's order.

    What the schema calls ``readOnly`` is shown as it is, and not at all where it is absent.

    ``blanks`` maps pointers of lists to how many empty items to offer at their end. At most MAX_ROWS rows are made;
    what goes beyond, and what is nested deeper than MAX_LEVELS, is announced by a row and editable as raw JSON only.
    """
    walk = _Walk(schema, blanks or {}, MAX_ROWS)
    rows = list(_bounded(_members(walk, "", data, shape_of(schema, schema), 0), walk))
    if walk.left < 0:
        missing = count_leaves(data) - sum(row.kind == "leaf" and row.state != "absent" for row in rows)
        text = f"{max(missing, 1):,} more values are not shown here; edit them as raw JSON."
        rows.append(Row("", "more", text, 0))
    return rows


def sections(rows: Sequence[Row]) -> list[Section]:
    """The rows by top-level group, in order; top-level values of their own are put together under one heading."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        top = f"/{row.pointer[1:].split('/', 1)[0]}" if row.pointer else ""
        alone = row.depth == 0 and row.kind in ("leaf", "more")
        found.setdefault("" if alone else top, []).append(row)
    return [_section(pointer, part) for pointer, part in found.items()]


def count_leaves(data: Json) -> int:
    """How many scalars and empty containers there are in a document."""
    count, stack = 0, [data]
    while stack:
        item = stack.pop()
        if isinstance(item, dict | list) and item:
            stack.extend(item.values() if isinstance(item, dict) else item)
        else:
            count += 1
    return count


def human_label(key: str) -> str:
    """A key as a person would write it: ``apex_entity`` is ``Apex entity``, ``ownerLei`` is ``Owner LEI``."""
    if CAMEL.fullmatch(key):
        key = CAPITAL.sub(lambda found: f" {found[0].lower()}", key)
    words = key.replace("_", " ").replace("-", " ").split()
    if not words:
        return f'"{key}"'
    text = " ".join(word.upper() if word.lower() in ACRONYMS else word for word in words)
    return text[0].upper() + text[1:]


def item_title(item: Json) -> str:
    """What an item of a list is called: its name field, else the first text by key that is no moment, else nothing.

    By key, as a database gives the members of an object back in an order of its own.
    """
    if not isinstance(item, dict):
        return ""
    names = [*NAMES, *(key for key in item if key.endswith(("_name", "_type")))]
    texts = [item[name] for name in names if isinstance(item.get(name), str) and item[name].strip()]
    others = (item[name] for name in sorted(item))
    texts += [text for text in others if isinstance(text, str) and text.strip() and not _MOMENT.match(text)]
    title = " ".join(texts[0].split()) if texts else ""
    return title if len(title) <= LONG_TITLE else f"{title[: LONG_TITLE - 1]}…"


def json_text(value: Json) -> str:
    """A scalar as JSON writes it; numbers keep their text (``1.0``, ``9007199254740993``)."""
    return canonical_json(value)


def _bounded(rows: Iterator[Row], walk: _Walk) -> Iterator[Row]:
    for row in rows:
        walk.left -= 1
        if walk.left < 0:
            return
        yield row


def _members(walk: _Walk, at: str, value: Json, shape: Shape, depth: int) -> Iterator[Row]:
    """The rows inside an object or array; the root may be any JSON value."""
    if isinstance(value, dict):
        for key in [*shape.properties, *sorted(value.keys() - shape.properties.keys())]:
            spot = _member_spot(walk, at, key, shape, depth)
            yield from _place(walk, spot, value[key]) if key in value else _absent(walk, spot)
    elif isinstance(value, list):
        yield from _items(walk, at, value, shape, depth)
    else:
        yield _leaf(_Spot(at, "Value", depth, shape), value)


def _member_spot(walk: _Walk, at: str, key: str, shape: Shape, depth: int, *, blank: bool = False) -> _Spot:
    inner = walk.member(shape, key)
    label = inner.title or human_label(key)
    return _Spot(join(at, key), label, depth, inner, key in shape.required, blank)


def _place(walk: _Walk, spot: _Spot, value: Json) -> Iterator[Row]:
    """The rows of one value that is there."""
    if not isinstance(value, dict | list):
        yield _leaf(spot, value)
    elif spot.depth >= MAX_LEVELS:
        yield _too_deep(spot, value)
    elif isinstance(value, dict):
        yield spot.row("group", count=len(value))
        yield from _members(walk, spot.at, value, spot.shape, spot.depth + 1)
    else:
        yield _list_row(spot, value)
        yield from _items(walk, spot.at, value, spot.shape, spot.depth + 1)


def _absent(walk: _Walk, spot: _Spot) -> Iterator[Row]:
    """Scalars are offered empty, lists with a way to begin them; objects are for the raw JSON."""
    kinds = spot.shape.kinds
    if spot.shape.read_only:
        return
    if kinds & SCALARS or (not kinds and not spot.shape.properties):
        yield _leaf(spot, None, absent=True)
    elif "array" in kinds and not spot.blank and spot.depth < MAX_LEVELS:
        yield replace(_list_row(spot, []), state="absent")
        yield from _blank_items(walk, spot.at, 0, spot.shape, spot.depth + 1)


def _items(walk: _Walk, at: str, values: list[Json], shape: Shape, depth: int) -> Iterator[Row]:
    for index, value in enumerate(values):
        inner = walk.item(shape, index)
        spot = _Spot(f"{at}/{index}", _item_label(index, value), depth, inner)
        if isinstance(value, dict) and depth < MAX_LEVELS:
            yield spot.row("item", removable=not inner.read_only, count=len(value))
            yield from _members(walk, spot.at, value, inner, depth + 1)
        else:
            first, *rest = _place(walk, spot, value)
            yield replace(first, removable=not inner.read_only)
            yield from rest
    yield from _blank_items(walk, at, len(values), shape, depth)


def _blank_items(walk: _Walk, at: str, start: int, shape: Shape, depth: int) -> Iterator[Row]:
    """Empty items to be filled in; one that stays empty is not added."""
    for index in range(start, start + min(walk.blanks.get(at, 0), MAX_BLANKS)):
        inner = walk.item(shape, index)
        spot = _Spot(f"{at}/{index}", f"{index + 1}. New", depth, inner, required=False, blank=True)
        if inner.properties:
            yield spot.row("item", state="absent")
            for key in inner.properties:
                yield from _absent(walk, _member_spot(walk, spot.at, key, inner, depth + 1, blank=True))
        else:
            yield _leaf(spot, None, absent=True)


def _item_label(index: int, value: Json) -> str:
    title = item_title(value)
    return f"{index + 1}. {title}" if title else str(index + 1)


def _list_row(spot: _Spot, value: list[Json]) -> Row:
    growable = bool(spot.shape.items or spot.shape.leading_items) and not spot.shape.read_only
    return spot.row("list", state="value" if value else "empty", count=len(value), growable=growable)


def _too_deep(spot: _Spot, value: Json) -> Row:
    text = canonical_json(value)
    shown = text if len(text) <= LONG_TEXT else f"{text[:LONG_TEXT]}…"
    why = "Nested too deeply to be edited here; edit it as raw JSON."
    return spot.row("leaf", value=value, shown=shown, description=why)


def _leaf(spot: _Spot, value: Json, *, absent: bool = False) -> Row:
    kinds = frozenset(spot.shape.kinds & SCALARS) or _kinds_of(value, spot.shape, absent)
    row = spot.row(
        "leaf",
        state=_state(value, absent),
        value=value,
        kinds=kinds,
        required=spot.required,
        nullable="null" in kinds,
    )
    choices = () if spot.shape.read_only else _choices(row, spot.shape)
    if choices:
        return replace(row, widget="choice", shown="" if absent else json_text(value), choices=choices)
    shown = value if isinstance(value, str) else "" if value is None else json_text(value)
    editable = bool(kinds - {"null"}) and not spot.shape.read_only
    return replace(row, widget=_text_widget(shown) if editable else "fixed", shown=shown)


def _kinds_of(value: Json, shape: Shape, absent: bool) -> frozenset[str]:
    """Without a word from the schema a value keeps its own type, and a new one is text."""
    if shape.choices is not None:
        return frozenset(kind_of(choice) for choice in shape.choices)
    if shape.kinds:  # an object or a list is expected: the form cannot make one
        return frozenset()
    if absent or value is None:
        return frozenset({"string"}) | (frozenset() if absent else {"null"})
    kind = kind_of(value)
    return frozenset({"number" if kind == "integer" else kind})


def _state(value: Json, absent: bool) -> State:
    if absent:
        return "absent"
    if value is None:
        return "null"
    return "empty" if value == "" else "value"


def _text_widget(shown: str) -> Widget:
    breaks = "\n" in shown or "\r" in shown  # an <input> would lose them
    return "area" if breaks or len(shown) > LONG_TEXT else "line"


def _choices(row: Row, shape: Shape) -> tuple[Choice, ...]:
    """The options of a select, always with the current value among them: a browser posts what it can show."""
    values = shape.choices
    if values is None and row.kinds and row.kinds <= {"boolean", "null"} and "boolean" in row.kinds:
        values = [True, False, *([None] if row.nullable else [])]
    if values is None:
        return ()
    options = {json_text(v): Choice(json_text(v), _choice_label(v)) for v in values if not _is_container(v)}
    if row.state == "absent" or not row.required:
        options = {"": Choice("", "(absent)"), **options}
    if row.state != "absent" and json_text(row.value) not in options:
        known = any(type(v) is not bool and v == row.value for v in values if not isinstance(row.value, bool))
        text = json_text(row.value)
        options[text] = Choice(text, _choice_label(row.value), allowed=known)
    return tuple(options.values())


def _choice_label(value: Json) -> str:
    return value if isinstance(value, str) and value else json_text(value)


def _is_container(value: Json) -> bool:
    return isinstance(value, dict | list)


def _section(pointer: str, rows: list[Row]) -> Section:
    heading = rows[0] if rows[0].kind in ("group", "list", "item") and rows[0].pointer == pointer else None
    inner = tuple(rows[1:] if heading else rows)
    leaves = sum(row.kind == "leaf" and row.state != "absent" for row in inner)
    items = heading.count if heading and heading.kind == "list" else None
    label = heading.label if heading else "Other fields"
    return Section(pointer, label, inner, heading, leaves, items)
