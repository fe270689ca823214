"""What a roll back does or did, as pages tell it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from research.jsontext import JsonObject
from research.models import Rollback

MAX_SHOWN = 500
DONE = {"remove": "removed", "restore": "given back", "mark": "marked", "keep": "kept"}


@dataclass(frozen=True)
class Told:
    """What goes back and what stays, as a page tells it: by entity, of very many the first."""

    counts: dict[str, int]
    steps: Sequence[JsonObject]

    @property
    def totals(self) -> list[tuple[str, int]]:
        return [(DONE[name], self.counts.get(name, 0)) for name in DONE]

    @property
    def kept(self) -> list[tuple[str, list[JsonObject]]]:
        return _by_entity([step for step in self.steps if step["action"] == "keep"])

    @property
    def taken(self) -> list[tuple[str, list[JsonObject]]]:
        return _by_entity([step for step in self.steps if step["action"] != "keep"])

    @property
    def kept_count(self) -> int:
        return self.counts.get("keep", 0)

    @property
    def taken_count(self) -> int:
        return sum(self.counts.values()) - self.kept_count

    @property
    def unlisted(self) -> int:
        """How many rows are not listed."""
        return sum(self.counts.values()) - sum(len(rows) for _, rows in [*self.kept, *self.taken])


def told_of(rollback: Rollback) -> Told:
    """What was done."""
    return Told(rollback.counts, rollback.steps)


def _by_entity(steps: Sequence[JsonObject]) -> list[tuple[str, list[JsonObject]]]:
    """In the order in which the entities come first; of each the entity itself before what is said of it."""
    order = {step["entity"]: place for place, step in reversed(list(enumerate(steps)))}
    found = sorted(steps, key=lambda step: (order[step["entity"]], step["table"] != "entity"))[:MAX_SHOWN]
    return [(entity, list(rows)) for entity, rows in groupby(found, key=lambda step: str(step["entity"]))]
