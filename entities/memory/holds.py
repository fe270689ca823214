"""A legal hold: as long as it stands, nothing of the entity is erased and nothing runs out."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from entities.memory.access import HOLD, Person, given_reason, require
from entities.memory.base import OutOfDate, RefusedWrite
from entities.models import Entity, EntityAct


@transaction.atomic
def place_hold(*, entity: Entity, actor: Person, reason: str, now: datetime | None = None) -> EntityAct:
    """Nothing of the entity may go from now on. Several people may hold one entity; each hold is lifted by itself.

    Raises NotAllowed, RefusedWrite without a reason, and OutOfDate when the entity is gone.
    """
    require(actor, HOLD)
    reason = given_reason(reason)
    if not Entity.objects.select_for_update(no_key=True).filter(pk=entity.pk).exists():
        raise OutOfDate("the entity is gone")
    return EntityAct.objects.create(
        entity=entity, kind=EntityAct.Kind.HELD, actor=actor, reason=reason, at=now or timezone.now()
    )


@transaction.atomic
def lift_hold(*, hold: EntityAct, actor: Person, reason: str, now: datetime | None = None) -> EntityAct:
    """Take a hold back. Raises NotAllowed, RefusedWrite, and OutOfDate when somebody has lifted it already."""
    require(actor, HOLD)
    reason = given_reason(reason)
    if hold.kind != EntityAct.Kind.HELD:
        raise RefusedWrite("this act is no hold")
    try:
        with transaction.atomic():
            return EntityAct.objects.create(
                entity=hold.entity,
                kind=EntityAct.Kind.RELEASED,
                actor=actor,
                reason=reason,
                undoes=hold,
                at=now or timezone.now(),
            )
    except IntegrityError:
        raise OutOfDate("this hold was lifted already") from None


def holds_on(ids: Collection[UUID]) -> QuerySet[EntityAct]:
    """The holds that stand on these entities, the oldest first."""
    held = EntityAct.objects.filter(kind=EntityAct.Kind.HELD, undone_by__isnull=True, entity__in=ids)
    return held.select_related("actor", "entity").order_by("at", "pk")


def told(hold: EntityAct) -> str:
    """Who holds it and why, in a sentence."""
    return f"A legal hold of {hold.actor.get_username()} since {hold.at:%Y-%m-%d} stands on it: {hold.reason}"
