"""Runs that work on a part of another run.

The parent holds no worker while it waits. Whoever ends the last child queues the parent in the same transaction.

One order of locks for every transaction that touches more than one run: the head of a family first, then its children
by their keys. So two children who end at once cannot both think the other is open, and nobody waits in a circle.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Max, QuerySet
from django.utils import timezone

from research import audit
from research.doorbell import ring_on_commit
from research.engine import lease
from research.engine.journal import Journal
from research.engine.stops import Cancelled
from research.jsontext import JsonObject
from research.models import Run, Step
from research.models.states import OPEN_RUN_STATES, RunState, StepKind

OVER = (RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED)
BUDGET = "budget"
IDLE = tuple(state for state in OPEN_RUN_STATES if state != RunState.RUNNING)


@dataclass(frozen=True)
class Child:
    """The task of a child. ``directive`` is unique among the children; limits default to the parent's."""

    directive: str
    params: JsonObject = field(default_factory=dict)
    workflow: str = "topic"
    max_turns: int | None = None
    max_tool_calls: int | None = None


@dataclass(frozen=True)
class Outcome:
    """How a child ended. ``output`` is what it passed to ``worker.end``; empty unless it succeeded."""

    directive: str
    run_id: UUID
    state: str
    params: JsonObject
    output: JsonObject
    error: JsonObject


def spawn(parent: Run, journal: Journal, name: str, wanted: Sequence[Child]) -> None:
    """Create the children, list them in a step, and ring for them: all or nothing.

    Raises:
        Cancelled: somebody wants the parent to stop; nothing was created.
    """
    runs = [
        Run(
            macro=parent.macro,
            params=child.params,
            parent=parent,
            directive=child.directive,
            workflow=child.workflow,
            autonomy=parent.autonomy,
            depth=parent.depth,
            trigger=parent.trigger,
            requested_by_id=parent.requested_by_id,
            model=parent.model,
            register=parent.register,
            max_turns=child.max_turns or parent.max_turns,
            max_tool_calls=child.max_tool_calls or parent.max_tool_calls,
        )
        for child in wanted
    ]
    with transaction.atomic():
        if lease.hold(parent.pk, journal.fence):
            raise Cancelled
        journal.note(StepKind.PHASE, name, {"children": [str(run.pk) for run in runs]})
        Run.objects.bulk_create(runs)
        for run in runs:
            audit.record("run.started", run, None, parent=str(parent.pk), directive=run.directive)
            ring_on_commit("perform_run", str(run.pk))


def park(parent: Run, fence: int, listed: Sequence[str]) -> bool:
    """Leave the parent waiting if one of its children is open; False when all are over.

    With a child that waits for money it waits for the same person, else for its children.

    Raises:
        Cancelled: somebody wants the parent to stop.
    """
    with transaction.atomic():
        if lease.hold(parent.pk, fence):
            raise Cancelled
        still_open = Run.objects.filter(pk__in=listed, state__in=OPEN_RUN_STATES)
        states = set(still_open.values_list("state", flat=True))
        if not states:
            return False
        if RunState.AWAITING_CONFIRMATION in states:
            lease.release(parent.pk, fence, RunState.AWAITING_CONFIRMATION, changes={"phase": BUDGET})
        else:
            lease.release(parent.pk, fence, RunState.AWAITING_CHILDREN)
    return True


def outcomes(listed: Sequence[str], output: str) -> list[Outcome]:
    """The outcome of each child, in the order they were created."""
    runs = {str(run.pk): run for run in Run.objects.filter(pk__in=listed)}
    steps = Step.objects.filter(run_id__in=listed, kind=StepKind.PHASE, name=output).order_by("seq")
    given = {str(step.run_id): step.answer or {} for step in steps}
    return [_outcome(runs[key], given.get(key, {})) for key in listed if key in runs]


@contextmanager
def family(run: Run, state: RunState) -> Iterator[None]:
    """Wrap the statement that moves ``run`` to ``state``: update its open children and its waiting parent."""
    lock_head(run)
    yield
    if state in OVER:
        wake_parent(run.parent_id)
    if state == RunState.AWAITING_CONFIRMATION and run.parent_id:
        show_at_head(run.parent_id)
    if state in (RunState.FAILED, RunState.CANCELLED):
        cancel_children(run.pk)


def lock(runs: QuerySet[Run]) -> None:
    """Lock these rows in the fixed order until the transaction ends. SQLite has one writer anyway."""
    if connection.vendor == "postgresql":
        in_order = runs.order_by(F("parent_id").asc(nulls_first=True), "pk")
        list(in_order.select_for_update(no_key=True).values_list("pk"))


def lock_head(run: Run) -> None:
    """Lock the head first in every transaction that writes to other runs too. The head's own write locks it."""
    if run.parent_id:
        lock(Run.objects.filter(pk=run.parent_id))


