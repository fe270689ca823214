"""Starting, steering and resuming runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils import timezone

from entities.gleif.register import open_register
from research import audit
from research.doorbell import ring_on_commit
from research.engine.conversation import CONFIRMED, RESUME, resume_point
from research.errors import InvalidParameters, InvalidTransition, ParamError, SessionBusy
from research.jsontext import JsonObject
from research.llm.models import UnknownModel, open_model
from research.macros.parameters import check_parameters
from research.models import Macro, ResearchResult, ResearchSession, Run, Step
from research.models.states import Autonomy, Depth, ResultState, RunState, StepKind, Trigger
from research.services.access import START, Person, require
from research.services.macros import active_macro, definition_of

RING_FIRST_AFTER = timedelta(seconds=20)
RING_AGAIN_AFTER = timedelta(
    minutes=5
)  # a ring for what waits in a long queue must not make the queue longer
MAX_RINGS = 500


@dataclass(frozen=True)
class Limits:
    """The budget that a depth allows: model turns, tool calls, wall clock."""

    turns: int
    tool_calls: int
    time: timedelta


LIMITS: Mapping[str, Limits] = {
    Depth.QUICK: Limits(20, 20, timedelta(minutes=10)),
    Depth.STANDARD: Limits(60, 120, timedelta(hours=1)),
    Depth.DEEP: Limits(200, 500, timedelta(hours=6)),
}


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
        require(requested_by, START)
    version = macro if isinstance(macro, Macro) else active_macro(macro)
    checked = check_parameters(definition_of(version), params)
    _check_options(autonomy=autonomy, depth=depth, trigger=trigger)
    limits = LIMITS[depth]
    run = Run(
        macro=version,
        params=checked,
        trigger=trigger,
        requested_by_id=requested_by.pk if requested_by else None,
        session=session,
        autonomy=autonomy,
        depth=depth,
        budget_usd=budget_usd,
        model=_model_name(),
        register=open_register(register or settings.DOSSIER_REGISTER).name,
        rerun_of=rerun_of,
        feedback=feedback,
        max_turns=limits.turns,
        max_tool_calls=limits.tool_calls,
        deadline=timezone.now() + limits.time,
    )
    return _create(run, requested_by, enqueue)


def confirm_checkpoint(
    *, run: Run, actor: Person | None, params: JsonObject | None = None, enqueue: bool = True
) -> Run:
    """Let a cautious run go on, if wanted with other parameters."""
    if actor is not None:
        require(actor, START)
    changes = {} if params is None else {"params": check_parameters(definition_of(run.macro), params)}
    with transaction.atomic():
        deadline = timezone.now() + LIMITS[run.depth].time  # the person's time is not the run's
        _move(run, [RunState.AWAITING_CONFIRMATION], RunState.QUEUED, "confirm", deadline=deadline, **changes)
        _note(run, CONFIRMED, {"by": actor.get_username() if actor else "", **changes})
        audit.record("run.confirmed", run, actor, **changes)
        if enqueue:
            ring_on_commit("perform_run", str(run.pk))
    return run


def resume_run(*, run: Run, actor: Person | None, enqueue: bool = True) -> Run:
    """Take up a failed or cancelled run where it still stood well; answers that were good are not asked for again.

    Raises:
        NotPermitted, InvalidTransition, SessionBusy: nothing was stored.
    """
    if actor is not None:
        require(actor, START)
    with transaction.atomic():
        _move(
            run,
            [RunState.FAILED, RunState.CANCELLED],
            RunState.QUEUED,
            "resume",
            error=None,
            finished_at=None,
            cancel_requested=False,
            deadline=timezone.now() + LIMITS[run.depth].time,
        )
        _require_nothing_to_review(run)
        steps = list(Step.objects.filter(run=run).order_by("seq"))
        _note(run, RESUME, {"from_seq": resume_point(steps)})
        audit.record("run.resumed", run, actor)
        if enqueue:
            ring_on_commit("perform_run", str(run.pk))
    return run


def cancel_run(*, run: Run, actor: Person | None) -> Run:
    """Stop a run: at once when nobody works on it, else between two steps."""
    if actor is not None:
        require(actor, START)
    idle = [RunState.QUEUED, RunState.AWAITING_CONFIRMATION, RunState.AWAITING_CHILDREN, RunState.WAITING]
    with transaction.atomic():
        Run.objects.select_for_update().get(pk=run.pk)  # no worker takes it up between the two questions
        if Run.objects.filter(pk=run.pk, state=RunState.RUNNING).update(cancel_requested=True):
            audit.record("run.cancel_requested", run, actor)
        else:
            _move(run, idle, RunState.CANCELLED, "cancel", finished_at=timezone.now())
            audit.record("run.cancelled", run, actor)
    run.refresh_from_db()
    return run


def sweep_runs() -> int:
    """Ring again for every run that is queued, due, or whose worker went silent, oldest first; returns how many."""
    now = timezone.now()
    Run.objects.filter(state=RunState.WAITING, wake_at__lte=now).update(state=RunState.QUEUED, wake_at=None)
    never_taken_up = Q(state=RunState.QUEUED, wake_at=None, created_at__lt=now - RING_FIRST_AFTER)
    rung_in_vain = Q(state=RunState.QUEUED, wake_at__lte=now)
    left = Q(state=RunState.RUNNING, lease_until__lt=now)
    forgotten = Run.objects.filter(never_taken_up | rung_in_vain | left).order_by("created_at")
    ids = list(forgotten.values_list("pk", flat=True)[:MAX_RINGS])
    Run.objects.filter(pk__in=ids, state=RunState.QUEUED).update(wake_at=now + RING_AGAIN_AFTER)
    for run_id in ids:
        ring_on_commit("perform_run", str(run_id))
    return len(ids)


def _create(run: Run, actor: Person | None, enqueue: bool) -> Run:
    try:
        with transaction.atomic():
            run.save(force_insert=True)
            _require_nothing_to_review(run)
            audit.record("run.started", run, actor, macro=str(run.macro), trigger=run.trigger)
            if enqueue:
                ring_on_commit("perform_run", str(run.pk))
    except IntegrityError:
        raise SessionBusy("this session already has a run that is not finished") from None
    return run


def _require_nothing_to_review(run: Run) -> None:
    """Asked once the run is the session's open one, so that no other run can end with a result in between."""
    waiting = ResearchResult.objects.filter(session_id=run.session_id, state=ResultState.PENDING_REVIEW)
    if run.session_id and waiting.exists():
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
    name = str(settings.DOSSIER_MODEL)
    try:
        return open_model(name).name
    except UnknownModel as error:
        raise InvalidParameters([ParamError("model", str(error))]) from None


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
