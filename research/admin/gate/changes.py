"""Edits in words: what a person reads before signing, and afterwards in the history."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

from research.jsontext import Json, JsonObject
from research.review.patch import patch_steps
from research.review.pointer import parse, resolve
from research.review.rows import Row, human_label, item_title, json_text
from research.review.wording import Piece, rewording

MAX_CHANGES = 200
MAX_TEXT = 2_000
LONG = 200
WORDS = {"add": "added", "remove": "removed", "replace": "changed", "move": "moved", "copy": "copied"}


@dataclass(frozen=True)
class Shown:
    """A value as text; ``kind`` is value, null, absent, empty or json, and decides how it is set."""

    text: str
    kind: str = "value"
    cut: bool = False
    """Whether the text is only the beginning of it."""


@dataclass(frozen=True)
class Change:
    """One edit: where, what kind, and what the value was and is to be."""

    place: tuple[str, ...]
    word: str
    old: Shown
    new: Shown
    field: str = ""
    wording: tuple[Piece, ...] = ()
    """Of two long texts, what is different; the whole texts are not shown then."""


ABSENT = Shown("absent", "absent")


def changes(document: Json, edits: Sequence[JsonObject], rows: Iterable[Row] = ()) -> list[Change]:
    """The edits one by one, each against the document as it stands before it; at most MAX_CHANGES."""
    return list(islice(_changes(document, edits, labels_of(rows)), MAX_CHANGES))


def place_label(document: Json, pointer: str, labels: Mapping[str, str]) -> str:
    """The way to a place in words, for one line."""
    return " › ".join(place_path(document, pointer, labels)) or "The document"


def place_path(document: Json, pointer: str, labels: Mapping[str, str]) -> list[str]:
    """The same, step by step."""
    return list(_place(document, pointer, labels))


def show(value: Json) -> Shown:
    """Any value as text."""
    if value is None:
        return Shown("null", "null")
    if value == "" and isinstance(value, str):
        return Shown("empty text", "empty")
    if isinstance(value, str):
        return Shown(_clip(value), cut=len(value) > MAX_TEXT)
    if isinstance(value, dict | list):
        text = json.dumps(value, ensure_ascii=False, indent=2)
        return Shown(_clip(text), "json", cut=len(text) > MAX_TEXT)
    return Shown(json_text(value))


def wording(old: Json, new: Json) -> tuple[Piece, ...]:
    """What is different between two texts of which one is long; empty for any other values."""
    if not (isinstance(old, str) and isinstance(new, str) and max(len(old), len(new)) > LONG):
        return ()
    return tuple(rewording(old, new))


def field_id(pointer: str) -> str:
    """The HTML id of a place: pointers may hold any character, ids may not."""
    return f"f-{sha256(pointer.encode('utf-8', 'replace')).hexdigest()[:12]}"


def labels_of(rows: Iterable[Row]) -> dict[str, str]:
    """What the schema calls the members of objects; items are named by what they hold."""
    return {row.pointer: row.label for row in rows if row.kind != "item" and not row.removable}


def _changes(document: Json, edits: Sequence[JsonObject], labels: Mapping[str, str]) -> Iterator[Change]:
    for operation, before in patch_steps(document, edits):
        found, old = resolve(before, operation["path"])
        inserted = operation["op"] == "add" and (not found or _is_list_item(before, operation["path"]))
        yield Change(
            tuple(_place(before, operation["path"], labels)),
            WORDS["add" if inserted else "replace" if operation["op"] == "add" else operation["op"]],
            ABSENT if inserted or not found else show(old),
            show(operation["value"]) if "value" in operation else ABSENT,
            field_id(operation["path"]),
            wording(old, operation.get("value")),
        )


def _place(document: Json, pointer: str, labels: Mapping[str, str]) -> Iterator[str]:
    """The way to a place in words: ``Funds``, ``2. Alpha Fund``, ``LEI``."""
    at, value = "", document
    for token in parse(pointer):
        at = f"{at}/{token.replace('~', '~0').replace('/', '~1')}"
        if isinstance(value, list):
            inner = value[int(token)] if token.isdigit() and int(token) < len(value) else None
            title = item_title(inner)
            yield "new item" if inner is None else f"{int(token) + 1}. {title}".rstrip(". ")
            value = inner
        else:
            yield labels.get(at) or human_label(token)
            value = value.get(token) if isinstance(value, dict) else None


def _is_list_item(document: Json, pointer: str) -> bool:
    return isinstance(resolve(document, pointer.rpartition("/")[0])[1], list)


def _clip(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"
