"""Limits of a parameter's value besides its type: format, pattern, range. Suggests corrections."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from entities.gleif.jurisdictions import is_jurisdiction, meant_jurisdictions
from entities.lei import check_format, is_valid, normalise, repairs
from research.jsontext import Json
from research.macros.definition import Parameter

MAX_OFFERED = 3
MAX_WRITTEN = 200
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DASH = re.compile(r"\s*[-_\u2010-\u2015\u2212]\s*")
_YEAR = re.compile(r"(?!0000)[0-9]{4}")


def _is_day(text: str) -> bool:
    try:
        return bool(_DAY.fullmatch(text) and date.fromisoformat(text))
    except ValueError:
        return False


_FORMS: dict[str, tuple[Callable[[str], bool], str]] = {
    "date": (_is_day, "a day such as 2015-01-31"),
    "date-or-year": (
        lambda text: _is_day(text) or bool(_YEAR.fullmatch(text)),
        "a day such as 2015-01-31, or a year",
    ),
    "lei": (is_valid, "an LEI of 20 characters with right check digits"),
    "jurisdiction": (is_jurisdiction, "an ISO code such as DE or US-DE"),
}
_WRITTEN: dict[str, Callable[[str], str]] = {
    "lei": normalise,
    "jurisdiction": lambda text: _DASH.sub("-", text.strip()).upper(),
}
PATTERNS = {"lei": "^[A-Z0-9]{18}[0-9]{2}$", "jurisdiction": "^[A-Z]{2}(-[A-Z0-9]{1,3})?$"}


def plain(parameter: Parameter, value: Json) -> Json:
    """The value in its normal form: without blanks and dashes, in capitals.

    What that does not make right stays as it was typed, so that the refusal shows it.
    """
    if isinstance(value, list):
        return [plain(parameter, item) for item in value]
    if not isinstance(value, str) or not parameter.format:
        return value
    fits = _FORMS[parameter.format][0]
    meant = _WRITTEN.get(parameter.format, str.strip)(value[:MAX_WRITTEN])
    return meant if not fits(value) and fits(meant) else value


def limit_fault(parameter: Parameter, value: Json) -> str:
    """Why a value of the right type is invalid, or an empty text. Checks each item of a list."""
    if parameter.type != "array":
        return _fault(parameter, value)
    if len(value) < parameter.min_items:
        return f"must have at least {parameter.min_items} item{'s' * (parameter.min_items != 1)}"
    return next((f"each {fault}" for item in value if (fault := _fault(parameter, item))), "")


def _fault(parameter: Parameter, value: Json) -> str:
    if parameter.format or parameter.pattern:
        if not isinstance(value, str):
            return "must be text"
        return _form_fault(parameter.format, value) or _pattern_fault(parameter.pattern, value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = parameter.minimum, parameter.maximum
        fits = (low is None or value >= low) and (high is None or value <= high)
        if fits:
            return ""
        if low is None or high is None:
            return f"must be {f'at least {low}' if high is None else f'at most {high}'}, not {shown(value)}"
        return f"must be from {low} to {high}, not {shown(value)}"
    return ""


def _form_fault(form: str, text: str) -> str:
    if not form or _FORMS[form][0](text):
        return ""
    offered = _meant(form, text[:200])
    hint = f"; did you mean {' or '.join(offered)}?" if offered else ""
    return f"must be {_FORMS[form][1]}, not {shown(text)}{hint}"


def _meant(form: str, text: str) -> list[str]:
    """A suggestion of the intended value."""
    if form == "jurisdiction":
        return meant_jurisdictions(text)[:MAX_OFFERED]
    if form == "lei":
        found = check_format(text)
        return [found.lei] if found.ok else repairs(text)[:MAX_OFFERED]
    return []


def _pattern_fault(pattern: str, text: str) -> str:
    if not pattern or re.search(pattern, text):
        return ""
    if pattern == r"\w":
        return f"must have a letter or a digit, not {shown(text)}"
    return f"must match the pattern {pattern}, not {shown(text)}"


def shown(value: Any) -> str:
    """The value for a message: short, and safe for any value."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
