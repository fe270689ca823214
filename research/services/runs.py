"""Starting, steering and resuming runs."""

from datetime import timedelta
from decimal import Decimal

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils import timezone

from common.program import typed
from common.transactions import retried
from entities.gleif.register import open_register
from research import audit
from research.doorbell import ring_on_commit
from research.engine import children
from research.engine.conversation import CONFIRMED, RESUME, resume_point
from research.engine.costs import model_id, price_of, worst_case
from research.engine.limits import LIMITS
from research.errors import InvalidParameters, InvalidTransition, ParamError, SessionBusy
from research.jsontext import JsonObject
from research.llm.interface import ModelRequest, Task
from research.llm.models import UnknownModel, model_names, open_model
from research.llm.wire import SEARCH_NAME
from research.macros.parameters import check_parameters
from research.models import Macro, ResearchResult, ResearchSession, Run, Source, Step
from research.models.states import (
    OPEN_RUN_STATES,
    Autonomy,
    Depth,
    ResultState,
    RunState,
    StepKind,
    Trigger,
)
from research.services.access import DECIDE, START, Person, require_own, require_steering
from research.services.checkpoints import check_answer, least_budget, used_usd
from research.services.macros import active_macro, definition_of
from research.services.spending import amount

RING_FIRST_AFTER = timedelta(seconds=20)
RING_AGAIN_AFTER = timedelta(
    minutes=5
)  # a ring for what waits in a long queue must not make the queue longer
MAX_RINGS = 500
PARTIAL = ("deep", "legal")  # the workflows that make a result of a part of the work


def start_run(
    *,
    macro: str | Macro,
    params: JsonObject,
    trigger: str,
    requested_by: Person | None = None,
    session: ResearchSession | None = None,
    autonomy: str = Autonomy.BALANCED,
    depth: str = Depth.STANDARD,
    budget_usd: Decimal | None = None,
    register: str | None = None,
    rerun_of: ResearchResult | None = None,
    feedback: str = "",
    enqueue: bool = True,
) -> Run:
    """Create a run; a worker takes it up at once, or at the next sweep. ``requested_by`` None is the machine itself.

    Raises:
        NotPermitted, UnknownMacro, InvalidParameters, SessionBusy: nothing was stored.
    """
    if requested_by is not None:
        require_own(requested_by, START, session.created_by_id if session else None, of_others=DECIDE)
    version = macro if isinstance(macro, Macro) else active_macro(macro)
    definition = definition_of(version)
    checked = check_parameters(definition, params)
    _check_options(autonomy=autonomy, depth=depth, trigger=trigger)
    limits, model = LIMITS[depth], _model_name()
    if budget_usd is not None:
        _require_budget(model, budget_usd, searches=SEARCH_NAME in definition.tools)
    run = Run(
        macro=version,
        params=checked,
        trigger=trigger,
        requested_by_id=requested_by.pk if requested_by else None,
        session=session,
        workflow=definition.workflow,
        autonomy=autonomy,
        depth=depth,
        budget_usd=budget_usd,
        model=model,
        register=open_register(register or _register_of(session) or settings.DOSSIER_REGISTER).pin,
        rerun_of=rerun_of,
        feedback=feedback,
        max_turns=limits.turns,
        max_tool_calls=limits.tool_calls,
    )
    return _create(run, requested_by, enqueue)


def _register_of(session: ResearchSession | None) -> str:
    """A case keeps to the register that it was begun with."""
    first = Run.objects.filter(session=session).order_by("created_at").first() if session else None
    return first.register if first else ""


