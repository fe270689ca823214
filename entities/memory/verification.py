"""A person says that an entity is what it claims to be, or takes that back."""

from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils import timezone

from common.transactions import atomic
from entities.memory.access import VERIFY, Person, given_reason, require
from entities.memory.base import OutOfDate
from entities.memory.representations import add_representation
from entities.memory.slugs import APART, free_slug
from entities.memory.writes import add_event
from entities.models import Entity, EntityAct, EntityEvent, Representation


@atomic
def verify_entity(*, entity: Entity, actor: Person, reason: str, now: datetime | None = None) -> EntityAct:
    """The entity is what it claims to be. One that was kept apart gets a slug of its own; the old one still leads here.

    Raises NotAllowed, RefusedWrite without a reason, and OutOfDate when it is verified or merged already.
    """
    require(actor, VERIFY)
    reason, now = given_reason(reason), now or timezone.now()
    values: dict[str, Any] = {
        "verified": True,
        "verified_by": Entity.VerifiedBy.TEAM,
        "verified_at": now,
        "pending_verification": False,
        "updated_at": now,
    }
    former = entity.slug if APART in entity.slug and entity.pending_verification else ""
    if former:
        values["slug"] = free_slug(entity.name)
    open_rows = Entity.objects.filter(
        pk=entity.pk, slug=entity.slug, verified=False, merged_into__isnull=True
    )
    if not open_rows.update(**values):
        raise OutOfDate(f"{entity.slug} is verified already, or was merged into another entity")
    entity.refresh_from_db()
    if former:
        add_representation(entity=entity, type=Representation.Type.FORMER_SLUG, key=former)
    return _record(
        entity, EntityAct.Kind.VERIFIED, actor, reason, now, {"former_slug": former} if former else {}
    )


@atomic
def unverify_entity(
    *, entity: Entity, actor: Person, reason: str, keep_apart: bool = False, now: datetime | None = None
) -> EntityAct:
    """Nobody vouches for the entity any longer; with ``keep_apart`` no name leads to it until it is verified again.

    Raises NotAllowed, RefusedWrite without a reason, and OutOfDate when this would change nothing.
    """
    require(actor, VERIFY)
    reason, now = given_reason(reason), now or timezone.now()
    would_change = Q(verified=True) | (Q(pending_verification=False) if keep_apart else Q(pk__in=[]))
    open_rows = Entity.objects.filter(would_change, pk=entity.pk, merged_into__isnull=True)
    values = {"verified": False, "verified_by": "", "verified_at": None, "updated_at": now}
    if not open_rows.update(**values, pending_verification=keep_apart):
        raise OutOfDate(f"{entity.slug} is not verified, or was merged into another entity")
    entity.refresh_from_db()
    return _record(entity, EntityAct.Kind.UNVERIFIED, actor, reason, now, {"keep_apart": keep_apart})


def _record(
    entity: Entity, kind: str, actor: Person, reason: str, now: datetime, changes: dict[str, Any]
) -> EntityAct:
    act = EntityAct.objects.create(
        entity=entity, kind=kind, actor=actor, reason=reason, changes=changes, at=now
    )
    add_event(
        entity=entity,
        type=kind,
        summary=f"{kind.capitalize()} by {actor.get_username()}: {reason}",
        source=actor.get_username(),
        source_type=EntityEvent.SourceType.MANUAL,
        importance=6,
        at=now,
    )
    return act
