"""What must hold once a trial is over: the run's end, the number of calls, and the ledger beside the bill."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from bench.model_server import OUTPUT_TOKENS
from bench.work import MODEL, TURNS, is_right
from research.models import ModelPrice, ResearchResult, Run, Step
from research.models.states import RunState, StepKind

INPUT_USD, OUTPUT_USD = Decimal(10), Decimal(100)  # per million tokens
Bill = Sequence[tuple[int, int]]


def set_price() -> None:
    """The scripted model costs money."""
    price = ModelPrice(model=MODEL, valid_from=date(2020, 1, 1), input_usd=INPUT_USD, output_usd=OUTPUT_USD)
    price.cached_usd = price.cache_write_usd = INPUT_USD
    price.save()


def cost(tokens: int) -> Decimal:
    return (tokens * INPUT_USD + OUTPUT_TOKENS * OUTPUT_USD) / 1_000_000


@dataclass(frozen=True)
class Outcome:
    """The ledger of a run, the bill of the model for it, and how many tools ran."""

    run: Run
    bill: Bill
    tools: int

    @property
    def billed(self) -> Decimal:
        return sum((cost(tokens) for _, tokens in self.bill), Decimal(0))

    @property
    def exact(self) -> bool:
        return self.run.spent_usd == self.billed and not self.run.lost_usd

    def faults(self, *, in_flight: bool) -> Iterator[str]:
        """Every promise that was not kept. ``in_flight``: a call may have been under way when the trial struck."""
        run = self.run
        if run.state != RunState.SUCCEEDED:
            yield f"the run is {run.state}: {run.error}"
            return
        results = list(ResearchResult.objects.filter(run=run))
        if len(results) != 1 or not is_right(results[0].data):
            yield f"{len(results)} results, of which the first must be right"
        if len(self.bill) > TURNS + in_flight:
            yield f"{len(self.bill)} model calls"
        if self.tools > TURNS:
            yield f"{self.tools} tool calls"
        yield from self._money(in_flight)
        yield from _journal(run)

    def _money(self, in_flight: bool) -> Iterator[str]:
        run = self.run
        once = sum((cost(tokens) for tokens in dict(self.bill).values()), Decimal(0))
        if run.spent_usd != once:
            yield f"spent {run.spent_usd}, and one answer of each turn costs {once}"
        if run.spent_usd + run.lost_usd < self.billed:
            yield f"spent {run.spent_usd} and possibly paid {run.lost_usd} are less than the bill of {self.billed}"
        if not in_flight and not self.exact:
            yield f"spent {run.spent_usd}, possibly paid {run.lost_usd}, billed {self.billed}: no call was in flight"
        if run.reserved_usd:
            yield f"{run.reserved_usd} are still reserved"


def _journal(run: Run) -> Iterator[str]:
    steps = list(Step.objects.filter(run=run).order_by("seq"))
    if [step.seq for step in steps] != list(range(1, len(steps) + 1)):
        yield "the journal has gaps"
    good = [step for step in steps if step.answer and step.answer.get("success", True)]
    for kind, wanted in ((StepKind.MODEL, TURNS), (StepKind.TOOL, TURNS - 1)):
        if (found := sum(step.kind == kind for step in good)) != wanted:
            yield f"{found} answered {kind} steps"