@retried
def confirm_checkpoint(
    *,
    run: Run,
    actor: Person | None,
    params: JsonObject | None = None,
    answer: JsonObject | None = None,
    budget_usd: Decimal | None = None,
    phase: str | None = None,
    enqueue: bool = True,
) -> Run:
    """Let a run that waits for a person go on: with other parameters, an ``answer`` to what it asked, more money.

    ``phase`` is what the person saw; when the run waits for something else by now, nothing is confirmed.

    Raises:
        NotPermitted, InvalidParameters, InvalidTransition: nothing was stored.
    """
    if actor is not None:
        require_steering(actor, run)
    _require_head(run)
    seen = run.phase if phase is None else phase
    if answer is not None:
        check_answer(run, seen, answer)
    changes = {} if params is None else {"params": check_parameters(definition_of(run.macro), params)}
    said = {} if answer is None else {"answer": answer}
    money = {} if (answer or {}).get("finish") else _budget(run, budget_usd)
    with transaction.atomic():
        if phase is not None:
            _require_phase(run, phase)
        # the person's time is not the run's: its clock begins again when work does
        fields = {"deadline": None, **changes, **money}
        _move(run, [RunState.AWAITING_CONFIRMATION], RunState.QUEUED, "confirm", **fields)
        by = actor.get_username() if actor else ""
        told = {**changes, **said, **{name: str(amount) for name, amount in money.items()}}
        _note(run, CONFIRMED, {"by": by, "phase": run.phase, **told})
        audit.record("run.confirmed", run, actor, **told)
        for child_id in [] if (answer or {}).get("finish") else children.let_go_on(run):
            ring_on_commit("perform_run", str(child_id))
        if enqueue:
            ring_on_commit("perform_run", str(run.pk))
    return run


@retried
def resume_run(*, run: Run, actor: Person | None, enqueue: bool = True) -> Run:
    """Take up a failed or cancelled run where it still stood well; answers that were good are not asked for again.

    Raises:
        NotPermitted, InvalidTransition, SessionBusy: nothing was stored.
    """
    if actor is not None:
        require_steering(actor, run)
    with transaction.atomic():
        _require_open_parent(run)
        _queue_again(run, "resume")
        steps = list(Step.objects.filter(run=run).order_by("seq"))
        _note(run, RESUME, resume_point(steps, replays=run.model == "register"))
        audit.record("run.resumed", run, actor)
        for child_id in children.resume(run):
            ring_on_commit("perform_run", str(child_id))
        if enqueue:
            ring_on_commit("perform_run", str(run.pk))
    return run


@retried
def finish_run(*, run: Run, actor: Person | None, enqueue: bool = True) -> Run:
    """Have a partial result made of what a failed or cancelled run has found; nobody is asked anything any more.

    Raises:
        NotPermitted, InvalidTransition, SessionBusy: nothing was stored.
    """
    if actor is not None:
        require_steering(actor, run)
    if not can_finish(run):
        raise InvalidTransition("the run has found nothing of which a result could be made", state=run.state)
    with transaction.atomic():
        why = Run.objects.select_for_update().get(pk=run.pk).error or {}
        _queue_again(run, "finish")
        by = actor.get_username() if actor else ""
        said = {"answer": {"finish": True}, "ended": str(why.get("message") or "")}
        _note(run, CONFIRMED, {"by": by, "phase": run.phase, **said})
        audit.record("run.finishing", run, actor, ended=str(why.get("code") or ""))
        if enqueue:
            ring_on_commit("perform_run", str(run.pk))
    return run


def can_finish(run: Run) -> bool:
    """Whether a partial result can be made of what a run has found."""
    return run.workflow in PARTIAL and run.parent_id is None and Source.objects.filter(run=run).exists()


