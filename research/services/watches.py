"""Keeping answers fresh: what was approved is looked at again before it grows old, and only what changed is shown.

An approval makes a watch. When it is due a run asks the same question. What it finds is compared with what was
approved: nothing material changed → the answer counts as fresh for another while and nobody is bothered; something
changed → a result waits for review that shows the differences; the run told nothing → it is tried again later.

An entity is asked for as it was asked for first. Where its name no longer leads to it, the question is asked with the
identifier that was approved: a company that was renamed is not lost.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet, Sum
from django.utils import timezone

from common.transactions import retried
from entities.memory import add_event, survivor
from research import audit
from research.checks.regressions import gravest, matter, worse_checks
from research.engine.children import OVER
from research.errors import DossierError, InvalidParameters, InvalidTransition, ParamError
from research.jsontext import Json, JsonObject, digest
from research.models import Decision, ResearchResult, Run, Watch
from research.models.states import DecisionVerdict, ResultState, RunState, Trigger, WatchState
from research.models.watch import MAX_DAYS
from research.review.differences import differences
from research.review.pointer import resolve
from research.services.access import START, STEER_WATCH, Person, require
from research.services.macros import definition_of
from research.services.prices import models_without_price
from research.services.runs import start_run
from research.services.spending import amount

JITTER = 0.1  # of the interval, so that what was approved in one hour is not all due in one hour
RETRY_FIRST = timedelta(hours=1)
PATIENCE = 3  # looks in a row that told nothing, before a person is shown the last of them
MAX_OUTCOME = 300
REFUSED = "The macro takes this question no more:"
ZERO, PLACES = Decimal(0), Decimal("0.000001")


@dataclass(frozen=True)
class Refreshed:
    """What one sweep did: refreshes that were settled, and that were begun."""

    settled: int
    begun: int


def question_of(macro_name: str, params: JsonObject) -> str:
    """What makes two runs ask the same, whatever the version of the macro."""
    return digest({"macro": macro_name, "params": params})


def watch_of(run: Run) -> Watch | None:
    """The watch over the question of a run."""
    return Watch.objects.filter(question=question_of(run.macro.name, run.params)).first()


def baseline_of(result: ResearchResult) -> Decision | None:
    """What was approved before for the same question, to compare a result with; None for a first answer."""
    if result.baseline_id or result.state != ResultState.PENDING_REVIEW:
        return result.baseline
    watch = watch_of(result.run)
    return watch.decision if watch else None


def pending_of(watch: Watch) -> ResearchResult | None:
    """What a refresh found and a person has yet to look at."""
    if watch.state != WatchState.CHANGED or watch.run_id is None:
        return None
    return ResearchResult.objects.filter(run_id=watch.run_id, state=ResultState.PENDING_REVIEW).first()


def decided(decision: Decision) -> None:
    """Within the transaction of a decision: an approval is kept fresh from now on, after any other time goes on."""
    run, result = decision.result.run, decision.result
    watch = watch_of(run) or Watch.objects.filter(decision=result.baseline_id or 0).first()
    if watch and result.baseline_id is None:
        ResearchResult.objects.filter(pk=result.pk).update(baseline=watch.decision_id)
    if decision.verdict == DecisionVerdict.APPROVED:
        _keep(decision, run, watch)
    elif watch and decision.verdict == DecisionVerdict.REJECTED:
        changed = Watch.objects.filter(pk=watch.pk, state=WatchState.CHANGED)
        changed.update(
            state=WatchState.RESTING, due_at=_next(watch), outcome="What was found was turned down."
        )


def sweep_watches(*, now: datetime | None = None, limit: int = 20) -> Refreshed:
    """Settle the refreshes that are over, then begin those that are due: the most important first."""
    now = now or timezone.now()
    settled = sum(settle(watch, now=now) for watch in _open(limit * 10))
    begun = 0
    for watch in due_watches(now)[:limit]:
        begun += _begin_if_affordable(watch, now)
    return Refreshed(settled, begun)


def due_watches(now: datetime) -> QuerySet[Watch]:
    """The most important first, among equals the longest due."""
    due = Watch.objects.filter(state=WatchState.RESTING, due_at__lte=now).order_by(
        "-importance", "due_at", "pk"
    )
    return due.select_related("decision__result__run__macro")


@retried
def refresh(*, watch: Watch, actor: Person | None, enqueue: bool = True) -> Run:
    """Ask the question of a watch again, now; what the run finds is settled by the next sweep.

    Raises:
        NotPermitted, InvalidTransition, UnknownMacro, InvalidParameters: nothing was stored.
    """
    if actor is not None:
        require(actor, START)
    asked = watch.decision.result.run
    with transaction.atomic():
        _move(watch, (WatchState.RESTING, WatchState.PAUSED), WatchState.REFRESHING)
        run = start_run(
            macro=watch.macro_name,
            params=watch.params,
            trigger=Trigger.SCHEDULE,
            requested_by=actor,
            autonomy=asked.autonomy,
            depth=asked.depth,
            budget_usd=watch.budget_usd if watch.budget_usd is not None else asked.budget_usd,
            register=asked.register,
            enqueue=enqueue,
        )
        Watch.objects.filter(pk=watch.pk).update(run=run)
        audit.record("watch.refreshing", watch, actor, run=str(run.pk))
    watch.refresh_from_db()
    return run


def settle(watch: Watch, *, now: datetime | None = None) -> bool:
    """Compare what the refresh found with what was approved; False while its run is open, or settled by another."""
    now = now or timezone.now()
    run = watch.run
    if run is None or run.state not in OVER:
        return False
    result = ResearchResult.objects.filter(run=run).first()
    try:
        with transaction.atomic():
            if found := _identifier_to_follow(watch, run, result):
                _follow(watch, run, result, found)
            elif result is None:
                _told_nothing(watch, now, _why_not(run))
            elif result.state == ResultState.PENDING_REVIEW:
                _compare(watch, result, now)
            else:  # a person was quicker
                _move(watch, (WatchState.REFRESHING,), WatchState.RESTING, due_at=_next(watch, now))
    except InvalidTransition:
        return False
    watch.refresh_from_db()
    return True


def settle_run(run_id: UUID) -> bool:
    """The same by the run that is over; False for one that no watch waits for."""
    watch = Watch.objects.filter(run_id=run_id, state=WatchState.REFRESHING).first()
    return watch is not None and settle(watch)


@retried
def steer(
    *,
    watch: Watch,
    actor: Person,
    every_days: int | None = None,
    importance: int | None = None,
    budget_usd: Decimal | None = None,
    paused: bool | None = None,
) -> Watch:
    """Change how often and how eagerly a question is looked at again, pause it, or let it go on.

    Raises:
        NotPermitted, InvalidParameters, InvalidTransition: nothing was stored.
    """
    require(actor, STEER_WATCH)
    changes: JsonObject = {
        **_number("every_days", every_days, 1, MAX_DAYS),
        **_number("importance", importance, 0, 10),
        **({} if budget_usd is None else {"budget_usd": budget_usd}),
    }
    with transaction.atomic():
        if paused is not None and paused != (watch.state == WatchState.PAUSED):
            sources = (WatchState.PAUSED,) if not paused else (WatchState.RESTING, WatchState.CHANGED)
            _move(watch, sources, WatchState.PAUSED if paused else WatchState.RESTING)
        if every_days is not None:
            seen = watch.fresh_until - timedelta(days=watch.every_days)
            changes |= {
                "fresh_until": seen + timedelta(days=every_days),
                "due_at": _at(watch, seen, every_days),
            }
        Watch.objects.filter(pk=watch.pk).update(**changes)
        told = {name: value for name, value in changes.items() if isinstance(value, int)}
        audit.record("watch.steered", watch, actor, **told, **({} if paused is None else {"paused": paused}))
    watch.refresh_from_db()
    return watch


def told_of(watch: Watch, type: str, summary: str, importance: int) -> None:
    """A line on the timeline of the entity that the question is about, when that is known."""
    subject = watch.decision.result.run.subject
    if subject is not None:
        source = f"Dossier result {watch.decision.result_id}"
        entity = survivor(subject)
        add_event(entity=entity, type=type, summary=summary, importance=importance, source=source)


def _identifier_to_follow(watch: Watch, run: Run, result: ResearchResult | None) -> JsonObject:
    """The parameter and the approved identifier to ask with, if the refresh lost the entity or found another one."""
    if watch.run_id != run.pk or watch.state != WatchState.REFRESHING or cannot_afford(timezone.now()):
        return {}
    for parameter, pointers in definition_of(run.macro).follow.items():
        known = _first_at(watch.decision.data, pointers)
        if not known or run.params.get(parameter) == known:
            continue
        lost = result is None and (run.error or {}).get("code") in ("not_found", "ambiguous")
        pending = result is not None and result.state == ResultState.PENDING_REVIEW
        if lost or (result is not None and pending and _first_at(result.data, pointers) != known):
            return {parameter: known}
    return {}


def _first_at(data: Json, pointers: Sequence[str]) -> Json:
    return next((value for pointer in pointers if (value := resolve(data, pointer)[1])), None)


def _follow(watch: Watch, run: Run, result: ResearchResult | None, identifier: JsonObject) -> None:
    """Ask again with the identifier; the refresh goes on with this run."""
    if result is not None:
        _put_away(watch, result, ResultState.SUPERSEDED)
    following = start_run(
        macro=watch.macro_name,
        params={**watch.params, **identifier},
        trigger=Trigger.SCHEDULE,
        requested_by=run.requested_by,
        autonomy=run.autonomy,
        depth=run.depth,
        budget_usd=run.budget_usd,
        register=run.register,
    )
    if not Watch.objects.filter(pk=watch.pk, state=WatchState.REFRESHING, run=run).update(run=following):
        raise InvalidTransition("this refresh is settled already", state=watch.state)
    asked = ", ".join(map(str, identifier.values()))
    audit.record("watch.followed", watch, None, run=str(following.pk), identifier=asked)
    told_of(watch, "name-lost", f"Its name no longer leads to it: asked again as {asked}.", importance=4)


def _keep(decision: Decision, run: Run, watch: Watch | None) -> None:
    days, now = settings.DOSSIER_REFRESH_DAYS, decision.created_at
    if run.parent_id or not days:
        return
    if watch is None:
        watch, _ = Watch.objects.get_or_create(
            question=question_of(run.macro.name, run.params),
            defaults={
                "macro_name": run.macro.name,
                "params": run.params,
                "decision": decision,
                "every_days": days,
                "due_at": now,
                "fresh_until": now,
                "checked_at": now,
            },
        )
    state = {} if watch.state == WatchState.PAUSED else {"state": WatchState.RESTING}
    Watch.objects.filter(pk=watch.pk).update(
        decision=decision,
        due_at=_next(watch, now),
        fresh_until=now + timedelta(days=watch.every_days),
        failures=0,
        outcome="Approved.",
        checked_at=now,
        worsened=[],
        **state,
    )


def _compare(watch: Watch, result: ResearchResult, now: datetime) -> None:
    if (
        watch.decision.result.state == ResultState.ROLLED_BACK
    ):  # memory holds it no more, even if nothing changed
        _changed(watch, result, "What was approved before has been taken back.")
        return
    found = differences(watch.decision.data, result.data)
    fields = ("kind", "code", "subject", "verdict", "message")
    checks = list(result.checks.values(*fields))
    worse = worse_checks(watch.decision.checks, checks)
    doubt = _doubt(watch, result, checks)
    if found or worse:
        _changed(watch, result, _counted(len(found), len(worse)))
    elif doubt and watch.failures + 1 < PATIENCE:
        _put_away(watch, result, ResultState.SUPERSEDED)
        _told_nothing(watch, now, doubt, result)
    elif doubt:
        _changed(watch, result, f"{PATIENCE} looks in a row told nothing certain: {doubt}")
    else:
        _unchanged(watch, result, now)


def _unchanged(watch: Watch, result: ResearchResult, now: datetime) -> None:
    until = now + timedelta(days=watch.every_days)
    sentence = f"Looked at again: nothing changed since {watch.decision.created_at:%Y-%m-%d}."
    _put_away(watch, result, ResultState.UNCHANGED)
    ResearchResult.objects.filter(pk=watch.decision.result_id).update(expires_at=until)
    _move(
        watch,
        (WatchState.REFRESHING,),
        WatchState.RESTING,
        due_at=_next(watch, now),
        fresh_until=until,
        failures=0,
        checked_at=now,
        worsened=[],
        outcome=sentence,
    )
    audit.record(
        "watch.unchanged", watch, None, result, result=str(result.pk), fresh_until=f"{until:%Y-%m-%d}"
    )
    told_of(watch, "research-unchanged", sentence, importance=1)


def _changed(watch: Watch, result: ResearchResult, sentence: str) -> None:
    ResearchResult.objects.filter(pk=result.pk).update(baseline=watch.decision)
    outcome = sentence[:MAX_OUTCOME]
    _move(watch, (WatchState.REFRESHING,), WatchState.CHANGED, failures=0, outcome=outcome)
    audit.record("watch.changed", watch, result=str(result.pk), said=outcome)
    told_of(watch, "research-changed", f"Looked at again: {outcome}", importance=6)


def _told_nothing(watch: Watch, now: datetime, why: str, result: ResearchResult | None = None) -> None:
    """Sooner again than at the next interval; what was approved stays as fresh or as old as it is."""
    pause = min(RETRY_FIRST * 2 ** min(watch.failures, 10), timedelta(days=watch.every_days))
    _move(
        watch,
        (WatchState.REFRESHING, WatchState.RESTING),
        WatchState.RESTING,
        failures=F("failures") + 1,
        due_at=now + pause,
        outcome=why[:MAX_OUTCOME],
    )
    audit.record("watch.failed", watch, None, *([result] if result else []), why=why[:MAX_OUTCOME])


def _put_away(watch: Watch, result: ResearchResult, state: ResultState) -> None:
    """Nobody needs to look at it. Raises InvalidTransition when a person has decided meanwhile."""
    pending = ResearchResult.objects.filter(pk=result.pk, state=ResultState.PENDING_REVIEW)
    if not pending.update(state=state, baseline=watch.decision):
        raise InvalidTransition("this result is decided already", state=result.state)


def _doubt(watch: Watch, result: ResearchResult, checks: Sequence[JsonObject]) -> str:
    """Why the same data does not tell that nothing changed; nothing when it does."""
    if result.partial:
        return "The research was ended by a budget before it was done."
    if not result.schema_valid:
        return "What was found does not fit the macro's schema."
    known = gravest(watch.decision.checks)
    unsure = [each for key, each in gravest(checks).items() if each["verdict"] == "unknown"]
    unsure = [each for each in unsure if known.get(matter(each), {}).get("verdict") != "unknown"]
    if unsure:
        return f"{len(unsure)} check{'s' * (len(unsure) > 1)} could not be made: {unsure[0]['message']}"
    lacking = [text for text in result.limitations if text not in watch.decision.result.limitations]
    return str(lacking[0]) if lacking else ""


def _begin_if_affordable(watch: Watch, now: datetime) -> bool:
    why = cannot_afford(now, watch.budget_usd or watch.decision.result.run.budget_usd or ZERO)
    if why:
        Watch.objects.filter(pk=watch.pk, state=WatchState.RESTING).update(outcome=why[:MAX_OUTCOME])
        return False
    try:
        refresh(watch=watch, actor=None)
    except InvalidTransition:
        return False  # another sweep was quicker
    except InvalidParameters as error:
        _refuse(watch, error)
        return False
    except DossierError as error:
        with transaction.atomic():
            _told_nothing(watch, now, str(error))
        return False
    return True


@retried
def _refuse(watch: Watch, error: InvalidParameters) -> None:
    """Its macro has changed and takes its question no more: trying again changes nothing, so it rests until a person
    has asked it anew."""
    named = "; ".join(f"{one.name} {one.message}" for one in error.errors)
    why = f"{REFUSED} {named}. Ask it anew with other words; this one is paused."
    with transaction.atomic():
        try:
            _move(watch, (WatchState.RESTING,), WatchState.PAUSED, outcome=why[:MAX_OUTCOME])
        except InvalidTransition:
            return  # somebody steers it
        audit.record("watch.failed", watch, None, why=why[:MAX_OUTCOME])


def is_refused(watch: Watch) -> bool:
    """Whether the macro takes the question no more, so that a person has to mend it."""
    return watch.state == WatchState.PAUSED and watch.outcome.startswith(REFUSED)


def cannot_afford(now: datetime, asked: Decimal = ZERO) -> str:
    """Why a refresh that may cost ``asked`` USD waits for another day, or for somebody to enter a price."""
    lacking = models_without_price()
    if lacking:
        return f"Nobody has entered what {lacking[0]} costs, so nothing is refreshed unasked."
    limit = settings.DOSSIER_REFRESH_USD_PER_DAY
    costs = ":" in settings.DOSSIER_MODEL  # the keyless researcher costs nothing
    if costs and (used := spent_today(now)) + max(asked, PLACES) > limit:
        return f"Of the {limit} USD that refreshing may cost in a day {amount(used)} are used up."
    return ""


def spent_today(now: datetime) -> Decimal:
    """US dollars that refreshes have cost since midnight UTC, what is reserved or possibly paid included."""
    midnight = datetime.combine(now.astimezone(UTC).date(), time(), tzinfo=UTC)
    runs = Run.objects.filter(trigger=Trigger.SCHEDULE, parent=None, created_at__gte=midnight)
    total = runs.aggregate(all=Sum(F("spent_usd") + F("reserved_usd") + F("lost_usd")))["all"]
    return Decimal(total or 0)


def _open(limit: int) -> QuerySet[Watch]:
    watches = Watch.objects.filter(state=WatchState.REFRESHING, run__state__in=OVER)
    return watches.select_related("run", "decision__result__run__subject").order_by("pk")[:limit]


def _why_not(run: Run) -> str:
    if run.state == RunState.SUCCEEDED:
        return "The refresh ended without a result."
    return str((run.error or {}).get("message") or f"The refresh was {run.state}.")


def _next(watch: Watch, now: datetime | None = None) -> datetime:
    return _at(watch, now or timezone.now(), watch.every_days)


def _at(watch: Watch, since: datetime, days: int) -> datetime:
    """Somewhat before the answer is too old; where in that while is chance, but the same chance every time."""
    chance = int(hashlib.sha256(watch.question.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF
    return since + timedelta(days=days) * (1 - JITTER * chance)


def _move(watch: Watch, sources: Sequence[WatchState], target: WatchState, **fields: object) -> None:
    if not Watch.objects.filter(pk=watch.pk, state__in=sources).update(state=target, **fields):
        watch.refresh_from_db()
        raise InvalidTransition(f"this question is {watch.get_state_display().lower()}", state=watch.state)


def _number(name: str, value: int | None, least: int, most: int) -> JsonObject:
    if value is None:
        return {}
    if not least <= value <= most:
        raise InvalidParameters([ParamError(name, f"must be {least} to {most}, not {value}")])
    return {name: value}


def _counted(changed: int, worse: int) -> str:
    parts = [f"{changed} difference{'s' * (changed > 1)}"] * bool(changed)
    parts += [f"{worse} check{'s' * (worse > 1)} worse"] * bool(worse)
    return f"{' and '.join(parts)} to what was approved.".capitalize()
