"""How far a run is that sends out a run for each of many entities."""

from collections import Counter
from dataclasses import dataclass

from research.models import Run
from research.models.states import RunState, StepKind

BATCH, PART, LOOKED_UP = "entity", "subject", "look-up"
TO_RESEARCH = ("new", "stale")


@dataclass(frozen=True)
class BatchProgress:
    """Entities to research: ``done`` with or without findings, ``failed`` or cancelled, and all of them."""

    done: int
    failed: int
    under_way: int
    total: int

    @property
    def over(self) -> int:
        return self.done + self.failed

    @property
    def sentence(self) -> str:
        """ "12 of 40 entities researched, 1 failed, 3 under way" """
        further = ((self.failed, "failed"), (self.under_way, "under way"))
        noun = "entity" if self.total == 1 else "entities"
        parts = [
            f"{self.done} of {self.total} {noun} researched",
            *(f"{n} {word}" for n, word in further if n),
        ]
        return ", ".join(parts)


def batch_progress(run: Run) -> BatchProgress | None:
    """None for any other run, before memory was asked what is to be researched, and where that is nothing."""
    if run.workflow != BATCH:
        return None
    step = run.steps.filter(kind=StepKind.NOTE, name=LOOKED_UP).order_by("seq").last()
    entries = ((step.answer or {}).get("entries") or []) if step else []
    total = sum(entry.get("status") in TO_RESEARCH for entry in entries)
    if not total:
        return None
    states = Counter(run.children.filter(workflow=PART).values_list("state", flat=True))
    done, failed = states[RunState.SUCCEEDED], states[RunState.FAILED] + states[RunState.CANCELLED]
    return BatchProgress(done, failed, sum(states.values()) - done - failed, total)
