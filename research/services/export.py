"""What research knows of an entity, for its export: runs, results, decisions, verb calls and checks."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q

from entities.models import Statement
from entities.services.export import Part
from research.models import Check, Decision, ResearchResult, Run, VerbCall, VerbEffect


def parts_of_research(ids: Sequence[UUID], lei: str) -> Sequence[Part]:
    """Rows about the entities with these ids; see ``entities.services.export``."""
    said = Statement.objects.filter(Q(subject__in=ids) | Q(object__in=ids), call__isnull=False)
    effects = VerbEffect.objects.filter(row__in=[str(pk) for pk in ids], table="entity")
    calls = VerbCall.objects.filter(Q(pk__in=said.values("call")) | Q(pk__in=effects.values("call")))
    decisions = Decision.objects.filter(pk__in=calls.values("decision"))
    results = ResearchResult.objects.filter(Q(decision__in=decisions) | Q(run__subject__in=ids))
    checks = Check.objects.filter(kind="lei", subject=lei) if lei else Check.objects.none()
    return (
        Run.objects.filter(Q(subject__in=ids) | Q(pk__in=results.values("run"))),
        results,
        decisions,
        calls,
        VerbEffect.objects.filter(call__in=calls),
        checks,
    )
