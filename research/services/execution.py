"""Executing the verbs of an approved decision: each exactly once, in order, and never half."""

import logging
import threading
from datetime import timedelta

from django.db import DatabaseError, connection
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from common.transactions import atomic, is_away, is_full, passes, retried
from entities.gleif.register import Register, open_register
from entities.memory import ChangeLog, Origin, RefusedWrite
from entities.memory.locks import alongside
from entities.memory.vouching import together
from entities.models import Entity, SourceKind
from research import audit
from research.doorbell import ring_on_commit
from research.errors import InvalidTransition
from research.jsontext import JsonObject, storable_text
from research.models import Decision, ResearchResult, Rollback, Run, VerbCall, VerbEffect
from research.models.states import DecisionVerdict, ResultState, VerbState
from research.services.access import EXECUTE, Person, require
from research.verbs.handlers import HANDLERS, Context, VerbRefused, Write

log = logging.getLogger(__name__)

ABANDONED_AFTER = timedelta(seconds=10)  # without a sign of life: then somebody else may take the call over
BEAT_SECONDS = 2.0
RING_AGAIN_AFTER = timedelta(seconds=10)
TRY_AGAIN_AFTER = timedelta(seconds=60)  # what failed for a reason that passes
PASSING = {  # codes of failures that pass, which are tried again without a person
    "busy": "others were writing what it writes, again and again",
    "away": "the database could not be reached",
    "full": "the database has no room left on its disk",
}
MOST_RINGS = 100  # of one sweep; a queue that is long is not made longer by those that wait in it
MAX_MESSAGE = 1_000
DONE = (VerbState.SUCCEEDED, VerbState.SKIPPED)
WRITING = "verbs write"  # a roll back waits for whoever writes, and whoever writes for it


def enqueue_execution(*, decision: Decision, actor: Person) -> None:
    """Have a worker execute the verbs; should the ring be lost, the sweep rings again."""
    require(actor, EXECUTE)
    _require_approved(decision)
    _ask_and_ring(decision, actor)


def sweep_executions() -> int:
    """Ring again for what somebody wanted executed and nobody executes.

    A call whose worker died is taken up as soon as it has been silent for long enough, one that failed for a reason
    that passes a minute later; any other that failed waits for a person.
    """
    now = timezone.now()
    here = VerbCall.objects.filter(decision__result=OuterRef("pk"))
    passed = Q(error__code__in=list(PASSING), finished_at__lt=now - TRY_AGAIN_AFTER)
    held = here.filter(
        Q(state=VerbState.FAILED) & ~passed | Q(state=VerbState.RUNNING, alive_at__gt=now - ABANDONED_AFTER)
    )
    forgotten = ResearchResult.objects.filter(
        ~Exists(held),
        state=ResultState.APPROVED,
        execution_asked_at__lt=now - RING_AGAIN_AFTER,
        execution_asked_by__is_active=True,
    )
    rings = list(
        forgotten.order_by("execution_asked_at").values_list("pk", "decision", "execution_asked_by")[
            :MOST_RINGS
        ]
    )
    ResearchResult.objects.filter(pk__in=[pk for pk, _, _ in rings]).update(execution_asked_at=now)
    for _, decision, person in rings:
        ring_on_commit("execute_decision", decision, person)
    return len(rings)


def execute_verbs(*, decision: Decision, actor: Person, register: Register | None = None) -> list[VerbCall]:
    """Execute what has not succeeded yet, in order; stops at the first call that fails, to be resumed from there.

    Raises:
        NotPermitted: without the permission to execute.
        InvalidTransition: the decision is no approval, was rolled back, or another worker is at it.
    """
    require(actor, EXECUTE)
    _require_approved(decision)
    _ask(decision, actor)
    source = register or open_register(decision.result.run.register)
    symbols: dict[str, JsonObject] = {}
    for call in decision.verb_calls.order_by("ordinal"):
        if call.state not in DONE:
            _execute(call, actor, Context(source, symbols, _provenance(decision)))
        if call.state not in DONE:
            break
        if call.binding and call.output is not None:
            symbols[call.binding] = call.output
    _conclude(decision, actor)
    return list(decision.verb_calls.order_by("ordinal"))


@atomic
def _ask_and_ring(decision: Decision, actor: Person) -> None:
    _ask(decision, actor)
    ring_on_commit("execute_decision", decision.pk, actor.pk)


@atomic
def _ask(decision: Decision, actor: Person) -> None:
    """Note who wants this executed: neither a lost message nor a dead worker loses it."""
    approved = ResearchResult.objects.filter(pk=decision.result_id, state=ResultState.APPROVED)
    if approved.update(execution_asked_by_id=actor.pk, execution_asked_at=timezone.now()):
        audit.record("result.execution_asked", decision.result, actor)


def _execute(call: VerbCall, actor: Person, context: Context) -> None:
    _claim(call, actor)
    try:
        with Heartbeat(call):
            write = HANDLERS[call.verb](call.arguments, context)
            _succeed(call, write)
    except (VerbRefused, RefusedWrite) as error:
        _fail(call, "refused", str(error))
    except DatabaseError as error:
        log.warning("verb call %s: the database refused its changes", call.pk, exc_info=error)
        _fail(call, *_refusal(error))
    except Exception as error:  # a call must never stay "running" because of a fault of ours
        log.exception("verb call %s failed", call.pk)
        _fail(call, "internal", f"{call.verb} failed ({type(error).__name__}); nothing was changed")
    call.refresh_from_db()


