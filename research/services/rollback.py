"""Taking back what the verbs of an approved result wrote, and saying what stays and why.

All calls go back together, in one transaction: they build on each other, so half of them would leave things standing
for reasons that are gone a moment later. The result is ``rolled_back`` then, for good. It does not become ``approved``
again, where a sweep or a click would write once more what somebody just took back: whoever wants it written asks the
question again and decides about the answer. The decision itself stays as it was signed.
"""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

from django.db import IntegrityError
from django.db.models import Q
from django.utils import timezone

from common.transactions import atomic
from entities.memory import TakeBack, Written, plan_taking_back, take_back
from entities.memory.locks import one_at_a_time
from research import audit
from research.errors import InvalidTransition, ReasonRequired, StaleDigest
from research.jsontext import JsonObject, storable_text
from research.models import Decision, ResearchResult, Rollback, Run, VerbCall, VerbEffect, Watch
from research.models.states import ResultState, VerbState, WatchState
from research.services.access import EXECUTE, Person, require
from research.services.execution import ABANDONED_AFTER, WRITING

MAX_REASON = 2_000
MAX_STEPS = 2_000
CHUNK = 500
OPEN = (ResultState.APPROVED, ResultState.EXECUTED)
NOT_RECORDED = "which rows it wrote is not on record, so they stay"


