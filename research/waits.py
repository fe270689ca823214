"""How long a run was worked on, and how long it waited: told by the audit trail, which has every coming and going."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from research.models import AuditEvent, Run

Wait: TypeAlias = Literal["person", "provider", "stopped"]
_BEGINS: Mapping[str, Wait] = {
    "run.awaits_confirmation": "person",
    "run.waits": "provider",
    "run.failed": "stopped",
    "run.cancelled": "stopped",
    "run.interrupted": "stopped",
}
_ENDS = ("run.confirmed", "run.resumed", "run.finishing", "run.claimed", "run.goes_on")

_WORDS: Mapping[Wait, str] = {
    "person": "waiting for a person",
    "provider": "waiting for a provider",
    "stopped": "stopped",
}
TELLING = timedelta(seconds=1)  # a shorter wait is not worth a word


@dataclass(frozen=True)
class Spent:
    """``waited`` is for a person, for a provider to have room again, or stopped until somebody resumed it."""

    worked: timedelta
    waited: Mapping[Wait, timedelta] = field(default_factory=dict)


def spent(run: Run) -> Spent | None:
    """Of a run that is over; None of any other."""
    if run.started_at is None or run.finished_at is None:
        return None
    events = AuditEvent.objects.filter(
        object_type="run", object_id=str(run.pk), action__in=[*_BEGINS, *_ENDS], at__lte=run.finished_at
    )
    waited: dict[Wait, timedelta] = {}
    begun: tuple[Wait, datetime] | None = None
    for action, at in events.order_by("id").values_list("action", "at"):
        if begun:
            waited[begun[0]] = waited.get(begun[0], timedelta(0)) + max(at - begun[1], timedelta(0))
        begun = (_BEGINS[action], at) if action in _BEGINS else None
    whole = run.finished_at - run.started_at
    told = {kind: length for kind, length in waited.items() if length >= TELLING}
    return Spent(max(whole - sum(told.values(), timedelta(0)), timedelta(0)), told)


def in_a_sentence(took: Spent | None) -> str:
    """``4 min, and 2 h waiting for a person``; empty when it is not known."""
    if took is None:
        return ""
    waits = (f"and {shortly(length)} {_WORDS[kind]}" for kind, length in took.waited.items())
    return ", ".join([shortly(took.worked), *waits])


def shortly(length: timedelta) -> str:
    """In units that every language of a memo writes alike: ``3.4 s``, ``4 min``, ``2 h 5 min``."""
    seconds = length.total_seconds()
    if seconds < 60:
        return f"{seconds:.1f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return " ".join(filter(None, [f"{hours} h" if hours else "", f"{minutes} min" if minutes else ""]))