def wake_parent(parent_id: UUID | None) -> None:
    """Queue a parent without open children."""
    if parent_id is None or Run.objects.filter(parent_id=parent_id, state__in=OPEN_RUN_STATES).exists():
        return
    waiting = Run.objects.filter(pk=parent_id, state=RunState.AWAITING_CHILDREN)
    if waiting.update(state=RunState.QUEUED, wake_at=None):
        ring_on_commit("perform_run", str(parent_id))


def look_at_head_again(parent_id: UUID | None) -> None:
    """Queue a head that only waited for the person a finished child was waiting for."""
    if parent_id is None:
        return
    shown = Run.objects.filter(pk=parent_id, state=RunState.AWAITING_CONFIRMATION, phase=BUDGET)
    if Run.objects.filter(parent_id=parent_id, state=RunState.AWAITING_CONFIRMATION).exists():
        return
    # time spent waiting for a person is not counted
    if shown.update(state=RunState.AWAITING_CHILDREN, phase="", deadline=None):
        wake_parent(parent_id)


def show_at_head(parent_id: UUID) -> None:
    """Show at the head that a child waits for money: the parked parent waits for a person."""
    parked = Run.objects.filter(pk=parent_id, state=RunState.AWAITING_CHILDREN)
    if parked.update(state=RunState.AWAITING_CONFIRMATION, phase=BUDGET):
        audit.record("run.awaits_confirmation", Run(pk=parent_id))


def show_overlooked() -> None:
    """Show parked parents with a child that waits for a person."""
    overlooked = Run.objects.filter(
        state=RunState.AWAITING_CHILDREN, children__state=RunState.AWAITING_CONFIRMATION
    )
    for parent_id in set(overlooked.values_list("pk", flat=True)):
        with transaction.atomic():
            lock(Run.objects.filter(pk=parent_id))
            if Run.objects.filter(parent_id=parent_id, state=RunState.AWAITING_CONFIRMATION).exists():
                show_at_head(parent_id)


@transaction.atomic
def wake_due(now: datetime) -> None:
    """Queue the runs that are due."""
    due = Run.objects.filter(state=RunState.WAITING, wake_at__lte=now)
    lock(due)
    due.update(state=RunState.QUEUED, wake_at=None)


def give_time(parent_id: UUID, now: datetime, moment: datetime) -> None:
    """Extend the parent's deadline while a child waits until ``moment``, minus time already added for siblings."""
    lock(Run.objects.filter(pk=parent_id))
    waiting = Run.objects.filter(parent_id=parent_id, state=RunState.WAITING)
    given = waiting.aggregate(until=Max("wake_at"))["until"]
    more = moment - max(now, given or now)
    if more > timedelta(0):
        Run.objects.filter(pk=parent_id).update(deadline=F("deadline") + more)


def let_go_on(parent: Run) -> list[UUID]:
    """Queue the children that waited for the person who has now answered at the head."""
    lock(Run.objects.filter(parent=parent))
    waiting = Run.objects.filter(parent=parent, state=RunState.AWAITING_CONFIRMATION)
    return _queue(waiting)


def resume(parent: Run) -> list[UUID]:
    """Resume children that were stopped with their parent. Failed children stay failed.

    Those that have not yet noticed that they were to stop go on as if nothing had been said.
    """
    lock(Run.objects.filter(parent=parent))
    Run.objects.filter(parent=parent, state=RunState.RUNNING).update(cancel_requested=False)
    stopped = Run.objects.filter(parent=parent, state=RunState.CANCELLED)
    return _queue(stopped, error=None, finished_at=None, cancel_requested=False)


def cancel_children(parent_id: UUID) -> None:
    """Stop the open children of a finished parent."""
    open_ones = Run.objects.filter(parent_id=parent_id)
    lock(open_ones)
    open_ones.filter(state=RunState.RUNNING).update(cancel_requested=True)
    idle = list(open_ones.filter(state__in=IDLE))
    open_ones.filter(pk__in=[run.pk for run in idle], state__in=IDLE).update(
        state=RunState.CANCELLED, wake_at=None, finished_at=timezone.now()
    )
    for run in idle:
        audit.record("run.cancelled", run, None, parent=str(parent_id))


def _queue(runs: QuerySet[Run], **fields: object) -> list[UUID]:
    ids = list(runs.values_list("pk", flat=True))
    runs.filter(pk__in=ids).update(state=RunState.QUEUED, wake_at=None, deadline=None, **fields)
    return ids


def _outcome(run: Run, output: JsonObject) -> Outcome:
    given = output if run.state == RunState.SUCCEEDED else {}
    return Outcome(run.directive, run.pk, run.state, run.params, given, run.error or {})
