"""What a person sees first: what waits for them, what runs, what was decided, what grows old, what it costs today.

Nothing here writes. The number of queries is the same however full the tables are, and a table that the person may
not look at is not asked.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db.models import Case, Count, Exists, F, Max, Model, OuterRef, Q, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber

from common.text import counted
from entities.memory import waiting_pairs
from entities.memory.people import may_see_people, without_people
from entities.models import Anomaly, Entity, GoldenCopyImport, HitState, ScreeningHit
from research.jsontext import JsonObject
from research.models import Check, Decision, Macro, ResearchResult, Run, Step, VerbCall, Watch
from research.models.states import (
    OPEN_RUN_STATES,
    MacroStatus,
    ResultState,
    RunState,
    StepKind,
    VerbState,
    Verdict,
    WatchState,
)
from research.review.rows import human_label
from research.services.access import START, Person, four_eyes_blocks
from research.services.dismissals import LATELY, UNSEEN
from research.services.readiness import needs_language_model
from research.services.spending import Spend, total_of
from research.services.trouble import Trouble, explain_end, what_it_asks, what_it_does

SHOWN = 6  # rows of a list; how many there are besides is said
HEAVY = ("data", "evidence", "schema_errors", "limitations", "coverage", "fidelity", "verb_faults")
SOON = timedelta(days=7)
WORKING = tuple(state for state in OPEN_RUN_STATES if state != RunState.AWAITING_CONFIRMATION)

Row = TypeVar("Row")

Item = TypeVar("Item", bound=Model)


@dataclass(frozen=True)
class Listing(Generic[Row]):
    """The first rows of a list, and how many there are in all."""

    rows: Sequence[Row] = ()
    total: int = 0

    def __bool__(self) -> bool:
        return bool(self.rows)

    @property
    def more(self) -> int:
        return self.total - len(self.rows)


@dataclass(frozen=True)
class Found:
    """A result that waits: for a decision, or approved and to be executed."""

    result: ResearchResult
    failed_checks: int
    barred: bool  # by the four-eyes rule
    expired: bool
    execution: str = ""  # of an approved one: how its verbs stand


@dataclass(frozen=True)
class Told:
    """A run and what is to be said of it: what it asks, why it failed, or what it is doing."""

    run: Run
    told: Trouble
    used: str = ""


@dataclass(frozen=True)
class Question:
    """A macro that can be asked; ``needs_model`` where no configured researcher can answer it."""

    macro: Macro
    needs_model: bool

    @property
    def label(self) -> str:
        """``client-discovery`` as people say it."""
        return human_label(self.macro.name)


@dataclass(frozen=True)
class Overview:
    """All of it. What is None may not be seen by this person."""

    questions: list[Question] | None = None
    reviews: Listing[Found] = field(default_factory=Listing)
    executions: Listing[Found] = field(default_factory=Listing)
    confirmations: Listing[Told] = field(default_factory=Listing)
    failures: Listing[Told] = field(default_factory=Listing)
    doubts: Listing[Watch] = field(default_factory=Listing)
    kept_apart: int = 0
    pairs: int = 0
    anomalies: int = 0
    hits: int = 0
    running: Listing[Told] | None = None
    decisions: list[Decision] | None = None
    due: Listing[Watch] | None = None
    imports: list[GoldenCopyImport] | None = None
    spent: Spend | None = None
    register: str = ""  # that the last run asked

    @property
    def waiting(self) -> int:
        """Matters that a person has to do something about."""
        lists = (self.reviews, self.executions, self.confirmations, self.failures, self.doubts)
        return (
            sum(one.total for one in lists)
            + bool(self.kept_apart)
            + sum(map(bool, (self.pairs, self.anomalies, self.hits)))
        )

    @property
    def new(self) -> bool:
        """Nobody has asked anything yet, as far as this person may see."""
        return self.running is not None and not self.register


def overview(person: Person, now: datetime) -> Overview:
    """Raises nothing; each part is there for whoever holds the permission to view its table."""
    parts: dict[str, Any] = {}
    for label, part in _PARTS.items():
        if person.has_perm(label):
            parts |= part(person, now)
    return Overview(**parts)


def _questions(person: Person, now: datetime) -> dict[str, Any]:
    active = Macro.objects.filter(status=MacroStatus.ACTIVE).order_by("name")
    return {"questions": [Question(macro, needs_language_model(macro)) for macro in active]}


def _results(person: Person, now: datetime) -> dict[str, Any]:
    left = VerbCall.objects.filter(decision__result=OuterRef("pk")).exclude(
        state__in=(VerbState.SUCCEEDED, VerbState.SKIPPED)
    )
    waiting = ResearchResult.objects.filter(
        Q(state=ResultState.PENDING_REVIEW) | Q(state=ResultState.APPROVED) & Exists(left)
    ).select_related("run__macro", "run__requested_by")
    waiting = waiting.defer(*HEAVY)
    lists = _first_of_each(waiting, F("state"), "-created_at")
    checks = Check.objects.filter(verdict=Verdict.FAIL, result__in=_all_rows(lists))
    failed: dict[Any, int] = dict(checks.values_list("result").annotate(n=Count("pk"))) if lists else {}
    approved = lists.get(ResultState.APPROVED, Listing())
    stand = _executions(approved.rows)
    found = {
        state: Listing([_found(row, failed, stand, person, now) for row in listing.rows], listing.total)
        for state, listing in lists.items()
    }
    return {
        "reviews": found.get(ResultState.PENDING_REVIEW, Listing()),
        "executions": found.get(ResultState.APPROVED, Listing()),
    }


def _found(
    result: ResearchResult, failed: dict[Any, int], stand: dict[Any, str], person: Person, now: datetime
) -> Found:
    barred, old = four_eyes_blocks(person, result), result.expired(now)
    return Found(result, failed.get(result.pk, 0), barred, old, stand.get(result.pk, ""))


def _executions(results: Sequence[ResearchResult]) -> dict[Any, str]:
    """How the verbs of approved results stand, in a sentence; the first that is not done decides."""
    if not results:
        return {}
    calls = VerbCall.objects.filter(decision__result__in=results).exclude(
        state__in=(VerbState.SUCCEEDED, VerbState.SKIPPED)
    )
    asked = {result.pk: result.execution_asked_at is not None for result in results}
    told: dict[Any, str] = {}
    for pk, state, error in calls.order_by("ordinal").values_list("decision__result", "state", "error"):
        told.setdefault(pk, _execution(state, error or {}, asked[pk]))
    return told


def _execution(state: str, error: JsonObject, asked: bool) -> str:
    if state == VerbState.FAILED:
        return f"failed: {error.get('message') or 'the reason is on its page'}"
    if state == VerbState.RUNNING:
        return "a worker executes it"
    return "waits for a worker to execute it" if asked else "open it to execute its verbs"


def _runs(person: Person, now: datetime) -> dict[str, Any]:
    bucket = Case(
        When(state=RunState.AWAITING_CONFIRMATION, then=Value("confirmations")),
        When(state=RunState.FAILED, then=Value("failures")),
        default=Value("running"),
    )
    heads = Run.objects.filter(parent__isnull=True).select_related("macro", "requested_by")
    matters = heads.filter(Q(state__in=OPEN_RUN_STATES) | UNSEEN & Q(finished_at__gte=now - LATELY))
    lists = _first_of_each(matters, bucket, "-created_at")
    working = lists.get("running", Listing())
    used = _used(working.rows)
    return {
        "confirmations": _told(lists.get("confirmations"), what_it_asks),
        "failures": _told(lists.get("failures"), _why),
        "running": Listing(
            [Told(run, what_it_does(run), used[run.pk]) for run in working.rows], working.total
        ),
        "register": Run.objects.order_by("-created_at").values_list("register", flat=True).first() or "",
        "spent": total_of(_today(now)),
    }


def _told(listing: Listing[Run] | None, explain: Callable[[Run], Trouble]) -> Listing[Told]:
    if listing is None:
        return Listing()
    return Listing([Told(run, explain(run)) for run in listing.rows], listing.total)


def _why(run: Run) -> Trouble:
    return explain_end(run) or Trouble("The run failed.", "")


def _used(runs: Iterable[Run]) -> dict[Any, str]:
    """How far each run is, in words; its parts included."""
    counts: dict[Any, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    mine = {run.pk: run for run in runs}
    family = Run.objects.filter(Q(pk__in=mine) | Q(parent__in=mine)).order_by().values("pk")
    steps = Step.objects.filter(run__in=family, answer__isnull=False).order_by()
    rows = steps.values_list("run", "run__parent", "kind").annotate(n=Count("pk")) if mine else ()
    for run, parent, kind, count in rows:
        counts[run if run in mine else parent][kind] += count
    return {
        pk: f"{counted(kinds[StepKind.MODEL], 'turn')}, {counted(kinds[StepKind.TOOL], 'tool call')} so far"
        for pk, kinds in ((pk, counts[pk]) for pk in mine)
    }


def _today(now: datetime) -> QuerySet[Step]:
    """Steps of today. A step of today belongs to a run that is open or ended today: there are fewer runs than steps."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    runs = Run.objects.filter(Q(state__in=OPEN_RUN_STATES) | Q(finished_at__gte=midnight)).order_by()
    return Step.objects.filter(run__in=runs.values("pk"), started_at__gte=midnight)


