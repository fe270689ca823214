"""Release a run: it is over, or it waits for a person, for its children or for a time."""

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import NoReturn

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from common.connection import give_connection_back
from research import audit
from research.doorbell import ring_on_commit
from research.engine import children, lease
from research.engine.children import BUDGET
from research.engine.journal import Entry, Journal
from research.engine.lease_renewal import Held
from research.engine.stops import Cancelled, OverBudget, Parked
from research.jsontext import JsonObject
from research.models import Run
from research.models.states import RunState, StepKind

SETTLING = timedelta(seconds=5)  # time after which a run checks whether its siblings' calls were settled
Pause = Callable[[float], object]


def leave(run: Run, journal: Journal, state: RunState, action: str, **fields: object) -> None:
    """Release the run in ``state`` and inform its family in the same transaction.

    Raises:
        Cancelled: it was to wait, and somebody wants it to stop.
    """
    with transaction.atomic(), children.family(run, state):
        if state not in children.OVER and lease.hold(run.pk, journal.fence):
            raise Cancelled  # do not wait for runs that would be stopped
        journal.abandon()
        lease.release(run.pk, journal.fence, state, changes=fields)
        audit.record(action, run, None, **{key: fields[key] for key in ("error",) if key in fields})


def stop(run: Run, journal: Journal) -> None:
    """Stop a run on request. A child whose parent was resumed meanwhile continues."""
    with transaction.atomic():
        children.lock_head(run)
        if lease.hold(run.pk, journal.fence):
            leave(run, journal, RunState.CANCELLED, "run.cancelled", finished_at=timezone.now())
        else:
            leave(run, journal, RunState.QUEUED, "run.goes_on", wake_at=None)
            ring_on_commit("perform_run", str(run.pk))


def hand_over(run: Run, journal: Journal) -> None:
    """Leave a run between two steps, because this process ends: another worker goes on with it at once.

    An answer that is made at the provider keeps its ticket, and is collected there.
    """
    with transaction.atomic():
        children.lock_head(run)
        if lease.hold(run.pk, journal.fence):
            leave(run, journal, RunState.CANCELLED, "run.cancelled", finished_at=timezone.now())
            return
        journal.flush()
        lease.release(run.pk, journal.fence, RunState.QUEUED, changes={"wake_at": None})
        audit.record("run.handed_over", run)
        ring_on_commit("perform_run", str(run.pk))


def take_away(held: Held) -> None:
    """The same to a thread that is still at a call: what it may write later is refused, the call is made again."""
    run = Run(pk=held.run_id)
    with transaction.atomic():
        lease.release(run.pk, held.fence, RunState.QUEUED, changes={"wake_at": None})
        audit.record("run.handed_over", run, None, cut=True)
        ring_on_commit("perform_run", str(run.pk))


def wait_here(held: Held | None, seconds: float, pause: Pause | None = None) -> None:
    """A short wait in place. Ends early if the run should stop; the next write then notices."""
    give_connection_back()
    if pause is not None:
        pause(seconds)
    elif held is not None:
        held.stop.wait(seconds)


def wait_until(run: Run, journal: Journal, moment: datetime) -> NoReturn:
    """Free the worker until a moment. Waiting for a provider does not count as the run's time."""
    now = timezone.now()
    deadline = journal.deadline and journal.deadline + max(moment - now, timedelta(0))
    with transaction.atomic():
        if run.parent_id:
            children.give_time(run.parent_id, now, moment)
        leave(run, journal, RunState.WAITING, "run.waits", wake_at=moment, deadline=deadline)
    raise Parked


def wait_for_person(run: Run, journal: Journal, phase: str, what: JsonObject | None) -> NoReturn:
    """Show ``what`` to confirm, and free the worker."""
    with transaction.atomic():
        children.lock_head(run)
        if what is not None:
            journal.intend(Entry(StepKind.PHASE, phase, answer=what))
        leave(run, journal, RunState.AWAITING_CONFIRMATION, "run.awaits_confirmation", phase=phase[:30])
    raise Parked


def wait_for_budget(run: Run, journal: Journal, refused: OverBudget) -> NoReturn:
    """Wait for a larger budget. Everything is kept.

    Where it would fit but for what is reserved for calls of its siblings, it waits for these to be settled instead.
    """
    root = Run.objects.get(pk=journal.root_id)
    if _fits_once_settled(run, root, refused.amount):
        # the time counts, because the family is at work
        leave(run, journal, RunState.WAITING, "run.waits", wake_at=timezone.now() + SETTLING)
        raise Parked
    what = {
        "needed_usd": str(refused.amount),
        "budget_usd": str(root.budget_usd),
        "spent_usd": str(root.spent_usd),
        "reserved_usd": str(root.reserved_usd),
        "possibly_paid_usd": str(root.lost_usd),
    }
    wait_for_person(run, journal, BUDGET, what)


def _fits_once_settled(run: Run, root: Run, amount: Decimal) -> bool:
    """Whether only running calls of siblings are in the way."""
    if run.parent_id is None or root.budget_usd is None:
        return False
    siblings = Run.objects.filter(parent_id=run.parent_id, state=RunState.RUNNING).exclude(pk=run.pk)
    in_flight = siblings.aggregate(sum=Sum("reserved_usd"))["sum"] or Decimal(0)
    used = root.spent_usd + root.lost_usd + root.reserved_usd
    return in_flight > 0 and used - in_flight + amount <= root.budget_usd
