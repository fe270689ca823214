"""Index of what a run was told: every word of its tools' answers and of the pages it read.

Each value is kept as one line of plain words. An index says in which values a word stands, so a name is searched for
only in the values that have its rarest word.

An answer does not vouch for the words of its own question. A register that is asked for "Peerlight Holding SE" and has
nothing repeats the name, and so do messages, addresses and check reports. So what a call said itself counts only in
the part of the answer that the tool says it found (``Tool.found``), and only where a value there is just that.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cached_property
from urllib.parse import unquote_plus

from entities.names.keys import words_of
from research.checks.provenance.amounts import dates_in, months_in, neighbours_in, numbers_in
from research.jsontext import Json

MAX_WORDS = 4_000_000
DOCUMENT = "$document"  # how the journal refers to an archived text
FAILED = frozenset(("failed", "error", "limitation", "not_set_up", "queries", "warnings"))
TEXTS = frozenset(("text", "title", "snippet", "excerpts", "summary", "content", "abstract", "regeste"))
_SMALL = re.compile(r"(?<![\w’'])[a-zß-öø-ÿ][^\W\d_]{2,}")
NAMES = frozenset(("name", "names", "legal_name", "legalname"))


@dataclass(frozen=True)
class Answer:
    """One answer: ``asked`` are the arguments of the call, ``found`` the parts of ``data`` that the tool found.

    ``written`` is what the run itself had put there before: of that the answer never vouches.
    """

    data: Json
    asked: Json = None
    found: Sequence[Json] = ()
    written: Json = None


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of an answer: its words, in which answer and item of a list it stands, and under which key.

    ``line`` has one blank before, between and behind its words, so that words are found as a part of it.
    """

    line: str
    size: int
    answer: int
    item: int
    key: str
    found: bool
    nested: bool  # whether the value is inside a list item


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a value in an answer."""

    answer: int
    item: int
    found: bool = False
    nested: bool = False


@dataclass
class _Taken:
    """Data collected value by value."""

    leaves: list[Leaf] = field(default_factory=list)
    texts: list[str | int | float] = field(default_factory=list)
    index: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    words: int = 0
    items: int = 0


class Corpus:
    """All answers of a run and its children, indexed by word. ``complete`` is False where there was too much."""

    def __init__(self, answers: Iterable[Answer], question: Json = None, today: date | None = None) -> None:
        self._taken = _Taken()
        self._asked: list[_Spoken] = []
        self._written: list[_Spoken] = []
        self.sizes: set[int] = set()  # lengths of the lists in the answers
        self.complete = True
        for number, answer in enumerate(answers):
            self._asked.append(_Spoken(answer.asked))
            self._written.append(_Spoken(answer.written))
            self._take(answer, number)
        self._question, self.today = _Spoken(question), today
        self._question_texts = [str(text) for text in _texts(question)]

    @property
    def anything(self) -> bool:
        """Whether the run was told anything."""
        return bool(self._taken.leaves)

    def phrase(self, words: Sequence[str]) -> Iterator[Leaf]:
        """Values that state these words in sequence and count as evidence."""
        wanted = f" {' '.join(words)} "
        for leaf in self._with_all(words):
            if wanted in leaf.line and self._vouches(leaf, words):
                yield leaf

    def begins(self, leaf: Leaf, words: Sequence[str]) -> bool:
        """Whether a value begins with these words."""
        return leaf.line.startswith(f" {' '.join(words)} ")

    def follows(self, leaf: Leaf, words: Sequence[str]) -> str:
        """The word after the first occurrence of these words in a value. Empty at its end."""
        behind = leaf.line.partition(f" {' '.join(words)} ")[2]
        return behind.split(" ", 1)[0]

    def joined(self, text: str) -> Iterator[Leaf]:
        """Values that contain these characters, ignoring blanks and dots: CHE-123.456.789."""
        divided = re.compile(f"(?<= ){' ?'.join(map(re.escape, text))}(?= )")
        begun = {
            number for end in range(1, len(text) + 1) for number in self._taken.index.get(text[:end], ())
        }
        for leaf in map(self._taken.leaves.__getitem__, sorted(begun)):
            said = divided.search(leaf.line)
            if said and self._vouches(leaf, said[0].split()):
                yield leaf

    def number(self, low: Decimal, high: Decimal) -> Iterator[Leaf]:
        """Values that state a number within these bounds."""
        values, leaves = self._numbers
        for at in range(bisect_left(values, low), bisect_right(values, high)):
            leaf = self._taken.leaves[leaves[at]]
            if self._vouches(leaf, leaf.line.split()):
                yield leaf

    def day(self, day: date) -> Iterator[Leaf]:
        """Values that state a date."""
        for at in self._dates.get(day, ()):
            leaf = self._taken.leaves[at]
            if self._vouches(leaf, words_of(day.isoformat())):
                yield leaf

    def asks(self, words: Sequence[str]) -> bool:
        """Whether the question contains these words, or their characters without separators."""
        return self._question.says(words)

    def asks_number(self, number: Decimal) -> bool:
        """Whether the question states this number."""
        return any(number in set(numbers_in(text)) for text in self._question_texts)

    def asks_day(self, day: date) -> bool:
        """Whether the question states this date."""
        return any(day in set(dates_in(text)) for text in self._question_texts)

    def neighbours(self) -> Iterator[tuple[Decimal, Decimal]]:
        """Numbers next to each other in a text."""
        for text in self._taken.texts:
            if isinstance(text, str):
                yield from neighbours_in(text)

    @cached_property
    def months(self) -> set[tuple[int, int]]:
        """Months that any value mentions."""
        return {
            month
            for text in self._taken.texts
            if isinstance(text, str) and len(text) >= 6
            for month in months_in(text)
        }

    @cached_property
    def written_small(self) -> set[str]:
        """Words that occur in lower case somewhere."""
        found: set[str] = set()
        for text in self._taken.texts:
            if isinstance(text, str):
                found.update(_SMALL.findall(text))
        return {word for one in found for word in words_of(one)}

    def columns(self) -> dict[str, list[Decimal]]:
        """The numbers of the answers by key, for sums and differences."""
        found: dict[str, list[Decimal]] = {}
        for leaf, text in zip(self._taken.leaves, self._taken.texts, strict=True):
            if isinstance(text, int | float):
                found.setdefault(f"{leaf.answer}:{leaf.key}", []).append(Decimal(str(text)))
        return found

    def _take(self, answer: Answer, number: int) -> None:
        found = {id(part) for part in answer.found}
        place = _Place(number, self._next_item(), found=id(answer.data) in found)
        stack: list[tuple[Json, str, _Place]] = [(answer.data, "", place)]
        while stack:
            value, key, place = stack.pop()
            if isinstance(value, dict | list) and id(value) in found:
                place = replace(place, found=True)
            if isinstance(value, dict) and DOCUMENT not in value:  # the text of a page is indexed as a page
                stack += [(each, str(name), place) for name, each in value.items() if name not in FAILED]
                for name in value:
                    if isinstance(value[name], dict):
                        self._add(str(name), "", place)  # some answers use names as keys
            elif isinstance(value, list):
                self.sizes.add(len(value))
                stack += [(each, key, self._item(place, each)) for each in value]
            elif isinstance(value, str | int | float) and not isinstance(value, bool):
                self._add(value, key, place)

    def _item(self, place: "_Place", value: Json) -> "_Place":
        return replace(place, item=self._next_item(), nested=True) if isinstance(value, dict) else place

    def _next_item(self) -> int:
        self._taken.items += 1
        return self._taken.items

    def _add(self, value: str | int | float, key: str, place: "_Place") -> None:
        taken = self._taken
        words = words_of(value) if isinstance(value, str) else [str(value)]
        if not words:
            return
        if taken.words + len(words) > MAX_WORDS:
            self.complete = False
            return
        taken.words += len(words)
        for word in set(words):
            taken.index[word].append(len(taken.leaves))
        line = f" {' '.join(words)} "
        taken.leaves.append(
            Leaf(line, len(words), place.answer, place.item, key.lower(), place.found, place.nested)
        )
        taken.texts.append(value)

    @cached_property
    def _numbers(self) -> tuple[list[Decimal], list[int]]:
        pairs: set[tuple[Decimal, int]] = set()
        for at, text in enumerate(self._taken.texts):
            if isinstance(text, str):
                pairs |= {(value, at) for value in numbers_in(text)}
            else:
                pairs.add((Decimal(str(text)), at))
        ordered = sorted(pair for pair in pairs if pair[0].is_finite())
        return [value for value, _ in ordered], [at for _, at in ordered]

    @cached_property
    def _dates(self) -> dict[date, list[int]]:
        found: dict[date, list[int]] = {}
        for at, text in enumerate(self._taken.texts):
            if isinstance(text, str) and len(text) >= 8:
                for day in dates_in(text):
                    found.setdefault(day, []).append(at)
        return found

    def _with_all(self, words: Sequence[str]) -> Iterator[Leaf]:
        """Values that contain the rarest of these words. Empty if any word is missing."""
        places = [self._taken.index.get(word, ()) for word in words]
        return map(self._taken.leaves.__getitem__, min(places, key=len, default=()))

    def _vouches(self, leaf: Leaf, words: Sequence[str]) -> bool:
        """Whether a value states these words itself, rather than repeating the question."""
        if self._written[leaf.answer].says(words):
            return False
        if not self._asked[leaf.answer].says(words):
            return True
        whole = leaf.size == len(words)
        return leaf.found and (whole or leaf.key in TEXTS)


class _Spoken:
    """The words of a question: each value on its own, with escapes decoded, and all values together."""

    def __init__(self, value: Json) -> None:
        parts: list[str] = []
        for text in _texts(value):
            for reading in dict.fromkeys((str(text), unquote_plus(str(text)))):
                words = words_of(reading)
                parts += [" ".join(words), "".join(words)]
        self._text = f" {' | '.join(parts)} "
        self._words = frozenset(self._text.split())

    def says(self, words: Sequence[str]) -> bool:
        """Whether the question contains these words in sequence, or their characters without separators."""
        return f" {' '.join(words)} " in self._text or "".join(words) in self._words


def addresses_in(text: str) -> Iterator[str]:
    """Normalised addresses of a text."""
    for piece in text.split():
        at = piece.lower().find("http")
        if at >= 0 and "://" in piece[at : at + 9]:
            yield same_address(piece[at:])


def same_address(url: str) -> str:
    """Without scheme, www., final slash and trailing punctuation; escapes are decoded."""
    plain = unquote_plus(url.strip().strip("<>()[]\"'.,;")).partition("#")[0]
    return plain.partition("://")[2].removeprefix("www.").rstrip("/").casefold()


def _texts(value: Json) -> Iterator[str | int | float]:
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            stack += one.values()
        elif isinstance(one, list):
            stack += one
        elif isinstance(one, str | int | float) and not isinstance(one, bool):
            yield one
