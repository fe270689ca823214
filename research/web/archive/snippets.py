"""The part of a document that answers a question, with the words that were asked for."""

from collections import Counter, deque
from collections.abc import Collection
from dataclasses import dataclass

from research.web.archive.analysis import Span, term, words
from research.web.archive.stopwords import STOP_WORDS

LENGTH = 320  # characters
SEARCHED = 300_000  # characters of a document in which the part is looked for
MAX_HIGHLIGHTS = 40


@dataclass(frozen=True)
class Snippet:
    """``text`` stands at ``start`` in the document; ``ranges`` are what to highlight in it, in code points."""

    text: str
    start: int
    ranges: tuple[tuple[int, int], ...] = ()

    @property
    def parts(self) -> list[tuple[str, bool]]:
        """The text cut at its highlights: (text, is highlighted)."""
        cuts, at = [], 0
        for start, end in self.ranges:
            cuts += [(self.text[at:start], False), (self.text[start:end], True)]
            at = end
        return [part for part in (*cuts, (self.text[at:], False)) if part[0]]


def best_snippet(text: str, asked: Collection[str], language: str) -> Snippet:
    """The stretch with the most different terms of the question; the beginning when there is none."""
    hits = _hits(text[:SEARCHED], asked, language)
    first, last = _densest(hits)
    if last <= first:
        return Snippet(_cut(text, 0, LENGTH), 0)
    start, end = _around(text, hits[first][1], hits[last - 1][2])
    inside = [(a - start, b - start) for _, a, b in hits[first:last] if a >= start and b <= end]
    return Snippet(text[start:end], start, tuple(inside[:MAX_HIGHLIGHTS]))


def _hits(text: str, asked: Collection[str], language: str) -> list[Span]:
    stops = STOP_WORDS.get(language, frozenset())
    found = ((term(word, language), word, start, end) for word, start, end in words(text))
    return [(stem, start, end) for stem, word, start, end in found if stem in asked and word not in stops]


def _densest(hits: list[Span]) -> tuple[int, int]:
    """The slice of the hits that fits into a snippet and holds the most different terms, then the most."""
    best, best_value = (0, 0), (0, 0)
    window: deque[Span] = deque()
    inside: Counter[str] = Counter()
    for last, hit in enumerate(hits, start=1):
        window.append(hit)
        inside[hit[0]] += 1
        while hit[2] - window[0][1] > LENGTH and len(window) > 1:
            gone = window.popleft()
            inside[gone[0]] -= 1
        value = (sum(count > 0 for count in inside.values()), len(window))
        if value > best_value:
            best, best_value = (last - len(window), last), value
    return best


def _around(text: str, first: int, last: int) -> tuple[int, int]:
    """Where the snippet begins and ends: room on both sides of what was found, cut between words."""
    room = max(LENGTH - (last - first), 0)
    start = max(0, first - room // 3)
    end = min(len(text), start + max(LENGTH, last - start))
    if start:
        blank = text.find(" ", start, first)
        start = blank + 1 if blank != -1 else start
    if end < len(text):
        blank = text.rfind(" ", last, end)
        end = blank if blank != -1 else end
    return start, end


def _cut(text: str, start: int, end: int) -> str:
    if len(text) <= end:
        return text[start:end]
    blank = text.rfind(" ", start, end)
    return text[start : blank if blank > start else end]
