"""How alike two texts are: Jaccard similarity of their sets of character 5-grams, estimated from small sketches.

A sketch holds the SIZE smallest hashes of a text's 5-grams (bottom-k; Cohen and Kaplan 2007). For texts with fewer
5-grams the figure is exact, for others its standard error is below 0.025.
"""

from dataclasses import dataclass
from heapq import nsmallest
from zlib import crc32

SIZE = 400
GRAM = 5
MIN_LENGTH = 100
MAX_LENGTH = 20_000
MIN_RATIO = 0.3


@dataclass(frozen=True)
class Sketch:
    """``length`` of the normalised text and its smallest hashes; no hashes when it is too short to compare."""

    length: int
    hashes: frozenset[int]


def sketch(text: str) -> Sketch:
    """The sketch of at most MAX_LENGTH characters, in lower case with normalised white space."""
    plain = " ".join(text[: 2 * MAX_LENGTH].lower().split())[:MAX_LENGTH]
    if len(plain) <= MIN_LENGTH:
        return Sketch(len(plain), frozenset())
    grams = {plain[start : start + GRAM] for start in range(len(plain) - GRAM + 1)}
    hashes = {crc32(gram.encode("utf-8", "replace")) for gram in grams}
    return Sketch(len(plain), frozenset(hashes if len(hashes) <= SIZE else nsmallest(SIZE, hashes)))


def similarity(one: Sketch, other: Sketch) -> float:
    """Between 0 and 1. 0 if a text is too short, or the lengths differ too much."""
    if not one.hashes or not other.hashes:
        return 0.0
    if min(one.length, other.length) < MIN_RATIO * max(one.length, other.length):
        return 0.0
    union = one.hashes | other.hashes
    if len(union) > SIZE:
        union = frozenset(nsmallest(SIZE, union))
    return len(union & one.hashes & other.hashes) / len(union)