def _refusal(error: DatabaseError) -> tuple[str, str]:
    """The code and the sentence of what the database refused."""
    code = {passes: "busy", is_away: "away", is_full: "full"}
    known = next((word for holds, word in code.items() if holds(error)), None)
    if known is None:
        return "database", f"the database refused the changes ({type(error).__name__}); none was kept"
    return known, f"{PASSING[known]}; no change was kept, and it is tried again by itself"


class Heartbeat:
    """Signs of life of one attempt at a call, however long a register takes; nobody takes over what still lives."""

    def __init__(self, call: VerbCall) -> None:
        self._mine = VerbCall.objects.filter(pk=call.pk, state=VerbState.RUNNING, attempts=call.attempts)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"verb-{call.pk}", daemon=True)

    def __enter__(self) -> "Heartbeat":
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._stop.wait(BEAT_SECONDS):
            self.renew()

    def renew(self) -> None:
        """One sign of life; to miss one is no harm, on SQLite our own writing may hold the only lock."""
        try:
            self._mine.update(alive_at=timezone.now())
        except DatabaseError as error:
            log.warning("no sign of life for a verb call: %s", type(error).__name__)
        finally:
            connection.close()


@atomic
def _claim(call: VerbCall, actor: Person) -> None:
    """Take the call; of two workers one gets InvalidTransition. A call left running by a dead worker is free again."""
    now = timezone.now()
    silent = Q(alive_at__lt=now - ABANDONED_AFTER) | Q(alive_at__isnull=True)
    abandoned = Q(state=VerbState.RUNNING) & silent
    free = VerbCall.objects.filter(Q(state__in=[VerbState.PENDING, VerbState.FAILED]) | abandoned, pk=call.pk)
    taken = free.update(
        state=VerbState.RUNNING,
        executed_by_id=actor.pk,
        started_at=now,
        alive_at=now,
        finished_at=None,
        error=None,
        attempts=F("attempts") + 1,
    )
    call.refresh_from_db()
    if not taken:
        raise InvalidTransition(
            f"verb {call.ordinal} is {call.state}: someone else is executing it", state=call.state
        )
    audit.record("verb.started", call, actor, verb=call.verb, attempt=call.attempts)


@retried
@together()
def _succeed(call: VerbCall, write: Write) -> None:
    """The changes and the mark that they are made: both or neither."""
    log = ChangeLog(origin=_origin(call))
    alongside(WRITING)
    output = write(log)
    mine = VerbCall.objects.filter(pk=call.pk, state=VerbState.RUNNING, attempts=call.attempts)
    marked = mine.update(
        state=VerbState.SUCCEEDED,
        output=output,
        changed=log.changes,
        recorded=not log.rows.overflown,
        finished_at=timezone.now(),
    )
    if not marked:
        raise VerbRefused("another worker took this call over")
    _record(call, log)
    audit.record("verb.succeeded", call, call.executed_by, verb=call.verb, changes=len(log.changes))


def _record(call: VerbCall, log: ChangeLog) -> None:
    """Which rows the call wrote, so that they can be taken back."""
    rows = (VerbEffect(call=call, **vars(each)) for each in log.rows.settled())
    VerbEffect.objects.bulk_create(rows, batch_size=500)


@atomic
def _fail(call: VerbCall, code: str, message: str) -> None:
    message = storable_text(message)[:MAX_MESSAGE]
    mine = VerbCall.objects.filter(pk=call.pk, state=VerbState.RUNNING, attempts=call.attempts)
    if mine.update(
        state=VerbState.FAILED, error={"code": code, "message": message}, finished_at=timezone.now()
    ):
        audit.record("verb.failed", call, call.executed_by, verb=call.verb, error=message)


@atomic
def _conclude(decision: Decision, actor: Person) -> None:
    """When every call has succeeded, the result is executed and its run knows its subject."""
    calls = list(decision.verb_calls.order_by("ordinal"))
    if any(call.state not in DONE for call in calls):
        return
    approved = ResearchResult.objects.filter(pk=decision.result_id, state=ResultState.APPROVED)
    if approved.update(state=ResultState.EXECUTED):
        audit.record("result.executed", decision.result, actor, verbs=len(calls))
        first = next((c.output["entity_id"] for c in calls if c.output and c.output.get("entity_id")), None)
        Run.objects.filter(pk=decision.result.run_id).update(
            subject=Entity.objects.filter(pk=first).first() if first else None
        )


def _require_approved(decision: Decision) -> None:
    if decision.verdict != DecisionVerdict.APPROVED:
        raise InvalidTransition(
            f"a decision that is {decision.verdict} has no verbs to execute", state=decision.verdict
        )
    rollback = Rollback.objects.filter(decision=decision).select_related("actor").first()
    if rollback:
        raise InvalidTransition(
            f"{rollback.actor.get_username()} took back what these verbs wrote on {rollback.at:%Y-%m-%d}: they are not "
            "executed again. Ask the question again instead.",
            state=ResultState.ROLLED_BACK,
        )


def _origin(call: VerbCall) -> Origin:
    """Every statement that the call makes names it, the decision, and who signed for it."""
    return Origin(
        kind=SourceKind.DECISION,
        source=_provenance(call.decision),
        call=call.pk,
        decision=call.decision_id,
        signed_by=call.decision.reviewer.get_username(),
    )


def _provenance(decision: Decision) -> str:
    return f"Dossier result {decision.result_id}, approved by {decision.reviewer.get_username()}"[:300]
