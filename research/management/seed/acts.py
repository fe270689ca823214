"""What can happen in the example. Every act looks at what is stored before it does anything, so it happens once.

All of it goes through the services, as if the people of the example had clicked.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from django.contrib.auth.models import User
from django.test import override_settings

from entities.memory import verify_entity
from entities.models import Entity
from research.jsontext import JsonObject
from research.management.family import follow_family
from research.models import Decision, Memo, ResearchResult, ResearchSession, Run, Watch
from research.models.states import Autonomy, ResultState, RunState, Trigger
from research.services.execution import execute_verbs
from research.services.memos import compose_memo
from research.services.reviews import Patch, approve_result, reject_result, request_changes
from research.services.rollback import roll_back_verbs
from research.services.runs import start_run
from research.services.sessions import open_session
from research.services.watches import refresh, settle, steer

Cast: TypeAlias = Mapping[str, User]
Act: TypeAlias = Callable[["Case", Cast], bool]
"""True when it did something, False when that was done before."""
ANALYST, REVIEWER, READER = "example-analyst", "example-reviewer", "example-reader"


@dataclass(frozen=True)
class Case:
    """One case of the example, found again by the title of its session."""

    title: str

    @property
    def session(self) -> ResearchSession | None:
        return ResearchSession.objects.filter(title=self.title).first()

    @property
    def run(self) -> Run | None:
        """The last one that was started in it."""
        return Run.objects.filter(session__title=self.title, parent=None).order_by("-created_at").first()

    def result(self, *states: ResultState) -> ResearchResult | None:
        """What its last run found, if that is in one of these states."""
        found = ResearchResult.objects.filter(run=self.run, state__in=states)
        return found.select_related("run__macro", "session").first()

    @property
    def watch(self) -> Watch | None:
        return Watch.objects.filter(decision__result__session__title=self.title).first()


def ask(
    macro: str, *, model: str = "register", autonomy: Autonomy = Autonomy.BALANCED, **params: object
) -> Act:
    """A question of the analyst's, researched to its end or to where it waits for a person."""

    def act(case: Case, cast: Cast) -> bool:
        run, actor = case.run, cast[ANALYST]
        if run is None:
            session = case.session or open_session(title=case.title, actor=actor)
            with override_settings(DOSSIER_MODEL=model):
                run = start_run(
                    macro=macro,
                    params=dict(params),
                    trigger=Trigger.CLI,
                    requested_by=actor,
                    session=session,
                    autonomy=autonomy,
                    register="demo",
                    enqueue=False,
                )
        return _perform(run)

    return act


def approve(reason: str = "", edits: Callable[[JsonObject], Patch] = lambda _: ()) -> Act:
    def act(case: Case, cast: Cast) -> bool:
        result = case.result(ResultState.PENDING_REVIEW)
        if result:
            approve_result(
                result=result,
                reviewer=cast[REVIEWER],
                digest=result.digest,
                edits=edits(result.data),
                reason=reason,
                shown=[""],
            )
        return result is not None

    return act


def reject(reason: str) -> Act:
    def act(case: Case, cast: Cast) -> bool:
        result = case.result(ResultState.PENDING_REVIEW)
        if result:
            reject_result(result=result, reviewer=cast[REVIEWER], digest=result.digest, reason=reason)
        return result is not None

    return act


def ask_for_changes(feedback: str) -> Act:
    """What the reviewer wants otherwise, and the run that answers it."""

    def act(case: Case, cast: Cast) -> bool:
        result = case.result(ResultState.PENDING_REVIEW)
        if result and not result.run.rerun_of_id:
            request_changes(
                result=result,
                reviewer=cast[REVIEWER],
                digest=result.digest,
                feedback=feedback,
                enqueue=False,
            )
        return case.run is not None and _perform(case.run)

    return act


def execute(case: Case, cast: Cast) -> bool:
    result = case.result(ResultState.APPROVED)
    if result:
        execute_verbs(decision=Decision.objects.get(result=result), actor=cast[REVIEWER])
    return result is not None


def roll_back(reason: str) -> Act:
    def act(case: Case, cast: Cast) -> bool:
        result = case.result(ResultState.EXECUTED)
        if result:
            roll_back_verbs(result=result, actor=cast[REVIEWER], reason=reason)
        return result is not None

    return act


def write_memo(case: Case, cast: Cast) -> bool:
    result = case.result(ResultState.EXECUTED)
    if result is None or Memo.objects.filter(result=result).exists():
        return False
    compose_memo(result=result, actor=cast[REVIEWER])
    return True


def look_again(case: Case, cast: Cast) -> bool:
    """A refresh of what was approved, and how it was settled."""
    watch = case.watch
    if watch is None or (watch.run and watch.run.state not in (RunState.QUEUED, RunState.RUNNING)):
        return False
    run = watch.run or refresh(watch=watch, actor=cast[REVIEWER], enqueue=False)
    _perform(run)
    watch.refresh_from_db()
    return settle(watch)


def look_every(days: int) -> Act:
    """How often the answer is looked at again from now on."""

    def act(case: Case, cast: Cast) -> bool:
        watch = case.watch
        if watch is None or watch.every_days == days:
            return False
        steer(watch=watch, actor=cast[REVIEWER], every_days=days)
        return True

    return act


def vouch_for(lei: str, reason: str) -> Act:
    """The reviewer verifies an entity of memory."""

    def act(case: Case, cast: Cast) -> bool:
        entity = Entity.objects.filter(lei=lei, verified=False, acts=None).first()
        if entity:
            verify_entity(entity=entity, actor=cast[REVIEWER], reason=reason)
        return entity is not None

    return act


def _perform(run: Run) -> bool:
    if run.state != RunState.QUEUED:
        return False
    follow_family(run, lambda *_: None)
    return True
