"""The page of a deep run: how far it is, what it waits for, and a form for what can be changed there."""

from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest

from research.jsontext import JsonObject
from research.models import Run
from research.services.checkpoints import Checkpoint, progress, waiting_for

LABELS = {
    "answer": "Your answer",
    "remarks": "Remarks for the writer, if any",
    "research_brief": "What is to be found out",
    "scope_boundaries": "What belongs to it and what does not",
    "source_preferences": "Which sources are preferred",
}
TOPIC_FIELDS = ("research_topic", "perspective", "evidence_needed", "priority")
PRIORITIES = ((1, "1 essential"), (2, "2 important"), (3, "3 would be good to know"))
BLANKS = 2  # empty directives at the end of the form
MAX_POSTED = 20
FINISH = "finish"


@dataclass(frozen=True)
class Field:
    """A text of the form."""

    name: str
    label: str
    value: str


@dataclass(frozen=True)
class Card:
    """One directive of the form; ``blank`` is one that can be added."""

    number: int
    values: JsonObject = field(default_factory=dict)
    blank: bool = False


@dataclass(frozen=True)
class CheckpointForm:
    """What the page shows where a run waits."""

    checkpoint: Checkpoint
    fields: list[Field]
    cards: list[Card]

    @property
    def title(self) -> str:
        name = self.checkpoint.phase.partition(".")[0]
        return {
            "clarification": "A question before it begins",
            "brief": "The brief",
            "directives": "The next round",
            "sources": "No source was found",
            "synthesis": "Before the report is written",
        }.get(name, "The run waits")


def deep_context(run: Run) -> dict[str, Any]:
    """What the template needs; nothing for runs of other workflows."""
    told = progress(run) if run.workflow == "deep" else None
    if told is None:
        return {}
    checkpoint = waiting_for(run)
    form = form_of(checkpoint) if checkpoint else None
    return {"deep": told, "checkpoint": form, "priorities": PRIORITIES}


def form_of(checkpoint: Checkpoint) -> CheckpointForm:
    edit = checkpoint.edit or {}
    fields = [
        Field(name, LABELS.get(name, name), value) for name, value in edit.items() if isinstance(value, str)
    ]
    directives = edit.get("directives")
    cards = [Card(number, values) for number, values in enumerate(directives or ())]
    if directives is not None:
        cards += [Card(len(cards) + extra, blank=True) for extra in range(BLANKS)]
    return CheckpointForm(checkpoint, fields, cards)


def posted_answer(request: HttpRequest) -> JsonObject | None:
    """What the form sends back; None when it held nothing to change."""
    if FINISH in request.POST:
        return {"finish": True}
    answer: JsonObject = {
        name.removeprefix("edit-"): str(value).replace("\r\n", "\n")
        for name, value in request.POST.items()
        if name.startswith("edit-")
    }
    if "cards" in request.POST:
        answer["directives"] = [card for number in range(MAX_POSTED) if (card := _card(request, number))]
    return answer or None


def _card(request: HttpRequest, number: int) -> JsonObject | None:
    """A directive that has a topic and was not dropped."""
    prefix = f"card-{number}-"
    values: JsonObject = {name: request.POST.get(f"{prefix}{name}", "").strip() for name in TOPIC_FIELDS}
    if not values["research_topic"] or f"{prefix}drop" in request.POST:
        return None
    return {**values, "priority": int(values["priority"]) if values["priority"] in ("1", "2", "3") else 2}
