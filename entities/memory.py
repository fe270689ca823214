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
from entities.models import Entity, EntityEvent, Relationship, Representation, name_key

MAX_CANDIDATES = 10
MAX_NAME = 20_000
MAX_KEY = 200
PART = "part of the name"
PLACES = Decimal("0.0001")  # what the database keeps of a percentage


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
    """Find the entity that a text means: UUID, LEI or other key, slug, symbol, name, alias, in that order.

    Several hits of the same kind are candidates; none is ever picked silently. A part of a name decides nothing: what
    it finds are candidates, even if it is only one. Beyond MAX_KEY characters a text can only be a whole name.
    """
    text = text.replace("\0", "").encode("utf-8", "replace").decode().strip()  # no database takes the rest
    if not text:
        return Resolution(None, how="empty")
    for how, query in _queries(text):
        found = list(query.distinct()[:MAX_CANDIDATES])
        if len(found) == 1 and how != PART:
            return Resolution(found[0], how=how)
        if found:
            return Resolution(None, tuple(found), how)
    return Resolution(None, how="not found")


def _queries(text: str) -> Iterable[tuple[str, Any]]:
    every = Entity.objects.all()
    if len(text) <= MAX_KEY:
        yield from _short_queries(text)
    yield "name", every.filter(name_keys__key=name_key(text), name_keys__own=True)
    yield "alias", every.filter(name_keys__key=name_key(text), name_keys__own=False)
    if len(text) <= MAX_KEY:
        yield PART, every.filter(name__icontains=text)


def _short_queries(text: str) -> Iterable[tuple[str, Any]]:
    every = Entity.objects.all()
    with suppress(ValueError):
        yield "id", every.filter(pk=uuid.UUID(text))
    lei = iso17442.normalise(text)
    if iso17442.is_valid(lei):
        yield "lei", every.filter(lei=lei)
    as_written_first = dict.fromkeys([text, text.upper()])  # the addresses of some chains mind the case
    for key in as_written_first:
        yield "key", every.filter(representations__key=key, representations__active=True)
    yield "slug", every.filter(slug=text.lower())
    yield "symbol", every.filter(symbol__iexact=text)


@transaction.atomic
def ensure_entity(
    *,
    name: str,
    type: str = Entity.Type.LEGAL_ENTITY,
    lei: str = "",
    jurisdiction: str = "",
    aliases: list[dict[str, str]] | None = None,
    metadata: dict[str, Any] | None = None,
    rename: bool = False,
    log: ChangeLog | None = None,
) -> Entity:
    """The entity with this LEI, else with this exact name, type and jurisdiction; created unverified if there is none.

    Given values that differ from what is stored overwrite it and are noted; empty ones change nothing. The name is
    overwritten only with ``rename``, which is for registers. A name alone never takes over an entity that has another
    LEI.

    Raises RefusedWrite for what memory cannot hold, and for a name that several entities have.
    """
    log = log if log is not None else ChangeLog()
    name, jurisdiction = name.strip(), jurisdiction.strip()
    _refuse_unsound(name, type, lei, jurisdiction)
    entity = _find(name, type, lei, jurisdiction)
    if entity is None:
        entity = Entity(slug=free_slug(name), name=name, type=type, lei=lei, jurisdiction=jurisdiction)
        entity.aliases, entity.metadata = aliases or [], metadata or {}
        entity.save(force_insert=True)
        log.note(
            entity, "created", None, {"name": name, "type": type, "lei": lei, "jurisdiction": jurisdiction}
        )
    else:
        values = {"lei": lei, "jurisdiction": jurisdiction, "aliases": aliases}
        values |= {"name": name} if rename else {}
        _update(entity, {**values, "metadata": {**entity.metadata, **metadata} if metadata else None}, log)
    if lei:
        add_representation(entity=entity, type=Representation.Type.LEI, authority="GLEIF", key=lei, log=log)
    return entity


def _refuse_unsound(name: str, type: str, lei: str, jurisdiction: str) -> None:
    faults = [
        (not name, "an entity needs a name"),
        (len(name) > MAX_NAME, f"a name has at most {MAX_NAME:,} characters, this one {len(name):,}"),
        (type not in Entity.Type.values, f"there is no type of entity called {type!r}"),
        (lei and not iso17442.is_valid(lei), f"{lei[:40]!r} is not a valid LEI"),
        (len(jurisdiction) > 10, f"{jurisdiction[:40]!r} is not a jurisdiction"),
    ]
    for holds, message in faults:
        if holds:
            raise RefusedWrite(message)


def _find(name: str, type: str, lei: str, jurisdiction: str) -> Entity | None:
    known = Entity.objects.filter(lei=lei).first() if lei else None
    if known:
        return known
    named = Entity.objects.filter(name_keys__key=name_key(name), name_keys__own=True, type=type)
    if lei:
        named = named.filter(lei="")
    same = list(named.filter(jurisdiction=jurisdiction))
    if not same and jurisdiction:
        same = list(named.filter(jurisdiction=""))
    elif not same:
        same = list(named)
    if len(same) > 1 and not lei:
        slugs = ", ".join(sorted(each.slug for each in same)[:MAX_CANDIDATES])
        raise RefusedWrite(f"{name[:100]} could be any of: {slugs}")
    return same[0] if len(same) == 1 else None


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

    Raises RefusedWrite if another entity has the key, or there is none.
    """
    key = key.strip()[:200]
    if not key:
        raise RefusedWrite(f"a {type} of {entity.slug} needs a key")
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
    """State a current relationship; stated again, only what differs changes and is noted.

    Raises RefusedWrite for a relationship to itself and for a percentage that is none.
    """
    if subject.pk == object.pk:
        raise RefusedWrite(f"{subject.slug} cannot be related to itself")
    log = log if log is not None else ChangeLog()
    values = {"percentage": _share(percentage), "valid_from": valid_from, "metadata": metadata or {}}
    known, created = Relationship.objects.get_or_create(
        subject=subject, object=object, type=type, valid_to=None, defaults={**values, "source": source[:300]}
    )
    if created:
        log.note(subject, type, None, {"object": object.slug, "percentage": percentage})
    else:
        _restate(known, values, source, log)
    return known


@transaction.atomic
def end_links(*, subject: Entity, type: str, keep: Entity | None, source: str, log: ChangeLog) -> None:
    """End the current relationships of a type, but for the one to ``keep``, that the same source stated before."""
    current = Relationship.objects.filter(subject=subject, type=type, valid_to=None, source=source)
    for old in current.exclude(object=keep).select_related("object"):
        old.valid_to = timezone.localdate()
        old.save(update_fields=["valid_to", "updated_at"])
        log.note(subject, f"{type} {old.object.slug} ended", None, old.valid_to)


def _share(percentage: Decimal | None) -> Decimal | None:
    if percentage is None:
        return None
    if not percentage.is_finite() or not 0 <= percentage <= 100:
        raise RefusedWrite(f"{percentage} is not a percentage")
    return percentage.quantize(PLACES)


def _restate(known: Relationship, values: dict[str, Any], source: str, log: ChangeLog) -> None:
    changed = {name: new for name, new in values.items() if new and new != getattr(known, name)}
    for name, new in changed.items():
        log.note(known.subject, f"{known.type} {known.object.slug} {name}", getattr(known, name), new)
        setattr(known, name, new)
    if changed:
        known.source = source[:300] or known.source
        known.save(update_fields=[*changed, "source", "updated_at"])


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
    same_day = {"at__date": timezone.localtime(at).date()}  # the database counts days in local time as well
    known = EntityEvent.objects.filter(entity=entity, type=type, summary=summary, **same_day).first()
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
