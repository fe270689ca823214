"""Words that a page broke: without soft hyphens, signs of no width, and hyphens at the end of a line.

Grammars read the joined text; where a mention stands in the text itself is found by what was left out before it.
"""

import re
from bisect import bisect_right

from citations.mention import Mention

_SIGNS = ("\u00ad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff")
_HYPHEN = r"-\r?\n[ \t]*+(?=[a-zäöüßéèêàçô])"
_SIGN = r"[\u00ad\u200b\u200c\u200d\u2060\ufeff]++(?:[ \t]*+\r?\n[ \t]*+)?"
_HYPHENS, _ALL = re.compile(_HYPHEN), re.compile(f"{_SIGN}|{_HYPHEN}")


class Joined:
    """``text`` without what broke its words, and the way back to its offsets."""

    def __init__(self, text: str, breaks: re.Pattern[str]) -> None:
        self.text = text
        self.gaps: list[int] = []  # where something was left out, in the joined text
        self.shifts: list[int] = [0]  # how much was left out up to there
        pieces, end, length = [], 0, 0
        for found in breaks.finditer(text):
            if text[found.start()] == "-" and not text[found.start() - 1 : found.start()].islower():
                continue  # what a number ends goes on with its hyphen
            pieces.append(text[end : found.start()])
            length += found.start() - end
            end = found.end()
            self.gaps.append(length)
            self.shifts.append(end - length)
        pieces.append(text[end:])
        self.joined = "".join(pieces)

    def _start(self, at: int) -> int:
        return at + self.shifts[bisect_right(self.gaps, at)]

    def _end(self, at: int) -> int:
        return self._start(at - 1) + 1 if at else 0

    def place(self, mention: Mention) -> None:
        """Say where a mention of the joined text stands in the text itself."""
        before = bisect_right(self.gaps, mention.start)
        if mention.lead == mention.start and (before == len(self.gaps) or self.gaps[before] >= mention.end):
            shift = self.shifts[before]  # nothing was left out within
            mention.start = mention.lead = mention.start + shift
            mention.end, mention.name_end = mention.end + shift, mention.name_end + shift
            return
        mention.start, mention.end = self._start(mention.start), self._end(mention.end)
        mention.lead, mention.name_end = self._start(mention.lead), self._end(mention.name_end)
        mention.raw = self.text[mention.start : mention.end]


def joined(text: str) -> Joined | None:
    """None when nothing in the text could break a word."""
    if any(sign in text for sign in _SIGNS):
        return Joined(text, _ALL)
    return Joined(text, _HYPHENS) if "-\n" in text or "-\r\n" in text else None


def whole(text: str) -> str:
    """``text`` without what broke its words."""
    broken = joined(text)
    return broken.joined if broken else text
