"""The table of legal terms: concepts with domain and words in four languages, found in any text."""

import csv
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from citations.mention import LANGUAGES, Language

TABLE = Path(__file__).parent / "terms.csv"
ENDING = 3  # extra letters of an inflected form: Werkvertrags, contrats, mandati
MIN_INFLECTED = 4  # shorter entries match only exactly
HEAD = 3  # letters of the index key
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Concept:
    """``words`` are its names by language, the usual one first. ``provision`` is its main article, if any."""

    domain: str
    words: Mapping[Language, tuple[str, ...]]
    provision: str

    @property
    def name(self) -> str:
        """The English name, used wherever a concept is named outside a text."""
        return self.words["en"][0]

    def term(self, language: str) -> str:
        """The usual word in a language."""
        return next((names[0] for key, names in self.words.items() if key == language), self.name)


@dataclass(frozen=True)
class Hit:
    """A concept in a text: words ``start`` to ``end`` (exclusive), ``written`` in these languages."""

    concept: Concept
    start: int
    end: int
    written: Mapping[str, str] = field(default_factory=dict)

    def term(self, language: str) -> str:
        """The matching word in the table's spelling. For a language without a match, the usual word."""
        return self.written.get(language) or self.concept.term(language)


@dataclass(frozen=True)
class _Entry:
    concept: Concept
    language: Language
    name: str
    words: tuple[str, ...]


def words_of(text: str) -> list[str]:
    """The words of a text in lower case. Apostrophes and hyphens separate words."""
    return _WORD.findall(text.casefold())


@lru_cache(maxsize=1)
def concepts() -> tuple[Concept, ...]:
    """The whole table in order."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(_concept(row) for row in csv.DictReader(file, delimiter=";"))


def find_concepts(text: str) -> list[Hit]:
    """The concepts of a text in order. The longest of overlapping ones wins; each concept is listed once."""
    words = words_of(text)
    hits = [hit for at in range(len(words)) for hit in _at(words, at)]
    hits.sort(key=lambda hit: (hit.start - hit.end, hit.start))
    kept: list[Hit] = []
    taken: set[int] = set()
    for hit in hits:
        span = range(hit.start, hit.end)
        if not taken & set(span):
            taken.update(span)
            kept.append(hit)
    hits = sorted(kept, key=lambda hit: hit.start)
    found: dict[str, Hit] = {}
    for hit in hits:
        found.setdefault(hit.concept.name, hit)
    return list(found.values())


def named(name: str) -> Concept | None:
    """The concept with this name or word, in any language."""
    wanted = tuple(words_of(name))
    return next((entry.concept for entry in _entries()[name_head(wanted)] if entry.words == wanted), None)


def name_head(words: Sequence[str]) -> str:
    """The key of an entry in the index."""
    return words[0][:HEAD] if words else ""


def _at(words: Sequence[str], at: int) -> list[Hit]:
    """The longest match at a place. A word shared by languages belongs to all of them."""
    entries = [entry for entry in _entries()[words[at][:HEAD]] if _reads(entry.words, words, at)]
    longest = max((len(entry.words) for entry in entries), default=0)
    best = [entry for entry in entries if len(entry.words) == longest]
    exact = [entry for entry in best if tuple(words[at : at + longest]) == entry.words]
    best = exact or best
    if not best:
        return []
    concept = best[0].concept
    written: dict[str, str] = {
        entry.language: entry.name for entry in reversed(best) if entry.concept is concept
    }
    return [Hit(concept, at, at + longest, written)]


def _reads(entry: Sequence[str], words: Sequence[str], at: int) -> bool:
    there = words[at : at + len(entry)]
    return len(there) == len(entry) and all(map(_same, entry, there))


def _same(entry: str, word: str) -> bool:
    if word == entry:
        return True
    return len(entry) >= MIN_INFLECTED and word.startswith(entry) and len(word) - len(entry) <= ENDING


@lru_cache(maxsize=1)
def _entries() -> defaultdict[str, list[_Entry]]:
    found: defaultdict[str, list[_Entry]] = defaultdict(list)
    for concept in concepts():
        for language in LANGUAGES:
            for name in concept.words[language]:
                words = tuple(words_of(name))
                found[name_head(words)].append(_Entry(concept, language, name, words))
    return found


def _concept(row: Mapping[str, str]) -> Concept:
    words = {language: tuple(row[language].split("|")) for language in LANGUAGES}
    return Concept(row["domain"], words, row["provisions"])
