"""Writing the concrete forms of an entity: its keys in registers, on markets and chains."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from common.text import storable_text
from entities.memory.base import ChangeLog, RefusedWrite, bounded_json
from entities.memory.facts import fact_of_form
from entities.memory.forms import require_fit, sound_key
from entities.memory.statements import close, state_form
from entities.memory.vouching import together
from entities.models import Entity, EntityEvent, Representation

BY_ITSELF = frozenset({Representation.Type.LEI, Representation.Type.ISIN, Representation.Type.FORMER_SLUG})
BY_PROTOCOL = frozenset({Representation.Type.PERP_CONTRACT, Representation.Type.LP_PAIR})


@together()
def add_representation(
    *,
    entity: Entity,
    type: str,
    key: str,
    authority: str = "",
    chain: str = "",
    context: Mapping[str, Any] | None = None,
    log: ChangeLog | None = None,
) -> Representation:
    """One concrete form of the entity; seen again, its date moves, and the context is added to.

    ``authority`` is the register, court, venue or protocol; ``key_of`` finds the key in a context.

    Raises RefusedWrite if another entity has the key, the key cannot be one of this type, the entity cannot have this
    type of form, or an unverified token would get a second address beside the first: two addresses are two tokens until
    a person says otherwise.
    """
    log = log if log is not None else ChangeLog()
    if type not in Representation.Type.values:
        raise RefusedWrite(f"there is no type of representation called {type[:60]!r}")
    require_fit(entity, type)
    key = sound_key(type, storable_text(key))
    place = {"authority": storable_text(authority)[:60], "chain": storable_text(chain)[:40]}
    kept = bounded_json(dict(context or {}), "context")
    known = _same(type, key, **place).first()
    if known is None:
        _refuse_second_address(entity, type, key, place["chain"])
        known, created = _inserted(entity, type, key, place, kept)
        if created:
            log.note(entity, f"{type} {place['authority']}".strip(), None, key)
            log.rows.made(known)
            state_form(known, log)
            return known
    if known.entity_id != entity.pk:
        raise RefusedWrite(f"{type} {key} belongs to {known.entity.slug} already, not to {entity.slug}")
    log.rows.changed(known, {"last_seen_at": known.last_seen_at, "context": known.context})
    Representation.objects.filter(pk=known.pk).update(
        last_seen_at=timezone.now(), context={**known.context, **kept}
    )
    known.refresh_from_db()
    state_form(known, log)
    return known


@together()
def deactivate_representation(
    *, representation: Representation, reason: str, source: str = "", log: ChangeLog | None = None
) -> Representation:
    """The entity no longer has this form; the row is kept, and its key is free for another entity.

    Raises RefusedWrite when it is not active, and for the LEI that the entity carries.
    """
    entity = representation.entity
    if representation.type == Representation.Type.LEI and representation.key == entity.lei:
        raise RefusedWrite(f"{representation.key} is the LEI of {entity.slug}; only the register replaces it")
    claimed = Representation.objects.filter(pk=representation.pk, active=True).update(active=False)
    if not claimed:
        raise RefusedWrite(f"{representation} of {entity.slug} is not active")
    why = storable_text(reason).strip()[:500] or "no reason given"
    EntityEvent.objects.create(
        entity=entity,
        type="representation-deactivated",
        summary=f"{representation} is no longer of {entity}: {why}",
        representation=representation,
        source=storable_text(source)[:300],
        importance=5,
    )
    log = log if log is not None else ChangeLog()
    fact = fact_of_form(representation)
    close(
        subject=entity,
        facts=[fact] if fact else [],
        day=timezone.localdate(log.at),
        log=log,
        origin=log.origin.citing(storable_text(source)[:300]),
    )
    representation.refresh_from_db()
    return representation


def _same(type: str, key: str, authority: str, chain: str) -> QuerySet[Representation]:
    """The active ones that would be the same: what the unique constraints of the table say."""
    same = Representation.objects.filter(type=type, key=key, active=True).select_related("entity")
    if type in BY_ITSELF:
        return same
    same = same.filter(authority=authority)
    return same if type in BY_PROTOCOL else same.filter(chain=chain)


def _inserted(
    entity: Entity, type: str, key: str, place: dict[str, str], context: dict[str, Any]
) -> tuple[Representation, bool]:
    try:
        with transaction.atomic():
            return Representation.objects.create(
                entity=entity, type=type, key=key, context=context, **place
            ), True
    except IntegrityError:  # somebody else was first
        known = _same(type, key, **place).first()
        if known is None:
            raise
        return known, False


def _refuse_second_address(entity: Entity, type: str, key: str, chain: str) -> None:
    if type != Representation.Type.SPOT_TOKEN or entity.verified:
        return
    other = (
        Representation.objects.filter(entity=entity, type=type, chain=chain, active=True)
        .exclude(key=key)
        .first()
    )
    if other:
        raise RefusedWrite(
            f"{entity.slug} is unverified and has the address {other.key}: create another entity for {key}"
        )
