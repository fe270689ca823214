"""Finding the entries that a name may mean, without comparing it with all of them.

Every word of every listed name is kept with the names it is in, and found again by its sound and by its halves: a word
with one slip has one of its halves whole. A name is looked at when the words it shares with the query, weighed by how
rare they are, are a good part of the query. Which those are does not depend on how many are wanted.

The index is in memory, made from the current entries of the lists; it grows with the lists and not with the names that
are screened. A process makes it when it first screens, and again when a list has changed.
"""

import math
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from common.likeness import fuzz
from entities.names.keys import search_key
from entities.names.pieces import without_forms
from entities.screening.persons import LITTLE, compare_tokens, family_of
from entities.screening.records import Entry
from entities.screening.scoring import comparable, most_added, plain_number
from entities.screening.subject import Subject
from entities.screening.tokens import likeness, skeletons, spellings_of, tokens_of, without_article

SHARE = 0.4  # of the weight of the query's words that a name must share
LIKE_WORD = 0.68
LEAST_RATIO = 60.0  # companies' names less alike than this, letter by letter, are not compared further
MAX_REMEMBERED = 20_000


@dataclass(frozen=True, slots=True)
class _Name:
    """A listed name as it is compared first: of a person its words and family name, of others its key."""

    entry: int
    person: bool
    weak: bool
    tokens: tuple[str, ...]
    family: frozenset[str] = frozenset()
    key: str = ""


@dataclass(frozen=True, slots=True)
class _Query:
    """A name of the subject, read once for all that it is compared with."""

    person: tuple[str, ...]
    company: tuple[str, ...]
    key: str


class ListIndex:
    """The names and numbers of entries, which are known by any whole number."""

    def __init__(self, entries: Iterable[tuple[int, Entry]]) -> None:
        self._names: list[_Name] = []
        self._kinds: dict[int, str] = {}
        self._postings: dict[str, array[int]] = {}
        self._alike: dict[str, list[str]] = {}
        self._numbers: dict[str, list[int]] = {}
        self._similar: dict[str, tuple[str, ...]] = {}
        for number, entry in entries:
            self._add(number, entry)

    def __len__(self) -> int:
        return len(self._kinds)

    def candidates(self, subject: Subject, threshold: float) -> list[int]:
        """Entries whose score for the subject may reach the threshold, the best names first."""
        best: dict[int, float] = {}
        least = threshold - most_added(subject)
        for identifier in subject.identifiers:
            for entry in self._numbers.get(plain_number(identifier.number), ()):
                best[entry] = 100.0
        for name in subject.names:
            query = _Query(tokens_of(name), company_tokens(name), search_key(name))
            for at in self._near(query, subject.kind, two_words=least > LITTLE):
                listed = self._names[at]
                if not comparable(subject.kind, self._kinds[listed.entry]):
                    continue
                score = _score(query, listed)
                if score >= least and score > best.get(listed.entry, 0.0):
                    best[listed.entry] = score
        return sorted(best, key=lambda entry: -best[entry])

    def _add(self, number: int, entry: Entry) -> None:
        self._kinds[number] = entry.kind
        person = entry.kind == "person"
        for name in entry.names:
            tokens = tokens_of(name.text) if person else company_tokens(name.text)
            family = family_of(name) if person else frozenset()
            key = "" if person else search_key(name.text)
            at = len(self._names)
            self._names.append(_Name(number, person, name.weak, tokens, family, key))
            for token in dict.fromkeys([*tokens, *_joined(tokens)]):
                if token not in self._postings:
                    self._postings[token] = array("I")
                    for key in _keys(token):
                        self._alike.setdefault(key, []).append(token)
                self._postings[token].append(at)
        for identifier in entry.identifiers:
            plain = plain_number(identifier.number)
            if len(plain) >= 5:
                self._numbers.setdefault(plain, []).append(number)

    def _near(self, name: _Query, kind: str, *, two_words: bool) -> Iterator[int]:
        """Listed names that share enough with a name, read as that of a person, a company or both."""
        if kind != "entity":
            yield from self._sharing(name.person, two_words=two_words)
        if kind != "person":
            yield from self._sharing(name.company, two_words=False)

    def _sharing(self, tokens: tuple[str, ...], *, two_words: bool) -> list[int]:
        """Names by the weight they share. The rarest words choose names, the others only add to those.

        ``two_words`` leaves out names of several words that share one: their score is too low whatever else is known.
        """
        initials = sum(len(token) == 1 for token in tokens)  # they are in no index, and two count as a word
        two_words = two_words and len(tokens) > 1 and initials < 2
        weighed = []
        for token in dict.fromkeys(tokens):
            similar = self._similar_to(token)
            found = sum(len(self._postings[other]) for other in similar)
            weighed.append((math.log(1 + len(self._names) / (1 + found)), similar))
        total = sum(weight for weight, _ in weighed)
        weighed.sort(key=lambda pair: -pair[0])
        shared: dict[int, float] = {}
        several: set[int] = set()
        left = total
        for weight, similar in weighed:
            choosing = left >= SHARE * total
            left -= weight
            touched: set[int] = set()
            for other in similar:
                touched.update(self._postings[other])
            several |= touched & shared.keys()
            for at in touched if choosing else touched & shared.keys():
                shared[at] = shared.get(at, 0.0) + weight
        for token in _joined(tokens):
            for at in self._postings.get(token, ()):
                shared[at] = total
                several.add(at)
        return [
            at
            for at, weight in shared.items()
            if weight >= SHARE * total
            and (not two_words or at in several or len(self._names[at].tokens) == 1)
        ]

    def _similar_to(self, token: str) -> tuple[str, ...]:
        """Words of the lists that may be this word. Remembered, because names share their words."""
        known = self._similar.get(token)
        if known is None:
            near = {other for key in _keys(token, around=True) for other in self._alike.get(key, ())}
            known = tuple(sorted(other for other in near if likeness(token, other) >= LIKE_WORD))
            if len(self._similar) >= MAX_REMEMBERED:
                self._similar.clear()
            self._similar[token] = known
        return known


