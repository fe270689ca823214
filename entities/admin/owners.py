"""The owners of an entity: chart, answers by a rule on a day, ends of chains; as a page, as SVG and as BODS."""

import json
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe

from entities.memory.interests import TooManyInterests, read_structure
from entities.memory.people import as_seen_by, may_see_people, shown
from entities.models import Entity, LookHow
from entities.ownership.assessment import Assessment, Owner, assess
from entities.ownership.bods import write_bods
from entities.ownership.chart import Chart, Row, RowKind, make_chart
from entities.ownership.drawing import NARROW, WIDE, draw_chart
from entities.ownership.interests import PartyKind, Structure
from entities.ownership.thresholds import UnknownThreshold, threshold, threshold_for, thresholds

RIGHTS = ("entities.view_entity", "entities.view_relationship")
SHOWN, ENDS = 200, 20


@dataclass(frozen=True)
class Asked:
    """What the address asks for: a rule, a day, one owner whose ways are marked, all levels; ``fault`` in words."""

    rule: str = ""
    as_of: str = ""
    owner: str = ""
    whole: bool = False
    fault: str = ""

    @property
    def query(self) -> dict[str, str]:
        values = {
            "rule": self.rule,
            "as_of": self.as_of,
            "owner": self.owner,
            "whole": "1" if self.whole else "",
        }
        return {name: value for name, value in values.items() if value}


@dataclass(frozen=True)
class Reading:
    """The answer to what was asked."""

    asked: Asked
    structure: Structure
    found: Assessment
    people: bool

    def chart(self) -> Chart:
        return make_chart(
            self.structure, self.found, owner=self.asked.owner, whole=self.asked.whole, people=self.people
        )


def read(request: HttpRequest, entity: Entity) -> Reading:
    """Compute what the address asks for; a rule or a day that cannot be is replaced, and ``fault`` says so.

    Raises TooManyInterests.
    """
    given = request.GET
    fault, day = "", timezone.localdate()
    try:
        day = date.fromisoformat(given["as_of"]) if given.get("as_of") else day
    except ValueError:
        fault = "The day is written as YYYY-MM-DD, such as 2026-03-01. Today is shown instead."
    rule = threshold_for(entity.jurisdiction, day)
    try:
        rule = threshold(given["rule"]) if given.get("rule") else rule
    except UnknownThreshold as error:
        fault = f"{error} {rule.title} is shown instead."
    asked = Asked(
        rule.name, day.isoformat(), str(given.get("owner", ""))[:40], bool(given.get("whole")), fault
    )
    with as_seen_by(request.user, LookHow.OWNERS):
        shown(entity.pk)
        structure = read_structure(entity, day)
    found = assess(structure, str(entity.pk), rule)
    return Reading(asked, structure, found, may_see_people(request.user))


def owners_context(request: HttpRequest, entity: Entity) -> dict[str, Any]:
    """The context of ``admin/entities/entity/owners.html``."""
    try:
        reading = read(request, entity)
    except TooManyInterests as error:
        return {"too_many": str(error)}
    asked, found, chart = reading.asked, reading.found, reading.chart()
    here = reverse("admin:entities_entity_owners", args=[entity.pk])
    shown = found.owners[:SHOWN]

    def link(row: Row) -> str:
        if row.kind == RowKind.MORE:
            return f"{here}?{urlencode(asked.query | {'whole': '1'})}"
        return _page(row.party.id) if _may_open(reading, row) else ""

    return {
        "asked": asked,
        "rules": list(thresholds().values()),
        "found": found,
        "people": reading.people,
        # made of escaped text by draw_chart
        "wide": mark_safe(draw_chart(chart, link=link, size=WIDE)),  # noqa: S308
        "narrow": mark_safe(draw_chart(chart, link=link, size=NARROW)),  # noqa: S308
        "rows": len(chart.rows),
        "left_out": chart.left_out,
        "owners": [_owner(reading, each, here) for each in shown if each.answer != "not met"],
        "others": [_owner(reading, each, here) for each in shown if each.answer == "not met"],
        "more_owners": max(0, len(found.owners) - SHOWN),
        "ends": found.ends[:ENDS],
        "more_ends": found.ends[ENDS:SHOWN],
        "findings": found.findings[:SHOWN] if reading.people else [],
        "known": bool(found.inputs),
        "query": urlencode(asked.query),
        "all_levels": f"{here}?{urlencode(asked.query | {'whole': '1'})}",
    }


def owners_svg(request: HttpRequest, entity: Entity) -> HttpResponse:
    """The chart as a file of its own."""
    picture = draw_chart(read(request, entity).chart(), styled=True)
    return _file(picture.encode(), "image/svg+xml", f"{entity.slug}-owners.svg")


def owners_bods(request: HttpRequest, entity: Entity) -> HttpResponse:
    """The interests as BODS 0.4."""
    reading = read(request, entity)
    statements = write_bods(
        reading.structure, reading.found, today=timezone.localdate(), people=reading.people
    )
    document = json.dumps(statements, ensure_ascii=False, indent=1).encode()
    return _file(document, "application/json", f"{entity.slug}-owners.bods.json")


def _owner(reading: Reading, owner: Owner, here: str) -> dict[str, Any]:
    name = owner.party.name if reading.people else "a natural person"
    query = reading.asked.query | {"owner": owner.party.id}
    return {
        "name": name,
        "answer": owner.answer,
        "shares": list(owner.shares.items()),
        "controls": owner.controls if reading.people else "",
        "settled_by": owner.settled_by if reading.people else (),
        "chain": [reading.structure.party(id).name for id in owner.chain[1:]],
        "url": _page(owner.party.id) if reading.people else "",
        "ways": f"{here}?{urlencode(query)}#chart",
        "marked": reading.asked.owner == owner.party.id,
    }


def _may_open(reading: Reading, row: Row) -> bool:
    return row.kind in (RowKind.PARTY, RowKind.AGAIN) and (
        reading.people or row.party.kind != PartyKind.PERSON
    )


def _page(id: str) -> str:
    return reverse("admin:entities_entity_owners", args=[id])


def _file(content: bytes, type: str, name: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=type)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
