"""Everything that is known of one entity or person as one JSON document, for a request of access (GDPR, Art. 15).

Each part is a table; each row has every column. What was merged into the entity is exported with it. Who exported, when
and why is recorded among the acts of the entity.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from entities.memory.access import EXPORT, PERSON, Person, given_reason, require
from entities.memory.looks import keep_looks
from entities.memory.statements import merged_ids
from entities.models import (
    Anomaly,
    AnomalyAct,
    Entity,
    EntityAct,
    EntityEvent,
    EntityLook,
    EntityPair,
    EntityResearch,
    ImportedFact,
    LeiRecord,
    LeiRelationship,
    LookHow,
    RegisterCorrection,
    RegisterSelection,
    Relationship,
    ReportingException,
    Representation,
    ScreeningDecision,
    ScreeningHit,
    ScreeningRun,
    Statement,
)

Part: TypeAlias = "QuerySet[Any]"
Parts: TypeAlias = Callable[[Sequence[UUID], str], Sequence[Part]]

_OTHERS: list[Parts] = []


def add_export_parts(parts: Parts) -> None:
    """Export these rows as well: entities know nothing of research. They are asked with ids and the LEI."""
    if parts not in _OTHERS:
        _OTHERS.append(parts)


class ExportFormat(models.TextChoices):
    """As what it is given; another app may be needed for it."""

    JSON = "json"
    PDF = "pdf"


Format: TypeAlias = Callable[..., bytes]
FORMATS: dict[str, Format] = {}


def add_export_format(name: str, write: Format) -> None:
    """Offer the export in another format; ``write`` takes entity, actor and reason and gives bytes."""
    FORMATS[name] = write


def export_entity(
    *, entity: Entity, actor: Person, reason: str, now: datetime | None = None
) -> Iterator[str]:
    """The document in pieces of JSON: ``{entity, exported_at, exported_by, reason, parts: {table: [row, ...]}}``.

    What is known of a company names persons too. So it takes the right to see persons, whatever the entity is.

    Raises NotAllowed, and RefusedWrite without a reason.
    """
    require(actor, EXPORT)
    require(actor, PERSON)
    reason, now = given_reason(reason), now or timezone.now()
    with transaction.atomic():
        EntityAct.objects.create(
            entity=entity, kind=EntityAct.Kind.EXPORTED, actor=actor, reason=reason, at=now
        )
        keep_looks(actor, LookHow.EXPORT, [entity.pk])
    head = {
        "entity": entity.slug,
        "exported_at": now,
        "exported_by": actor.get_username(),
        "reason": reason,
    }
    return _document(head, parts_of(entity))


def parts_of(entity: Entity) -> list[Part]:
    """The rows about an entity, table by table."""
    ids = merged_ids(entity)
    mine, either = Q(entity__in=ids), Q(entity__in=ids) | Q(other__in=ids)
    sides = Q(subject__in=ids) | Q(object__in=ids)
    mentions = EntityEvent.related.through.objects.filter(entity__in=ids)
    selections = RegisterSelection.objects.filter(mine)
    register = Q(lei=entity.lei) if entity.lei else Q(pk__in=[])
    parts: list[QuerySet[Any]] = [
        Entity.objects.filter(pk__in=ids),
        Representation.objects.filter(mine),
        Statement.objects.filter(sides),
        Relationship.objects.filter(sides),
        EntityEvent.objects.filter(Q(entity__in=ids) | Q(pk__in=mentions.values("entityevent"))),
        EntityResearch.objects.filter(mine),
        EntityAct.objects.filter(either),
        EntityLook.objects.filter(mine),
        EntityPair.objects.filter(either),
        Anomaly.objects.filter(mine),
        AnomalyAct.objects.filter(anomaly__entity__in=ids),
        selections,
        ImportedFact.objects.filter(Q(entity__in=ids) | Q(selection__in=selections)),
        RegisterCorrection.objects.filter(selection__in=selections),
        ScreeningRun.objects.filter(mine),
        ScreeningHit.objects.filter(mine),
        ScreeningDecision.objects.filter(hit__entity__in=ids),
        LeiRecord.objects.filter(register),
        LeiRelationship.objects.filter(
            Q(start=entity.lei) | Q(end=entity.lei) if entity.lei else Q(pk__in=[])
        ),
        ReportingException.objects.filter(register),
    ]
    return [*parts, *(part for others in _OTHERS for part in others(ids, entity.lei))]


def _document(head: dict[str, Any], parts: Sequence[Part]) -> Iterator[str]:
    yield f'{_json(head)[:-1]}, "parts": {{'
    for place, part in enumerate(parts):
        yield f"{', ' * bool(place)}{_json(part.model._meta.label_lower)}: ["
        for number, row in enumerate(part.order_by("pk").iterator(chunk_size=500)):
            yield f"{', ' * bool(number)}{_json(_row(row))}"
        yield "]"
    yield "}}\n"


def _row(row: Model) -> dict[str, Any]:
    return {
        field.attname: field.value_from_object(row)
        for field in row._meta.concrete_fields
        if field.name != "salt"
    }


def _json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