def company_tokens(name: str) -> tuple[str, ...]:
    """The words of a company's name without its legal form, in Latin letters."""
    return tuple(without_forms(search_key(name)).split())


def _score(name: _Query, listed: _Name) -> float:
    """The score of two names, or more: what decides is ``scoring``, with all that the entry says."""
    if listed.person:
        return compare_tokens(name.person, listed.tokens, listed.family, weak=listed.weak).score
    if name.key == listed.key:
        return 100.0
    if listed.weak:
        return 0.0
    one, other = " ".join(sorted(name.company)), " ".join(sorted(listed.tokens))
    if fuzz.ratio(one, other) >= LEAST_RATIO:
        return 100.0
    if {*name.company} <= {*listed.tokens} or {*listed.tokens} <= {*name.company}:
        return 100.0
    return 100.0 * (fuzz.ratio("".join(name.company), "".join(listed.tokens)) >= LEAST_RATIO)


def _joined(tokens: tuple[str, ...]) -> list[str]:
    """Neighbours in one word, in both orders: "jin ping" may stand as "jinping"."""
    return [
        joined
        for at in range(len(tokens) - 1)
        for joined in (tokens[at] + tokens[at + 1], tokens[at + 1] + tokens[at])
        if len(joined) <= 24
    ]


def _keys(token: str, *, around: bool = False) -> list[str]:
    """What a word is found by. ``around`` adds the halves of words that are one letter longer or shorter."""
    keys = [f"={token}"]
    if bare := without_article(token):
        keys.append(f"={bare}")
    keys += (f"~{sound}" for sound in skeletons(token) if len(sound) >= 2)
    if around:
        keys += (f"={spelling}" for spelling in spellings_of(token))
    size = len(token)
    for length in (size - 1, size, size + 1) if around else (size,):
        half = length // 2
        if length >= 4:
            keys += (f"^{length}{token[:half]}", f"${length}{token[size - (length - half) :]}")
    return keys
