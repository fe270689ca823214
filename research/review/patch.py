"""JSON Patch (RFC 6902): how a person's edits are kept, applied and made."""

import copy
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

from common.bounded_json import MAX_DEPTH
from research.errors import InvalidEdit
from research.jsontext import Json, JsonObject, canonical_json
from research.review import pointer as pointers

Patch: TypeAlias = list[JsonObject]

MAX_OPERATIONS = 10_000
MAX_COPIED = 200_000  # values: a few copies of the whole document into itself would otherwise fill the memory
LONG_TEXT = 100  # characters that count as one more value
MAX_ALIGNED = 1_000_000  # pairs of items that the list alignment may have to compare
_NEEDS = {
    "add": ("value",),
    "remove": (),
    "replace": ("value",),
    "move": ("from",),
    "copy": ("from",),
    "test": ("value",),
}


class _Refused(ValueError):
    """Why one operation cannot be done."""


def same(left: Json, right: Json) -> bool:
    """Typed equality: 1, 1.0 and True are three values. The order of keys does not matter."""
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(same(item, right[key]) for key, item in left.items())
        )
    if isinstance(left, list):
        return isinstance(right, list) and len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and bool(left == right)


def apply_patch(document: Json, patch: Sequence[JsonObject]) -> Json:
    """A new document with the operations done in order; neither argument is changed, and nothing is shared.

    Raises:
        InvalidEdit: maps the pointer of the first operation that cannot be done to a sentence with its number.
    """
    if not isinstance(patch, list | tuple):
        raise InvalidEdit({"": "a patch is a list of operations"})
    if len(patch) > MAX_OPERATIONS:
        raise InvalidEdit(
            {"": f"a patch has at most {MAX_OPERATIONS:,} operations, this one has {len(patch):,}"}
        )
    work = _Work(copy.deepcopy(document))
    for number, operation in enumerate(patch, start=1):
        try:
            work.do(operation)
        except ValueError as error:
            path, name = _describe(operation)
            raise InvalidEdit({path: f"operation {number}{name}: {error}"}) from None
    return work.document


def patch_steps(document: Json, patch: Sequence[JsonObject]) -> Iterator[tuple[JsonObject, Json]]:
    """Each operation of a patch that applies, with the document as it stands just before; do not keep or change it."""
    work = _Work(copy.deepcopy(document))
    for operation in patch:
        yield operation, work.document
        work.do(operation)


def make_patch(old: Json, new: Json) -> Patch:
    """The operations that turn ``old`` into ``new``, no more than needed; empty when they are the same."""
    return list(_differences(old, new, ""))


