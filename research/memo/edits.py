"""Edits in words, and the original of every value in the decided data."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from research.jsontext import Json, JsonObject, canonical_json
from research.review.patch import apply_patch, patch_steps
from research.review.pointer import is_index, join, parse, resolve
from research.review.rows import human_label, item_title
from research.review.shapes import shape_of

MAX_VALUE = 400
NOTHING = "–"


@dataclass(frozen=True)
class Edit:
    """One operation (RFC 6902) in words. ``old`` or ``new`` is empty if there was or is no value."""

    op: str
    pointer: str
    place: str
    old: str
    new: str


def describe(
    original: Json, edits: Sequence[JsonObject], schema: Json, named: Callable[[str], str] = str
) -> list[Edit]:
    """Every edit in order, each applied to the document before it."""
    return [_edit(operation, before, schema, named) for operation, before in patch_steps(original, edits)]


def origins(original: Json, edits: Sequence[JsonObject]) -> Json:
    """The edited document with the original text in place of every value. None: the value is new.

    Items that moved up or down in a list keep what they were, so nothing looks edited that no one touched.
    """
    steps = patch_steps(original, edits)
    return apply_patch(_told(original), [step for each, before in steps for step in _traced(each, before)])


def text_of(value: Json, limit: int | None = None) -> str:
    """A value as text for people. Objects and lists are JSON."""
    if value is None or value in ("", [], {}):
        return NOTHING
    text = value if isinstance(value, str) else canonical_json(value)
    return text if limit is None or len(text) <= limit else f"{text[: limit - 1]}…"


def listed(value: Json) -> str:
    """A value on one line. A list is joined."""
    if isinstance(value, list) and value and not any(isinstance(each, dict | list) for each in value):
        return ", ".join(map(text_of, value))
    return text_of(value)


def place_of(document: Json, pointer: str, schema: Json, named: Callable[[str], str] = str) -> str:
    """The place of a pointer, in the words of the schema: ``Funds › 2. Kapital Plus › LEI``."""
    labels: list[str] = []
    value, shape = document, shape_of(schema, schema)
    for token in parse(pointer):
        inside = isinstance(value, list)
        value = resolve(value, join("", token))[1]
        inner = shape.item(int(token)) if inside and is_index(token) else shape.member(token)
        shape = shape_of(inner, schema)
        labels.append(item_label(token, value) if inside else named(shape.title or human_label(token)))
    return " › ".join(labels)


def item_label(token: str, value: Json) -> str:
    """A list item: its number, and its name if it has one."""
    if not is_index(token):
        return "+"  # "-" in a pointer is the place after the last item
    title = item_title(value)
    return f"{int(token) + 1}. {title}" if title else f"{int(token) + 1}."


def _edit(operation: JsonObject, before: Json, schema: Json, named: Callable[[str], str]) -> Edit:
    name, path = operation["op"], operation["path"]
    found, old = resolve(before, path)
    inserted = name == "add" and _is_item(before, path)
    if name in ("move", "copy"):
        new: Json = resolve(before, operation["from"])[1]
    else:
        new = operation.get("value")
    place = _new_item(before, path, new, schema, named) if inserted else place_of(before, path, schema, named)
    return Edit(
        op=name,
        pointer=path,
        place=place or NOTHING,
        old=text_of(old, MAX_VALUE) if found and not inserted else "",
        new="" if name == "remove" else text_of(new, MAX_VALUE),
    )


def _new_item(before: Json, path: str, new: Json, schema: Json, named: Callable[[str], str]) -> str:
    above, _, token = path.rpartition("/")
    return f"{place_of(before, above, schema, named)} › {item_label(token, new)}"


def _traced(operation: JsonObject, before: Json) -> Iterator[JsonObject]:
    """The operation applied to the document of origins."""
    name, path = operation["op"], operation["path"]
    found, old = resolve(before, path)
    if name in ("remove", "move", "copy"):
        yield operation
    elif name == "replace" or (name == "add" and found and not _is_item(before, path)):
        new = operation["value"]
        if _is_scalar(new) and _is_scalar(old):
            return  # it keeps its original text
        yield {"op": "replace", "path": path, "value": text_of(old) if _is_scalar(new) else _blank(new)}
    elif name == "add":
        yield {**operation, "value": _blank(operation["value"])}


def _is_item(document: Json, path: str) -> bool:
    """Whether adding here shifts items of a list instead of setting a member."""
    return isinstance(resolve(document, path.rpartition("/")[0])[1], list) if path else False


def _is_scalar(value: Json) -> bool:
    return not isinstance(value, dict | list)


def _told(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _told(item) for key, item in value.items()}
    return [_told(item) for item in value] if isinstance(value, list) else text_of(value)


def _blank(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _blank(item) for key, item in value.items()}
    return [_blank(item) for item in value] if isinstance(value, list) else None