@retried
def cancel_run(*, run: Run, actor: Person | None) -> Run:
    """Stop a run: at once when nobody works on it, else between two steps."""
    if actor is not None:
        require_steering(actor, run)
    idle = [RunState.QUEUED, RunState.AWAITING_CONFIRMATION, RunState.AWAITING_CHILDREN, RunState.WAITING]
    with transaction.atomic():
        children.lock_head(run)
        # no worker takes it up between the two questions
        found = Run.objects.select_for_update().get(pk=run.pk)
        waited = found.state == RunState.AWAITING_CONFIRMATION
        if Run.objects.filter(pk=run.pk, state=RunState.RUNNING).update(cancel_requested=True):
            audit.record("run.cancel_requested", run, actor)
        else:
            _move(run, idle, RunState.CANCELLED, "cancel", finished_at=timezone.now())
            audit.record("run.cancelled", run, actor)
            children.cancel_children(run.pk)
            if waited:
                children.look_at_head_again(run.parent_id)
            children.wake_parent(run.parent_id)
    run.refresh_from_db()
    return run


def sweep_runs() -> int:
    """Ring again for every run that is queued, due, or whose worker went silent, oldest first; returns how many."""
    now = timezone.now()
    children.wake_due(now)
    orphaned = Run.objects.filter(state=RunState.AWAITING_CHILDREN)
    for parent_id in orphaned.exclude(children__state__in=OPEN_RUN_STATES).values_list("pk", flat=True):
        children.wake_parent(parent_id)
    children.show_overlooked()
    never_taken_up = Q(state=RunState.QUEUED, wake_at=None, created_at__lt=now - RING_FIRST_AFTER)
    rung_in_vain = Q(state=RunState.QUEUED, wake_at__lte=now)
    left = Q(state=RunState.RUNNING, lease_until__lt=now)
    forgotten = Run.objects.filter(never_taken_up | rung_in_vain | left).order_by("created_at")
    ids = list(forgotten.values_list("pk", flat=True)[:MAX_RINGS])
    with transaction.atomic():
        rung = Run.objects.filter(pk__in=ids, state=RunState.QUEUED)
        children.lock(rung)
        rung.update(wake_at=now + RING_AGAIN_AFTER)
    for run_id in ids:
        ring_on_commit("perform_run", str(run_id))
    return len(ids)


def _budget(run: Run, budget_usd: Decimal | None) -> dict[str, Decimal]:
    """A budget under which at least one more call can be paid; needed where the old one is spent."""
    least = least_budget(run)
    if least is not None and (budget_usd is None or budget_usd < least.amount):
        raise InvalidParameters([ParamError("budget_usd", least.sentence)])
    if budget_usd is None:
        return {}
    if least is None and budget_usd <= (used := used_usd(run)):
        raise InvalidParameters([ParamError("budget_usd", f"must be more than {used:f} USD")])
    return {"budget_usd": budget_usd}


def _create(run: Run, actor: Person | None, enqueue: bool) -> Run:
    try:
        with transaction.atomic():
            run.save(force_insert=True)
            audit.record("run.started", run, actor, macro=str(run.macro), trigger=run.trigger)
            _require_nothing_to_review(run)
            if enqueue:
                ring_on_commit("perform_run", str(run.pk))
    except IntegrityError:
        raise SessionBusy("this session already has a run that is not finished") from None
    return run


def _require_head(run: Run) -> None:
    """What a family waits for, and its money, is at its head."""
    if run.parent_id:
        raise InvalidTransition(
            f"this run works for the run {run.parent_id}, whose budget it spends; confirm that one",
            state=run.state,
            parent=str(run.parent_id),
        )


def _require_open_parent(run: Run) -> None:
    """What a child finds is read by its parent alone. Locks the parent, first as on every path."""
    if run.parent_id is None:
        return
    parent = Run.objects.select_for_update().get(pk=run.parent_id)
    if parent.state in children.OVER:
        raise InvalidTransition(
            f"this run worked for the run {parent.pk}, which is {parent.state}: nobody would read what it finds; "
            "resume that one",
            state=run.state,
            parent=str(parent.pk),
        )


