"""The journal of a run: intent before the call, answer right after it, under one fence.

Nothing else is conversation state. A worker reads the journal once, when it takes the run up, and from then on keeps in
memory what it writes. Every write is one transaction that renews the lease, repeats the fence, writes answers, books
what they cost, and adds what is to be done next with its cost reserved: so an answer and the intent that follows from
it are one commit. An intent without an answer is the one call that may have been in flight when a worker died.
"""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TypeVar
from uuid import UUID

from django.db import (
    DataError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)
from django.utils import timezone

from research import store
from research.engine import lease
from research.engine.conversation import live_steps
from research.engine.lease_renewal import HEART
from research.engine.limits import kept_for_report
from research.engine.stops import Cancelled, HandedOver, OutOfTime, OverBudget
from research.jsontext import JsonObject, storable_json
from research.models import Run, Step
from research.models.states import StepKind

log = logging.getLogger(__name__)

ZERO = Decimal(0)
MICRO = Decimal("0.000001")  # the smallest amount that is booked
GRACE = timedelta(minutes=10)  # for one last turn after the deadline
INTERRUPTED = "interrupted"
CALLS = (StepKind.MODEL, StepKind.TOOL)
UNSTORABLE = (DataError, ValueError, ArithmeticError)  # errors of a database or driver that concern a value
RETRIES = (0.5, 1.0, 2.0, 4.0, 8.0)  # seconds between attempts to write paid answers
Outcome = TypeVar("Outcome")


@dataclass
class Booking:
    """What the next write books."""

    reserved: Decimal = ZERO
    spent: Decimal = ZERO
    lost: Decimal = ZERO

    def __bool__(self) -> bool:
        return bool(self.reserved or self.spent or self.lost)


@dataclass(frozen=True)
class Entry:
    """A step to add: a note if it has an ``answer``, else a call about to be made that may cost ``reserve``."""

    kind: StepKind
    name: str
    intent: JsonObject = field(default_factory=dict)
    answer: JsonObject | None = None
    reserve: Decimal = ZERO


