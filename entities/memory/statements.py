"""Writing what was said: statements are added and ended, never changed.

The rows of entities, forms and relationships are what is read as the present. Whoever writes one of them states the
same here, in the same transaction.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import TypeAlias
from uuid import UUID

from django.db.models import QuerySet
from django.utils.timezone import localdate

from common.text import storable, storable_text
from common.transactions import retried
from entities.memory.base import MAX_SOURCE, ChangeLog, Origin, RefusedWrite
from entities.memory.facts import Fact, Period, fact_of, fact_of_form, fact_of_link, facts_of_entity
from entities.memory.validity import meet
from entities.memory.vouching import together, written
from entities.memory.written import chunks
from entities.models import Entity, Precision, Relationship, Representation, Statement, slot_of

Cell: TypeAlias = tuple[str, str, UUID | None]
BATCH = 500


@together()
def state(
    *,
    subject: Entity,
    facts: Iterable[Fact],
    log: ChangeLog,
    origin: Origin | None = None,
    fresh: bool = False,
) -> list[Statement]:
    """Record what is said of the entity; gives for each fact the statement that says it now.

    What the same source says already is met, not repeated. With ``fresh`` nothing can have been said before: nobody
    else knows the entity yet.

    Raises RefusedWrite for a period that ends before it begins, and for days in the future.
    """
    said = {(fact.property, fact.key, fact.object): fact for fact in facts}
    if not said:
        return []
    for fact in said.values():
        refuse_impossible(fact.valid, localdate(log.at))
    current = {} if fresh else _current(subject, said.values())
    at = max([log.at, *(old.recorded_from for cell in current.values() for old in cell)])
    stated: list[Statement] = []
    added: list[Statement] = []
    ends: list[tuple[Statement, Statement, list[Statement]]] = []
    for cell, fact in said.items():
        new = statement_of(subject, fact, origin or log.origin, at)
        meeting = meet(new, current.get(cell, []), localdate(at))
        stated.append(meeting.known or new)
        if meeting.known is None:
            added.append(new)
            ends += [(old, new, remains) for old, remains in meeting.ends]
    _write(added, ends, at)
    return stated


def state_entity(
    entity: Entity, log: ChangeLog, *, given: Entity | None = None, before: Collection[Fact] = ()
) -> None:
    """State what the row says: all of it, or what was ``given``. What it no longer says of ``before`` ends."""
    now = facts_of_entity(entity)
    said = [fact for fact in facts_of_entity(given) if fact in now] if given else now
    state(subject=entity, facts=said, log=log, fresh=given is None and not before)
    cells = {(fact.property, fact.key) for fact in now}
    close(
        subject=entity,
        facts=[fact for fact in before if (fact.property, fact.key) not in cells],
        day=localdate(log.at),
        log=log,
        own=True,
    )


def state_form(form: Representation, log: ChangeLog) -> None:
    """State what a representation says."""
    fact = fact_of_form(form)
    state(subject=form.entity, facts=[fact] if fact else [], log=log)


@together()
def close(
    *,
    subject: Entity,
    facts: Iterable[Fact],
    day: date,
    log: ChangeLog,
    origin: Origin | None = None,
    precision: str = Precision.UNKNOWN,
    own: bool = False,
) -> None:
    """These facts hold no longer from ``day`` on; with ``own`` only as far as the same source has said them."""
    facts, origin = list(facts), origin or log.origin
    current = _current(subject, facts) if facts else {}
    for fact in facts:
        told = [
            old for old in current.get((fact.property, fact.key, fact.object), []) if old.valid_to is None
        ]
        mine = [old for old in told if (old.source_kind, old.source) == (origin.kind, origin.source)]
        if mine or (told and not own):
            first = fact_of((mine or told)[0])
            begin = min(first.valid.start, day) if first.valid.start else None
            period = Period(begin, day, first.valid.start_precision, precision)
            state(subject=subject, facts=[replace(first, valid=period)], log=log, origin=origin)


@retried
@together()
def retract(statements: QuerySet[Statement], *, kept: Mapping[UUID, Collection[Fact]], at: datetime) -> int:
    """End statements that were made by mistake, and state again what they had ended; gives how many ended.

    Called when the rows of memory have been taken back. What is ``kept`` of them, by entity, stays stated unless
    another source says it as well. What was believed before is stated again where the rows say it.
    """
    wrong = [
        one
        for one in statements.filter(recorded_to__isnull=True).order_by("pk")
        if not any(fact.words() == fact_of(one).words() for fact in kept.get(one.subject_id, ()))
        or _said_by_others(one, statements)
    ]
    if not wrong:
        return 0
    keys, subjects = [one.pk for one in wrong], {one.subject_id for one in wrong}
    at = max([at, *(one.recorded_from for one in wrong)])
    about = Statement.objects.filter(subject__in=subjects)
    for some in chunks(keys):
        rests = about.filter(cut_by__in=some, recorded_to__isnull=True)
        ended = [*some, *rests.values_list("pk", flat=True)]
        for few in chunks(ended):
            Statement.objects.filter(pk__in=few, recorded_to__isnull=True).update(recorded_to=at)
        written("statementend", ended)
    before = [one for some in chunks(keys) for one in about.filter(superseded_by__in=some).order_by("pk")]
    there = Entity.objects.in_bulk({one.subject_id for one in before})
    said = {pk: [fact.words() for fact in facts_said_of(entity)] for pk, entity in there.items()}
    for old in before:
        if fact_of(old).words() in said.get(old.subject_id, []):
            log = ChangeLog(origin=origin_of(old), at=at)
            state(subject=there[old.subject_id], facts=[fact_of(old)], log=log)
    return len(wrong)


def _said_by_others(one: Statement, mistaken: QuerySet[Statement]) -> bool:
    others = Statement.objects.filter(
        subject=one.subject_id, property=one.property, key=one.key, recorded_to__isnull=True
    ).exclude(pk__in=mistaken.values("pk"))
    return any(fact_of(other).words() == fact_of(one).words() for other in others)


def refuse_impossible(valid: Period, today: date) -> None:
    """Raises RefusedWrite for a period that ends before it begins, or that begins in the future."""
    if valid.start and valid.end and valid.end < valid.start:
        raise RefusedWrite(f"it cannot end on {valid.end}, before it begins on {valid.start}")
    if valid.start and valid.start > today:
        raise RefusedWrite(f"it cannot hold from {valid.start} on: that day is in the future")


def statement_of(subject: Entity, fact: Fact, origin: Origin, at: datetime) -> Statement:
    """The statement of a fact, not stored yet."""
    return Statement(
        subject=subject,
        property=fact.property,
        key=fact.key,
        object_id=fact.object,
        value=storable_text(fact.value),
        data=storable(dict(fact.data)),
        share_low=fact.share_low,
        share_high=fact.share_high,
        share_low_open=fact.share_low_open,
        share_high_open=fact.share_high_open,
        valid_from=fact.valid.start,
        valid_to=fact.valid.end,
        valid_from_precision=fact.valid.start_precision if fact.valid.start else Precision.UNKNOWN,
        valid_to_precision=fact.valid.end_precision if fact.valid.end else Precision.UNKNOWN,
        recorded_from=at,
        source_kind=origin.kind,
        source=storable_text(origin.source)[:MAX_SOURCE],
        as_of=origin.as_of,
        document=origin.document,
        call=origin.call,
        decision=origin.decision,
        signed_by=origin.signed_by,
        confidence=origin.confidence,
    )


def origin_of(statement: Statement) -> Origin:
    """Where a statement is from."""
    return Origin(
        kind=statement.source_kind,
        source=statement.source,
        as_of=statement.as_of,
        document=statement.document,
        call=statement.call,
        decision=statement.decision,
        signed_by=statement.signed_by,
        confidence=statement.confidence,
    )


def merged_ids(entity: Entity) -> list[UUID]:
    """The entity and all that were merged into it, directly or by others: what was said of each is said of it."""
    found, newest = [entity.pk], [entity.pk]
    while newest:
        newest = list(Entity.objects.filter(merged_into__in=newest).values_list("pk", flat=True))
        found += newest
    return found


def _current(subject: Entity, facts: Iterable[Fact]) -> dict[Cell, list[Statement]]:
    """What is said now about the same facts, by any source; held until the end of the transaction."""
    list(Entity.objects.select_for_update(no_key=True).filter(pk=subject.pk).values_list("pk"))
    facts = list(facts)
    mine = merged_ids(subject)
    others = {fact.object: merged_ids(Entity(pk=fact.object)) for fact in facts if fact.object}
    meant = {pk: main for main, pks in others.items() for pk in pks}
    rows = Statement.objects.filter(
        subject__in=mine,
        property__in={fact.property for fact in facts},
        key__in={fact.key for fact in facts},
        recorded_to__isnull=True,
    )
    if others and len(others) == len(facts):
        rows = rows.filter(object__in=meant)
    cells: dict[Cell, list[Statement]] = {}
    for row in rows.order_by("pk"):
        other = meant.get(row.object_id, row.object_id) if row.object_id else None
        cells.setdefault((row.property, row.key, other), []).append(row)
    return cells


def _write(
    added: list[Statement], ends: list[tuple[Statement, Statement, list[Statement]]], at: datetime
) -> None:
    """Old rows end before new ones fill their slots; then it is known by number who ended them."""
    if ends:
        Statement.objects.filter(pk__in=[old.pk for old, _, _ in ends]).update(recorded_to=at)
    Statement.objects.bulk_create(map(in_its_slot, added), batch_size=BATCH)
    remains = []
    for old, new, rests in ends:
        Statement.objects.filter(pk=old.pk).update(superseded_by=new)
        for rest in rests:
            rest.recorded_from, rest.cut_by = at, new
            remains.append(in_its_slot(rest))
    Statement.objects.bulk_create(remains, batch_size=BATCH)
    written("statement", [one.pk for one in (*added, *remains)])
    written("statementend", [old.pk for old, _, _ in ends])


def in_its_slot(one: Statement) -> Statement:
    """With the digest that only one current statement may have."""
    one.slot = slot_of(one.property, one.key, one.object_id, one.source_kind, one.source, one.valid_from)
    return one


def facts_said_of(entity: Entity) -> list[Fact]:
    """What the rows of memory say of the entity now."""
    links = Relationship.objects.filter(subject=entity, valid_to__isnull=True)
    forms = Representation.objects.filter(entity=entity, active=True)
    return [
        *facts_of_entity(entity),
        *map(fact_of_link, links),
        *filter(None, map(fact_of_form, forms)),
    ]
