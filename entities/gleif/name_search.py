"""Finding the records of the imported register that a name may mean: who has it, and whose name is like it.

Here candidates are found, by keys; how well each fits is decided by its names themselves (``matching``).
"""

from collections.abc import Callable, Iterable
from typing import Any

from common.likeness import fuzz
from entities.gleif.name_index import NameIndex, name_index
from entities.gleif.name_keys import SLIPS, pieces, slips, spellings, windows
from entities.gleif.names import search_key
from entities.models import LeiName, LeiRecord

KEPT = 60  # names alike that are compared by their keys
MOST, MOST_OF_WINDOWS = (
    5_000,
    1_500,
)  # names that are looked at for one piece, and for one of the smaller ones
WIDE = 3_000  # so many are looked at when only records of one place or status are wanted
_LAST = "\U0010ffff"

Narrow = Callable[[Any], Any]


def find_leis(text: str, limit: int, narrow: Narrow | None = None) -> list[str]:
    """At most ``limit`` LEIs: those whose name has a key of ``text`` first, then those whose name is like it.

    ``narrow`` takes records and gives those that are wanted.
    """
    key = search_key(text)
    if not key:
        return []
    found = dict.fromkeys(_by_keys(spellings(text, any_form=True), limit))
    found |= dict.fromkeys(_alike(key, WIDE if narrow else max(KEPT, limit), known=bool(found)))
    return _wanted(list(found), limit, narrow)


def name_search_state() -> str:
    """ "" when names are found by likeness; else why only whole names and their beginnings are."""
    return name_index().missing()


def namesakes(names: Iterable[str], limit: int = 50) -> dict[str, list[str]]:
    """LEIs that have one of the names, but for case, marks and the spelling of the legal form; one query for all."""
    keys = {name: spellings(name) for name in names}
    wanted = {key for found in keys.values() for key in found}
    holders: dict[str, list[str]] = {}
    for key, lei in LeiName.objects.filter(key__in=wanted).order_by("id").values_list("key", "lei"):
        holders.setdefault(key, []).append(lei)
    return {
        name: list(dict.fromkeys(lei for key in found for lei in holders.get(key, ())))[:limit]
        for name, found in keys.items()
    }


def _by_keys(keys: list[str], limit: int) -> list[str]:
    return list(LeiName.objects.filter(key__in=keys).order_by("key").values_list("lei", flat=True)[:limit])


def _alike(key: str, limit: int, *, known: bool) -> list[str]:
    """Those whose key is nearest first: names a slip or two away, where there are none names that share a piece.

    Smaller pieces are looked for only where nothing is ``known`` of the name.
    """
    index = name_index()
    if index.missing():
        return _beginning(key, limit)
    found = index.near(key, limit)
    if not _any_near(key, found):
        found += _containing(index, pieces(key), key, limit, MOST)
    if not (known or _any_near(key, found)):
        found += _containing(index, windows(key), key, limit, MOST_OF_WINDOWS)
    return [lei for lei, _ in sorted(found, key=lambda each: _distance(key, each[1]))]


def _any_near(key: str, found: list[tuple[str, str]]) -> bool:
    return any(slips(key, other) <= SLIPS for _, other in found)


def _distance(key: str, other: str) -> tuple[int, float, str]:
    return slips(key, other), -max(fuzz.ratio(key, other), fuzz.token_sort_ratio(key, other)), other


def _containing(index: NameIndex, parts: list[str], key: str, limit: int, most: int) -> list[tuple[str, str]]:
    return index.alike(parts, key, limit, most) if parts else []


def _beginning(key: str, limit: int) -> list[str]:
    """Without an index of pieces: as a range, which the index of whole keys serves."""
    names = LeiName.objects.filter(key__gte=key, key__lt=key + _LAST).order_by("key")
    return list(names.values_list("lei", flat=True)[:limit])


def _wanted(leis: list[str], limit: int, narrow: Narrow | None) -> list[str]:
    if narrow is None:
        return leis[:limit]
    fitting = set(narrow(LeiRecord.objects.filter(pk__in=leis)).values_list("pk", flat=True))
    return [lei for lei in leis if lei in fitting][:limit]
