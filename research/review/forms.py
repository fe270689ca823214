"""From a posted form to edits. Only rows the server shows are read; only fields whose text was changed count."""

import json
from collections.abc import Iterable, Mapping

from research.errors import InvalidEdit
from research.jsontext import Json, JsonObject, JsonTextError, parse_json
from research.review.facets import Facets
from research.review.patch import make_patch
from research.review.rows import Row

SHOWN = "shown:"
REMOVE = "remove:"
ABSENT = object()


def edits_from_form(rows: Iterable[Row], post: Mapping[str, str]) -> list[JsonObject]:
    """The RFC 6902 operations that the form amounts to; removals of items last, from the highest index down.

    Raises:
        InvalidEdit: with one sentence per field, by JSON Pointer.
    """
    changes: list[JsonObject] = []
    removals: list[str] = []
    additions: list[JsonObject] = []
    errors: dict[str, str] = {}
    for row in rows:
        try:
            if row.removable and post.get(REMOVE + row.pointer):
                removals.append(row.pointer)
            elif row.widget == "add" and (post.get(row.name) or post.get(REMOVE + row.pointer)):
                additions.append({"op": "add", "path": row.pointer, "value": _new_item(row, post)})
            elif row.editable and not _below(row.pointer, removals):
                changes += _change(row, post)
        except ValueError as error:
            errors[row.pointer] = str(error)
    if errors:
        raise InvalidEdit(errors)
    return (
        changes
        + [{"op": "remove", "path": path} for path in sorted(removals, key=_place, reverse=True)]
        + additions
    )


def edits_from_text(text: str, original: Json) -> list[JsonObject]:
    """The operations between the original and a whole document typed as raw JSON.

    Raises:
        InvalidEdit: with line and column of the fault.
    """
    try:
        return make_patch(original, parse_json(text))
    except JsonTextError as error:
        raise InvalidEdit({"": f"the raw JSON cannot be read: {error}"}) from None


def read_value(text: str, row: Row) -> Json:
    """The typed value of a field's text; ABSENT when the key goes. Raises ValueError with a sentence."""
    if text == "":
        return _emptied(row)
    if row.choices:
        return _chosen(text, row)
    wanted = row.facets.kinds - {"null", "object", "array"}
    if wanted and "string" not in wanted:
        return _scalar(text, wanted)
    if not wanted and isinstance(row.value, int | float):
        return _scalar(text, {"number"})
    return text


def _change(row: Row, post: Mapping[str, str]) -> list[JsonObject]:
    posted = post.get(row.name)
    if posted is None:
        return []
    shown, text = post.get(SHOWN + row.pointer, row.shown), posted
    if _newlines(text) == _newlines(shown):
        return []
    text = _like(text, row.value)
    value = read_value(text, row)
    if value is ABSENT:
        return [] if row.state == "absent" else [{"op": "remove", "path": row.pointer}]
    if row.state == "absent":
        return [{"op": "add", "path": row.pointer, "value": value}]
    return make_patch_at(row.pointer, row.value, value)


def make_patch_at(pointer: str, old: Json, new: Json) -> list[JsonObject]:
    """The operations between two values at one place."""
    return [{**operation, "path": pointer + operation["path"]} for operation in make_patch(old, new)]


def _emptied(row: Row) -> Json:
    if row.state in ("absent", "null"):
        return ABSENT if row.state == "absent" else None
    if row.facets.allows("null") and row.facets.kinds | set(row.facets.enum or ()):
        return None
    if row.required or row.removable:
        if row.choices or (row.facets.kinds and "string" not in row.facets.kinds):
            raise ValueError("required: this cannot be empty")
        return ""
    return ABSENT


def _chosen(text: str, row: Row) -> Json:
    if text not in {choice.text for choice in row.choices}:
        raise ValueError("this is not one of the choices")
    return json.loads(text)


def _scalar(text: str, kinds: set[str]) -> Json:
    try:
        value = parse_json(text.strip())
    except JsonTextError:
        value = None
    if isinstance(value, bool):
        if "boolean" in kinds:
            return value
    elif (isinstance(value, int) and kinds & {"integer", "number"}) or (
        isinstance(value, float) and "number" in kinds
    ):
        return value
    raise ValueError(
        f"this must be {'a whole number' if kinds == {'integer'} else 'a ' + ' or '.join(sorted(kinds))}"
    )


def _new_item(row: Row, post: Mapping[str, str]) -> Json:
    text = post.get(row.name, "")
    kinds = row.facets.kinds
    if kinds and not kinds - {"object"}:
        return _skeleton(row.facets, text)
    if row.facets.enum is not None and text not in row.facets.enum:
        raise ValueError(f"this must be one of: {', '.join(map(str, row.facets.enum))}")
    if kinds and "string" not in kinds:
        return _scalar(text, kinds)
    return text


def _skeleton(facets: Facets, name: str) -> JsonObject:
    """A new object with its required texts empty and its name filled in, to be completed in the form."""
    item: JsonObject = {key: "" for key in facets.properties if key in facets.required}
    for key in ("name", "owner_name", "entity_name", "title"):
        if key in facets.properties:
            item[key] = name
            break
    return item


def _below(pointer: str, removals: Iterable[str]) -> bool:
    return any(pointer == removed or pointer.startswith(removed + "/") for removed in removals)


def _place(pointer: str) -> list[tuple[int, int, str]]:
    parts = pointer.split("/")
    return [(0, int(part) if part.isdigit() else 0, part) for part in parts]


def _newlines(text: str) -> str:
    """A browser posts every line end as CRLF; only the lines themselves are compared."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _like(text: str, original: Json) -> str:
    """The text with the line ends that the original had; plain ones where it had none."""
    plain = _newlines(text)
    if isinstance(original, str) and "\r\n" in original and "\n" not in original.replace("\r\n", ""):
        return plain.replace("\n", "\r\n")
    return plain
