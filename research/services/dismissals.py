"""Failed runs that a person has seen: they leave the start page, and who dismissed them stays on record."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from common.transactions import retried
from research import audit
from research.engine import children
from research.errors import InvalidTransition
from research.models import AuditEvent, Run
from research.models.states import RunState
from research.services.access import START, Person, require

DISMISSED, SHOWN_AGAIN = "run.dismissed", "run.shown_again"
LATELY = timedelta(days=7)  # the start page shows none that is older
UNSEEN = Q(state=RunState.FAILED, seen_at=None, parent=None)


@retried
def dismiss_failure(*, run: Run, actor: Person) -> Run:
    """Say that a failure has been seen. Raises NotPermitted, InvalidTransition."""
    require(actor, START)
    with transaction.atomic():
        changed = Run.objects.filter(UNSEEN, pk=run.pk).update(seen_at=timezone.now(), seen_by=actor)
        if changed:
            audit.record(DISMISSED, run, actor)
    run.refresh_from_db()
    if not changed:
        raise InvalidTransition(f"cannot dismiss a run that {_why_not(run)}", state=run.state)
    return run


@retried
def dismiss_failures(*, actor: Person, until: datetime) -> int:
    """Say so of every failure that the start page of a moment shows or counts: no other one has been seen. How many."""
    require(actor, START)
    with transaction.atomic():
        now = timezone.now()
        failed = Run.objects.filter(UNSEEN, finished_at__range=(until - LATELY, until))
        children.lock(failed)
        failed.update(seen_at=now, seen_by=actor)
        runs = list(Run.objects.filter(seen_at=now, seen_by=actor.pk).only("pk"))
        AuditEvent.objects.bulk_create(audit.about(DISMISSED, run, actor, at_once=len(runs)) for run in runs)
    return len(runs)


@retried
def show_failure_again(*, run: Run, actor: Person) -> Run:
    """Take a dismissal back. Raises NotPermitted, InvalidTransition."""
    require(actor, START)
    with transaction.atomic():
        dismissed = Run.objects.filter(pk=run.pk, state=RunState.FAILED, seen_at__isnull=False)
        changed = dismissed.update(seen_at=None, seen_by=None)
        if changed:
            audit.record(SHOWN_AGAIN, run, actor)
    run.refresh_from_db()
    if not changed:
        raise InvalidTransition("this run has not been dismissed", state=run.state)
    return run


def _why_not(run: Run) -> str:
    if run.parent_id:
        return f"works for the run {run.parent_id}: what became of it is shown there"
    return "has been dismissed already" if run.seen_at else f"is {run.state}, not failed"