class Journal:
    """The steps of one run. Every method that writes raises LeaseLost if the fence is stale."""

    def __init__(self, run: Run, fence: int, on_step: Callable[[Step], None] | None = None) -> None:
        self.run_id: UUID = run.pk
        self.root_id: UUID = run.parent_id or run.pk
        self.fence, self.deadline, self.grace = fence, run.deadline, timedelta(0)
        self._kept = kept_for_report(run.depth) if run.parent_id else timedelta(0)
        self.on_step = on_step or (lambda step: None)
        self.phase = run.phase
        self._stored_phase = run.phase
        steps = store.run_store().steps(self.run_id)
        self.live = live_steps(steps)
        self._last = steps[-1].seq if steps else 0
        answered = (step.fence for step in steps if step.answer is not None)
        self.fruitless = fence - max(answered, default=0)  # claims since the last answer
        self._held_back: list[Step] = []
        self._remarks: list[Entry] = []
        self._due = Booking()
        self._adopt(steps)

    def intend(self, *entries: Entry) -> list[Step]:
        """Commit the next calls together with the answers held back.

        Raises:
            Cancelled, OutOfTime, OverBudget: no call was added; the answers were.
            HandedOver: this process ends, and nothing was written.
        """
        now = timezone.now()
        steps = [self._step(entry, number, now) for number, entry in enumerate(entries, start=self._last + 1)]
        self._begin(steps)
        self._write(self._held_back, steps)
        return steps

    def note(self, kind: StepKind, name: str, content: JsonObject) -> Step:
        """Add a step without a call."""
        return self.intend(Entry(kind, name, answer=storable_json(content)))[0]

    def again(self, *calls: tuple[Step, Decimal]) -> None:
        """Repeat all calls that were in flight when the last worker stopped, or none.

        Raises:
            OverBudget: together they exceed the budget; the steps are unchanged.
        """
        steps = [step for step, _ in calls]
        self._begin(steps)
        before = [(step.attempt, step.fence, step.reserved_usd) for step in steps]
        for step, reserve in calls:
            step.attempt, step.fence, step.reserved_usd = step.attempt + 1, self.fence, reserve
        try:
            self._write(self._held_back, [], repeated=steps)
        except OverBudget:
            for step, (attempt, fence, reserved) in zip(steps, before, strict=True):
                step.attempt, step.fence, step.reserved_usd = attempt, fence, reserved
            raise

    def answer(
        self,
        step: Step,
        content: JsonObject,
        *,
        raw: JsonObject | None = None,
        usage: JsonObject | None = None,
        cost: Decimal = ZERO,
        lost: Decimal = ZERO,
        hold_back: bool = False,
        before: Callable[[], None] | None = None,
    ) -> Step:
        """Commit an answer, or with ``hold_back`` keep it for the next write, which must follow at once.

        ``before`` is done in the same transaction, and may still change ``step.answer``.
        """
        step.answer, step.raw, step.usage = storable_json(content), storable_json(raw), usage
        step.answered_at = timezone.now()
        self._settle(step, spent=cost, lost=lost)
        self._held_back.append(step)
        if not hold_back or before:
            self._write(self._held_back, [], before=before)
        return step

    def remark(self, entry: Entry) -> None:
        """Add a note that may be lost with this worker. Whoever ends the run stores it, see ``remarks``."""
        self._remarks.append(entry)

    def remarks(self) -> list[Step]:
        """The remarks as steps for the transaction that ends the run. No write may come in between."""
        now = timezone.now()
        return [
            self._step(one, number, now) for number, one in enumerate(self._remarks, start=self._last + 1)
        ]

    def flush(self) -> None:
        """Commit the answers held back."""
        if self._held_back:
            self._write(self._held_back, [])

    def abandon(self) -> None:
        """Commit the answers held back, and book abandoned calls as possibly paid."""
        left = [step for step in self.live if step.answer is None and step.reserved_usd]
        for step in left:
            self._settle(step, lost=step.reserved_usd)
        if not left and not self._held_back:
            return
        steps = [*self._held_back, *left]
        try:
            with (
                transaction.atomic() if connection.in_atomic_block else nullcontext()
            ):  # the caller's exception must continue
                self._write(steps, [])
        except UNSTORABLE as error:
            log.warning("run %s: an answer cannot be stored (%s)", self.run_id, type(error).__name__)
            self._replace(steps)
            self._write(steps, [])

    @staticmethod
    def _begin(steps: Sequence[Step]) -> None:
        """Begin no call in a process that ends: it would be cut off, and paid for again."""
        if HEART.leaving.is_set() and any(step.answer is None for step in steps):
            raise HandedOver

    def is_late(self, kept: timedelta) -> bool:
        """Whether time is up, except for the reserve ``kept`` and one last turn."""
        return self.deadline is not None and timezone.now() > self.deadline - kept + self.grace

    def give_grace(self) -> None:
        """Allow time for one last turn. A child's time ends well before its parent's."""
        self.grace = min(GRACE, self._kept / 2) if self._kept else GRACE

    def ticket(self, step: Step, ticket: str) -> None:
        """Store the provider's id of a call in flight."""
        step.intent = {**step.intent, "ticket": ticket}
        keep = store.run_store().keep_intent
        kept = self._surely(lambda: keep(step, self.fence, lease.until(timezone.now())), lambda: False)
        if not kept:
            raise lease.LeaseLost(f"run {self.run_id}: fence {self.fence} is no longer valid")

    def _adopt(self, steps: Sequence[Step]) -> None:
        """Book calls that the last worker left in flight as possibly paid. One with a ticket can still be collected."""
        left = [
            step
            for step in steps
            if step.answer is None and step.kind in CALLS and step.fence != self.fence
            if "ticket" not in step.intent or step not in self.live
        ]
        for step in left:
            self._settle(step, lost=step.reserved_usd)
            if step.kind == StepKind.MODEL:
                message = "The worker stopped while the model was asked."
                error = {"code": INTERRUPTED, "message": message, "retryable": True}
                step.answer, step.answered_at = {"success": False, "error": error}, timezone.now()
        if self._due or any(step.kind == StepKind.MODEL for step in left):
            self._write(left, [])

    def _replace(self, steps: Sequence[Step]) -> None:
        """Replace every answer held back by an error. The reserved amounts may have been paid."""
        stored = Step.objects.filter(run_id=self.run_id, seq__in=[step.seq for step in steps])
        known = {step.seq: step for step in stored}
        self._due = Booking()
        for step in steps:
            was = known[step.seq]
            step.reserved_usd, step.cost_usd, step.lost_usd = was.reserved_usd, was.cost_usd, was.lost_usd
            if step.answer is not None:
                error = {
                    "code": "unstorable",
                    "message": "The answer cannot be stored.",
                    "retryable": False,
                }
                step.answer, step.raw, step.usage = {"success": False, "error": error}, None, None
            self._settle(step, lost=step.reserved_usd)

    def _settle(self, step: Step, *, spent: Decimal = ZERO, lost: Decimal = ZERO) -> None:
        """Turn reserved amounts into actual costs."""
        self._due.reserved -= step.reserved_usd
        self._due.spent += spent
        self._due.lost += lost
        step.reserved_usd, step.cost_usd, step.lost_usd = ZERO, step.cost_usd + spent, step.lost_usd + lost

    def _step(self, entry: Entry, number: int, now: datetime) -> Step:
        return Step(
            run_id=self.run_id,
            seq=number,
            kind=entry.kind,
            name=entry.name[:100],
            intent=storable_json(entry.intent),
            answer=entry.answer,
            reserved_usd=entry.reserve,
            fence=self.fence,
            started_at=now,
            answered_at=None if entry.answer is None else now,
        )

    def _write(
        self,
        filled: Sequence[Step],
        added: Sequence[Step],
        *,
        repeated: Sequence[Step] = (),
        before: Callable[[], None] | None = None,
    ) -> None:
        """One transaction, after which memory equals the table.

        What came back is ``filled``; what is to be done next is ``added`` or ``repeated``, if it may be.
        """
        write = _Write(list(filled), added, repeated, before)
        refusal = self._surely(lambda: self._commit(write), lambda: self._landed(write))
        self._due = Booking()
        self._held_back.clear()
        if refusal is None:
            self.live.extend(added)
            self._last += len(added)
        for step in write.filled:
            if step.kind in CALLS and step.answer is not None:
                self.on_step(step)
        if refusal is not None:
            raise refusal

    def _commit(self, write: "_Write") -> Exception | None:
        """Write, and return the reason if the next calls were not added."""
        calls, late = self._calls(write.added)
        due, phase = self._due, None if self.phase == self._stored_phase else self.phase
        verdict = store.run_store().write(
            store.Write(
                run_id=self.run_id,
                root_id=self.root_id,
                fence=self.fence,
                until=lease.until(timezone.now()),
                filled=write.filled,
                added=write.added,
                repeated=write.repeated,
                account=store.Account(due.reserved, due.spent, due.lost, write.reserve),
                in_time=not late,
                calls=calls,
                phase=phase,
                before=write.before,
            )
        )
        if verdict is None:
            raise lease.LeaseLost(f"run {self.run_id}: fence {self.fence} is no longer valid")
        self._stored_phase = self.phase
        if verdict.stop and calls:
            return Cancelled()
        if late:
            return OutOfTime()
        return None if verdict.fits else OverBudget(write.reserve)

    def _calls(self, added: Sequence[Step]) -> tuple[bool, bool]:
        """Whether there are calls to make, and whether it is too late for them."""
        calls = [step for step in added if step.answer is None]
        asks = any(step.kind in CALLS for step in calls)  # findings are checked and kept, however late
        return bool(calls), asks and self.is_late(self._kept)

    def _surely(self, write: Callable[[], Outcome], landed: Callable[[], bool]) -> Outcome | None:
        """Write, and retry if the database is briefly unavailable, because the answers may have been paid.

        Before it is written again the database is asked whether it has ``landed``, as often as that takes.
        """
        broken = False
        for pause in (*RETRIES, None):
            try:
                return None if broken and landed() else write()
            except (OperationalError, InterfaceError) as error:
                if connection.in_atomic_block or pause is None:
                    raise
                log.warning("run %s: the database gave way (%s)", self.run_id, type(error).__name__)
                connection.close()
                time.sleep(pause)
                broken = True
        return None  # never reached: the last pause is None

    def _landed(self, write: "_Write") -> bool:
        """Whether the transaction was committed although the connection broke."""
        wanted = [*write.filled, *write.repeated, *write.added]
        stored = {
            step.seq: step
            for step in Step.objects.filter(run_id=self.run_id, seq__in=[step.seq for step in wanted])
        }
        if write.filled:
            if not all(_same(step, stored.get(step.seq)) for step in write.filled):
                return False
            self._due = Booking()  # answers and costs are stored, whether or not the next calls were added
        return all(_same(step, stored.get(step.seq)) for step in (*write.repeated, *write.added))


@dataclass(frozen=True)
class _Write:
    """One transaction of the journal."""

    filled: Sequence[Step]
    added: Sequence[Step]
    repeated: Sequence[Step]
    before: Callable[[], None] | None

    @property
    def reserve(self) -> Decimal:
        return sum((step.reserved_usd for step in (*self.added, *self.repeated)), ZERO)


def _same(step: Step, stored: Step | None) -> bool:
    """Whether a step is stored unchanged. The fence is ignored: an adopted step keeps that of its first worker."""
    return stored is not None and _state(step) == _state(stored)


def _state(step: Step) -> tuple[object, ...]:
    money = (step.reserved_usd, step.cost_usd, step.lost_usd)
    return step.attempt, step.answered_at, *(amount.quantize(MICRO) for amount in money)
