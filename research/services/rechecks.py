"""Asking the registers and archives again about what was approved: no model, no new research, only the checks."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from common.transactions import retried
from research import audit
from research.checks.regressions import worse_checks
from research.jsontext import JsonObject
from research.models import Watch
from research.models.states import WatchState
from research.services.reviews import preview_edits
from research.services.watches import told_of

KEPT = ("kind", "code", "subject", "verdict", "message", "was")


def recheck_watches(*, now: datetime | None = None, limit: int = 50) -> int:
    """Check again what was checked the longest ago; returns how many answers have got worse."""
    now = now or timezone.now()
    return sum(bool(recheck(watch, now=now)) for watch in stale_watches(now)[:limit])


def stale_watches(now: datetime) -> QuerySet[Watch]:
    """Those whose approved data was checked longer ago than the settings allow, the oldest first."""
    since = now - timedelta(days=settings.DOSSIER_RECHECK_DAYS)
    watches = Watch.objects.exclude(state=WatchState.PAUSED).filter(checked_at__lte=since)
    return watches.select_related("decision__result__run__macro").order_by("checked_at", "pk")


@retried
def recheck(watch: Watch, *, now: datetime | None = None) -> list[JsonObject]:
    """The checks that are worse than at the approval; they make the question due at once."""
    now = now or timezone.now()
    decision = watch.decision
    checks = preview_edits(result=decision.result, edits=decision.edits).checks
    worse = worse_checks(decision.checks, [check.as_json() for check in checks])
    worse = [{name: check[name] for name in KEPT} for check in worse]
    with transaction.atomic():
        same = Watch.objects.filter(pk=watch.pk, decision=decision)
        same.update(checked_at=now, worsened=worse)
        if worse and worse != watch.worsened:
            _tell(watch, worse, now)
    watch.refresh_from_db()
    return worse


def _tell(watch: Watch, worse: list[JsonObject], now: datetime) -> None:
    more = f" and {len(worse) - 1} more" if len(worse) > 1 else ""
    sentence = f"What was approved is in doubt: {worse[0]['message']}{more}"
    Watch.objects.filter(pk=watch.pk).update(outcome=sentence[:300])
    Watch.objects.filter(pk=watch.pk, state=WatchState.RESTING).update(due_at=now)
    audit.record("watch.worsened", watch, checks=[check["code"] for check in worse])
    told_of(watch, "approved-in-doubt", sentence, importance=8)
