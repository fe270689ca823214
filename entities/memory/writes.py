"""The only functions that write entities, their forms, their relationships and their timelines.

Every writer notes what it changed in a ``ChangeLog``, field by field, old and new, so that whoever called it can keep
an account of it.
"""

from collections.abc import Callable, Iterable
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from common.text import storable, storable_text
from entities import lei as iso17442
from entities.memory.base import MAX_NAME, MAX_SOURCE, ChangeLog, RefusedWrite, bounded_json
from entities.memory.facts import Fact, Period, fact_of_link, facts_of_entity
from entities.memory.likeness import (
    INVENTED,
    ORGANISATIONS,
    SAME_NAME,
    Likeness,
    decided,
    lookalikes,
    named_alike,
)
from entities.memory.locks import claim, key_of_name, key_of_symbol
from entities.memory.pairs import propose_pairs
from entities.memory.representations import add_representation
from entities.memory.resolution import MAX_CANDIDATES
from entities.memory.slugs import free_slug, slug_apart
from entities.memory.statements import close, state, state_entity
from entities.memory.types import require_type
from entities.memory.vouching import together
from entities.models import Entity, EntityEvent, Precision, Relationship, Representation, name_key

PLACES = Decimal("0.0001")  # what the database keeps of a percentage
ATTEMPTS = 3
MAX_SUMMARY = 20_000
MAX_SYMBOL = 30