def _watches(person: Person, now: datetime) -> dict[str, Any]:
    """Answers that are in doubt, and those that are looked at again before long; what is paused is left out."""
    kept = Watch.objects.exclude(state=WatchState.PAUSED).select_related("decision__result__run__macro")
    matters = kept.filter(~Q(worsened=[]) | Q(state=WatchState.RESTING, due_at__lte=now + SOON))
    bucket = Case(When(worsened=[], then=Value("due")), default=Value("doubts"))
    lists = _first_of_each(matters, bucket, "due_at")
    return {"doubts": lists.get("doubts", Listing()), "due": lists.get("due", Listing())}


def _decisions(person: Person, now: datetime) -> dict[str, Any]:
    decided = Decision.objects.select_related("result__run__macro", "reviewer").defer(
        "data", "checks", "result__data"
    )
    return {"decisions": list(decided.order_by("-pk")[:SHOWN])}


def _entities(person: Person, now: datetime) -> dict[str, Any]:
    return {
        "kept_apart": _shown(
            Entity.objects.filter(pending_verification=True, merged_into=None), person, ""
        ).count(),
        "pairs": _shown(waiting_pairs(), person, "entity", "other").count(),
    }


def _anomalies(person: Person, now: datetime) -> dict[str, Any]:
    return {"anomalies": _shown(Anomaly.objects.filter(state=Anomaly.State.OPEN), person, "entity").count()}


