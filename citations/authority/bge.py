"""Does a BGE exist? What is known without a list, and what the list of all start pages decides.

The volume is the year less 1874. Divisions came and went: Ia and Ib stand only in volumes 98-120, II begins with 24,
III with 40, IV with 68, V with 96, and there never was a VI. A page between two starts is plausible and not proven.
The list is that of the official collection by volume and division; its newest volumes are open.
"""

import bisect
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, TypeAlias

Status: TypeAlias = Literal["start", "interior", "nonexistent", "undecidable"]
FIRST_YEAR = 1874
DIVISIONS: dict[str, tuple[tuple[int, int], ...]] = {
    "I": ((1, 97), (121, 9999)),
    "Ia": ((98, 120),),
    "Ib": ((98, 120),),
    "II": ((24, 9999),),
    "III": ((40, 9999),),
    "IV": ((68, 9999),),
    "V": ((96, 9999),),
}
_LOCUS = re.compile(r"BGE (\d+) ([IVX]+[ab]?) (\d+)")
_NEAREST = 3
MAX_PAGE = 1_200  # no volume of 152 has a page 1,059


@dataclass(frozen=True)
class Existence:
    """``reason`` names the part that is impossible: volume, division or page; suggestions are only that."""

    status: Status
    reason: str | None = None
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Series:
    """The start pages of one volume and division, and the length of its longest decision in pages."""

    starts: tuple[int, ...]
    window: int


@dataclass(frozen=True)
class BgeIndex:
    """All series by (volume, division); ``newest`` is the newest volume of the list, open like the one before it."""

    newest: int
    series: Mapping[tuple[int, str], Series] = field(default_factory=dict)

    def find(self, normalized: str, *, today: date) -> Existence:
        """What is known of ``BGE 145 III 229``; a Roman volume of before 1898 is not decided."""
        found = _LOCUS.fullmatch(normalized)
        if not found:
            return Existence("undecidable")
        volume, division, page = int(found[1]), found[2], int(found[3])
        impossible = implausible(volume, division, page, today=today)
        if impossible:
            near = self._near if impossible == "page" else self._elsewhere
            return Existence("nonexistent", impossible, near(volume, division, page))
        series = self.series.get((volume, division))
        if series is None or (volume >= self.newest - 1 and page > series.starts[-1]):
            return Existence("undecidable")
        return self._within(volume, division, page, series)

    def _within(self, volume: int, division: str, page: int, series: Series) -> Existence:
        position = bisect.bisect_right(series.starts, page)
        if position and series.starts[position - 1] == page:
            return Existence("start")
        if not position or page > series.starts[-1] + series.window:
            return Existence("nonexistent", "page", self._near(volume, division, page))
        return Existence("interior", None, self._near(volume, division, page))

    def bounds(self, normalized: str) -> tuple[int, int] | None:
        """The first page of the decision that a page lies in, and the last that it can reach; None when unknown."""
        found = _LOCUS.fullmatch(normalized)
        series = self.series.get((int(found[1]), found[2])) if found else None
        if found is None or series is None:
            return None
        position = bisect.bisect_right(series.starts, int(found[3]))
        following = series.starts[position : position + 1]
        if not position or (not following and int(found[1]) >= self.newest - 1):
            return None
        begins = series.starts[position - 1]
        return begins, following[0] if following else begins + series.window

    def _near(self, volume: int, division: str, page: int) -> tuple[str, ...]:
        series = self.series.get((volume, division))
        starts = series.starts if series else ()
        nearest = sorted(starts, key=lambda start: (abs(start - page), start))[:_NEAREST]
        near = [f"BGE {volume} {division} {start}" for start in sorted(nearest)]
        elsewhere = self._elsewhere(volume, division, page)
        same = [one for one in elsewhere if one.startswith(f"BGE {volume} ")]
        return tuple(dict.fromkeys([*same, *near, *elsewhere]))

    def _elsewhere(self, volume: int, division: str, page: int) -> tuple[str, ...]:
        """The same page in another division of the volume, or in this division one digit of the volume away."""
        same = [(volume, other) for other in DIVISIONS if other != division]
        digits = [(other, division) for other in _one_digit(volume)]
        return tuple(
            f"BGE {number} {other} {page}"
            for number, other in (*same, *digits)
            if (series := self.series.get((number, other))) and page in series.starts
        )


def _one_digit(number: int) -> list[int]:
    written = str(number)
    return [
        int(written[:at] + digit + written[at + 1 :])
        for at in range(len(written))
        for digit in "0123456789"
        if digit != written[at]
    ]


def newest_volume(today: date) -> int:
    """The volume of the year."""
    return today.year - FIRST_YEAR


def implausible(volume: int, division: str, page: int = 1, *, today: date) -> str | None:
    """The part that cannot be, or None; the volume of the next year may be cited before its year."""
    if not 1 <= volume <= newest_volume(today) + 1:
        return "volume"
    eras = DIVISIONS.get(division, ())
    if not any(first <= volume <= last for first, last in eras):
        return "division"
    return None if 1 <= page <= MAX_PAGE else "page"


def read_index(document: Any) -> BgeIndex:
    """``{"max_volume": 152, "families": {"145|III": {"starts": [...], "window": 30}}}``; raises ValueError."""
    try:
        series = {
            _family(key): Series(tuple(sorted(map(int, value["starts"]))), int(value["window"]))
            for key, value in document["families"].items()
            if value["starts"]
        }
        return BgeIndex(int(document["max_volume"]), series)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"this is no index of BGE series: {error!r}") from error


def _family(key: str) -> tuple[int, str]:
    volume, _, division = key.partition("|")
    half = division[-1:].lower() if division[-1:] in "ABab" and division[:1] == "I" else ""
    return int(volume), (division[:-1] if half else division) + half