@together()
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
    LEI. A new entity that looks like a known one is kept apart, and a person is asked whether the two are the same.

    Raises RefusedWrite for what memory cannot hold, and for a name that several entities have.
    """
    log = log if log is not None else ChangeLog()
    name, jurisdiction = storable_text(name).strip(), jurisdiction.strip()
    _refuse_unsound(name, lei, jurisdiction)
    identity = {"name": name, "type": type, "lei": lei, "jurisdiction": jurisdiction}
    entity, created, alike = _find(**identity), False, []
    if entity is None:
        require_type(type)
        claim([key_of_name(name)])
        alike = lookalikes(name, type=type, lei=lei, jurisdiction=jurisdiction)
        entity = _find_kept_apart(**identity) or _find_spelled_otherwise(name, type, lei, alike)
    if entity is None:
        entity, created = _found_or_inserted(
            partial(_find, **identity),
            lambda: Entity(
                slug=slug_apart(name) if alike else free_slug(name),
                aliases=aliases or [],
                metadata=metadata or {},
                pending_verification=bool(alike),
                **identity,
            ),
        )
    if created:
        log.note(entity, "created", None, identity)
        log.rows.made(entity)
        state_entity(entity, log)
        propose_pairs(entity, alike, found_by=str((metadata or {}).get("stated_by", "")))
    else:
        log.rows.met(entity)
        before = facts_of_entity(entity)
        values = {"lei": lei, "jurisdiction": jurisdiction, "aliases": aliases}
        values |= {"name": name} if rename else {}
        _update(entity, {**values, "metadata": {**entity.metadata, **metadata} if metadata else None}, log)
        given = Entity(**identity, aliases=aliases or [], metadata=metadata or {})
        state_entity(entity, log, given=given, before=before)
    if lei:
        add_representation(entity=entity, type=Representation.Type.LEI, authority="GLEIF", key=lei, log=log)
    return entity


@together()
def create_entity(
    *,
    name: str,
    type: str,
    symbol: str = "",
    jurisdiction: str = "",
    metadata: dict[str, Any] | None = None,
    key: str = "",
    log: ChangeLog | None = None,
) -> Entity:
    """An entity for something that nobody has verified, found on the way: a token, a person, a protocol.

    One that looks like another, by a name like it and the type or by the symbol, is kept apart, and a person is asked
    whether the two are the same; letters of other alphabets count as the Latin ones they look like. Its slug says
    unverified (with six characters of ``key`` where it has one), and no name leads to it until a person has verified
    it. Created again before anything tells them apart, it is the same one.

    Raises RefusedWrite for what memory cannot hold.
    """
    name, symbol = storable_text(name).strip(), storable_text(symbol).strip()
    log = log if log is not None else ChangeLog()
    _refuse_unsound(name, "", jurisdiction)
    if len(symbol) > MAX_SYMBOL:
        raise RefusedWrite(f"a symbol has at most {MAX_SYMBOL} characters, this one {len(symbol):,}")
    details = bounded_json(metadata or {}, "metadata")
    require_type(type)
    claim([key_of_name(name), *([key_of_symbol(symbol)] if symbol else [])])
    known = _nothing_tells_apart(name, type, symbol, key)
    alike = [] if known else [*_the_same_by_name_or_symbol(name, type, symbol), *lookalikes(name, type=type)]
    entity, created = _found_or_inserted(
        partial(_nothing_tells_apart, name, type, symbol, key),
        lambda: Entity(
            slug=slug_apart(name, key) if alike else free_slug(name),
            name=name,
            type=type,
            symbol=symbol,
            jurisdiction=jurisdiction,
            metadata=details,
            pending_verification=bool(alike),
        ),
    )
    if created:
        propose_pairs(entity, alike, found_by=str(details.get("stated_by", "")))
        log.note(entity, "created", None, {"name": name, "type": type, "symbol": symbol})
        log.rows.made(entity)
        state_entity(entity, log)
    else:
        log.rows.met(entity)
        given = Entity(name=name, type=type, symbol=symbol, metadata=details)
        state_entity(entity, log, given=given)
    return entity


def _the_same_by_name_or_symbol(name: str, type: str, symbol: str) -> list[Likeness]:
    known = named_alike(name, type, symbol).distinct().order_by("-verified", "created_at", "id")
    return [Likeness(each, 100.0, "The same name or symbol.") for each in known[:MAX_CANDIDATES]]


def _nothing_tells_apart(name: str, type: str, symbol: str, key: str) -> Entity | None:
    """One of the same name, type and symbol that has no key of its own yet, when the new one has none either."""
    if key:
        return None
    same = Entity.objects.filter(
        name_keys__key=name_key(name), name_keys__own=True, type=type, symbol__iexact=symbol
    )
    bare = same.filter(lei="", verified=False, merged_into__isnull=True, representations__isnull=True)
    return bare.order_by("created_at", "id").first()


def _found_or_inserted(find: Callable[[], Entity | None], new: Callable[[], Entity]) -> tuple[Entity, bool]:
    """What is there, or a new row; who loses a race for an LEI or a slug looks again."""
    for attempt in range(ATTEMPTS):
        found = find()
        if found:
            return found, False
        entity = new()
        try:
            with transaction.atomic():
                entity.save(force_insert=True)
        except IntegrityError:
            if attempt == ATTEMPTS - 1:
                raise
        else:
            return entity, True
    raise AssertionError("unreachable")


def _refuse_unsound(name: str, lei: str, jurisdiction: str) -> None:
    faults = [
        (not name, "an entity needs a name"),
        (len(name) > MAX_NAME, f"a name has at most {MAX_NAME:,} characters, this one {len(name):,}"),
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
    named = Entity.objects.filter(
        name_keys__key=name_key(name),
        name_keys__own=True,
        type=type,
        pending_verification=False,
        merged_into__isnull=True,
    )
    if lei:
        named = named.filter(lei="")
    same = list(named.filter(jurisdiction=jurisdiction))
    if not same and jurisdiction:
        same = list(named.filter(jurisdiction=""))
    elif not same:
        same = list(named)
    if len(same) > 1 and not lei:
        raise RefusedWrite(_several(name, same))
    return same[0] if len(same) == 1 else None


def _several(name: str, entities: list[Entity]) -> str:
    return (
        f"{name[:100]} could be any of: {', '.join(sorted(each.slug for each in entities)[:MAX_CANDIDATES])}"
    )


def _find_kept_apart(name: str, type: str, lei: str, jurisdiction: str) -> Entity | None:
    """The one entity of this very name that is kept apart already: stated again, it is not created again."""
    apart = Entity.objects.filter(
        Q(lei="") | Q(lei=lei),
        name_keys__key=name_key(name),
        name_keys__own=True,
        type=type,
        pending_verification=True,
        merged_into__isnull=True,
    ).exclude(type__in=INVENTED)
    if jurisdiction:
        apart = apart.filter(jurisdiction__in=("", jurisdiction))
    waiting = list(apart[: MAX_CANDIDATES + 1])
    if len(waiting) > 1 and not lei:
        raise RefusedWrite(_several(name, waiting))
    return waiting[0] if len(waiting) == 1 else None


def _find_spelled_otherwise(name: str, type: str, lei: str, alike: list[Likeness]) -> Entity | None:
    """The company that has the name but for accents, punctuation and how the legal form is spelled."""
    if lei or type not in ORGANISATIONS:
        return None
    return decided(name, [each for each in alike if each.entity.type == type], SAME_NAME)


def _update(entity: Entity, values: dict[str, Any], log: ChangeLog) -> None:
    changed = {}
    for name, new in values.items():
        old = getattr(entity, name)
        if new and new != old:
            setattr(entity, name, new)
            log.note(entity, name, old, new)
            changed[name] = old
    if changed:
        log.rows.changed(entity, changed)
        entity.save(update_fields=[*changed, "updated_at"])


@together()
def link(
    *,
    subject: Entity,
    object: Entity,
    type: str,
    percentage: Decimal | int | None = None,
    source: str = "",
    valid_from: date | None = None,
    valid_to: date | None = None,
    precision: tuple[str, str] = (Precision.DAY, Precision.DAY),
    as_of: date | None = None,
    metadata: dict[str, Any] | None = None,
    log: ChangeLog | None = None,
) -> Relationship:
    """State a relationship; stated again, only what differs changes and is noted. Circles are facts like any other.

    The row is the present: what was said before, and what another source says, stays in the statements. ``as_of`` is
    the day for which the source speaks; ``precision`` is that of the two dates. With ``valid_to`` it is a past one, or
    the end of the current one; what is of a time before the current one begins is kept as history only.

    Raises RefusedWrite for a relationship to itself, an unknown type, a percentage that is none, an end before the
    beginning, and a beginning or a report in the future.
    """
    if subject.pk == object.pk:
        raise RefusedWrite(f"{subject.slug} cannot be related to itself")
    if type not in Relationship.Type.values:
        raise RefusedWrite(f"there is no relationship called {type[:60]!r}")
    log = log if log is not None else ChangeLog()
    if as_of and as_of > timezone.localdate(log.at):
        raise RefusedWrite(f"a source cannot speak for {as_of}: that day is in the future")
    source, share = storable_text(source)[:MAX_SOURCE], _share(percentage)
    metadata = storable(metadata or {})
    valid = Period(valid_from, valid_to, *precision)
    fact = Fact(type, object=object.pk, data=metadata, share_low=share, share_high=share, valid=valid)
    [stated] = state(subject=subject, facts=[fact], log=log, origin=log.origin.citing(source, as_of))
    rows = Relationship.objects.filter(subject=subject, object=object, type=type)
    current = rows.filter(valid_to=None).first()
    history = current if stated.valid_to and not valid_to else None  # a later one is known
    known = history or (rows.filter(valid_to=valid_to).first() if valid_to else None)
    if known:
        log.rows.met(known)
        return known
    values = {"percentage": share, "valid_from": valid_from, "metadata": metadata}
    past = bool(current and valid_to and current.valid_from and current.valid_from >= valid_to)
    known, created = rows.get_or_create(
        subject=subject,
        object=object,
        type=type,
        valid_to=valid_to if past else None,
        defaults={**values, "source": source},
    )
    if created:
        log.note(subject, type, None, {"object": object.slug, "percentage": percentage})
        log.rows.made(known)
    else:
        log.rows.met(known)
        _restate(known, values, source, log)
    if valid_to and not past:
        _end(known, valid_to, log)
    return known


@together()
def end_links(*, subject: Entity, type: str, keep: Entity | None, source: str, log: ChangeLog) -> None:
    """End the current relationships of a type, but for the one to ``keep``, that the same source stated before."""
    current = Relationship.objects.filter(subject=subject, type=type, valid_to=None, source=source)
    for old in current.exclude(object=keep).select_related("object"):
        today = timezone.localdate()
        day = max(today, old.valid_from or today)
        close(
            subject=subject,
            facts=[fact_of_link(old)],
            day=day,
            log=log,
            origin=log.origin.citing(source),
            own=True,
        )
        _end(old, day, log)


def _end(known: Relationship, day: date, log: ChangeLog) -> None:
    _refuse_reversed(known.valid_from, day)
    log.rows.changed(known, {"valid_to": known.valid_to})
    known.valid_to = day
    known.save(update_fields=["valid_to", "updated_at"])
    log.note(known.subject, f"{known.type} {known.object.slug} ended", None, day)


def _refuse_reversed(valid_from: date | None, valid_to: date | None) -> None:
    if valid_from and valid_to and valid_to < valid_from:
        raise RefusedWrite(f"it cannot end on {valid_to}, before it begins on {valid_from}")


def _share(given: Decimal | int | None) -> Decimal | None:
    if given is None:
        return None
    percentage = Decimal(given)
    if not percentage.is_finite() or not 0 <= percentage <= 100:
        raise RefusedWrite(f"{percentage} is not a percentage")
    return percentage.quantize(PLACES)


def _restate(known: Relationship, values: dict[str, Any], source: str, log: ChangeLog) -> None:
    stated = {
        name: new for name, new in values.items() if new is not None and new != {}
    }  # 0 % is a statement
    changed = {name: new for name, new in stated.items() if new != getattr(known, name)}
    if changed:
        log.rows.changed(known, {name: getattr(known, name) for name in [*changed, "source"]})
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
    source_type: str = "",
    confidence: int = 100,
    related: Iterable[Entity] = (),
    representation: Representation | None = None,
    at: datetime | None = None,
    log: ChangeLog | None = None,
) -> EntityEvent:
    """Add to the entity's timeline; the same event on the same day is stated once.

    Raises RefusedWrite for an importance outside 0 to 10 and a confidence outside 0 to 100.
    """
    if not 0 <= importance <= 10 or not 0 <= confidence <= 100:
        raise RefusedWrite(
            f"importance is 0 to 10 and confidence 0 to 100, not {importance} and {confidence}"
        )
    at = at or timezone.now()
    type, summary = storable_text(type)[:40], storable_text(summary)[:MAX_SUMMARY]
    same_day = {"at__date": timezone.localtime(at).date()}  # the database counts days in local time as well
    known = EntityEvent.objects.filter(entity=entity, type=type, summary=summary, **same_day).first()
    if known:
        if log is not None:
            log.rows.met(known)
        return known
    event = EntityEvent.objects.create(
        entity=entity,
        type=type,
        summary=summary,
        importance=importance,
        data=storable(data or {}),
        source=storable_text(source)[:MAX_SOURCE],
        source_type=source_type,
        confidence=confidence,
        representation=representation,
        at=at,
    )
    event.related.set(related)
    if log is not None:
        log.note(entity, type, None, summary)
        log.rows.made(event)
    return event
