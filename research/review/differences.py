"""What is materially different between two answers to the same question, item by item.

Items of two lists are the same item when they have the same identity (an LEI, an identifier, a name), wherever they
stand. What is only written differently (spacing, Unicode form, 1 and 1.0, null and absent), or only says when it was
looked up, is no difference.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Literal, TypeAlias

from research.jsontext import Json, JsonObject, canonical_json
from research.review.pointer import join

MAX_DIFFERENCES = 500
IDENTITIES = ("lei", "id", "key", "number", "slug", "url", "mint", "citation", "owner_lei", "name", "title")
LOOKED_UP = frozenset({"as_of", "retrieved_at", "checked_at", "accessed_at", "fetched_at", "search_quality"})
NOTHING: tuple[Json, ...] = (None, "", [], {})

Word: TypeAlias = Literal["changed", "added", "removed"]


@dataclass(frozen=True)
class Difference:
    """One of them. ``pointer`` is a place in the new document; of what was removed, in the old one."""

    pointer: str
    word: Word
    old: Json = None
    new: Json = None


def differences(old: Json, new: Json) -> list[Difference]:
    """At most MAX_DIFFERENCES, in the order of the new document; what was removed comes behind its neighbours."""
    return list(islice(_between(old, new, "", ""), MAX_DIFFERENCES))


def _between(old: Json, new: Json, was: str, at: str) -> Iterator[Difference]:
    """``was`` is the place in the old document, ``at`` the one in the new."""
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _members(old, new, was, at)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _items(old, new, was, at)
    elif _settled(old) != _settled(new) and not (old in NOTHING and new in NOTHING):
        yield Difference(at, "changed", old, new)


def _members(old: JsonObject, new: JsonObject, was: str, at: str) -> Iterator[Difference]:
    for key in [*new, *(key for key in old if key not in new)]:
        if key in LOOKED_UP:
            continue
        if key in old and key in new:
            yield from _between(old[key], new[key], join(was, key), join(at, key))
        elif key in new and new[key] not in NOTHING:
            yield Difference(join(at, key), "added", new=new[key])
        elif key in old and old[key] not in NOTHING:
            yield Difference(join(was, key), "removed", old=old[key])


def _items(old: list[Json], new: list[Json], was: str, at: str) -> Iterator[Difference]:
    name = _identity(old, new)
    before = {key: index for index, key in enumerate(_keys(old, name))}
    now = _keys(new, name)
    for index, key in enumerate(now):
        place = join(at, str(index))
        if key not in before:
            yield Difference(place, "added", new=new[index])
        elif name:
            yield from _between(old[before[key]], new[index], join(was, str(before[key])), place)
    kept = set(now)
    for key, index in before.items():
        if key not in kept:
            yield Difference(join(was, str(index)), "removed", old=old[index])


def _identity(*lists: list[Json]) -> str:
    """The first field that tells the items of each list apart; nothing when only all that an item says does."""
    return next((name for name in IDENTITIES if all(_tells_apart(name, items) for items in lists)), "")


def _tells_apart(name: str, items: Sequence[Json]) -> bool:
    values = [item.get(name) if isinstance(item, dict) else None for item in items]
    told = {_text(value) for value in values if isinstance(value, str) and value.strip()}
    return len(told) == len(items)


def _keys(items: list[Json], name: str) -> list[str]:
    """One for each item, all different; of equal items that nothing tells apart the second is another one."""
    if name:
        return [_text(item[name]) for item in items if isinstance(item, dict)]
    seen: Counter[str] = Counter()
    keys = []
    for item in items:
        text = canonical_json(_settled(item))
        seen[text] += 1
        keys.append(f"{text}#{seen[text]}")
    return keys


def _settled(value: Json) -> Json:
    """The value without what makes no difference; numbers become text, so that 1 and 1.0 are one and true is not."""
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if key not in LOOKED_UP and item not in NOTHING}
        return {key: _settled(item) for key, item in kept.items()}
    if isinstance(value, list):
        return [_settled(item) for item in value]
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"number {Decimal(str(value)).normalize()}"
    return value


def _text(value: Json) -> str:
    return " ".join(unicodedata.normalize("NFC", str(value)).split())
