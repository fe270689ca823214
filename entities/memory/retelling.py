"""Statements for rows that are older than statements: told again from the account of what was written.

An entity is told once its birth is stated: what was created since statements exist is told already.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils.timezone import localdate

from common.transactions import retried
from entities.memory.base import ChangeLog, Origin
from entities.memory.facts import (
    Fact,
    Period,
    fact_of,
    fact_of_form,
    fact_of_link,
    facts_of_entity,
    identifier,
)
from entities.memory.statements import close, in_its_slot, state, statement_of
from entities.memory.vouching import together, written
from entities.memory.writes import PLACES
from entities.models import (
    Entity,
    FactProperty,
    Precision,
    Relationship,
    Representation,
    SourceKind,
    Statement,
)

FIELDS = ("name", "symbol", "jurisdiction", "lei", "aliases", "metadata")
BEFORE = Origin(kind=SourceKind.IMPORT, source="memory, before statements were kept")


@dataclass(frozen=True)
class Change:
    """One changed field as a ``ChangeLog`` notes it, with its time and where it is from."""

    at: datetime
    field: str
    old: Any
    new: Any
    origin: Origin


def untold() -> QuerySet[Entity]:
    """Entities without a statement of their birth, in a steady order."""
    born = Statement.objects.filter(subject=OuterRef("pk"), recorded_from__lte=OuterRef("created_at"))
    return Entity.objects.filter(~Exists(born)).order_by("pk")


@retried
@together()
def retell(entity: Entity, changes: Iterable[Change]) -> int:
    """Write the statements of one entity; gives how many. Told already, it writes nothing.

    A change says what held before and after it; what nobody noted is told as the rows say it, since they were made.
    """
    entity = Entity.objects.select_for_update(no_key=True).get(pk=entity.pk)
    if not untold().filter(pk=entity.pk).exists():
        return 0
    before = Statement.objects.filter(subject=entity).count()
    if not before:
        for change in sorted(changes, key=lambda each: each.at):
            _replay(entity, change)
    _tell_rest(entity)
    return Statement.objects.filter(subject=entity).count() - before


def _replay(entity: Entity, change: Change) -> None:
    log = ChangeLog(origin=change.origin, at=max(change.at, entity.created_at))
    if change.field == "created":
        made = {name: value for name, value in dict(change.new or {}).items() if name != "metadata" and value}
        log.at = entity.created_at
        state(subject=entity, facts=facts_of_entity(Entity(**{"name": "", "type": "", **made})), log=log)
    elif change.field in FIELDS:
        _replay_field(entity, change, log)
    else:
        _replay_row(entity, change, log)


def _replay_field(entity: Entity, change: Change, log: ChangeLog) -> None:
    old, new = (_facts(change.field, value) for value in (change.old, change.new))
    told = {(row.property, row.key) for row in Statement.objects.filter(subject=entity)}
    first = [fact for fact in old if (fact.property, fact.key) not in told]
    state(subject=entity, facts=first, log=ChangeLog(origin=BEFORE, at=entity.created_at))
    kept = [fact.words() for fact in old]
    changed = [_since(fact, log) if old else fact for fact in new if fact.words() not in kept]
    state(subject=entity, facts=changed, log=log)
    cells = {(fact.property, fact.key) for fact in new}
    gone = [fact for fact in old if (fact.property, fact.key) not in cells]
    close(subject=entity, facts=gone, day=localdate(log.at), log=log)


def _facts(field: str, value: Any) -> list[Fact]:
    return facts_of_entity(Entity(**{"name": "", "type": "", field: value})) if value else []


def _since(fact: Fact, log: ChangeLog) -> Fact:
    """What took the place of something else did so on that day, as far as anybody knows."""
    return replace(fact, valid=Period(localdate(log.at), None, Precision.UNKNOWN))


def _replay_row(entity: Entity, change: Change, log: ChangeLog) -> None:
    """A form, a relationship, its percentage or its end; what is no fact, such as an event, is left out."""
    kind, _, rest = change.field.partition(" ")
    if kind in Representation.Type.values and kind != Representation.Type.FORMER_SLUG:
        state(subject=entity, facts=[identifier(kind, str(change.new), rest)], log=log)
        return
    if kind not in Relationship.Type.values:
        return
    slug, _, what = rest.partition(" ")
    slug = slug or (change.new or {}).get("object", "")
    other = Entity.objects.filter(slug=slug).exclude(pk=entity.pk).first()
    if other is None:
        return
    fact = Fact(kind, object=other.pk)
    if not rest:
        state(subject=entity, facts=[_sharing(fact, change.new.get("percentage"))], log=log)
    elif what == "percentage":
        state(subject=entity, facts=[_since(_sharing(fact, change.new), log)], log=log)
    elif what == "ended":
        close(subject=entity, facts=[fact], day=localdate(log.at), log=log)


def _sharing(fact: Fact, percentage: Any) -> Fact:
    share = None if percentage is None else Decimal(str(percentage)).quantize(PLACES)
    return replace(fact, share_low=share, share_high=share)


def _tell_rest(entity: Entity) -> None:
    """What the rows say and no statement does, and in any case the birth of the entity."""
    told: dict[tuple[Any, ...], list[Statement]] = {}
    for row in Statement.objects.filter(subject=entity).order_by("recorded_from", "pk"):
        told.setdefault((row.property, row.key, row.object_id), []).append(row)
    born = any(row.recorded_from <= entity.created_at for rows in told.values() for row in rows)
    new = []
    for fact, at, origin in _as_rows_say(entity):
        rows = told.get((fact.property, fact.key, fact.object), [])
        birth = fact.property == FactProperty.TYPE and not born
        if birth or not any(_same(fact, row) for row in rows):
            new.append(_told_late(statement_of(entity, fact, origin, max(at, entity.created_at)), rows))
    told_now = Statement.objects.bulk_create(map(in_its_slot, new), batch_size=500)
    written("statement", [one.pk for one in told_now])
    written("statementend", [one.pk for one in told_now if one.recorded_to])


def _same(fact: Fact, row: Statement) -> bool:
    said = fact_of(row)
    shares = (fact.share_low, fact.share_high) == (said.share_low, said.share_high)
    return fact.value == said.value and (shares if fact.object else fact.words() == said.words())


def _told_late(row: Statement, later: list[Statement]) -> Statement:
    """A row that is told after others of the same fact ended when the first of them was recorded."""
    if later:
        first = later[0]
        row.recorded_from = min(row.recorded_from, first.recorded_from)
        row.recorded_to, row.superseded_by = first.recorded_from, first
    return row


def _as_rows_say(entity: Entity) -> Iterator[tuple[Fact, datetime, Origin]]:
    stated = replace(BEFORE, source=str(entity.metadata.get("stated_by") or BEFORE.source)[:300])
    for fact in facts_of_entity(entity):
        yield fact, entity.created_at, stated
    for form in Representation.objects.filter(entity=entity):
        said = fact_of_form(form)
        if said:
            end = None if form.active else localdate(form.last_seen_at)
            valid = Period(None, end, end_precision=Precision.UNKNOWN)
            yield replace(said, valid=valid), form.discovered_at, BEFORE
    for link in Relationship.objects.filter(subject=entity).order_by(F("valid_to").asc(nulls_last=True)):
        yield fact_of_link(link), link.created_at, replace(BEFORE, source=link.source or BEFORE.source)