class _Work:
    """A document while it is being patched."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self._copied = 0

    def do(self, operation: JsonObject) -> None:
        name = _checked_name(operation)
        path = operation["path"]
        if name in ("move", "copy"):
            self._transfer(name, operation["from"], path)
        elif name == "remove":
            self._remove(path)
        elif name == "test":
            if not same(self._get(path), operation["value"]):
                raise _Refused("the value is not what the test expects")
        else:
            value = self._copy(operation["value"])
            self._add(path, value) if name == "add" else self._replace(path, value)

    def _transfer(self, name: str, source: str, path: str) -> None:
        value = self._get(source)
        if name == "copy":
            self._add(path, self._copy(value))
        elif path != source:
            if pointers.is_inside(path, source):
                raise _Refused("a value cannot be moved into itself")
            self._remove(source)
            self._add(path, value)

    def _get(self, path: str) -> Json:
        _tokens(path)
        found, value = pointers.resolve(self.document, path)
        if not found:
            raise _Refused(f"there is nothing at {path[:200]}")
        return value

    def _copy(self, value: Json) -> Json:
        self._copied += _size(value)
        if self._copied > MAX_COPIED:
            raise _Refused("the patch makes the document too large")
        return copy.deepcopy(value)

    def _add(self, path: str, value: Json) -> None:
        if path == "":
            self.document = value
            return
        parent, last = self._parent(path)
        if isinstance(parent, dict):
            parent[last] = value
        else:
            parent.insert(len(parent) if last == "-" else _position(last, len(parent) + 1), value)

    def _replace(self, path: str, value: Json) -> None:
        if path == "":
            self.document = value
            return
        self._get(path)
        parent, last = self._parent(path)
        parent[last if isinstance(parent, dict) else int(last)] = value

    def _remove(self, path: str) -> None:
        if path == "":
            raise _Refused("the whole document cannot be removed")
        self._get(path)
        parent, last = self._parent(path)
        del parent[last if isinstance(parent, dict) else int(last)]

    def _parent(self, path: str) -> tuple[Json, str]:
        *front, last = _tokens(path)
        above = "".join(f"/{pointers.escape(token)}" for token in front)
        parent = self._get(above)
        if not isinstance(parent, dict | list):
            raise _Refused(f"{above or 'the document'} is neither an object nor a list")
        return parent, last


def _checked_name(operation: Json) -> str:
    if not isinstance(operation, dict):
        raise _Refused("an operation is an object with op and path")
    name = operation.get("op")
    if not isinstance(name, str) or name not in _NEEDS:
        raise _Refused(f"op must be one of {', '.join(_NEEDS)}")
    for member in ("path", *_NEEDS[name]):
        if member not in operation:
            raise _Refused(f"{member} is missing")
    for member in {"path", "from"} & operation.keys():
        if not isinstance(operation[member], str):
            raise _Refused(f"{member} must be text")
    return name


def _describe(operation: Json) -> tuple[str, str]:
    if not isinstance(operation, dict):
        return "", ""
    path, name = operation.get("path"), operation.get("op")
    return (path if isinstance(path, str) else ""), (f" ({name})" if name in list(_NEEDS) else "")


def _tokens(path: str) -> list[str]:
    tokens = pointers.parse(path)
    if len(tokens) > MAX_DEPTH:
        raise _Refused(f"the place is deeper than {MAX_DEPTH} levels")
    return tokens


def _position(token: str, length: int) -> int:
    if not pointers.is_index(token):
        raise _Refused(f"{token[:80]!r} is not a position in a list")
    if int(token) >= length:
        raise _Refused(f"the list has no position {token}")
    return int(token)


def _size(value: Json) -> int:
    """How many values a value holds, long texts counting for several; refuses what is nested too deeply to copy."""
    count, level = 0, [value]
    for _ in range(MAX_DEPTH + 1):
        count += sum(1 + len(item) // LONG_TEXT if isinstance(item, str) else 1 for item in level)
        if not level or count > MAX_COPIED:
            return count
        level = [child for item in level for child in _members(item)]
    raise _Refused(f"the value is nested deeper than {MAX_DEPTH} levels")


def _members(item: Json) -> Sequence[Json]:
    if isinstance(item, dict):
        return list(item.values())
    return item if isinstance(item, list) else ()


def _differences(old: Json, new: Json, at: str) -> Iterator[JsonObject]:
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _object_differences(old, new, at)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _list_differences(old, new, at)
    elif not same(old, new):
        yield {"op": "replace", "path": at, "value": new}


def _object_differences(old: JsonObject, new: JsonObject, at: str) -> Iterator[JsonObject]:
    for key, item in old.items():
        if key in new:
            yield from _differences(item, new[key], pointers.join(at, key))
        else:
            yield {"op": "remove", "path": pointers.join(at, key)}
    for key, item in new.items():
        if key not in old:
            yield {"op": "add", "path": pointers.join(at, key), "value": item}


def _list_differences(old: list[Json], new: list[Json], at: str) -> Iterator[JsonObject]:
    """From the end to the front, so that every index still means what it means in ``old``."""
    for old_start, old_end, new_start, new_end in reversed(_changed_blocks(old, new)):
        paired = min(old_end - old_start, new_end - new_start)
        for index in reversed(range(old_start + paired, old_end)):
            yield {"op": "remove", "path": f"{at}/{index}"}
        for offset in range(paired, new_end - new_start):
            yield {"op": "add", "path": f"{at}/{old_start + offset}", "value": new[new_start + offset]}
        for offset in reversed(range(paired)):
            place = f"{at}/{old_start + offset}"
            yield from _differences(old[old_start + offset], new[new_start + offset], place)


def _changed_blocks(old: list[Json], new: list[Json]) -> list[tuple[int, int, int, int]]:
    """Runs of items that differ, as (old start, old end, new start, new end), aligned on the items that stayed."""
    left, right = [canonical_json(item) for item in old], [canonical_json(item) for item in new]
    start = _common(left, right)
    end = _common(left[start:][::-1], right[start:][::-1])
    left, right = left[start : len(left) - end], right[start : len(right) - end]
    if len(left) * len(right) > MAX_ALIGNED:
        return [(start, start + len(left), start, start + len(right))]
    codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return [(start + a, start + b, start + c, start + d) for tag, a, b, c, d in codes if tag != "equal"]


def _common(left: list[str], right: list[str]) -> int:
    """How many items at the front are the same."""
    pairs = zip(left, right, strict=False)
    return next((n for n, (one, other) in enumerate(pairs) if one != other), min(len(left), len(right)))
