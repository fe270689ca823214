"""Dates as lists know them: a year, a month or a day, about then, or between two; never a day that nobody stated.

A date is written as ISO 8601-2 has it: ``1972``, ``1972-03``, ``1972-03-08``, ``1972~`` for about, ``1970/1975`` for a
range. What a list writes otherwise is read by ``read_date``.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ABOUT = re.compile(r"\b(?:circa|approximately|approx|about|c)\b\.?|~", re.IGNORECASE)
_ISO = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:T.*|[Z+-]\d\d:?\d\d|Z)?")
_SLASHES = re.compile(r"(\d\d|dd)[/.-](\d\d|mm)[/.-](\d{4})", re.IGNORECASE)
_WORDS = re.compile(r"(?:(\d{1,2})[ -])?([A-Za-z]{3})[a-z]*\.?,?[ -](\d{4})")
_RANGE = re.compile(r"\s*(?:/|\bto\b|\band\b|–|(?<=\d{4})\s*-\s*(?=\d{4}\b))\s*", re.IGNORECASE)
ABOUT_YEARS: Final = 2  # how far "about" reaches
FIRST, LAST = 1000, 2999

SAME, NEAR, SWAPPED, OTHER_DAY, OTHER_YEAR, UNKNOWN = (
    "the same",
    "one day apart",
    "day and month swapped",
    "another day of the same year",
    "another year",
    "not known on both sides",
)
"""How two dates are to each other, the best first."""


@dataclass(frozen=True, slots=True)
class Span:
    """All days that a date may mean."""

    first: date
    last: date
    exact: date | None = None


def join_date(
    year: str | int | None,
    month: str | int | None = None,
    day: str | int | None = None,
    *,
    about: bool = False,
) -> str:
    """A date from its parts; a part that is missing, 0 or no number ends it, and "" is no year."""
    parts: list[str] = []
    for value, width in ((year, 4), (month, 2), (day, 2)):
        text = str(value or "").strip()
        if not text.isdigit() or not int(text):
            break
        parts.append(f"{int(text):0{width}}")
    written = "-".join(parts)
    if not written or span_of(written) is None:
        written = parts[0] if parts and span_of(parts[0]) else ""
    return f"{written}~" if written and about else written


def read_date(text: str) -> str:
    """A date of a list in ISO 8601-2; "" for one that cannot be read.

    Read are ISO dates with a time zone behind, "03 Mar 1972", "Mar 1972", dd/mm/yyyy with the letters dd or mm for a
    part that is unknown, two of them with "to" or "and" between, and "circa" before any. OFAC's circa and range forms
    are not verified against its specification.
    """
    plain = " ".join(text.split())
    about = bool(_ABOUT.search(plain))
    plain = _ABOUT.sub("", plain).strip(" .,;")
    if found := _single(plain):
        return f"{found}~" if about else found
    ends = [_single(part.strip(" .,;")) for part in _RANGE.split(plain, maxsplit=1)]
    if len(ends) == 2 and all(ends):
        return "/".join(sorted(ends))
    return ""


def span_of(written: str) -> Span | None:
    """The days that a date in ISO 8601-2 may mean; None for anything else."""
    first, slash, last = written.partition("/")
    if slash:
        one, other = span_of(first), span_of(last)
        return Span(one.first, other.last) if one and other and one.first <= other.last else None
    found = re.fullmatch(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(~?)", written)
    if not found or not FIRST <= int(found[1]) <= LAST:
        return None
    year, month, day = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    try:
        start = date(year, month or 1, day or 1)
    except ValueError:
        return None
    end = start if day else _end_of(year, month)
    if found[4]:
        return Span(date(year - ABOUT_YEARS, 1, 1), date(year + ABOUT_YEARS, 12, 31))
    return Span(start, end, start if day else None)


def compare_dates(ours: Iterable[str], theirs: Iterable[str]) -> tuple[str, str, str]:
    """How two sets of dates are to each other, by their best pair: (relation, ours, theirs).

    Compared at the coarser precision. 1 January says little more than the year: lists and forms write it for an unknown
    day.
    """
    order = (SAME, NEAR, SWAPPED, OTHER_DAY, OTHER_YEAR)
    best = (len(order), True, "", "")
    spans = [(written, span) for written in theirs if (span := span_of(written))]
    for written in ours:
        mine = span_of(written)
        for other, their in spans if mine else ():
            assert mine is not None  # noqa: S101 - the loop is empty otherwise
            vague = mine.exact is None or mine.exact != their.exact
            best = min(best, (order.index(_relation(mine, their)), vague, written, other))
    at, _, one, other = best
    return (order[at] if at < len(order) else UNKNOWN), one, other


def _relation(mine: Span, their: Span) -> str:
    if mine.first <= their.last and their.first <= mine.last:
        return SAME
    one, other = mine.exact, their.exact
    if one and other:
        if abs(one - other) == timedelta(days=1):
            return NEAR
        if one.year == other.year and (one.day, one.month) == (other.month, other.day):
            return SWAPPED
        if one.year == other.year and (1, 1) in ((one.day, one.month), (other.day, other.month)):
            return SAME
    years = range(their.first.year, their.last.year + 1)
    return OTHER_DAY if mine.first.year in years or mine.last.year in years else OTHER_YEAR


def _single(text: str) -> str:
    if found := _ISO.fullmatch(text):
        return join_date(found[1], found[2], found[3])
    if found := _SLASHES.fullmatch(text):
        return join_date(found[3], found[2], found[1])
    if (found := _WORDS.fullmatch(text)) and found[2].lower() in _MONTHS:
        return join_date(found[3], _MONTHS.index(found[2].lower()) + 1, found[1])
    return ""


def _end_of(year: int, month: int) -> date:
    if not month or month == 12:
        return date(year, 12, 31)
    return date(year, month + 1, 1) - timedelta(days=1)
