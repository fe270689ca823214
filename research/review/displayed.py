"""What of a document a person has seen, as they or their page say it: JSON Pointers of the places that were opened.

Nobody signs for what was not shown without knowing it: a place with a failed or an unknown check is opened, or it is
named in the reason.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from research.jsontext import Json, JsonObject
from research.review.pointer import PointerError, parse, resolve
from research.review.rows import count_leaves, human_label

MAX_PLACES = 10_000
UNSOUND = {"fail": "failed", "unknown": "unknown"}
WHOLE = ("",)


@dataclass
class Unseen:
    """A top-level part of a document with places in it that were not opened: how many checks are unsound there."""

    key: str
    label: str
    counts: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        """``Funds (3 failed, 1 unknown)``."""
        counts = (
            f"{self.counts[verdict]} {word}" for verdict, word in UNSOUND.items() if self.counts[verdict]
        )
        return f"{self.label} ({', '.join(counts)})"

    def is_named(self, reason: str) -> bool:
        """Whether a reason speaks of it, by its label, its key or a pointer into it."""
        words = {re.escape(word.casefold()) for word in (self.label, human_label(self.key), self.key) if word}
        return re.search(rf"(?<!\w)({'|'.join(sorted(words))})(?!\w)", reason.casefold()) is not None


def read_places(places: Iterable[str], data: Json) -> tuple[list[str], dict[str, str]]:
    """The outermost of the places, in order, and a sentence for each that is none."""
    kept: set[str] = set()
    faults: dict[str, str] = {}
    for place in sorted(set(places)):
        try:
            found, _ = resolve(data, place)
        except PointerError as error:
            faults[place[:80]] = str(error)
            continue
        if not found:
            faults[place[:80]] = "was said to be shown, but there is no such place in the data"
        elif not is_covered(place, kept):
            kept.add(place)
    if len(kept) > MAX_PLACES:
        faults[""] = f"more than {MAX_PLACES:,} places were said to be shown; name the lists that hold them"
    return sorted(kept), faults


def is_covered(pointer: str, places: set[str]) -> bool:
    """Whether a place, or one that it lies in, is among the places."""
    while pointer and pointer not in places:
        pointer = pointer.rpartition("/")[0]
    return pointer in places


def as_displayed(places: Sequence[str], data: Json) -> JsonObject:
    """What a decision keeps: the places, and how many values they hold of how many."""
    shown = sum(count_leaves(resolve(data, place)[1]) for place in places)
    return {"places": list(places), "values": shown, "of": count_leaves(data)}


def unseen_parts(
    checks: Iterable[tuple[str, str]], places: Sequence[str], titles: dict[str, str]
) -> list[Unseen]:
    """The parts of which something unsound was not opened; ``checks`` are pairs of pointer and verdict.

    A check of the whole document stands above all of it and is always shown.
    """
    opened = set(places)
    parts: dict[str, Unseen] = {}
    for pointer, verdict in checks:
        if verdict in UNSOUND and pointer and not is_covered(pointer, opened):
            key = parse(pointer)[0]
            part = parts.setdefault(key, Unseen(key, titles.get(key) or human_label(key)))
            part.counts[verdict] += 1
    return list(parts.values())


def titles_of(schema: JsonObject) -> dict[str, str]:
    """What a schema calls the members of its document."""
    members = schema.get("properties")
    named = members.items() if isinstance(members, dict) else ()
    return {key: str(part["title"]) for key, part in named if isinstance(part, dict) and part.get("title")}
