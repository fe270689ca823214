"""What a run waits for, and how far a deep run is. Read by every face; nothing here writes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal

from research.engine.deep import checkpoints
from research.engine.deep.depths import EXTENTS
from research.engine.legal import checkpoints as legal
from research.engine.questions.question import BadAnswer
from research.errors import InvalidParameters, ParamError
from research.jsontext import JsonObject
from research.models import Run, Source, Step
from research.models.states import OPEN_RUN_STATES, RunState, StepKind
from research.services.spending import amount

BUDGET = "budget"  # the phase in which a run waits for more money
CENTS_OF_CENTS = Decimal("0.0001")  # what a budget can tell apart
SPENT = "The next call does not fit into the budget. Everything found so far is kept."
PHASES = ("clarification", "brief", "round", "synthesis", "verification")
LEGAL_PHASES = legal.PHASES
_LEGAL_PHASE_OF = {
    legal.CLARIFICATION: "understand",
    legal.SOURCES_DOWN: "search",
    "checks": "deliver",
    "done": "deliver",
}
CHECKS = {"deep": checkpoints.check_answer, "legal": legal.check_answer}
_PHASE_OF = {"directives": "round", "sources": "round", "checks": "verification", "done": "verification"}


@dataclass(frozen=True)
class Checkpoint:
    """What a run shows a person: ``edit`` is what may be sent back as ``answer``, as it stands; None if nothing may."""

    phase: str
    message: str
    edit: JsonObject | None
    shown: JsonObject

    def as_json(self) -> JsonObject:
        return {"phase": self.phase, "message": self.message, "edit": self.edit, "shown": self.shown}


@dataclass(frozen=True)
class Least:
    """The smallest budget with which a run whose budget is spent can make its next call."""

    amount: Decimal
    sentence: str


def used_usd(run: Run) -> Decimal:
    """What of a budget is gone, or set aside for calls in flight."""
    return run.spent_usd + run.lost_usd + run.reserved_usd


def least_budget(run: Run) -> Least | None:
    """None unless the run, or a part of it, waits for a larger budget."""
    if run.state != RunState.AWAITING_CONFIRMATION or run.phase != BUDGET:
        return None
    used, needed = used_usd(run), max(map(_needed, _asking_steps(run)), default=Decimal(0))
    if needed:
        least = (used + needed).quantize(CENTS_OF_CENTS, rounding=ROUND_UP)
        why = f"{amount(used)} are used, and the next call may cost {amount(needed)}"
        return Least(least, f"must be at least {amount(least)} USD: {why}")
    least = max(used, run.budget_usd or used)
    return Least(
        least.quantize(CENTS_OF_CENTS, rounding=ROUND_UP) + CENTS_OF_CENTS, f"must be more than {least:f} USD"
    )


def waiting_for(run: Run) -> Checkpoint | None:
    """What the run waits for, or None when it waits for no person."""
    if run.state != RunState.AWAITING_CONFIRMATION:
        return None
    step = _asking_step(run)
    shown: JsonObject = dict(step.answer or {}) if step else {}
    edit = shown.pop("edit", None)
    usual = SPENT if run.phase == BUDGET else "This is what the run is going to do."
    message = str(shown.pop("message", "") or usual)
    return Checkpoint(run.phase, message, edit if isinstance(edit, dict) else None, shown)


def _asking_step(run: Run) -> Step | None:
    """What is shown: the run's own, unless it has children whose next call does not fit; then the latest of these."""
    return next(iter(_asking_steps(run)), None)


def _asking_steps(run: Run) -> list[Step]:
    """Of each run of the family that waits, what it asks; the latest first."""
    asks = Step.objects.filter(kind=StepKind.PHASE, name=run.phase, answer__isnull=False)
    if run.phase == BUDGET:
        waiting = asks.filter(run__parent=run, run__state=RunState.AWAITING_CONFIRMATION)
        latest = {step.run_id: step for step in waiting.order_by("answered_at", "seq")}
        if latest:
            return sorted(latest.values(), key=lambda step: (step.answered_at, step.seq), reverse=True)
    return list(asks.filter(run=run).order_by("-seq")[:1])


def _needed(step: Step) -> Decimal:
    return Decimal(str((step.answer or {}).get("needed_usd") or 0))


