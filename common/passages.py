"""Finding a quote in a text, however it was set: line breaks, quotation marks, dashes, ligatures, hyphenation.

Both are brought to one plain form that remembers where each character came from, so that what is found can be shown in
the original. What is not there word for word is looked for nearby: where the rarest words of the quote stand.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from common.likeness import Indel, fuzz
from common.wording import difference, differing_words, written_numbers

How: TypeAlias = Literal["exact", "case", "spacing", "spelled", "similar", "changed"]

MAX_QUOTE = 5_000
SIMILAR = 0.80  # below that a passage is not the one that was meant
ROUGHLY = 0.70  # of a first look, before the passage is fitted
MIN_SAME = 4  # letters that a stretch must share to be where a passage begins or ends
MAX_WORDS, MAX_ANCHORS, MAX_PLACES, MAX_WINDOWS = 40, 12, 60, 6
MIN_ANCHOR = 4  # letters

# What is taken over as it is; every other stretch goes through _plain. Latin-1 letters, Greek, Cyrillic, kana, kanji.
_ODD = re.compile(
    r"(?:[A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff][\u0300-\u036f]+"
    r"|(?<=[^\W\d_])[-\u00ad\u2010\u2011][ \t]*\r?\n\s*(?:\[Page \d{1,5}\]\s*)?(?=[^\W\d_])"
    r"|\s*\n\[Page \d{1,5}\]\s*"  # where a page of a PDF begins (research/web/extract.py)
    r"|\s{2,}"
    r"|[^ -&(-~\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff\u3041-\u30ff\u4e00-\u9fff])"
)
_ESCAPE = re.compile(r'\\(?:["\\/nrtbf])')
_QUOTES = dict.fromkeys("'‘’‚‛“”„‟«»‹›″′`´＂＇", '"')
_DASHES = dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
_NOTHING = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f")
_LOOSE = re.compile(r'[\s"]+|(?<=[^\W\d_])-(?=[^\W\d_])')
_AROUND = ' "'
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Passage:
    """Where a quote stands: code points of the original text, ``score`` from 0 to 1.

    ``spelled`` has the same words in another spelling, ``similar`` has other words; ``changed`` means that the passage
    is the one that was meant, but the quote has another number, month, currency or negation.
    """

    start: int
    end: int
    how: How
    score: float = 1.0


class Plain:
    """A text in plain form. ``at(i)`` is where the i-th character of the plain text began in the original."""

    def __init__(self, text: str, *, json: bool = False) -> None:
        pieces: list[str] = []
        self._plain: list[int] = []  # where a piece begins in the plain text …
        self._original: list[int] = []  # … and in the original
        self._ends: list[int] = []  # where it ends there
        self._steps: list[
            int
        ] = []  # 1 where the piece is as in the original, 0 where it stands for one place
        length = 0
        for piece, start, end, step in _pieces(text, json):
            self._plain.append(length)
            self._original.append(start)
            self._ends.append(end)
            self._steps.append(step)
            pieces.append(piece)
            length += len(piece)
        self.text = "".join(pieces)
        self._length = len(text)

    def at(self, index: int) -> int:
        """The original position of a position in the plain text; its end is the end."""
        if index >= len(self.text):
            return self._length
        piece = bisect_right(self._plain, index) - 1
        return self._original[piece] + self._steps[piece] * (index - self._plain[piece])

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original that a stretch of the plain text stands for."""
        if end <= start:
            return self.at(start), self.at(start)
        # a letter and its accents are one place and end together
        last = bisect_right(self._plain, end - 1) - 1
        return self.at(start), self.at(end - 1) + 1 if self._steps[last] else self._ends[last]


