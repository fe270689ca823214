"""Which names a text may mean: found by an index of pieces, the nearest first.

How well each of them fits is decided by the names themselves (``matching``).
"""

from collections.abc import Collection

from common.likeness import fuzz
from entities.names.index import NameIndex
from entities.names.pieces import SLIPS, pieces, slips, windows

KEPT = 200  # names alike that are compared by their keys
MOST, MOST_OF_WINDOWS = (
    5_000,
    1_500,
)  # names that are looked at for one piece, and for one of the smaller ones


def names_alike(
    index: NameIndex, key: str, limit: int = KEPT, *, known: bool = False, besides: Collection[str] = ()
) -> list[str]:
    """Holders of names alike, each once: a slip or two away; where there are none, names that share a piece.

    Smaller pieces are looked for only where nothing is ``known`` of the name. ``besides`` are not meant.
    """
    found: list[tuple[str, str]] = []
    for way in range(2 if known else 3):
        if way == 0:
            more = index.near(key, limit)
        else:
            parts, most = (pieces(key), MOST) if way == 1 else (windows(key), MOST_OF_WINDOWS)
            more = index.alike(parts, key, limit, most) if parts else []
        found += [each for each in more if each[0] not in besides]
        if any(slips(key, other) <= SLIPS for _, other in found):
            break
    return list(dict.fromkeys(holder for holder, _ in sorted(found, key=lambda each: distance(key, *each))))


def distance(key: str, holder: str, other: str) -> tuple[int, float, str, str]:
    """How far another key is from one, to sort by: slips first, then letters, then an order that does not change."""
    return slips(key, other), -max(fuzz.ratio(key, other), fuzz.token_sort_ratio(key, other)), other, holder
