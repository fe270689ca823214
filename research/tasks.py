"""Celery tasks: they take ids and call one service. A lost or repeated message does no harm; see the doorbell."""

from uuid import UUID

from celery import shared_task
from django.contrib.auth import get_user_model

from research import audit
from research.engine import runner
from research.engine.lane import Lane
from research.models import Decision
from research.services import deliveries, execution, lockouts, rechecks, retention, runs, upkeep, watches
from research.web.archive import index


def perform(run_id: UUID) -> None:
    """Work on a run, unless another worker has it; a refresh is settled as soon as it is over."""
    runner.perform_run(run_id)
    watches.settle_run(run_id)


LANE = Lane(perform)


@shared_task
def perform_run(run_id: str) -> None:
    """Somebody rings for a run. The threads that work on runs look whose turn it is, which may be another's."""
    LANE.ring()


@shared_task
def forget_lockouts() -> int:
    """Remove failed attempts that no longer count, and sessions that are over."""
    return lockouts.forget_old()


@shared_task
def sweep_runs() -> int:
    """Ring again for what is queued or was left by a worker that died."""
    return runs.sweep_runs()


@shared_task
def execute_decision(decision_id: int, user_id: int) -> None:
    """Execute the approved verbs that are not executed yet."""
    decision = Decision.objects.select_related("result__run", "reviewer").get(pk=decision_id)
    execution.execute_verbs(decision=decision, actor=get_user_model().objects.get(pk=user_id))


@shared_task
def sweep_executions() -> int:
    """Ring again for approvals that somebody wanted executed."""
    return execution.sweep_executions()


@shared_task
def apply_retention() -> dict[str, int]:
    """Let go what has run out by the rules of the operator; how many rows by rule."""
    return retention.apply_retention()


@shared_task
def seal_audit() -> int:
    """Seal what happened into the log, and sign its new head."""
    sealed = audit.seal_all()
    audit.keep_head()
    return sealed


@shared_task
def send_webhooks() -> int:
    """Make deliveries of what happened, and ring for those that are due."""
    return deliveries.send_due()


@shared_task
def deliver(delivery_id: str) -> None:
    """Try one delivery, unless somebody else is at it."""
    deliveries.deliver(UUID(delivery_id))


@shared_task
def index_archive() -> int:
    """Take into the index what was read since the last time."""
    return index.index_everything()


@shared_task
def sweep_watches() -> int:
    """Look again at what is due; returns how many refreshes were begun."""
    return watches.sweep_watches().begun


@shared_task
def recheck_watches() -> int:
    """Ask the registers again about what was approved; returns how many answers have got worse."""
    return rechecks.recheck_watches()


@shared_task
def refresh_findings() -> int:
    """Research again what has expired about entities; returns how many."""
    return upkeep.refresh_findings()