class Searched:
    """A text in which several quotes are looked for. What a quote needs of it is made when it is first needed."""

    def __init__(self, text: str, *, json: bool = False) -> None:
        self.text = text
        self.plain = Plain(text, json=json)
        self._lower: str | None = None
        self._tight: tuple[str, list[tuple[int, int]]] | None = None

    @property
    def lower(self) -> str:
        if self._lower is None:
            self._lower = _lower(self.plain.text)
        return self._lower

    def find(self, quote: str, start: int = 0) -> Passage | None:
        """The passage that a quote means, from ``start`` (of the original) on; None when there is none."""
        wanted = Plain(quote[:MAX_QUOTE]).text.strip(_AROUND)
        return self.find_exact(quote, start) or (
            self._similar(_lower(wanted), self._from(start)) if wanted else None
        )

    def find_exact(self, quote: str, start: int = 0) -> Passage | None:
        """The passage that has the same letters, digits and signs as the quote, however it is set."""
        wanted = Plain(quote[:MAX_QUOTE]).text.strip(_AROUND)
        if not wanted:
            return None
        begin = self._from(start)
        return (
            self._same(self.plain.text, wanted, begin, "exact")
            or self._same(self.lower, _lower(wanted), begin, "case")
            or self._loose(wanted, begin)
        )

    def holds_value(self, quote: str) -> bool:
        """Is the quote a whole value of a JSON text?"""
        wanted = Plain(quote[:MAX_QUOTE]).text.strip(_AROUND)
        return bool(wanted) and f'"{_lower(wanted)}"' in self.lower

    def _from(self, start: int) -> int:
        if start <= 0:
            return 0
        low, high = 0, len(self.plain.text)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.plain.at(middle) < start else (low, middle)
        return low

    def _same(self, text: str, wanted: str, begin: int, how: How) -> Passage | None:
        found = text.find(wanted, begin)
        return None if found < 0 else Passage(*self.plain.span(found, found + len(wanted)), how)

    def _loose(self, wanted: str, begin: int) -> Passage | None:
        """The same letters, digits and signs, whatever the blanks, quotation marks and hyphens between them."""
        tight_wanted, _ = _tight(_lower(wanted))
        if not tight_wanted:
            return None
        if self._tight is None:
            self._tight = _tight(self.lower)
        text, places = self._tight
        found = text.find(tight_wanted, _back(places, begin))
        if found < 0:
            return None
        first, last = _forth(places, found), _forth(places, found + len(tight_wanted) - 1)
        return Passage(*self.plain.span(first, last + 1), "spacing")

    def _similar(self, wanted: str, begin: int) -> Passage | None:
        best: Passage | None = None
        for first, last in self._windows(wanted, begin):
            window = self.lower[first:last]
            aligned = fuzz.partial_ratio_alignment(wanted, window, score_cutoff=100 * ROUGHLY)
            if aligned is None:
                continue
            start, end, score = _fitted(wanted, window, aligned.dest_start, aligned.dest_end)
            if score < SIMILAR or (best and score <= best.score):
                continue
            how = difference(wanted, window[start:end])
            best = Passage(*self.plain.span(first + start, first + end), how, round(score, 4))
        return best

    def _windows(self, wanted: str, begin: int) -> Iterator[tuple[int, int]]:
        """Where the words of the quote stand together, a rare one saying more than a common one."""
        step = max(64, len(wanted) // 2)
        votes: Counter[int] = Counter()
        for place, found, weight in self._anchors(wanted, begin):
            votes[max(found - place, 0) // step] += weight
        for bucket, _ in sorted(votes.items(), key=lambda item: (-item[1], item[0]))[:MAX_WINDOWS]:
            first = max(begin, (bucket - 1) * step)
            yield first, min(len(self.lower), (bucket + 2) * step + len(wanted))

    def _anchors(self, wanted: str, begin: int) -> Iterator[tuple[int, int, int]]:
        """(where in the quote, where in the text, how much it says) for the rarest words of the quote."""
        words = {found[0]: found.start() for found in _WORD.finditer(wanted)}
        telling = [word for word in words if len(word) >= MIN_ANCHOR or not word.isascii()]
        longest = sorted(telling, key=len, reverse=True)[:MAX_WORDS]
        counted = sorted((self.lower.count(word, begin), word) for word in longest)
        for count, word in [item for item in counted if item[0]][:MAX_ANCHORS]:
            found = begin - 1
            for _ in range(MAX_PLACES):
                found = self.lower.find(word, found + 1)
                if found < 0:
                    break
                yield words[word], found, 1_000_000 // count


def _pieces(text: str, json: bool) -> Iterator[tuple[str, int, int, int]]:
    """(plain text, where it began, where it ended, 1 when it is as in the original)."""
    at = 0
    odd = re.compile(f"{_ESCAPE.pattern}|{_ODD.pattern}") if json else _ODD
    for found in odd.finditer(text):
        start, end = found.span()
        if start > at:
            yield text[at:start], at, start, 1
        plain = " " if found[0].isspace() else _plain(found[0], json)
        if plain:
            yield plain, start, end, 0
        at = end
    if at < len(text):
        yield text[at:], at, len(text), 1


@lru_cache(maxsize=10_000)
def _plain(odd: str, json: bool) -> str:
    if json and len(odd) == 2 and odd[0] == "\\":
        return " " if odd[1] in "nrtbf" else ('"' if odd[1] == '"' else odd[1])
    if odd[0] in "-\u00ad\u2010\u2011" and len(odd) > 1:
        return ""  # a word that was divided at the end of a line
    if odd[0].isspace():
        return " "  # between two pages
    plain = unicodedata.normalize("NFKC", odd)
    return "".join(_letter(letter) for letter in plain)


def _letter(letter: str) -> str:
    if letter in _NOTHING:
        return ""
    if letter.isspace():
        return " "
    return _QUOTES.get(letter) or _DASHES.get(letter) or letter


def _lower(text: str) -> str:
    """Small letters, one for one."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def _tight(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without what is loose, and where each piece of it begins: (in the tight text, in the text)."""
    pieces, places, length, at = [], [], 0, 0
    for found in _LOOSE.finditer(text):
        if found.start() > at:
            places.append((length, at))
            pieces.append(text[at : found.start()])
            length += found.start() - at
        at = found.end()
    if at < len(text):
        places.append((length, at))
        pieces.append(text[at:])
    return "".join(pieces), places


def _forth(places: list[tuple[int, int]], index: int) -> int:
    tight, text = places[bisect_right(places, (index, 1 << 62)) - 1]
    return text + index - tight


def _back(places: list[tuple[int, int]], begin: int) -> int:
    """The first place of the tight text that does not stand before ``begin``."""
    if begin <= 0:
        return 0
    piece = bisect_right(places, begin, key=lambda pair: pair[1]) - 1
    return places[piece][0] + max(0, begin - places[piece][1]) if piece >= 0 else 0


def _fitted(wanted: str, window: str, start: int, end: int) -> tuple[int, int, float]:
    """The stretch around a rough alignment that fits best, in whole words, and how well it fits."""
    room = max(20, len(wanted) // 4)
    first, last = max(0, start - room), min(len(window), end + room)
    same = [block for block in Indel.opcodes(wanted, window[first:last]) if block.tag == "equal"]
    long = [block for block in same if block.src_end - block.src_start >= MIN_SAME] or same
    start, end = first + long[0].dest_start, first + long[-1].dest_end
    start, end = max(first, start - long[0].src_start), min(last, end + len(wanted) - long[-1].src_end)
    while start > 0 and window[start - 1].isalnum() and window[start].isalnum():
        start -= 1
    while end < len(window) and window[end - 1].isalnum() and window[end].isalnum():
        end += 1
    return start, end, Indel.normalized_similarity(wanted, window[start:end])


def differing_numbers(quote: str, passage: str) -> tuple[list[str], list[str]]:
    """The numbers that only the quote has, and those that only the passage has, as they are written."""
    ours, theirs = written_numbers(Plain(quote).text), written_numbers(Plain(passage).text)
    return [ours[n] for n in ours if n not in theirs], [theirs[n] for n in theirs if n not in ours]


def other_words(quote: str, passage: str) -> list[tuple[str, str]]:
    """What the quote says and what the passage says in its place; either may be empty."""
    return differing_words(*(_lower(Plain(text).text.strip(_AROUND)) for text in (quote, passage)))
