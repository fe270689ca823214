"""Does the whole of it live? Each component is looked at in a thread of its own, and an answer is kept for seconds.

Whoever asks waits less than a second, also while a component hangs: it is then told as broken, and it is not asked
again until the first question has come back.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeAlias

from django.db import DatabaseError, connections
from django.utils import timezone

from common.commands.progress import duration
from common.text import counted
from research.doctor import processes
from research.doctor.database import pending_migrations
from research.doctor.findings import Finding, State, worst
from research.doctor.machine import disk
from research.models import AuditEvent, ResearchResult, Run
from research.models.states import ResultState, RunState

KEPT = 5.0  # seconds for which an answer is good
PATIENCE = 0.8  # seconds that one question waits for all components together
STUCK = timedelta(minutes=5)  # something waits, and meanwhile nothing at all was taken up
UNSEALED = timedelta(minutes=10)

NO_ANSWER = "No answer"

Look: TypeAlias = Callable[[], Finding]


def database() -> Finding:
    """Whether it answers, and is of this version."""
    try:
        behind = pending_migrations()
    except DatabaseError as error:
        return Finding("broken", f"{NO_ANSWER} ({type(error).__name__}).")
    return (
        Finding("broken", f"{behind} migrations are not applied.") if behind else Finding("ok", "It answers.")
    )


def queue() -> Finding:
    """Whether what waits is taken up. A long queue is no fault as long as it moves."""
    since = timezone.now() - STUCK
    runs = Run.objects.filter(state=RunState.QUEUED, started_at=None, created_at__lt=since).count()
    moved = Run.objects.filter(started_at__gte=since).exists()
    approvals = ResearchResult.objects.filter(
        state=ResultState.APPROVED, execution_asked_at__lt=since, execution_asked_by__is_active=True
    ).exclude(decision__verb_calls__state__in=("failed", "running"))
    left = approvals.count()
    if runs and not moved:
        told = (
            f"{counted(runs, 'run')} waiting for over {duration(STUCK.total_seconds())}; none was taken up."
        )
        return Finding("broken", told, "See whether workers are alive, and what their logs say last.")
    if left:
        told = (
            f"{counted(left, 'approval')} waiting to be executed for over {duration(STUCK.total_seconds())}."
        )
        return Finding("broken", told, "See whether workers are alive, and what their logs say last.")
    return Finding("ok", "What waits is taken up.")


def seals() -> Finding:
    """Whether what happened is sealed in time."""
    oldest = AuditEvent.objects.filter(seal__isnull=True).order_by("at").values_list("at", flat=True).first()
    if oldest and oldest < timezone.now() - UNSEALED:
        told = f"Events wait to be sealed since {oldest:%Y-%m-%d %H:%M} UTC."
        return Finding("broken", told, "Worker and beat seal every minute; see whether they are alive.")
    return Finding("ok", "Events are sealed in time.")


COMPONENTS: dict[str, Look] = {
    "database": database,
    "workers": processes.workers,
    "beat": processes.beat,
    "broker": processes.broker,
    "queue": queue,
    "seals": seals,
    "disk": disk,
}


@dataclass
class _Pulse:
    """What is known of one component, when it was seen, and the thread that looks at it just now."""

    finding: Finding | None = None
    seen: float = 0.0
    looking: threading.Thread | None = None


class Vitals:
    """What each component is at; ``clock`` is in seconds."""

    def __init__(
        self,
        components: Mapping[str, Look] = COMPONENTS,
        *,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._components, self._patience, self._clock = components, patience, clock
        self._lock = threading.Lock()
        self._pulses = {name: _Pulse() for name in components}

    def now(self) -> dict[str, Finding]:
        """A finding of each component, at most some seconds old."""
        end = self._clock() + self._patience
        for name, pulse in self._pulses.items():
            self._begin(name, pulse)
        for pulse in self._pulses.values():
            if thread := pulse.looking:
                thread.join(max(0.0, end - self._clock()))
        return {name: self._told(pulse) for name, pulse in self._pulses.items()}

    def forget(self) -> None:
        """Look again at the next question."""
        for pulse in self._pulses.values():
            pulse.finding = None

    def _begin(self, name: str, pulse: _Pulse) -> None:
        with self._lock:
            fresh = pulse.finding is not None and self._clock() - pulse.seen < KEPT
            if fresh or pulse.looking is not None:
                return
            pulse.looking = threading.Thread(target=self._look, args=(name, pulse), daemon=True)
            pulse.looking.start()

    def _look(self, name: str, pulse: _Pulse) -> None:
        began = time.monotonic()
        try:
            finding = self._components[name]()
        except Exception as error:  # noqa: BLE001 - whatever it is, the component does not do its work
            finding = Finding("broken", f"It cannot be asked ({type(error).__name__}).")
        finally:
            connections.close_all()  # of this thread
        with self._lock:
            pulse.finding = replace(finding, seconds=time.monotonic() - began)
            pulse.seen, pulse.looking = self._clock(), None

    def _told(self, pulse: _Pulse) -> Finding:
        if pulse.looking is not None or pulse.finding is None:
            return Finding("broken", f"{NO_ANSWER} within {self._patience:g} seconds.")
        return pulse.finding


VITALS = Vitals()


def overall(findings: Mapping[str, Finding]) -> str:
    """``unavailable`` without the database, ``degraded`` when something else is broken, else ``ok``."""
    if findings["database"].state == "broken":
        return "unavailable"
    state: State = worst(list(findings.values()))
    return "degraded" if state == "broken" else "ok"
