"""A hit: an entry of a list that is like a subject."""

from dataclasses import dataclass
from typing import Any

from entities.screening.records import Entry
from entities.screening.scoring import Likeness


@dataclass(frozen=True)
class Hit:
    """An entry of a list that is like the subject; ``version`` is None for a hit of a match API."""

    source: str
    label: str
    entry: Entry
    entry_digest: str
    likeness: Likeness
    version: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "list": self.source,
            "label": self.label,
            "key": self.entry.key,
            "kind": self.entry.kind,
            "name": self.entry.name,
            "programs": list(self.entry.programs[:20]),
            "listed_on": self.entry.listed_on,
            "entry_digest": self.entry_digest,
            **self.likeness.as_json(),
        }