def _hits(person: Person, now: datetime) -> dict[str, Any]:
    return {"hits": _shown(ScreeningHit.objects.filter(state=HitState.OPEN), person, "entity").count()}


def _shown(rows: QuerySet[Item], person: Person, *paths: str) -> QuerySet[Item]:
    """Rows about natural persons need a right of their own."""
    return rows if may_see_people(person) else without_people(rows, *paths)


def _imports(person: Person, now: datetime) -> dict[str, Any]:
    """Of each file of the register what is live, and the last import, where that is another one."""
    last = GoldenCopyImport.objects.order_by().values("kind").annotate(last=Max("pk"))
    live = last.filter(state=GoldenCopyImport.State.LIVE)
    rows = GoldenCopyImport.objects.filter(Q(pk__in=last.values("last")) | Q(pk__in=live.values("last")))
    return {"imports": list(rows.defer("left_out").order_by("kind", "-pk"))}


def _first_of_each(rows: QuerySet[Item], bucket: Any, order: str) -> dict[str, Listing[Item]]:
    """The first rows of each bucket with the bucket's size, in one query."""
    placed = rows.annotate(bucket=bucket).annotate(
        place=Window(RowNumber(), partition_by=F("bucket"), order_by=[order, "pk"]),
        in_all=Window(Count("pk"), partition_by=F("bucket")),
    )
    lists: dict[str, list[Any]] = defaultdict(list)
    for row in placed.filter(place__lte=SHOWN).order_by("bucket", "place"):
        lists[row.bucket].append(row)
    return {name: Listing(found, found[0].in_all) for name, found in lists.items()}


def _all_rows(lists: dict[str, Listing[Item]]) -> list[Item]:
    return [row for listing in lists.values() for row in listing.rows]


_PARTS: dict[str, Callable[[Person, datetime], dict[str, Any]]] = {
    START: _questions,
    "research.view_researchresult": _results,
    "research.view_run": _runs,
    "research.view_watch": _watches,
    "research.view_decision": _decisions,
    "entities.view_entity": _entities,
    "entities.view_anomaly": _anomalies,
    "entities.view_screeninghit": _hits,
    "entities.view_goldencopyimport": _imports,
}
