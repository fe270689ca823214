"""JSON as Dossier accepts it: what both databases can store and give back unchanged.

PostgreSQL's ``jsonb`` refuses NUL and lone surrogates, has no NaN or Infinity, and rewrites very large floats as
integers; Python's parser accepts all of these and overflows its stack on deep nesting. Everything that comes from a
model, a form or an integrator passes through here, so that a fault is one clear sentence and not a database error.
"""

import hashlib
import json
import math
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeAlias, TypeVar

import orjson

from common.bounded_json import MAX_DEPTH, TooDeep, load_json

Json: TypeAlias = Any
JsonObject: TypeAlias = dict[str, Any]
Made = TypeVar("Made")

MAX_BYTES = 5_000_000
MAX_INTEGER = 2**63
MAX_FLOAT = 1e16  # from here on Python prints exponents and jsonb prints integers: the digest would change


class JsonTextError(ValueError):
    """The text or value is not JSON that Dossier can store; ``line`` and ``column`` are 1-based, 0 when unknown."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        self.message, self.line, self.column = message, line, column
        super().__init__(f"{message} (line {line}, column {column})" if line else message)


class KeyTwice(JsonTextError):
    """An object has a key twice: whoever drops one of the values loses something."""


def parse_json(text: str, *, max_depth: int = MAX_DEPTH) -> Json:
    """Parse one JSON document strictly.

    Raises:
        JsonTextError: with line and column where the text itself is at fault.
    """
    if len(text) > MAX_BYTES:
        raise JsonTextError(f"the document is larger than {MAX_BYTES:,} characters")
    try:
        value = load_json(
            text, max_depth=max_depth, parse_constant=_refuse_constant, object_pairs_hook=_unique_pairs
        )
    except TooDeep as error:
        raise JsonTextError(error.message, error.line) from None
    except json.JSONDecodeError as error:
        raise JsonTextError(error.msg, error.lineno, error.colno) from None
    except JsonTextError:
        raise
    except ValueError as error:  # integers of more than 4300 digits
        raise JsonTextError(f"a value cannot be read: {str(error)[:120]}") from None
    check_json(value, max_depth=max_depth)
    return value


def check_json(value: Json, *, max_depth: int = MAX_DEPTH) -> None:
    """Raise JsonTextError if ``value`` holds anything that one of the databases would refuse or change."""
    stack: list[tuple[Json, str, int]] = [(value, "", 0)]
    while stack:
        item, pointer, depth = stack.pop()
        if depth > max_depth:
            raise JsonTextError(f"nested deeper than {max_depth} levels")
        _check_scalar(item, pointer)
        if isinstance(item, dict | list):
            stack.extend((child, path, depth + 1) for child, path in _children(item, pointer))


def compact_json(
    value: Json, default: Callable[[Any], Any] | None = None, *, sort_keys: bool = False
) -> bytes:
    """The shortest text of a value, for a wire and not for a digest: a thirtieth of the standard library's time.

    ``default`` says how to write what JSON does not know; moments and UUIDs are known. Raises UnicodeEncodeError for
    half of a surrogate pair, TypeError for what cannot be written.
    """
    try:
        return orjson.dumps(value, default, orjson.OPT_SORT_KEYS if sort_keys else None)
    except TypeError:  # integers beyond 64 bits, keys that are no text: the standard library writes them
        text = json.dumps(
            value, ensure_ascii=False, separators=(",", ":"), default=default, sort_keys=sort_keys
        )
        return text.encode()


def canonical_json(value: Json) -> str:
    """The one text of a value: keys sorted, no blanks, -0.0 written as 0.0. Two equal values give equal text."""
    text = _canonical(value)
    return _canonical(_without_negative_zero(value)) if "-0.0" in text else text


class Remembered(Generic[Made]):
    """``make`` for values that come again and again, are never changed and cannot be hashed: by identity."""

    def __init__(self, make: Callable[[Json], Made], size: int = 200) -> None:
        self._make, self._size = make, size
        self._known: dict[int, tuple[Json, Made]] = {}

    def __call__(self, value: Json) -> Made:
        known = self._known.get(id(value))
        if known is None:
            if len(self._known) >= self._size:
                self._known.clear()
            known = self._known[id(value)] = (value, self._make(value))  # which keeps the id taken
        return known[1]


canonical_once = Remembered(canonical_json)


def digest(value: Json) -> str:
    """SHA-256 of the canonical text, as 64 hex characters."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def storable_text(text: str) -> str:
    """Text from outside without what PostgreSQL refuses (NUL, lone surrogates)."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def storable_json(value: Json) -> Json:
    """A value from outside (a register, a tool) without characters that are refused; such numbers become texts."""
    return value if _is_storable(value) else _storable(value)


def _is_storable(value: Json) -> bool:
    """Whether nothing in it would be refused or changed. Most values are like that, and are not copied."""
    left = [value]
    while left:
        item = left.pop()
        kind = type(item)
        if kind is str:  # spelled out: most of them are texts
            if "\0" in item or not (item.isascii() or _is_whole(item)):
                return False
        elif kind is dict:
            if not _has_storable_keys(item):
                return False
            left.extend(item.values())
        elif kind is list:
            left.extend(item)
        elif kind is int or kind is float:
            if not _is_storable_number(item):
                return False
        elif item is not None and kind is not bool:
            return False
    return True


def _has_storable_keys(item: JsonObject) -> bool:
    try:
        return _is_storable_text("".join(item))
    except TypeError:
        return False


def _is_storable_text(text: str) -> bool:
    return "\0" not in text and (text.isascii() or _is_whole(text))


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return False
    return True


def _storable(value: Json) -> Json:
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, int | float):
        return value if _is_storable_number(value) else str(value)
    if isinstance(value, dict):
        return {storable_text(str(key)): _storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    return value


def _canonical(value: Json) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _children(item: Json, pointer: str) -> Iterator[tuple[Json, str]]:
    if isinstance(item, list):
        yield from ((child, f"{pointer}/{index}") for index, child in enumerate(item))
        return
    for key, child in item.items():
        if not isinstance(key, str):
            raise JsonTextError(f"{pointer or 'the document'} has a key that is not text")
        _check_text(key, pointer)
        yield child, f"{pointer}/{key[:80]}"


def _check_scalar(item: Json, pointer: str) -> None:
    where = pointer or "the document"
    if isinstance(item, str):
        _check_text(item, pointer)
    elif isinstance(item, bool) or item is None:
        return
    elif isinstance(item, int | float):
        if not _is_storable_number(item):
            kind = (
                "an integer beyond 64 bits" if isinstance(item, int) else "a number too large to keep exactly"
            )
            raise JsonTextError(f"{where} is {kind}")
    elif not isinstance(item, dict | list):
        raise JsonTextError(f"{where} is a {type(item).__name__}, which JSON does not know")


def _is_storable_number(number: float) -> bool:
    if isinstance(number, int):
        return -MAX_INTEGER <= number < MAX_INTEGER
    return math.isfinite(number) and abs(number) < MAX_FLOAT


def _check_text(text: str, pointer: str) -> None:
    where = pointer or "the document"
    if "\0" in text:
        raise JsonTextError(f"{where} contains a NUL character")
    if not text.isascii() and not _is_whole(text):
        raise JsonTextError(f"{where} contains half of a surrogate pair")


def _refuse_constant(name: str) -> Json:
    raise JsonTextError(f"{name} is not JSON")


def _unique_pairs(pairs: list[tuple[str, Json]]) -> JsonObject:
    document = dict(pairs)
    if len(document) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise KeyTwice(f"the key {twice[:80]!r} occurs twice in one object")
    return document


def _without_negative_zero(value: Json) -> Json:
    if isinstance(value, float):
        return value + 0.0
    if isinstance(value, dict):
        return {key: _without_negative_zero(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_negative_zero(item) for item in value]
    return value
