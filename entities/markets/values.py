"""Reading the JSON of a market source: what is missing, of another type or beyond reason is None, never 0. Pure.

Amounts are exact: numbers are read as integers and decimals, and raw amounts may exceed 2^53.
"""

import re
from decimal import Context, Decimal, InvalidOperation
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from common.bounded_json import load_json
from common.outside.exchange import Reply

Json: TypeAlias = Any
JsonObject: TypeAlias = dict[str, Any]

MAX_DIGITS = 60  # of any number: no supply, price or count of this world needs more
MAX_URL = 1_000
_EXACT = Context(prec=500)
_NUMBER = re.compile(r"-?[0-9]{1,60}(?:\.[0-9]{1,60})?(?:[eE][+-]?[0-9]{1,3})?")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff]+")


def parse(body: bytes) -> Json:
    """The JSON of a body; a number that is beyond reason is None.

    Raises:
        ValueError: it is no JSON.
    """
    return load_json(body, parse_int=_integer, parse_float=_bounded, parse_constant=lambda name: None)


def exact_json(reply: Reply) -> Json:
    """The object or list with which a source answers, numbers exact. Raises ValueError."""
    document = parse(reply.body)
    if not isinstance(document, dict | list):
        raise ValueError("neither an object nor a list")
    return document


def number(value: Json) -> Decimal | None:
    """A number, also one written as a text; None for anything else, for infinities and for absurd sizes."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | Decimal):
        return value if isinstance(value, Decimal) else _bounded(str(value))
    return _bounded(value.strip()) if isinstance(value, str) else None


def amount(value: Json) -> Decimal | None:
    """A number that cannot be negative."""
    found = number(value)
    return found if found is not None and found >= 0 else None


def count(value: Json) -> int | None:
    """A whole number that cannot be negative."""
    found = amount(value)
    return int(found) if found is not None and found == found.to_integral_value() else None


def decimals_of(value: Json) -> int | None:
    """How many decimal places a token has: one unsigned byte on the chain."""
    found = count(value)
    return found if found is not None and found <= 255 else None


def whole(raw: int | None, decimals: int | None) -> Decimal | None:
    """A raw amount in whole tokens."""
    return None if raw is None or decimals is None else shifted(Decimal(raw), -decimals)


def shifted(value: Decimal, places: int) -> Decimal:
    """``value`` times ten to the power of ``places``, exactly."""
    return _EXACT.scaleb(value, Decimal(places))


def text(value: Json, limit: int) -> str | None:
    """A text on one line, without what is not seen; None when nothing is left."""
    if not isinstance(value, str):
        return None
    return " ".join(_UNSEEN.sub(" ", value[: 4 * limit]).split())[:limit] or None


def address(value: Json) -> str | None:
    """A web address that a person could open."""
    if not isinstance(value, str) or len(value) > MAX_URL or not value.isprintable() or " " in value:
        return None
    try:
        parts = urlsplit(value)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return None
    return value if usable else None


def items(value: Json) -> list[JsonObject]:
    """The objects of a list; what is no list has none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def inner(value: Json, *path: str) -> JsonObject:
    """The object below ``path``; empty when there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def plain(value: Decimal | int | None) -> str | None:
    """A number as text, without exponent and without zeros that say nothing; None stays None."""
    if value is None:
        return None
    shown = format(Decimal(value), "f")
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def percent(part: Decimal, of: Decimal) -> Decimal | None:
    """``part`` in percent of ``of``, to four places; None where that says nothing."""
    try:
        return (part * 100 / of).quantize(Decimal("0.0001"))
    except (InvalidOperation, ZeroDivisionError):
        return None


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= MAX_DIGITS else None


def _bounded(digits: str) -> Decimal | None:
    if not _NUMBER.fullmatch(digits):
        return None
    try:
        found = Decimal(digits)
    except InvalidOperation:
        return None
    return found if found.is_zero() or -MAX_DIGITS <= found.adjusted() < MAX_DIGITS else None
