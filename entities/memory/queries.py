"""What memory tells of one entity: its forms, its timeline, and who it is related to."""

import uuid
from collections.abc import Iterable
from contextlib import suppress
from typing import Literal, TypeAlias

from django.db.models import F, Q, QuerySet

from entities.memory.people import seen
from entities.models import Entity, EntityEvent, Relationship, Representation

Direction: TypeAlias = Literal["out", "in", "both"]


def form_by_id(text: str) -> Representation | None:
    """The representation with this UUID."""
    with suppress(ValueError):
        return Representation.objects.filter(pk=uuid.UUID(text)).select_related("entity").first()
    return None


def representations_of(
    entity: Entity, *, type: str = "all", active_only: bool = True
) -> QuerySet[Representation]:
    """The entity's concrete forms, of one type or of all."""
    forms = Representation.objects.filter(entity=entity)
    if type != "all":
        forms = forms.filter(type=type)
    return forms.filter(active=True) if active_only else forms


def timeline_of(
    entity: Entity, *, types: Iterable[str] = (), min_importance: int = 0
) -> QuerySet[EntityEvent]:
    """What happened to the entity, and what it was mentioned in, the newest first."""
    own = EntityEvent.objects.filter(entity=entity).order_by().values("pk")
    mentions = EntityEvent.related.through.objects.filter(entity=entity).values("entityevent_id")
    # as one list: two of them with an OR between would have every event there is looked at
    events = EntityEvent.objects.filter(pk__in=own.union(mentions), importance__gte=min_importance)
    wanted = list(types)
    events = seen(events, "entity")
    return (events.filter(type__in=wanted) if wanted else events).order_by("-at", "-id")


def relationships_of(
    entity: Entity, *, types: Iterable[str] = (), direction: Direction = "both", current_only: bool = True
) -> QuerySet[Relationship]:
    """Relationships that the entity is the subject of (out), the object of (in), or either.

    Those with one that was merged are left out: the one that it went into states the same.
    """
    sides = {
        "out": Q(subject=entity, object__merged_into__isnull=True),
        "in": Q(object=entity, subject__merged_into__isnull=True),
    }
    found = Relationship.objects.filter(sides.get(direction) or sides["out"] | sides["in"])
    if current_only:
        found = found.filter(valid_to__isnull=True)
    wanted = list(types)
    found = seen(found.filter(type__in=wanted) if wanted else found, "subject", "object")
    return found.select_related("subject", "object").order_by(
        "type", F("percentage").desc(nulls_last=True), "id"
    )