@dataclass(frozen=True)
class RollbackPlan:
    """What a roll back would do now: a step for each row, and the calls that it cannot take back."""

    decision: Decision
    steps: tuple[TakeBack, ...]
    calls: tuple[VerbCall, ...] = ()
    left: tuple[VerbCall, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def taken(self) -> list[TakeBack]:
        return [step for step in self.steps if step.action != "keep"]

    @property
    def kept(self) -> list[TakeBack]:
        return [step for step in self.steps if step.action == "keep"]

    @property
    def digest(self) -> str:
        """Names exactly this plan: one that has become another is not carried out."""
        text = json.dumps([step.as_json() for step in self.steps], sort_keys=True)
        return hashlib.sha256(f"{self.decision.pk} {text}".encode()).hexdigest()

    def as_json(self) -> JsonObject:
        return {
            "result": str(self.decision.result_id),
            "digest": self.digest,
            "counts": self.counts,
            "steps": recorded(self.steps),
            "left": [{"ordinal": call.ordinal, "verb": call.verb, "why": NOT_RECORDED} for call in self.left],
        }


def may_be_rolled_back(result: ResearchResult) -> bool:
    """Whether there is anything to take back."""
    written = VerbCall.objects.filter(decision__result=result, state=VerbState.SUCCEEDED)
    return result.state in OPEN and written.exists()


def preview_rollback(*, result: ResearchResult, actor: Person) -> RollbackPlan:
    """What a roll back would do now. Writes nothing.

    Raises NotPermitted, and InvalidTransition when there is nothing to take back.
    """
    require(actor, EXECUTE)
    result.refresh_from_db(fields=["state"])
    decision = Decision.objects.filter(result=result).select_related("result").first()
    if decision is None or result.state not in OPEN:
        raise InvalidTransition(_nothing_to_take(result), state=result.state)
    return _plan(decision, lock=False)


def roll_back_verbs(*, result: ResearchResult, actor: Person, reason: str, digest: str = "") -> Rollback:
    """Take back what the result's verbs wrote, as far as nobody has built on it; ``digest`` is the plan that was seen.

    Raises:
        NotPermitted: without the permission to execute.
        ReasonRequired: nobody said why.
        InvalidTransition: nothing was executed, somebody is executing, or it was rolled back already.
        StaleDigest: the plan is no longer the one that was seen.
    """
    require(actor, EXECUTE)
    why = storable_text(reason).strip()[:MAX_REASON]
    if not why:
        raise ReasonRequired("Taking back what was approved needs a reason in words.")
    try:
        return _roll_back(result, actor, why, digest)
    except IntegrityError as error:
        raise InvalidTransition(
            "What was stated since stands in the way; look again.", state=result.state
        ) from error


@atomic
def _roll_back(result: ResearchResult, actor: Person, why: str, digest: str) -> Rollback:
    one_at_a_time(WRITING)
    now = timezone.now()
    if not ResearchResult.objects.filter(pk=result.pk, state__in=OPEN).update(state=ResultState.ROLLED_BACK):
        result.refresh_from_db(fields=["state"])
        raise InvalidTransition(_nothing_to_take(result), state=result.state)
    plan = _plan(Decision.objects.select_related("result__run").get(result=result), lock=True)
    if digest and digest != plan.digest:
        raise StaleDigest("What would be taken back has changed since you looked; look again.")
    take_back(
        plan.steps,
        reason=why,
        source=f"Dossier result {result.pk}, taken back by {actor}"[:300],
        calls=[call.pk for call in plan.calls],
    )
    _close_calls(plan, actor, why)
    Watch.objects.filter(decision=plan.decision).exclude(state=WatchState.PAUSED).update(
        state=WatchState.PAUSED, outcome="What was approved has been taken back; nothing is kept fresh."
    )
    rollback = Rollback.objects.create(
        decision=plan.decision,
        actor_id=actor.pk,
        reason=why,
        at=now,
        counts=plan.counts,
        steps=recorded(plan.steps),
    )
    calls = plan.decision.verb_calls.all()
    audit.record("result.rolled_back", result, actor, rollback, *calls, reason=why, **plan.counts)
    result.refresh_from_db(fields=["state"])
    return rollback


def recorded(steps: tuple[TakeBack, ...]) -> list[JsonObject]:
    """What is kept of the steps: of very many the first, and before them what stays."""
    first = sorted(steps, key=lambda step: step.action != "keep")
    return [step.as_json() for step in first[:MAX_STEPS]]


def _plan(decision: Decision, *, lock: bool) -> RollbackPlan:
    calls = list(decision.verb_calls.order_by("ordinal"))
    _refuse_unready(calls)
    done = [call for call in calls if call.state == VerbState.SUCCEEDED]
    left = tuple(call for call in done if call.changed and not call.recorded)
    going = tuple(call for call in done if call not in left)
    effects = list(VerbEffect.objects.filter(call__in=going).order_by("call__ordinal", "pk"))
    steps = plan_taking_back(
        [_written(effect) for effect in effects],
        claimed=_claims(decision, effects),
        own=_own(decision, effects),
        lock=lock,
    )
    counts = Counter(step.action for step in steps)
    told = {name: counts[name] for name in ("remove", "restore", "mark", "keep")}
    return RollbackPlan(decision, tuple(steps), going, left, told)


def _refuse_unready(calls: list[VerbCall]) -> None:
    alive = timezone.now() - ABANDONED_AFTER
    busy = [c for c in calls if c.state == VerbState.RUNNING and c.alive_at and c.alive_at >= alive]
    if busy:
        raise InvalidTransition(f"Verb {busy[0].ordinal} is being executed; wait for it.", state="running")
    done = [call for call in calls if call.state == VerbState.SUCCEEDED]
    if not done:
        raise InvalidTransition("No verb of this result was executed: there is nothing to take back.")
    if not any(call.recorded or not call.changed for call in done):
        raise InvalidTransition(
            "None of its verbs can be taken back: they were executed before it was recorded which rows they write, or "
            "they wrote more rows than are recorded."
        )


def _written(effect: VerbEffect) -> Written:
    names = ("table", "row", "how", "entity", "what", "old", "new")
    return Written(**{name: getattr(effect, name) for name in names})


def _claims(decision: Decision, effects: list[VerbEffect]) -> dict[tuple[str, str], str]:
    """Rows that a verb of another approved result has written or relied on since."""
    first: dict[tuple[str, str], int] = {}
    for effect in effects:
        if effect.how != VerbEffect.How.MET:
            first.setdefault((effect.table, effect.row), effect.pk)
    rows = sorted({row for _, row in first})
    others = VerbEffect.objects.exclude(call__decision=decision).filter(call__state=VerbState.SUCCEEDED)
    others = others.select_related("call__decision__result__run__macro")
    found: dict[tuple[str, str], str] = {}
    for start in range(0, len(rows), CHUNK):
        for other in others.filter(row__in=rows[start : start + CHUNK]).order_by("pk"):
            key = (other.table, other.row)
            if key in first and other.pk > first[key]:
                found[key] = f"another approved result states it too ({other.call.decision.result})"
    return found


def _own(decision: Decision, effects: list[VerbEffect]) -> set[tuple[str, str]]:
    """Runs that have their subject only from what is, or was, taken back: they do not hold an entity."""
    made = [UUID(each.row) for each in effects if (each.table, each.how) == ("entity", VerbEffect.How.MADE)]
    runs = Run.objects.filter(Q(pk=decision.result.run_id) | Q(result__state=ResultState.ROLLED_BACK))
    chunks = (made[start : start + CHUNK] for start in range(0, len(made), CHUNK))
    return {
        ("run", str(pk)) for c in chunks for pk in runs.filter(subject_id__in=c).values_list("pk", flat=True)
    }


def _close_calls(plan: RollbackPlan, actor: Person, why: str) -> None:
    """Those that were executed are rolled back, those that were not never will be."""
    going = VerbCall.objects.filter(pk__in=[call.pk for call in plan.calls], state=VerbState.SUCCEEDED)
    if going.update(state=VerbState.ROLLED_BACK) != len(plan.calls):
        raise InvalidTransition("Somebody else is at these verbs; look again.")
    unfinished = Q(state__in=[VerbState.PENDING, VerbState.FAILED, VerbState.RUNNING])
    VerbCall.objects.filter(unfinished, decision=plan.decision).update(state=VerbState.SKIPPED)
    for call in reversed(plan.calls):
        audit.record("verb.rolled_back", call, actor, verb=call.verb, reason=why)


def _nothing_to_take(result: ResearchResult) -> str:
    rollback = Rollback.objects.filter(decision__result=result).select_related("actor").first()
    if rollback:
        return f"{rollback.actor.get_username()} took this back already, on {rollback.at:%Y-%m-%d}."
    return f"This result is {result.state}: none of its verbs was executed, so there is nothing to take back."
