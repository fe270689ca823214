"""Findings about entities that have expired are looked for again, for the types of entities that somebody wants so."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from entities.models import Entity, EntityResearch
from research.models import Run
from research.models.states import OPEN_RUN_STATES, Trigger
from research.services.enrichment import MACRO, enrich
from research.services.watches import cannot_afford

RECENT = timedelta(days=90)


def refresh_findings(*, now: datetime | None = None, limit: int = 50) -> int:
    """Begin one run for the entities that are due; returns how many. None while an earlier one is still at it."""
    now = now or timezone.now()
    types = settings.DOSSIER_KEEP_FRESH
    if not types or cannot_afford(now) or _at_work():
        return 0
    slugs = list(expired_entities(types, now).values_list("slug", flat=True)[:limit])
    if not slugs:
        return 0
    begun = enrich(trigger=Trigger.SCHEDULE, identifiers=slugs)
    return len(begun.run.params["identifiers"]) if begun.run else 0


def expired_entities(types: list[str], now: datetime) -> QuerySet[Entity]:
    """Entities all of whose findings have expired; first those to which most happened lately, then the longest due."""
    last = EntityResearch.objects.filter(entity=OuterRef("pk")).order_by("-expires_at")
    lately = Q(events__at__gte=now - RECENT)
    entities = Entity.objects.filter(type__in=types, merged_into=None, pending_verification=False)
    return (
        entities.annotate(
            expired=Subquery(last.values("expires_at")[:1]),
            weight=Coalesce(Max("events__importance", filter=lately), 0, output_field=IntegerField()),
        )
        .filter(expired__lte=now)
        .order_by("-weight", F("expired").asc(), "pk")
    )


def _at_work() -> bool:
    """Whether the run of an earlier sweep is still open: the same entities are not looked up twice at once."""
    begun = Run.objects.filter(macro__name=MACRO, trigger=Trigger.SCHEDULE, state__in=OPEN_RUN_STATES)
    return begun.exists()
