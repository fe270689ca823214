"""JSON Pointer (RFC 6901): names one place in a document, as text."""

import re

from research.jsontext import Json

_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
_BAD_ESCAPE = re.compile(r"~(?![01])")


class PointerError(ValueError):
    """The text is not a JSON Pointer."""


def escape(token: object) -> str:
    """One key or index as it stands inside a pointer."""
    return str(token).replace("~", "~0").replace("/", "~1")


def join(pointer: str, token: object) -> str:
    """The pointer of a member of what ``pointer`` names."""
    return f"{pointer}/{escape(token)}"


def parse(pointer: str) -> list[str]:
    """The keys and indexes of a pointer; the root is the empty list."""
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise PointerError(f"{pointer[:80]!r} is not a JSON Pointer: it must be empty or begin with /")
    if _BAD_ESCAPE.search(pointer):
        raise PointerError(f"{pointer[:80]!r} is not a JSON Pointer: ~ must be written ~0")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def resolve(document: Json, pointer: str) -> tuple[bool, Json]:
    """Whether there is a value at this place, and the value (None where there is none).

    Raises:
        PointerError: the text is not a pointer. A place that does not exist is no error.
    """
    value = document
    for token in parse(pointer):
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and is_index(token) and int(token) < len(value):
            value = value[int(token)]
        else:
            return False, None
    return True, value


def is_index(token: str) -> bool:
    """Whether a token names an array item: digits, no sign, no leading zero."""
    return _INDEX.fullmatch(token) is not None


def is_inside(pointer: str, ancestor: str) -> bool:
    """Whether a place is the ancestor itself or lies within it."""
    return pointer == ancestor or pointer.startswith(f"{ancestor}/")
