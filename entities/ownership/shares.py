"""A share in percent as an interval, because registers publish bands: more than 25, up to 50 percent."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import reduce
from typing import Literal, TypeAlias

Answer: TypeAlias = Literal["met", "not met", "undecided"]

ZERO, HUNDRED = Decimal(0), Decimal(100)
PLACES = Decimal("1e-12")  # holdings are computed with 40 digits; what is beyond these is rounding
MAX_DIGITS = 30
BAND = ("more_than", "at_least", "less_than", "at_most")


class BadShare(ValueError):
    """A share that cannot be; the message is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class Share:
    """From ``low`` to ``high`` percent. An open end does not belong to it: ``low_open`` means "more than low".

    Raises BadShare for an interval that has no value, or one outside 0 to 100.
    """

    low: Decimal = ZERO
    high: Decimal = HUNDRED
    low_open: bool = False
    high_open: bool = False

    def __post_init__(self) -> None:
        if not ZERO <= self.low <= HUNDRED or not ZERO <= self.high <= HUNDRED:
            raise BadShare(f"A share of {self} is not between 0 and 100 percent.")
        if self.low > self.high or (self.low == self.high and (self.low_open or self.high_open)):
            raise BadShare(f"No share is {self}.")

    @classmethod
    def exactly(cls, value: Decimal | int | str) -> "Share":
        """The one value, in percent. Raises BadShare for what is no number from 0 to 100."""
        number = decimal_of(value)
        return cls(number, number)

    @classmethod
    def of_bods(cls, given: Mapping[str, object]) -> "Share":
        """A share as BODS 0.4 states it: ``exact``, or a range whose ends may be exclusive. Raises BadShare.

        The schema of BODS allows an exact value beside a range, two lower ends, and a minimum above the maximum. Here
        they are faults.
        """
        names = ("exact", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
        values = {name: decimal_of(given[name]) for name in names if given.get(name) is not None}
        if "exact" in values:
            if len(values) > 1:
                raise BadShare("A share cannot be both exact and a range.")
            return cls.exactly(values["exact"])
        for either, other in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if either in values and other in values:
                raise BadShare(f"A share cannot have both {either} and {other}.")
        if not values:
            return UNKNOWN
        return cls(
            values.get("minimum", values.get("exclusiveMinimum", ZERO)),
            values.get("maximum", values.get("exclusiveMaximum", HUNDRED)),
            "exclusiveMinimum" in values,
            "exclusiveMaximum" in values,
        )

    def as_bods(self) -> dict[str, int | float]:
        """The interval as BODS 0.4 writes it; the whole of 0 to 100 is an empty object."""
        if self.is_exact:
            return {"exact": _number(self.low)}
        share = {}
        if self.low > 0 or (self.low_open and self != UNKNOWN):
            share["exclusiveMinimum" if self.low_open else "minimum"] = _number(self.low)
        if self.high < HUNDRED or self.high_open:
            share["exclusiveMaximum" if self.high_open else "maximum"] = _number(self.high)
        return share

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @property
    def width(self) -> Decimal:
        return self.high - self.low

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{plain(self.low)} %"
        if self == UNKNOWN or (self.low == 0 and self.high == HUNDRED):
            return "unknown %"
        if self.high == HUNDRED and not self.high_open:
            return f"more than {plain(self.low)} %" if self.low_open else f"{plain(self.low)} % or more"
        if self.low == 0 and not self.low_open:
            return f"less than {plain(self.high)} %" if self.high_open else f"up to {plain(self.high)} %"
        start = f"more than {plain(self.low)}" if self.low_open else plain(self.low)
        return f"{start} to {'less than ' if self.high_open else ''}{plain(self.high)} %"

    def as_band(self) -> str:
        """The interval in few characters, for a chart: "25–50 %", "> 25 %", "40 %", "?"."""
        if self.low == self.high:
            return f"{plain(self.low)} %"
        if self.low == 0 and self.high == HUNDRED:
            return "?"
        if self.high == HUNDRED:
            return f"{'>' if self.low_open else '≥'} {plain(self.low)} %"
        return f"{plain(self.low)}–{plain(self.high)} %"

    def __add__(self, other: "Share") -> "Share":
        """The sum, which is never more than 100."""
        low, high = self.low + other.low, self.high + other.high
        return share_between(low, high, self.low_open or other.low_open, self.high_open or other.high_open)

    def meet(self, other: "Share") -> "Share | None":
        """What both say, where two sources agree; None where they cannot both be right."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        low_open = any(each.low_open for each in (self, other) if each.low == low)
        high_open = any(each.high_open for each in (self, other) if each.high == high)
        if low > high or (low == high and (low_open or high_open)):
            return None
        return Share(low, high, low_open, high_open)

    def hull(self, other: "Share") -> "Share":
        """The narrowest interval that holds both."""
        low, high = min(self.low, other.low), max(self.high, other.high)
        low_open = all(each.low_open for each in (self, other) if each.low == low)
        high_open = all(each.high_open for each in (self, other) if each.high == high)
        return Share(low, high, low_open, high_open)


UNKNOWN = Share(low_open=True)  # something, and nobody says how much
NOTHING = Share(ZERO, ZERO)


def share_between(low: Decimal, high: Decimal, low_open: bool, high_open: bool) -> Share:
    """An interval that was computed: ends beyond 0 and 100 are cut, and digits that are rounding are dropped."""
    least, most = (min(max(end, ZERO), HUNDRED).quantize(PLACES).normalize() for end in (low, high))
    least = min(least, most)
    if least == most:
        return Share(least, least)
    return Share(least, most, low_open, high_open and high <= HUNDRED)


def share_of_ends(ends: Mapping[str, Decimal]) -> Share:
    """The band with these of the four ends of BAND. Raises BadShare for a band without a value."""
    low = ends.get("more_than", ends.get("at_least", ZERO))
    high = ends.get("less_than", ends.get("at_most", HUNDRED))
    return Share(low, high, "more_than" in ends, "less_than" in ends)


def add_shares(shares: Iterable[Share]) -> Share:
    """The sum of all; nothing of none."""
    return reduce(Share.__add__, shares, NOTHING)


def compare(share: Share, limit: Decimal, *, more_than: bool) -> Answer:
    """``met`` if the least reaches the limit, ``not met`` if the most does not, ``undecided`` if the band lies across.

    With ``more_than`` the limit itself is not enough.
    """
    if share.low > limit or (share.low == limit and (share.low_open or not more_than)):
        return "met"
    if share.high > limit or (share.high == limit and not share.high_open and not more_than):
        return "undecided"
    return "not met"


def decimal_of(value: object) -> Decimal:
    """A number as a document states it. Raises BadShare for text that is no plain number, and for what has no end."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        raise BadShare(f"{str(value)[:40]!r} is not a percentage.")
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        raise BadShare(f"{str(value)[:40]!r} is not a percentage.") from None
    if (
        not number.is_finite()
        or len(number.as_tuple().digits) > MAX_DIGITS
        or abs(number.adjusted()) > MAX_DIGITS
    ):
        raise BadShare(f"{str(value)[:40]!r} is not a percentage.")
    return number


def plain(number: Decimal) -> str:
    """A number without an exponent and without zeros at its end; at most four places."""
    short = number.quantize(Decimal("0.0001")) if number >= Decimal("0.0001") else number
    text = f"{short:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)
