"""Finding the records of the imported register that a name may mean: who has it, and whose name is like it.

Here candidates are found, by keys; how well each fits is decided by its names themselves (``matching``).
"""

from collections.abc import Callable, Iterable
from typing import Any

from entities.models import LeiName, LeiRecord
from entities.names.candidates import KEPT, distance, names_alike
from entities.names.index import name_index
from entities.names.keys import search_key
from entities.names.pieces import spellings

KEYED = 1_000  # names with one of the keys that are looked at
WIDE = 3_000  # so many are looked at when only records of one place or status are wanted
_LAST = "\U0010ffff"

Narrow = Callable[[Any], Any]


def find_leis(text: str, limit: int, narrow: Narrow | None = None) -> list[str]:
    """LEIs whose name has a key of ``text`` first, then those whose name is like it; ``limit`` only cuts the list.

    ``narrow`` takes records and gives those that are wanted.
    """
    key = search_key(text)
    if not key:
        return []
    found = dict.fromkeys(_by_keys(key, spellings(text, any_form=True)))
    index = name_index()
    if index.missing():
        found |= dict.fromkeys(_beginning(key, limit))
    else:
        found |= dict.fromkeys(names_alike(index, key, WIDE if narrow else KEPT, known=bool(found)))
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


def _by_keys(key: str, keys: list[str]) -> list[str]:
    rows = LeiName.objects.filter(key__in=keys).order_by("key", "lei").values_list("lei", "key")[:KEYED]
    return [lei for lei, _ in sorted(rows, key=lambda row: distance(key, *row))]


def _beginning(key: str, limit: int) -> list[str]:
    """Without an index of pieces: as a range, which the index of whole keys serves."""
    names = LeiName.objects.filter(key__gte=key, key__lt=key + _LAST).order_by("key")
    return list(names.values_list("lei", flat=True)[:limit])


def _wanted(leis: list[str], limit: int, narrow: Narrow | None) -> list[str]:
    if narrow is None:
        return leis[:limit]
    fitting = set(narrow(LeiRecord.objects.filter(pk__in=leis)).values_list("pk", flat=True))
    return [lei for lei in leis if lei in fitting][:limit]
