"""What is different from what was approved for the same question: the old values beside the new."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from research.admin.gate.changes import (
    ABSENT,
    MAX_CHANGES,
    Change,
    Shown,
    field_id,
    labels_of,
    place_path,
    show,
    wording,
)
from research.admin.gate.history import review_url
from research.models import Decision, ResearchResult
from research.review.differences import Difference, differences
from research.review.rows import Row


@dataclass(frozen=True)
class Since:
    """A result beside the approval before it."""

    result: ResearchResult
    baseline: Decision
    rows: Sequence[Row]

    @cached_property
    def differences(self) -> list[Difference]:
        return differences(self.baseline.data, self.result.data)

    @cached_property
    def _labels(self) -> dict[str, str]:
        return labels_of(self.rows)

    @property
    def url(self) -> str:
        return review_url(self.baseline.result)

    @property
    def changes(self) -> list[Change]:
        """One by one, in the words of the schema."""
        return [self._change(each) for each in self.differences[:MAX_CHANGES]]

    @property
    def more(self) -> int:
        return max(0, len(self.differences) - MAX_CHANGES)

    @cached_property
    def before(self) -> dict[str, Shown]:
        """The old value of each row that is new or changed; of what was added with all it holds, that it was absent."""
        found = {each.pointer: show(each.old) for each in self.differences if each.word == "changed"}
        added = tuple(each.pointer for each in self.differences if each.word == "added")
        within = tuple(f"{pointer}/" for pointer in added)
        new = (row.pointer for row in self.rows if row.state != "absent")
        return found | {place: ABSENT for place in new if place in added or place.startswith(within)}

    def _change(self, found: Difference) -> Change:
        document = self.baseline.data if found.word == "removed" else self.result.data
        labels = {} if found.word == "removed" else self._labels
        return Change(
            tuple(place_path(document, found.pointer, labels)),
            found.word,
            ABSENT if found.word == "added" else show(found.old),
            ABSENT if found.word == "removed" else show(found.new),
            "" if found.word == "removed" else field_id(found.pointer),
            wording(found.old, found.new) if found.word == "changed" else (),
        )
