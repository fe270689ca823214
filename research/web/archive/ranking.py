"""Which documents answer a question best: Okapi BM25 (Robertson and Zaragoza 2009). Any term counts, none must occur.

Both databases compute it by the formula of SQLite's FTS5, a word of the title counting as three, so that a question is
answered in the same order on both.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from django.db.backends.base.base import BaseDatabaseWrapper

K1, B = 1.2, 0.75
TITLE = 3
MAX_POSTINGS = 100_000  # what one question may read of the index
ALWAYS = 3  # so many of its terms are looked for, whatever they cost

Subset: TypeAlias = tuple[str, Sequence[Any]]  # SELECT of the ids that may be found, and its parameters
Ranked: TypeAlias = list[tuple[int, float]]  # id and score, the best first


@dataclass(frozen=True, slots=True)
class Analysed:
    """A document as the index takes it in."""

    id: int
    title: list[str]
    body: list[str]


class Index(Protocol):
    """What differs by database. All of it works on the default connection, inside the caller's transaction."""

    def install(self, connection: BaseDatabaseWrapper) -> None:
        """Create the tables; safe to repeat."""

    def remove(self, connection: BaseDatabaseWrapper) -> None:
        """Drop the tables."""

    def alone(self) -> bool:
        """Be the only one who writes the index until the transaction ends; False when somebody else is."""

    def add(self, documents: Sequence[Analysed]) -> None:
        """Take documents in that are not in the index."""

    def tidy(self) -> None:
        """Keep questions fast as the index grows."""

    def counts(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many documents each term occurs; terms that occur in none are left out."""

    def rank(self, terms: Mapping[str, int], subset: Subset | None, limit: int, offset: int) -> Ranked:
        """The best documents for some terms, given with their counts."""


def affordable(counts: Mapping[str, int]) -> dict[str, int]:
    """The terms to look for, the rarest first, as long as they are not too dear; ``counts`` as the index gives it."""
    chosen: dict[str, int] = {}
    cost = 0
    for term, count in sorted(counts.items(), key=lambda item: (item[1], item[0])):
        cost += count
        if cost > MAX_POSTINGS and len(chosen) >= ALWAYS:
            break
        chosen[term] = count
    return chosen


def weight(count: int, documents: int) -> float:
    """The inverse document frequency; next to nothing for a term that every second document has."""
    odds = (documents - count + 0.5) / (count + 0.5)
    return max(math.log(odds), 1e-6) if odds > 0 else 1e-6