def check_answer(run: Run, phase: str, answer: JsonObject) -> None:
    """Raises InvalidParameters when the answer cannot be used where the run waits."""
    check = CHECKS.get(run.workflow)
    if check is None:
        problem = "this run asks nothing back; other parameters are given as params"
        raise InvalidParameters([ParamError("answer", problem)])
    finishes = set(answer) <= {"finish"} and isinstance(answer.get("finish"), bool)
    if run.workflow == "deep" and phase == BUDGET and finishes:
        return
    try:
        check(phase, answer)
    except BadAnswer as error:
        raise InvalidParameters([ParamError("answer", str(error))]) from None


def progress(run: Run) -> JsonObject | None:
    """How far a run of many phases is: ``{phases: [{name, state}], round, rounds, topics: [...], counts}``, else None.

    The state of a phase is done, now, waits or ahead; a topic has its run, directive, title, state, phase and sources.
    Legal research has neither rounds nor topics.
    """
    if run.workflow == "legal":
        sources = Source.objects.filter(run=run).count()
        phases = _states(run, LEGAL_PHASES, _legal_place(run))
        return {"phases": phases, "round": 0, "rounds": 0, "topics": [], "counts": {"sources": sources}}
    if run.workflow != "deep":
        return None
    topics = [
        _topic(child) for child in run.children.filter(workflow="topic").order_by("created_at", "directive")
    ]
    return {
        "phases": _phases(run),
        "round": max([_round_of(run.phase), *(topic["round"] for topic in topics)]),
        "rounds": EXTENTS[run.depth].rounds,
        "topics": topics,
        "counts": {
            **Counter(topic["state"] for topic in topics),
            "sources": Source.objects.filter(run=run).count(),
        },
    }


def _phases(run: Run) -> list[JsonObject]:
    head = run.phase.replace(".", " ").split(" ")[0]
    here = _PHASE_OF.get(head, head)
    return _states(run, PHASES, PHASES.index(here) if here in PHASES else _furthest(run))


def _legal_place(run: Run) -> int:
    """Of a phase that is none of these, such as "budget", the last one that left a step."""
    head = run.phase.partition(".")[0]
    here = _LEGAL_PHASE_OF.get(head, head)
    if here in LEGAL_PHASES:
        return LEGAL_PHASES.index(here)
    given = Step.objects.filter(run=run, name__endswith=".given").count()
    return min(given, len(LEGAL_PHASES) - 1)


def _states(run: Run, phases: Sequence[str], at: int) -> list[JsonObject]:
    over = run.state == RunState.SUCCEEDED
    now = (
        "waits"
        if run.state == RunState.AWAITING_CONFIRMATION
        else "now"
        if run.state in OPEN_RUN_STATES
        else "ended"
    )
    states = [
        "done" if over or place < at else now if place == at else "ahead" for place in range(len(phases))
    ]
    return [{"name": name, "state": state} for name, state in zip(phases, states, strict=True)]


def _round_of(phase: str) -> int:
    """The round that a phase such as "round 2/3" or "directives.2" is in."""
    digits = phase.partition("/")[0].replace(".", " ").rpartition(" ")[2]
    return int(digits) if digits.isdecimal() else 0


def _furthest(run: Run) -> int:
    """For a phase that is none of these, such as "budget": the last one that left a step."""
    marks = {"report": 3, "claims": 4}
    names = list(Step.objects.filter(run=run).values_list("name", flat=True))
    found = [
        marks.get(name, 2 if name.startswith("round.") else 1 if name == "brief" else 0) for name in names
    ]
    return max(found, default=0)


def _topic(child: Run) -> JsonObject:
    output = (
        Step.objects.filter(run=child, kind=StepKind.PHASE, name="output")
        .values_list("answer", flat=True)
        .first()
    )
    return {
        "run": str(child.pk),
        "directive": child.directive,
        "round": _round(child.directive),
        "title": str(child.params.get("topic", ""))[:300],
        "state": child.state,
        "phase": child.phase,
        "calls": Step.objects.filter(run=child, kind=StepKind.TOOL).count(),
        "sources": len((output or {}).get("sources", ())),
        "error": str((child.error or {}).get("message", "")),
    }


def _round(directive: str) -> int:
    number = directive.split("-")[1] if directive.count("-") == 2 else ""
    return int(number) if number.isdecimal() else 0
