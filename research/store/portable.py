"""The store of runs on any database of Django's: conditional UPDATEs, each write one transaction.

Every change of a run that somebody works on repeats the fence of the lease, so a worker whose lease lapsed and was
taken over can no longer write anything.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from django.db import connection, models, transaction
from django.db.models import F, Q
from django.db.models.functions import Round

from research import audit
from research.models import Run, Step
from research.models.states import RunState
from research.store import prepared, rows

ZERO = Decimal(0)
PLACES = 6  # of US dollars; SQLite adds them as floating-point numbers
MANY = 100  # runs in one statement


_KINDS = "SELECT DISTINCT kind FROM research_source WHERE run_id = %s"


@dataclass(frozen=True)
class Account:
    """Amounts in US dollars: what is due by now, and what is to be reserved if it fits the budget."""

    reserved: Decimal
    spent: Decimal
    lost: Decimal
    reserve: Decimal

    @property
    def due(self) -> bool:
        return bool(self.reserved or self.spent or self.lost)


@dataclass(frozen=True)
class Write:
    """One write of a journal.

    ``filled`` are steps that were answered, ``added`` and ``repeated`` are to be done next: they are only written in
    time, within the budget, and, if there are ``calls`` among them, unless somebody wants the run to stop. A ``phase``
    of None is the one that is stored. ``before`` is called in the transaction and may still change answers.
    """

    run_id: UUID
    root_id: UUID
    fence: int
    until: datetime
    filled: Sequence[Step]
    added: Sequence[Step]
    repeated: Sequence[Step]
    account: Account
    in_time: bool
    calls: bool
    phase: str | None = None
    before: Callable[[], None] | None = None


class Verdict(NamedTuple):
    """Whether somebody wants the run to stop, and whether what was to be reserved fits the budget."""

    stop: bool
    fits: bool


class RunStore:
    """Every method that repeats a fence says by None or False that the lease is lost, and has then written nothing."""

    def one_transaction(self, *, alone: bool) -> AbstractContextManager[object]:
        """A transaction around ``leave``; ``alone`` says that nothing else is written in it."""
        return transaction.atomic()

    def take(
        self, run_id: UUID, worker: str, *, now: datetime, until: datetime, deadlines: Mapping[str, datetime]
    ) -> Run | None:
        """Take the lease of a run that is queued or whose lease has lapsed; with its macro, or None if it is not free.

        ``deadlines``, by depth, are for a run that is taken up for the first time; no child's is later than its
        parent's.
        """
        lapsed = Q(state=RunState.QUEUED) | Q(state=RunState.RUNNING, lease_until__lt=now)
        free = Run.objects.filter(lapsed, pk=run_id)
        run = free.select_related("macro", "parent").first()
        if run is None:
            return None
        own = [deadlines[run.depth], run.parent and run.parent.deadline]
        changes = {
            "state": RunState.RUNNING,
            "lease_owner": worker,
            "lease_until": until,
            "fence": run.fence + 1,
            "wake_at": None,
            "started_at": run.started_at or now,
            "deadline": run.deadline or min(moment for moment in own if moment),
        }
        with transaction.atomic():
            if not free.filter(fence=run.fence).update(**changes):
                return None
            vars(run).update(changes)
            audit.record("run.claimed", run, None, worker=worker, fence=run.fence)
        return run

    def steps(self, run_id: UUID) -> list[Step]:
        """The journal of a run, in its order."""
        return rows.read(Step, "WHERE run_id = %s ORDER BY seq", [_key(run_id)])

    def kinds_of_sources(self, root_id: UUID) -> set[str]:
        """What a family has read: of the web, of a register; empty when it has read nothing."""
        return {kind for (kind,) in prepared.rows(_KINDS, _key(root_id))}

    def hold(self, run_id: UUID, fence: int, until: datetime) -> bool | None:
        """Renew a lease; whether somebody wants the run to stop, or None when the lease is lost."""
        held = Run.objects.filter(pk=run_id, fence=fence, state=RunState.RUNNING)
        if not held.update(lease_until=until):
            return None
        return held.values_list("cancel_requested", flat=True).first()

    def hold_all(self, held: Sequence[tuple[UUID, int]], until: datetime) -> dict[tuple[UUID, int], bool]:
        """Renew many leases; of each that is still held, whether somebody wants the run to stop.

        The rows are locked in the order in which every transaction locks several runs: heads, then children.
        """
        found: dict[tuple[UUID, int], bool] = {}
        for start in range(0, len(held), MANY):
            these = Q(
                *(Q(pk=run_id, fence=fence) for run_id, fence in held[start : start + MANY]), _connector=Q.OR
            )
            with transaction.atomic():
                runs = Run.objects.filter(these, state=RunState.RUNNING)
                in_order = runs.order_by(F("parent_id").asc(nulls_first=True), "pk").select_for_update(
                    no_key=True
                )
                some = list(in_order.values_list("pk", "fence", "cancel_requested"))
                Run.objects.filter(pk__in=[pk for pk, _, _ in some]).update(lease_until=until)
            found |= {(pk, fence): stop for pk, fence, stop in some}
        return found

    @transaction.atomic
    def write(self, write: Write) -> Verdict | None:
        """Renew the lease, store what came back, book what it cost, and add what may be done next."""
        account, reserve = write.account, write.account.reserve
        if write.root_id != write.run_id and (write.before or account.due or reserve):
            # the head's row first, as in every transaction
            Run.objects.select_for_update().filter(pk=write.root_id).values_list("pk").first()
        stop = self.hold(write.run_id, write.fence, write.until)
        if stop is None:
            return None
        if write.before:
            write.before()
        if account.due:
            _book(write, account)
        goes = write.in_time and not (stop and write.calls)
        fits = not goes or not reserve or _book(write, Account(reserve, ZERO, ZERO, ZERO), within_budget=True)
        goes = goes and fits
        for step in [*write.filled, *(write.repeated if goes else ())]:
            Step.objects.filter(run_id=step.run_id, seq=step.seq).update(**_outcome(step))
        if goes:
            Step.objects.bulk_create(write.added)
        if write.phase is not None:
            Run.objects.filter(pk=write.run_id).update(phase=write.phase)
        return Verdict(stop, fits)

    @transaction.atomic
    def keep_intent(self, step: Step, fence: int, until: datetime) -> bool:
        """Store the intent of a step as it is now, and renew the lease; False when it is lost."""
        if self.hold(step.run_id, fence, until) is None:
            return False
        return bool(Step.objects.filter(run_id=step.run_id, seq=step.seq).update(intent=step.intent))

    def leave(
        self,
        run_id: UUID,
        fence: int,
        changes: Mapping[str, object],
        besides: Sequence[Sequence[models.Model]] = (),
    ) -> bool:
        """Change a run for the last time under this fence, and store new rows ``besides``, each group of one model.

        False when the lease is lost; the caller's transaction must not go on then.
        """
        held = Run.objects.filter(pk=run_id, fence=fence, state=RunState.RUNNING)
        if not held.update(**changes):
            return False
        for group in besides:
            type(group[0])._default_manager.bulk_create(group)
        return True


def _book(write: Write, account: Account, *, within_budget: bool = False) -> bool:
    """Book on the head, whose budget it is, and on the run itself. False when it would not fit the budget."""
    heads = Run.objects.filter(pk=write.root_id)
    if within_budget:
        used = (
            F("reserved_usd")
            + F("spent_usd")
            + F("lost_usd")
            + account.reserved
            + account.spent
            + account.lost
        )
        heads = heads.alias(used=Round(used, PLACES)).filter(
            Q(budget_usd=None) | Q(budget_usd__gte=F("used"))
        )
    amounts = {"reserved_usd": account.reserved, "spent_usd": account.spent, "lost_usd": account.lost}
    changes = {name: Round(F(name) + amount, PLACES) for name, amount in amounts.items() if amount}
    if not heads.update(**changes):
        return False
    if write.root_id != write.run_id:
        Run.objects.filter(pk=write.run_id).update(**changes)
    return True


def _outcome(step: Step) -> dict[str, object]:
    """What changes when a step is answered or done again."""
    names = (
        "answer",
        "raw",
        "usage",
        "reserved_usd",
        "cost_usd",
        "lost_usd",
        "attempt",
        "fence",
        "answered_at",
    )
    return {name: getattr(step, name) for name in names}


def _key(key: UUID) -> object:
    return key if connection.features.has_native_uuid_field else key.hex
