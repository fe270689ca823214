"""What stands on the page of an entity. Every list is bounded; what is left out is counted and linked."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from common.admin import pretty_json
from common.durations import in_words, roughly
from entities import memory
from entities.admin.facts import facts_context
from entities.admin.graph import draw, place, read_tree
from entities.admin.lei_checks import check_kept_record
from entities.models import Anomaly, Entity, EntityResearch, LeiRecord
from entities.panels import panels_of

EVENTS, FORMS, LINKS, RESEARCH, ALIASES = 20, 20, 20, 10, 12
LABELS = {"fresh": "current", "expired": "current, expired", "thinner": "found less than the current ones"}


def page_context(request: HttpRequest, entity: Entity) -> dict[str, Any]:
    """The context of ``admin/entities/entity/page.html``."""
    allowed = _allowed(request)
    may_links = allowed("relationship")
    return {
        "entity": entity,
        "aliases": [_alias(alias) for alias in entity.aliases[:ALIASES]],
        "more_aliases": max(0, len(entity.aliases) - ALIASES),
        "pairs": _pairs(entity),
        "former": entity.merged_from.all()[:ALIASES],
        "anomalies": _anomalies(entity) if allowed("anomaly") else [],
        "graph": _graph(entity) if may_links else None,
        "links": _links(entity) if may_links else None,
        "forms": _forms(entity) if allowed("representation") else None,
        "events": _events(entity) if allowed("entityevent") else None,
        "research": _research(entity) if allowed("entityresearch") else None,
        "facts": facts_context(request, entity) if allowed("statement") else None,
        "checks": _checks(entity),
        "acts": entity.acts.select_related("actor", "other", "undone_by")[:RESEARCH],
        "details": pretty_json(entity.metadata) if entity.metadata else "",
        "panels": panels_of(request, entity),
        "may_verify": request.user.has_perm(memory.VERIFY),
        "may_merge": request.user.has_perm(memory.MERGE),
    }


def entity_url(entity: Entity) -> str:
    return reverse("admin:entities_entity_change", args=[entity.pk])


def neighbours_url(pk: UUID | None, side: int) -> str:
    """The list of everybody above (-1) or below (1) an entity."""
    mine = "subject" if side < 0 else "object"
    return f"{reverse('admin:entities_relationship_changelist')}?{mine}__id__exact={pk}&valid_to__isnull=True"


def _pairs(entity: Entity) -> list[dict[str, Any]]:
    """Who it may be the same as, and where a person says so."""
    return [
        {"pair": pair, "other": pair.other if pair.entity_id == entity.pk else pair.entity}
        for pair in memory.pairs_of(entity)[:ALIASES]
    ]


def _alias(alias: dict[str, Any]) -> dict[str, str]:
    kind = str(alias.get("type") or "").replace("_", " ").lower()
    return {"name": str(alias.get("name", "")), "words": kind.removesuffix(" legal name")}


def _allowed(request: HttpRequest) -> Callable[[str], bool]:
    return lambda model: request.user.has_perm(f"entities.view_{model}")


def _graph(entity: Entity) -> dict[str, Any] | None:
    tree = read_tree(entity)
    if len(tree.nodes) == 1:
        return None
    placed = place(tree)
    picture = draw(
        placed,
        entity_url=entity_url,
        more_url=neighbours_url,
        title=f"Ownership and fund tree of {entity.name}",
    )
    extra = sum(line.extra for line in placed.lines)
    left = sum(tree.more.values())
    return {
        "svg": picture,
        "entities": len(tree.nodes),
        "left_out": f"{left:,}" if left else "",
        "extra": extra,
    }


def _links(entity: Entity) -> dict[str, Any]:
    rows = memory.relationships_of(entity, current_only=False).order_by("valid_to", "type", "id")
    shown = [
        {
            "link": link,
            "out": link.subject_id == entity.pk,
            "other": link.object if link.subject_id == entity.pk else link.subject,
        }
        for link in rows[:LINKS]
    ]
    return {"rows": shown, **_rest(rows, LINKS)}


def _forms(entity: Entity) -> dict[str, Any]:
    rows = memory.representations_of(entity, active_only=False).order_by("-active", "type", "key")
    return {"rows": rows[:FORMS], **_rest(rows, FORMS)}


def _events(entity: Entity) -> dict[str, Any]:
    rows = memory.timeline_of(entity).select_related("entity")
    return {"rows": rows[:EVENTS], **_rest(rows, EVENTS)}


def _rest(rows: QuerySet[Any], shown: int) -> dict[str, int]:
    count = rows.count()
    return {"count": count, "more": max(0, count - shown)}


def _research(entity: Entity) -> dict[str, Any]:
    rows = entity.research.select_related("invalidated_by").order_by("-at", "-id")
    freshness = memory.check_research_freshness(entity=entity, max_age=timedelta.max)
    return {
        "rows": [_finding(row, freshness) for row in rows[:RESEARCH]],
        "fresh": freshness.fresh,
        "message": freshness.message,
        "left": roughly(int(freshness.expires_in.total_seconds())) if freshness.fresh else "",
        **_rest(rows, RESEARCH),
    }


def _finding(row: EntityResearch, freshness: memory.Freshness) -> dict[str, Any]:
    found = row.findings if isinstance(row.findings, dict) else {}
    current = freshness.research
    if row.invalidated_at:
        state = "invalidated"
    elif row == current:
        state = "fresh" if freshness.fresh else "expired"
    else:
        state = "thinner" if current and (row.at, row.pk) > (current.at, current.pk) else "history"
    return {
        "row": row,
        "summary": found.get("summary", ""),
        "state": state,
        "label": LABELS.get(state, state),
        "lives": in_words(row.ttl),
    }


def _checks(entity: Entity) -> dict[str, Any] | None:
    found = check_kept_record(entity, today=timezone.localdate())
    if found is None:
        return {"missing": True} if entity.lei else None
    report, record = found
    return {"report": report, "record": record, "label": _label(record)}


def _anomalies(entity: Entity) -> list[Anomaly]:
    return list(entity.anomalies.filter(state=Anomaly.State.OPEN)[:ALIASES])


def _label(record: LeiRecord) -> str:
    return record.get_register_display()
