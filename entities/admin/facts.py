"""What the page of an entity tells of its statements: what held on a day, as known on another, and who signed."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import Max
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone

from entities import memory
from entities.memory.people import as_seen_by
from entities.memory.wording import period_of, property_of, source_of, value_of
from entities.models import Entity, Statement
from entities.reasons import reasons_for

SHOWN, MOMENTS, LOOKED_AT, PAST = 100, 30, 1_000, 50


@dataclass
class Line:
    """One value, and everybody who says it."""

    about: str
    value: str
    other: Entity | None
    contradicted: bool = False
    said: list[dict[str, Any]] = field(default_factory=list)


def facts_context(request: HttpRequest, entity: Entity) -> dict[str, Any]:
    """The context of ``admin/entities/entity/facts.html``; the two days come from the query."""
    faults: list[str] = []
    day, known_on = (_day(request, name, faults) for name in ("as_of", "known_at"))
    known = memory.knowledge_of(
        entity, day=day, known_at=memory.end_of(known_on) if known_on else None, limit=SHOWN
    )
    history = memory.history_of(entity)
    return {
        "day": known.day,
        "known_on": known_on,
        "asked": bool(day or known_on),
        "faults": faults,
        "lines": _lines(known),
        "left_out": known.left_out,
        "moments": _moments(list(history[:LOOKED_AT]), known.day),
        "history": [_told(row) for row in history[:PAST]],
        "count": history.count(),
        "signed": _signed(entity),
    }


def why_context(request: HttpRequest, entity: Entity, number: int) -> dict[str, Any]:
    """The context of ``admin/entities/entity/why.html``. Raises Http404 for a statement about somebody else."""
    with as_seen_by(request.user):
        row = get_object_or_404(memory.history_of(entity), pk=number)
    return {"statement": row, "said": _told(row), "chain": reasons_for(row, request.user.has_perm)}


def _lines(known: memory.Knowledge) -> list[Line]:
    lines: dict[tuple[str, str], Line] = {}
    for told in known.facts:
        row = told.statement
        about, value = property_of(row), value_of(row)
        line = lines.setdefault((about, value), Line(about, value, row.object))
        line.contradicted |= told.contradicted
        line.said.append(_told(row))
    return list(lines.values())


def _told(row: Statement) -> dict[str, Any]:
    return {
        "row": row,
        "about": property_of(row),
        "value": value_of(row),
        "when": period_of(row),
        "source": source_of(row),
    }


def _moments(rows: list[Statement], day: date) -> list[dict[str, Any]]:
    """The newest days on which something changed, in the world or in what was known, each with a link to it."""
    world = {when for row in rows for when in (row.valid_from, row.valid_to) if when}
    recorded = {when for row in rows for when in (row.recorded_from, row.recorded_to) if when}
    known = {timezone.localdate(when) for when in recorded}
    moments = [(when, "known_at") for when in known] + [(when, "as_of") for when in world]
    newest = sorted(moments, reverse=True)[:MOMENTS]
    return [
        {"day": when, "known": name == "known_at", "link": "?" + urlencode({name: when.isoformat()})}
        for when, name in sorted(newest)
    ]


def _signed(entity: Entity) -> list[dict[str, Any]]:
    """Who signed for what is believed now, and when last."""
    rows = Statement.objects.filter(subject=entity, recorded_to__isnull=True).exclude(signed_by="")
    last = rows.order_by().values("signed_by", "decision").annotate(at=Max("recorded_from"))
    return [
        {"who": one["signed_by"], "decision": one["decision"], "at": one["at"]}
        for one in last.order_by("-at")[:3]
    ]


def _day(request: HttpRequest, name: str, faults: list[str]) -> date | None:
    text = request.GET.get(name, "").strip()
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        faults.append(f"{text[:40]!r} is no day such as 2026-03-01.")
        return None
    if day.year >= 9999 or day - timedelta(days=1) > timezone.localdate():
        faults.append(f"{day} is in the future: nothing is known of it.")
        return None
    return day
