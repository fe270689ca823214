"""Days as people and documents state them: 2025, 2025-03 or 2025-03-31. Anything else is refused, not guessed."""

import re
from calendar import monthrange
from datetime import date

from entities.memory.base import RefusedWrite
from entities.models import Precision

FORMS = "2025, 2025-03 or 2025-03-31"
_DAY = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?", re.ASCII)


def read_day(text: str) -> tuple[date, str]:
    """The first day of what is stated, and how exactly it is. Raises RefusedWrite, which names the three forms."""
    year, month, day = _parts(text)
    precision = Precision.DAY if day else Precision.MONTH if month else Precision.YEAR
    return _made(text, year, month or 1, day or 1), precision


def last_day(text: str, today: date) -> date:
    """The day for which a report of a year, a month or a day speaks: the last one, and of what still runs, today.

    Raises RefusedWrite for what is no day, and for one in the future.
    """
    year, month, day = _parts(text)
    first = read_day(text)[0]
    if first > today:
        raise RefusedWrite(f"{text} is in the future")
    last = _made(text, year, month or 12, day or monthrange(year, month or 12)[1])
    return min(last, today)


def _parts(text: str) -> tuple[int, int, int]:
    """Year, month and day, 0 for what is not stated."""
    found = _DAY.fullmatch(text.strip())
    if found is None:
        raise RefusedWrite(f"{text[:40]!r} is not a day: write {FORMS}")
    year, month, day = (int(part or 0) for part in found.groups())
    return year, month, day


def _made(text: str, year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise RefusedWrite(f"there is no day {text[:40]!r}") from None
