"""What research shows on the page of an entity: runs about it, verb calls that wrote it, checks of its LEI."""

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest

from entities.models import Entity, Statement
from entities.panels import Panel, add_panel
from research.models import Check, Run, VerbCall

SHOWN = 10


def runs_and_decisions(request: HttpRequest, entity: Entity) -> dict[str, Any] | None:
    """The newest of each; what went into the entity by a merge counts as its own."""
    allowed = request.user.has_perm
    ids = [entity.pk, *entity.merged_from.values_list("pk", flat=True)]
    shown = {
        "runs": _runs(ids) if allowed("research.view_run") else [],
        "calls": _calls(ids) if allowed("research.view_verbcall") else [],
        "checks": _checks(entity.lei) if allowed("research.view_check") else [],
    }
    return shown if allowed("research.view_run") else None


def _runs(ids: list[UUID]) -> list[Run]:
    rows = Run.objects.filter(subject__in=ids).select_related("macro", "requested_by").order_by("-created_at")
    return list(rows[:SHOWN])


def _calls(ids: list[UUID]) -> list[VerbCall]:
    said = Statement.objects.filter(Q(subject__in=ids) | Q(object__in=ids), call__isnull=False)
    wrote = Q(output__entity_id__in=[str(pk) for pk in ids]) | Q(pk__in=said.values("call"))
    rows = VerbCall.objects.filter(wrote).select_related("decision__reviewer", "decision__result__run__macro")
    return list(rows.order_by("-finished_at", "-pk")[:SHOWN])


def _checks(lei: str) -> list[Check]:
    rows = Check.objects.filter(kind="lei", subject=lei) if lei else Check.objects.none()
    return list(rows.select_related("result__run__macro").order_by("-checked_at", "-pk")[:SHOWN])


add_panel(
    Panel("runs", "Runs and decisions", "admin/research/entity_panel.html", runs_and_decisions),
)
