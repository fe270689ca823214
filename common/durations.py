"""Lengths of time as people write them: ``7 days``, ``12 h``, ``1 day 6 hours``."""

import re
from decimal import Decimal

UNITS = {"week": 604_800, "day": 86_400, "hour": 3_600, "minute": 60, "second": 1}
_SHORT = {"w": "week", "d": "day", "h": "hour", "hr": "hour", "m": "minute", "min": "minute", "s": "second"}
_SHORT |= {"sec": "second"}
# 7,000 and 7.000 are seven thousand to one and seven to another, so they are neither
_PART = re.compile(r"([0-9]{1,9}(?:[.,](?![0-9]{3}(?![0-9]))[0-9]{1,6})?)\s*([a-z]+)\.?\s*(?:,|and\b)?\s*")
EXAMPLES = "7 days, 12 h or 30 min"


class NotADuration(ValueError):
    """The text is no length of time; the message is a sentence for whoever typed it."""


def seconds_in(text: str) -> int:
    """How many seconds a text means. Raises NotADuration, also for a number without a unit."""
    asked = " ".join(text.lower().split())
    if re.fullmatch(r"[0-9.,]+", asked):
        raise NotADuration(f"Say in what: {asked[:20]} days, {asked[:20]} h or {asked[:20]} min.")
    total, at = Decimal(0), 0
    while part := _PART.match(asked, at):
        total += Decimal(part[1].replace(",", ".")) * UNITS[_unit(part[2])]
        at = part.end()
    if at != len(asked) or not asked:
        raise NotADuration(f"“{text.strip()[:40]}” is no length of time; write {EXAMPLES}.")
    if total != int(total):
        raise NotADuration("Write whole seconds, minutes, hours or days.")
    return int(total)


def in_words(seconds: int) -> str:
    """All of it: 604800 as ``7 days``, 5400 as ``1 hour 30 minutes``."""
    said, left = [], seconds
    for unit in ("day", "hour", "minute", "second"):
        many, left = divmod(left, UNITS[unit])
        if many:
            said.append(_many(str(many), unit))
    return " ".join(said) or "0 seconds"


def roughly(seconds: int) -> str:
    """In one unit: 5400 as ``1.5 hours``, 700000 as ``8.1 days``."""
    for unit in ("day", "hour", "minute"):
        if seconds >= UNITS[unit]:
            return _many(f"{seconds / UNITS[unit]:.1f}".removesuffix(".0"), unit)
    return _many(str(seconds), "second")


def _many(number: str, unit: str) -> str:
    return f"{number} {unit}{'' if number == '1' else 's'}"


def _unit(word: str) -> str:
    name = word.removesuffix("s") if len(word) > 2 else word  # "ms" is not several minutes
    name = _SHORT.get(name, name)
    if name not in UNITS:
        raise NotADuration(f"“{word[:20]}” is no unit of time; write {EXAMPLES}.")
    return name
