"""Taking what is needed out of a provider's JSON, where nothing is taken for granted."""

import html
import math
import re
from collections.abc import Iterator
from datetime import date
from email.utils import parsedate_to_datetime

from common.outside.faults import SourceFault
from research.jsontext import Json, JsonObject, storable_text

MAX_ITEMS = 100
TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--.*?-->", re.DOTALL)
ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?![\d-])")


def items(document: JsonObject, *path: str, provider: str) -> Iterator[JsonObject]:
    """The objects of the list at ``path``; an absent list is an empty one, as providers leave it out.

    Raises:
        SourceFault: what is there is no list: this is not the provider's answer.
    """
    found = inside(document, *path)
    if found is None:
        return iter(())
    if not isinstance(found, list):
        raise SourceFault(provider, "unreadable", "answered with JSON that is not its own")
    return (item for item in found[:MAX_ITEMS] if isinstance(item, dict))


def inside(value: Json, *path: str) -> Json:
    """The value at ``path`` through nested objects, or None."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def text(value: Json, limit: int) -> str:
    """A string on one line, cut at ``limit`` characters; anything else is empty."""
    if not isinstance(value, str):
        return ""
    return cut(" ".join(storable_text(value[: 4 * limit]).split()), limit)


def passage(value: Json, limit: int) -> str:
    """A string with its line breaks, cut; anything else is empty."""
    return cut(storable_text(value[:limit]).strip(), limit) if isinstance(value, str) else ""


def plain(value: Json, limit: int) -> str:
    """Text of HTML or JATS: entities resolved, tags dropped, on one line."""
    if not isinstance(value, str):
        return ""
    unescaped = html.unescape(html.unescape(value[: 4 * limit]))  # Crossref escapes some abstracts twice
    return text(TAG.sub(" ", unescaped), limit)


def cut(value: str, limit: int) -> str:
    """At most ``limit`` characters, with an ellipsis where something is missing."""
    return value if len(value) <= limit else value[: limit - 1].rstrip() + "…"


def number(value: Json) -> float | None:
    """A finite number, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def day(value: Json) -> str:
    """A date as ISO 8601, as exact as it is given (``2026``, ``2026-11``, ``2026-11-21``); empty if it is none."""
    if not isinstance(value, str):
        return ""
    found = ISO.match(value.strip())
    if found:
        return _valid([int(part) for part in found.groups() if part])
    try:
        return parsedate_to_datetime(value).date().isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def parts_day(parts: Json) -> str:
    """The same of citeproc's ``[year, month, day]``, of which later ones may be missing."""
    if not isinstance(parts, list) or not parts or not all(type(part) is int for part in parts[:3]):
        return ""
    return _valid(parts[:3])


def _valid(parts: list[int]) -> str:
    try:
        whole = date(*[*parts, 1, 1][:3]).isoformat()
    except (ValueError, OverflowError):
        return ""
    return whole[: (4, 7, 10)[len(parts) - 1]]
