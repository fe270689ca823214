"""Entity memory: finding entities, and the only functions that write them.

Every writer notes what it changed in a ``ChangeLog``, field by field, old and new, so that whoever called it can keep
an account of it.
"""

import uuid
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from entities import lei as iso17442
from entities.models import Entity, EntityEvent, Relationship, Representation

MAX_CANDIDATES = 10


class RefusedWrite(ValueError):
    """A write that entity memory refuses; the message is for people."""


@dataclass(frozen=True)
class Resolution:
    """The one entity meant, or the candidates when several could be; ``how`` names the key that decided."""

    entity: Entity | None
    candidates: tuple[Entity, ...] = ()
    how: str = ""


@dataclass
class ChangeLog:
    """What was written: ``[{entity, field, old, new}]``, the entity by its slug."""

    changes: list[dict[str, Any]] = field(default_factory=list)

    def note(self, entity: Entity, name: str, old: object, new: object) -> None:
        """Record one changed field; values are kept as JSON."""
        self.changes.append({"entity": entity.slug, "field": name, "old": _plain(old), "new": _plain(new)})


def resolve(text: str) -> Resolution:
    """Find the entity that a text means: UUID, LEI or other key, slug, symbol, name, in that order.

    Several hits of the same kind are candidates; none is ever picked silently.
    """
    text = text.strip()
    if not text:
        return Resolution(None, how="empty")
    for how, query in _queries(text):
        found = list(query.distinct()[: MAX_CANDIDATES + 1])
        if len(found) == 1:
            return Resolution(found[0], how=how)
        if found:
            return Resolution(None, tuple(found[:MAX_CANDIDATES]), how)
    return Resolution(None, how="not found")


def _queries(text: str) -> Iterable[tuple[str, Any]]:
    every = Entity.objects.all()
    with suppress(ValueError):
        yield "id", every.filter(pk=uuid.UUID(text))
    if iso17442.is_valid(text.upper()):
        yield "lei", every.filter(lei=text.upper())
    yield "key", every.filter(representations__key=text, representations__active=True)
    yield "slug", every.filter(slug=text.lower())
    yield "symbol", every.filter(symbol__iexact=text)
    yield "name", every.filter(name__iexact=text)
    yield "part of the name", every.filter(name__icontains=text)


@transaction.atomic
def ensure_entity(
    *,
    name: str,
    type: str = Entity.Type.LEGAL_ENTITY,
    lei: str = "",
    jurisdiction: str = "",
    aliases: list[dict[str, str]] | None = None,
    metadata: dict[str, Any] | None = None,
    log: ChangeLog | None = None,
) -> Entity:
    """The entity with this LEI, else with this exact name, type and jurisdiction; created unverified if there is none.

    Given values that differ from what is stored overwrite it and are noted; empty ones change nothing. A name alone
    never takes over an entity that has an LEI of its own.
    """
    log = log if log is not None else ChangeLog()
    entity = _find(name, type, lei, jurisdiction)
    if entity is None:
        entity = Entity(slug=free_slug(name), name=name[:500], type=type, lei=lei, jurisdiction=jurisdiction)
        entity.aliases, entity.metadata = aliases or [], metadata or {}
        entity.save(force_insert=True)
        log.note(
            entity, "created", None, {"name": name, "type": type, "lei": lei, "jurisdiction": jurisdiction}
        )
    else:
        values = {"name": name[:500], "lei": lei, "jurisdiction": jurisdiction, "aliases": aliases}
        _update(entity, {**values, "metadata": {**entity.metadata, **metadata} if metadata else None}, log)
    if lei:
        add_representation(entity=entity, type=Representation.Type.LEI, authority="GLEIF", key=lei, log=log)
    return entity


def _find(name: str, type: str, lei: str, jurisdiction: str) -> Entity | None:
    if lei:
        known = Entity.objects.filter(lei=lei).first()
        if known:
            return known
    same = Entity.objects.filter(name__iexact=name, type=type)
    if jurisdiction:
        same = same.filter(jurisdiction__in=["", jurisdiction])
    found = list(same.filter(lei="") if lei else same)
    return found[0] if len(found) == 1 else None


def _update(entity: Entity, values: dict[str, Any], log: ChangeLog) -> None:
    changed = []
    for name, new in values.items():
        old = getattr(entity, name)
        if new and new != old:
            setattr(entity, name, new)
            log.note(entity, name, old, new)
            changed.append(name)
    if changed:
        entity.save(update_fields=[*changed, "updated_at"])


@transaction.atomic
def add_representation(
    *, entity: Entity, type: str, key: str, authority: str = "", log: ChangeLog | None = None
) -> Representation:
    """One concrete form of the entity; seen again, only its date moves.

    Raises RefusedWrite if another entity has the key.
    """
    known = Representation.objects.filter(type=type, authority=authority, key=key, active=True).first()
    if known is None:
        known = Representation.objects.create(entity=entity, type=type, authority=authority, key=key)
        if log is not None:
            log.note(entity, f"{type} {authority}".strip(), None, key)
    elif known.entity_id != entity.pk:
        raise RefusedWrite(f"{type} {key} belongs to {known.entity.slug} already, not to {entity.slug}")
    else:
        Representation.objects.filter(pk=known.pk).update(last_seen_at=timezone.now())
    return known


@transaction.atomic
def link(
    *,
    subject: Entity,
    object: Entity,
    type: str,
    percentage: Decimal | None = None,
    source: str = "",
    valid_from: date | None = None,
    metadata: dict[str, Any] | None = None,
    log: ChangeLog | None = None,
) -> Relationship:
    """State a current relationship; stated again, only what differs changes and is noted."""
    if subject.pk == object.pk:
        raise RefusedWrite(f"{subject.slug} cannot be related to itself")
    log = log if log is not None else ChangeLog()
    known, created = Relationship.objects.get_or_create(
        subject=subject,
        object=object,
        type=type,
        valid_to=None,
        defaults={
            "percentage": percentage,
            "source": source[:300],
            "valid_from": valid_from,
            "metadata": metadata or {},
        },
    )
    if created:
        log.note(subject, type, None, {"object": object.slug, "percentage": percentage})
    elif percentage is not None and known.percentage != percentage:
        log.note(subject, f"{type} {object.slug} percentage", known.percentage, percentage)
        known.percentage, known.source = percentage, source[:300] or known.source
        known.save(update_fields=["percentage", "source", "updated_at"])
    return known


@transaction.atomic
def add_event(
    *,
    entity: Entity,
    type: str,
    summary: str,
    importance: int = 5,
    data: dict[str, Any] | None = None,
    source: str = "",
    at: datetime | None = None,
    log: ChangeLog | None = None,
) -> EntityEvent:
    """Add to the entity's timeline; the same event on the same day is stated once."""
    at = at or timezone.now()
    known = EntityEvent.objects.filter(entity=entity, type=type, summary=summary, at__date=at.date()).first()
    if known:
        return known
    event = EntityEvent.objects.create(
        entity=entity,
        type=type,
        summary=summary,
        importance=importance,
        data=data or {},
        source=source[:300],
        at=at,
    )
    if log is not None:
        log.note(entity, type, None, summary)
    return event


def free_slug(name: str) -> str:
    """A slug of the name; ``-2``, ``-3`` ... when it is taken."""
    base = slugify(name)[:100].strip("-") or "entity"
    taken = set(Entity.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    slug, number = base, 1
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug


def _plain(value: object) -> object:
    if isinstance(value, Decimal | date | datetime | uuid.UUID):
        return str(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
