"""The values that each type of the catalogue accepts."""

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal

from entities import lei as iso17442
from entities.memory import RefusedWrite, read_day
from research.jsontext import JsonTextError, check_json
from research.verbs.catalogue import Arg
from research.verbs.syntax import Call, MapValue, Symbol, Value

_JURISDICTION = re.compile(r"[A-Z]{2}(-[A-Z0-9]{1,3})?")
_ISIN = re.compile(r"[A-Z]{2}[A-Z0-9]{9}[0-9]")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SLUG = re.compile(r"[A-Za-z0-9_-]{1,120}")
_LIKE_LEI = re.compile(r"[A-Z0-9]{18}[0-9]{2}")


def fault_of(arg: Arg, value: Value) -> str:
    """The fault of a value for this argument, or an empty text. The caller checks symbols and calls."""
    value = arg.meant(value)
    if arg.type == "entity" and isinstance(value, Symbol | Call):
        return ""
    reason = _TYPES[arg.type](value)
    if not reason and arg.allowed and value not in arg.allowed:
        reason = f"is {shown(value)}; allowed are {', '.join(arg.allowed)}"
    return reason or _bounds(arg, value)


def shown(value: Value) -> str:
    """A short form of a value for messages."""
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else value[:57] + "…")
    kinds = {Symbol: f"the symbol {value}", Call: "a call", MapValue: "a map", tuple: "a list"}
    if type(value) in kinds:
        return kinds[type(value)]
    words = {None: "nil", True: "true", False: "false"}
    return words[value] if value is None or isinstance(value, bool) else str(value)


def _bounds(arg: Arg, value: Value) -> str:
    if isinstance(value, str) and arg.max_length and len(value) > arg.max_length:
        return f"is {len(value):,} characters long; at most {arg.max_length:,} are allowed"
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        low, high = arg.minimum, arg.maximum
        if (low is not None and value < low) or (high is not None and value > high):
            return f"is {value}; allowed is {low} to {high}"
    return ""


def _string(value: Value) -> str:
    if not isinstance(value, str):
        return f"is {shown(value)}, not a text"
    if not value.strip():
        return "is blank"
    try:
        check_json(value)
    except JsonTextError as error:
        return f"cannot be stored: {error.message}"
    return ""


def _integer(value: Value) -> str:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return "" if whole else f"is {shown(value)}, not an integer"


def _decimal(value: Value) -> str:
    number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    return "" if number else f"is {shown(value)}, not a number"


def _boolean(value: Value) -> str:
    return "" if isinstance(value, bool) else f"is {shown(value)}, neither true nor false"


def _lei(value: Value) -> str:
    if not isinstance(value, str):
        return f"is {shown(value)}, not an LEI"
    return "" if iso17442.is_valid(value) else f"is {shown(value)}, not a valid LEI: {_why(value)}"


def _why(value: str) -> str:
    return iso17442.check_format(value).message or "it must stand without blanks, in capitals"


def _isin(value: Value) -> str:
    good = isinstance(value, str) and _ISIN.fullmatch(value) and _luhn(value)
    return "" if good else f"is {shown(value)}, not a valid ISIN"


def _luhn(isin: str) -> bool:
    """Luhn check of an ISIN (ISO 6166): letters count as 10 to 35; double every second digit from the right."""
    digits = [int(digit) for char in isin for digit in str(int(char, 36))][::-1]
    return sum(sum(divmod(digit * (1 + index % 2), 10)) for index, digit in enumerate(digits)) % 10 == 0


def _jurisdiction(value: Value) -> str:
    good = isinstance(value, str) and _JURISDICTION.fullmatch(value)
    return "" if good else f"is {shown(value)}, not a country code such as LU or US-DE"


def _date(value: Value) -> str:
    try:
        good = isinstance(value, str) and _DATE.fullmatch(value) and date.fromisoformat(value)
    except ValueError:
        good = False
    return "" if good else f"is {shown(value)}, not a date such as 2025-12-31"


def _day(value: Value) -> str:
    if not isinstance(value, str):
        return f"is {shown(value)}, not a day such as 2025, 2025-03 or 2025-03-31"
    try:
        read_day(value)
    except RefusedWrite as error:
        return f"is {shown(value)}: {error}"
    return ""


def _entity(value: Value) -> str:
    if not isinstance(value, str):
        return f"is {shown(value)}, not an entity: @symbol, LEI, UUID or slug"
    if _LIKE_LEI.fullmatch(value):
        return _lei(value)
    known = _UUID.fullmatch(value) or _SLUG.fullmatch(value)
    return "" if known else f"is {shown(value)}, neither an LEI, a UUID nor a slug"


_TYPES: dict[str, Callable[[Value], str]] = {
    "string": _string,
    "integer": _integer,
    "decimal": _decimal,
    "boolean": _boolean,
    "lei": _lei,
    "isin": _isin,
    "jurisdiction": _jurisdiction,
    "date": _date,
    "day": _day,
    "entity": _entity,
}