def _require_phase(run: Run, phase: str) -> None:
    """The row is locked: it cannot come to another checkpoint between the question and the confirmation."""
    current = Run.objects.select_for_update().get(pk=run.pk)
    if current.state == RunState.AWAITING_CONFIRMATION and current.phase != phase:
        raise InvalidTransition(
            f"the run does not wait at {phase!r} any more, but at {current.phase!r}", state=current.state
        )


def _require_nothing_to_review(run: Run) -> None:
    """Asked once the run is the session's open one, so that no other run can end with a result in between."""
    if run.session_id is None:
        return
    waiting = ResearchResult.objects.filter(session_id=run.session_id, state=ResultState.PENDING_REVIEW)
    if waiting.exists():
        raise SessionBusy("this session has a result that waits for review; decide about it first")


def _check_options(**options: str) -> None:
    words = {"autonomy": Autonomy.values, "depth": Depth.values, "trigger": Trigger.values}
    errors = [
        ParamError(name, f"{value!r} is not one of: {', '.join(words[name])}", words[name])
        for name, value in options.items()
        if value not in words[name]
    ]
    if errors:
        raise InvalidParameters(errors)


def _model_name() -> str:
    """All of them: one that is not known would be noticed only when those before it have failed."""
    names = model_names(str(settings.DOSSIER_MODEL)) or [""]
    try:
        return ",".join(open_model(name).name for name in names)
    except UnknownModel as error:
        raise InvalidParameters([ParamError("model", str(error))]) from None


def _require_budget(models: str, budget_usd: Decimal, *, searches: bool) -> None:
    """Of each model that may be asked the price is known, and one answer with the provider's own search is paid for."""
    asked = ModelRequest("", (), (), None, Task("", "", {}), settings.DOSSIER_MAX_TOKENS, server_search=True)
    for name in model_names(models):
        price, model = price_of(name, timezone.localdate()), model_id(name)
        if price is None:
            sentence = (
                f"nobody has entered what {model!r} costs, so a budget in USD cannot be kept: enter its price "
                f"under Model prices in the admin or with {typed('research prices --set')}, or start without a budget"
            )
            raise InvalidParameters([ParamError("budget_usd", sentence)])
        abilities = open_model(name).abilities
        least = worst_case(price, asked, abilities)
        if searches and settings.DOSSIER_SERVER_SEARCH and abilities.server_search and least > budget_usd:
            sentence = (
                f"cannot be kept: with its provider's own search {model!r} may cost up to {amount(least)} USD in one "
                "answer. Give at least that, switch DOSSIER_SERVER_SEARCH off, or start without a budget"
            )
            raise InvalidParameters([ParamError("budget_usd", sentence)])


def _queue_again(run: Run, verb: str) -> None:
    """A run that is over waits for a worker once more, as if it had not ended."""
    fresh: dict[str, object] = {"error": None, "finished_at": None, "seen_at": None, "seen_by": None}
    fresh |= {"cancel_requested": False, "deadline": None}
    _move(run, [RunState.FAILED, RunState.CANCELLED], RunState.QUEUED, verb, **fresh)
    _require_nothing_to_review(run)


def _move(run: Run, sources: list[RunState], target: RunState, verb: str, **fields: object) -> None:
    """The conditional UPDATE of a transition; InvalidTransition names the state that was found instead."""
    try:
        with transaction.atomic():
            moved = Run.objects.filter(pk=run.pk, state__in=sources).update(
                state=target, wake_at=None, **fields
            )
    except IntegrityError:
        raise SessionBusy("this session already has another run that is not finished") from None
    run.refresh_from_db()
    if not moved:
        raise InvalidTransition(f"cannot {verb} a run that is {run.state}", state=run.state)


def _note(run: Run, name: str, content: JsonObject) -> None:
    last = Step.objects.filter(run=run).aggregate(last=Max("seq"))["last"] or 0
    Step.objects.create(
        run=run,
        seq=last + 1,
        kind=StepKind.NOTE,
        name=name,
        answer=content,
        fence=run.fence,
        answered_at=timezone.now(),
    )
