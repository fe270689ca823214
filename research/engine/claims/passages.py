"""Select the passages of a long text that concern a claim, by shared words and mainly by figures."""

import math
import re
from collections.abc import Collection, Iterable, Mapping

WINDOW = 800
MAX_WINDOWS = 3
MAX_TEXT = 400_000
_WORD = re.compile(r"\w[\w.,’'-]*\w|\w")
_BREAK = re.compile(r"\n\s*\n|(?<=[.!?])\s+")


def passages(text: str, claim: str, *, limit: int = MAX_WINDOWS) -> list[str]:
    """The windows that share most with the claim, in text order. A short text is one window."""
    windows = _windows(text)
    if len(windows) <= limit:
        return windows
    ranked = sorted(range(len(windows)), key=lambda place: -nearness(windows[place], claim))
    return [windows[place] for place in sorted(ranked[:limit])]


def nearness(text: str, claim: str) -> float:
    """Share of a claim's words and figures that a text contains, 0 to 1."""
    return _overlap(_terms(text), claim)


class Shelf:
    """Texts by number, with their words indexed once."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        self.texts = {number: text[:MAX_TEXT] for number, text in texts.items()}
        self._terms = {number: _terms(text) for number, text in self.texts.items()}

    def nearest(self, claim: str, *, without: Collection[int], limit: int) -> list[int]:
        """The numbers of the other texts nearest to the claim, nearest first."""
        others = [number for number in self.texts if number not in without]
        return sorted(others, key=lambda number: (-_overlap(self._terms[number], claim), number))[:limit]


def _overlap(held: set[str], claim: str) -> float:
    wanted = _terms(claim)
    if not wanted:
        return 0.0
    return sum(_weight(term) for term in wanted if term in held) / sum(map(_weight, wanted))


def _windows(text: str) -> list[str]:
    found, current = [], ""
    for part in _pieces(text):
        if current and len(current) + len(part) > WINDOW:
            found.append(current)
            current = ""
        current = f"{current} {part}".strip()
    return [*found, current] if current else found


def _pieces(text: str) -> Iterable[str]:
    for part in _BREAK.split(text):
        if part.strip():
            yield from (part[at : at + WINDOW].strip() for at in range(0, len(part), WINDOW))


def _terms(text: str) -> set[str]:
    return {word.lower().strip(".,'’-") for word in _WORD.findall(text)}


def _weight(term: str) -> float:
    if any(char.isdigit() for char in term):
        return 3.0
    return math.log(1 + len(term)) if len(term) > 2 else 0.1
