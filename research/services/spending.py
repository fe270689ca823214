"""What research costs, as it was booked: by run, day, macro and model. Nothing is estimated, and unknown is not zero.

Amounts are US dollars. *Spent* is known or was booked as reserved because the provider did not say; *possibly paid*
belongs to calls whose answer never arrived; calls of a model without a price count as *unknown*.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Literal, TypeAlias
from uuid import UUID

from django.db.models import (
    Case,
    Count,
    F,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    TextField,
    Value,
    When,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, NullIf, TruncDate

from common.counts import counted
from research.errors import InvalidParameters, ParamError
from research.jsontext import JsonObject
from research.models import Run, Step
from research.models.states import OPEN_RUN_STATES, StepKind

By: TypeAlias = Literal["day", "macro", "model"]
BY: tuple[By, ...] = ("day", "macro", "model")
LONGEST = timedelta(days=3_660)
ZERO = Decimal(0)
UNKNOWN = Q(usage__cost="unknown")
PAID = Q(kind=StepKind.MODEL) | Q(cost_usd__gt=0) | Q(lost_usd__gt=0) | UNKNOWN


@dataclass(frozen=True)
class Spend:
    """Money of some calls; ``unknown`` of them have a cost that nobody knows."""

    spent: Decimal = ZERO
    possibly_paid: Decimal = ZERO
    reserved: Decimal = ZERO
    calls: int = 0
    unknown: int = 0
    budget: Decimal | None = None

    @property
    def words(self) -> str:
        """``0.0123 USD``, ``unknown``, or both."""
        known = f"{amount(self.spent)} USD"
        if not self.unknown:
            return known
        more = f"{self.unknown} call{'s' * (self.unknown != 1)} of unknown cost"
        return f"{known} and {more}" if self.spent else f"unknown: {more}"

    @property
    def spent_text(self) -> str:
        return amount(self.spent)

    @property
    def possibly_paid_text(self) -> str:
        return amount(self.possibly_paid)

    @property
    def used(self) -> Decimal:
        """What counts against the budget."""
        return self.spent + self.possibly_paid + self.reserved

    def share(self, part: Decimal) -> float:
        """A part of the budget, or of what was used where there is none, in percent, for a bar."""
        whole = max(self.budget or ZERO, self.used)
        return round(float(100 * part / whole), 2) if whole else 0.0

    def as_json(self) -> JsonObject:
        """Amounts as decimal texts; ``spent`` is null where nothing is known of it."""
        known = self.spent or not self.unknown
        return {
            "spent": _text(self.spent) if known else None,
            "reserved": _text(self.reserved),
            "possibly_paid": _text(self.possibly_paid),
            "unknown_calls": self.unknown,
            "budget": None if self.budget is None else _text(self.budget),
        }

    def sums(self) -> JsonObject:
        """The same for several runs: ``{calls, spent, possibly_paid, unknown_calls}``."""
        told = self.as_json()
        return {
            "calls": self.calls,
            **{name: told[name] for name in ("spent", "possibly_paid", "unknown_calls")},
        }


@dataclass(frozen=True)
class Row:
    """The spend under one day, macro or model."""

    key: str
    spend: Spend

    def as_json(self, by: By) -> JsonObject:
        return {by: self.key, **self.spend.sums()}


def spend_of(run: Run) -> Spend:
    """What a run has spent, its children included; their money is booked on the head of the family too."""
    booked = Spend(run.spent_usd, run.lost_usd, run.reserved_usd, budget=run.budget_usd)
    if hasattr(run, "paid_calls"):
        return replace(booked, calls=run.paid_calls or 0, unknown=getattr(run, "unknown_calls", 0) or 0)
    steps = _paid_by_family(run.pk)
    return replace(booked, **steps.aggregate(calls=Count("pk"), unknown=Count("pk", filter=UNKNOWN)))


def with_calls(runs: QuerySet[Run]) -> QuerySet[Run]:
    """The runs with ``paid_calls`` and ``unknown_calls``, so that ``spend_of`` asks nothing for each of a list."""
    steps = _paid_by_family(OuterRef("pk"))
    return runs.annotate(paid_calls=counted(steps), unknown_calls=counted(steps.filter(UNKNOWN)))


def _paid_by_family(run: UUID | OuterRef) -> QuerySet[Step]:
    """Paid calls of a run and its children, found by the keys of these: an OR over the join would read all steps."""
    key = OuterRef(run) if isinstance(run, OuterRef) else run
    family = Run.objects.filter(Q(pk=key) | Q(parent=key)).order_by()
    return Step.objects.filter(PAID, run__in=family.values("pk")).order_by()


def spending(*, by: By, first: date, last: date) -> list[Row]:
    """What was spent from the first day to the last, both included; days in order, the rest by amount.

    Raises:
        InvalidParameters: the last day is before the first, or the time is longer than ten years.
    """
    if last < first or last - first > LONGEST:
        sentence = "the last day must not be before the first, nor more than ten years after it"
        raise InvalidParameters([ParamError("to", sentence)])
    grouped = between(first, last).annotate(key=_KEYS[by]).values("key").annotate(**_SUMS)
    found: list[JsonObject] = [dict(row) for row in grouped]
    return sorted((Row(str(row.pop("key")), Spend(**row)) for row in found), key=_order(by))


def total(*, first: date | None = None, last: date | None = None, macro: str = "") -> Spend:
    """The sum of all of it, or of a time or a macro."""
    steps = between(first, last)
    return total_of(steps.filter(run__macro__name=macro) if macro else steps)


def total_of(steps: QuerySet[Step]) -> Spend:
    """The sum of the paid calls among them."""
    return Spend(**steps.filter(PAID).order_by().aggregate(**_SUMS))


def between(first: date | None, last: date | None) -> QuerySet[Step]:
    """The paid calls of a time; each step once, so that nothing is counted on a child and on its parent."""
    steps = Step.objects.filter(PAID).order_by()
    if first:
        # a run that was over by then made none of them: the runs are found by an index, the calls by their runs
        working = Run.objects.filter(Q(state__in=OPEN_RUN_STATES) | Q(finished_at__gte=_start(first)))
        steps = steps.filter(started_at__gte=_start(first), run__in=working.order_by().values("pk"))
    return steps.filter(started_at__lt=_start(last + timedelta(days=1))) if last else steps


def amount(value: Decimal) -> str:
    """An amount for people: at least two places, and no more than it needs."""
    text = f"{value:.6f}".rstrip("0")
    whole, _, cents = text.partition(".")
    return f"{whole}.{cents:0<2}"


def _start(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


def _order(by: By) -> Any:
    if by == "day":
        return lambda row: row.key
    return lambda row: (-row.spend.spent, -row.spend.calls, row.key)


def _text(value: Decimal) -> str:
    return f"{value:.6f}"


_ANSWERED = NullIf(
    Cast(KeyTextTransform("model", "answer"), TextField()), Value(""), output_field=TextField()
)
_SUMS: dict[str, Any] = {
    "spent": Coalesce(Sum("cost_usd"), ZERO),
    "possibly_paid": Coalesce(Sum("lost_usd"), ZERO),
    "calls": Count("pk"),
    "unknown": Count("pk", filter=UNKNOWN),
}
_KEYS: dict[str, Any] = {
    "day": TruncDate("started_at", tzinfo=UTC),
    "macro": F("run__macro__name"),
    # Who answered according to the provider; a tool that costs money stands under its own name.
    "model": Case(
        When(kind=StepKind.MODEL, then=Coalesce(_ANSWERED, "run__model", output_field=TextField())),
        default="name",
        output_field=TextField(),
    ),
}
