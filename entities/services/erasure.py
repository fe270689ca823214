"""Erasing an entity and what is known of it, so that the audit trail can still be verified.

What leads to the entity goes, in whatever table it stands; whatever else holds its names or keys loses them. That it
was erased stays, with who did it, when, why, and which rows: those the triggers let go, and those alone. What it takes
is seen first, and done in one transaction.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from django.db import models
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from entities.memory.access import ERASE, PERSON, Person, given_reason, require
from entities.memory.base import OutOfDate, RefusedWrite
from entities.memory.holds import holds_on, told
from entities.memory.redaction import Words, holds, plain, turned, words_of
from entities.memory.statements import merged_ids
from entities.memory.vouching import together
from entities.memory.written import chunks
from entities.models import Entity, ErasedRow, Erasure, Representation
from entities.names.keys import search_key
from entities.services.sweeping import Found, emptied_of, sweep

Key: TypeAlias = Any
MOST_OTHERS = 200


@dataclass(frozen=True)
class Wipe:
    """Rows that go; or, with ``blank``, the columns of them that are set to these values."""

    rows: QuerySet[Any]
    blank: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Beyond:
    """What another app has of an entity: entities know no research. Keys of entities in.

    ``follow`` adds what has to go because of what goes. ``blockers`` are sentences that forbid the erasure now.
    ``settle`` is told what was done, in the transaction.
    """

    wipes: Callable[[Sequence[UUID], Words], Sequence[Wipe]]
    follow: Callable[["Done"], None]
    blockers: Callable[[Sequence[UUID], Words], Sequence[str]]
    settle: Callable[[Erasure, Person | None, "Done"], None]


@dataclass
class Done:
    """Rows by model: those that were deleted, and those out of which something was taken."""

    deleted: dict[type[Model], dict[Key, None]] = field(default_factory=dict)
    emptied: dict[type[Model], dict[Key, dict[str, Any]]] = field(default_factory=dict)

    def delete(self, model: type[Model], keys: Iterable[Key]) -> list[Key]:
        """Note rows that go; gives those that were not noted yet."""
        known = self.deleted.setdefault(model, {})
        new = [key for key in keys if key not in known]
        known.update(dict.fromkeys(new))
        return new

    def take(self, wipes: Sequence[Wipe]) -> None:
        """Note all rows of these."""
        for wipe in wipes:
            keys = list(wipe.rows.order_by().values_list("pk", flat=True))
            if wipe.blank is None:
                _let_go(self, wipe.rows.model, keys)
            else:
                self.empty(wipe.rows.model, keys, wipe.blank)

    def empty(self, model: type[Model], keys: Iterable[Key], values: Mapping[str, Any]) -> None:
        """Note columns that get these values."""
        for key in keys:
            self.emptied.setdefault(model, {}).setdefault(key, {}).update(values)

    def rows(self) -> Iterator[tuple[type[Model], Key, bool]]:
        """Each row once; true for one that is deleted."""
        for model, gone in self.deleted.items():
            yield from ((model, key, True) for key in gone)
        for model, changed in self.emptied.items():
            gone = self.deleted.get(model, {})
            yield from ((model, key, False) for key in changed if key not in gone)

    def counts(self) -> dict[str, dict[str, int]]:
        """{table: {deleted, emptied}}, the largest first."""
        found: dict[str, dict[str, int]] = {}
        for model, _, deleted in self.rows():
            row = found.setdefault(str(model._meta.verbose_name_plural), {"deleted": 0, "emptied": 0})
            row["deleted" if deleted else "emptied"] += 1
        return dict(sorted(found.items(), key=lambda item: -sum(item[1].values())))


@dataclass(frozen=True)
class ErasurePlan:
    """What would be erased. ``stays`` are sentences about what does not go, and why; ``blockers`` forbid it."""

    entity: Entity
    words: tuple[str, ...]
    counts: dict[str, dict[str, int]]
    stays: tuple[str, ...]
    blockers: tuple[str, ...]

    @property
    def digest(self) -> str:
        """What a person has seen."""
        seen = [str(self.entity.pk), self.words, self.counts, self.blockers]
        return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()


_BEYOND: list[Beyond] = []


def erase_beyond(beyond: Beyond) -> None:
    """Take the rows of another app along."""
    _BEYOND[:] = [beyond]


def plan_erasure(entity: Entity) -> ErasurePlan:
    """What would happen. Reads only, but reads every table: on a large database it takes minutes."""
    return planned(entity)[0]


def erase_entity(
    *,
    entity: Entity,
    actor: Person,
    reason: str,
    confirmed: str,
    digest: str,
    now: datetime | None = None,
) -> Erasure:
    """Erase an entity, whatever was merged into it, and all that is known of them.

    ``confirmed`` is the name of the entity as the person typed it, ``digest`` that of the plan that they saw.

    Raises:
        NotAllowed: a permission is missing.
        RefusedWrite: no reason, one that names who is erased, another name typed, a hold, or work in progress.
        OutOfDate: somebody else has erased it, or there is more or less to be erased by now.
    """
    require(actor, ERASE)
    require(actor, PERSON)
    reason = given_reason(reason)
    with together():
        plan, done = planned(_locked(entity))
        if confirmed.strip() != plan.entity.name:
            raise RefusedWrite(f"type the name of the entity as it is written: {plan.entity.name}")
        if plan.blockers:
            raise RefusedWrite(" ".join(plan.blockers))
        if holds(reason, words_of(_candidates(Entity.objects.filter(pk__in=merged_ids(plan.entity))))):
            raise RefusedWrite("the reason stays: it must not name who is erased")
        if digest != plan.digest:
            raise OutOfDate("there is more or less to be erased than you saw: look again")
        return carry_out(done, entity=entity.pk, actor=actor, reason=reason, now=now or timezone.now())


def carry_out(
    done: Done, *, entity: UUID | None, actor: Person | None, reason: str, now: datetime
) -> Erasure:
    """Write down which rows go, then let them go; call it in the transaction in which they were found."""
    counts = done.counts()
    erasure = Erasure.objects.create(entity=entity, actor=actor, reason=reason, counts=counts, at=now)
    ErasedRow.objects.bulk_create(
        (
            ErasedRow(
                erasure=erasure, table=model._meta.db_table, row=str(key).replace("-", ""), deleted=gone
            )
            for model, key, gone in done.rows()
        ),
        batch_size=500,
    )
    for model, rows in done.emptied.items():
        gone = done.deleted.get(model, {})
        for key, values in rows.items():
            if key not in gone:
                model._base_manager.filter(pk=key).update(**values)
    for model, keys in done.deleted.items():
        for some in chunks(list(keys)):
            rest = model._base_manager.filter(pk__in=some)
            rest._raw_delete(rest.db)  # what leads to it goes with it
    for beyond in _BEYOND:
        beyond.settle(erasure, actor, done)
    return erasure


def _locked(entity: Entity) -> Entity:
    """The row as it is now; whoever comes second waits, and then finds it gone."""
    now = Entity.objects.select_for_update().filter(pk=entity.pk).first()
    if now is None:
        raise OutOfDate("it was erased already, or taken back")
    return now


def planned(entity: Entity) -> tuple[ErasurePlan, Done]:
    """The plan, and the rows that it speaks of."""
    ids = merged_ids(entity)
    meant = Entity.objects.filter(pk__in=ids)
    candidates = _candidates(meant)
    others = _others_named_so(candidates, ids)
    shared = {plain(name) for name in others}
    words = words_of((word for word in candidates if plain(word) not in shared), kept=others)
    done = Done()
    done.take([*(one for beyond in _BEYOND for one in beyond.wipes(ids, words)), Wipe(meant)])
    found: Found = sweep(words)
    for model, rows in found.items():
        for key, row in rows.items():
            values = emptied_of(model, row, done.emptied.get(model, {}).get(key, {}), words)
            if values and key not in done.deleted.get(model, {}):
                done.empty(model, [key], values)
    for beyond in _BEYOND:
        beyond.follow(done)
    plan = ErasurePlan(entity, words.words, done.counts(), _stays(others), _blockers(entity, ids, words))
    return plan, done


def _let_go(done: Done, model: type[Model], keys: Sequence[Key]) -> None:
    """Rows go, and with them what leads to them: unless it can do without, then only the way there goes."""
    new = done.delete(model, keys)
    if not new:
        return
    for leads in model._meta.get_fields(include_hidden=True):
        if not isinstance(leads, models.ManyToOneRel):
            continue
        other, side = leads.related_model, leads.field
        for some in chunks(new):
            rows = list(other._base_manager.filter(**{f"{side.name}__in": some}).values_list("pk", flat=True))
            if side.null and leads.on_delete in (models.SET_NULL, models.PROTECT):
                done.empty(other, rows, {side.attname: None})
            else:
                _let_go(done, other, rows)


def _candidates(entities: QuerySet[Entity]) -> list[str]:
    """Names and keys by which the entities are known."""
    found: dict[str, None] = {}
    for entity in entities:
        names = [variant.name for variant in entity.names]
        people = [one for name in names for one in turned(name)] if entity.type == Entity.Type.PERSON else []
        found |= dict.fromkeys([*names, *people, entity.slug, entity.lei])
    keys = Representation.objects.filter(entity__in=entities).values_list("key", flat=True)
    return [word for word in (*found, *keys) if word]


def _others_named_so(candidates: Collection[str], ids: Collection[UUID]) -> list[str]:
    """Names of other entities that are one of these, or in which one stands: those are not the ones to be erased."""
    words = words_of(candidates)
    likely = Q()
    for key in {search_key(word) for word in words.words}:
        likely |= Q(name_keys__spelled__contains=key)
    others = Entity.objects.exclude(pk__in=ids).filter(likely).distinct() if words else []
    names = {word for entity in others for word in (entity.slug, *(one.name for one in entity.names))}
    return sorted(name for name in names if holds(name, words))[:MOST_OTHERS]


def _blockers(entity: Entity, ids: Sequence[UUID], words: Words) -> tuple[str, ...]:
    into = entity.merged_into
    merged = [f"It was merged into {into.slug}: erase that one, or undo the merge first."] if into else []
    held = [told(hold) for hold in holds_on(ids)]
    return (*merged, *held, *(sentence for beyond in _BEYOND for sentence in beyond.blockers(ids, words)))


def _stays(others: Sequence[str]) -> tuple[str, ...]:
    names = f"Names of other entities stay: {', '.join(others[:20])}."
    return (
        "That it was erased stays: by whom, when, why, and which rows of which tables.",
        "The audit trail stays: who did what when, and fingerprints of rows.",
        "Imported registers and official lists stay as they were published.",
        "Backups that were made before hold it until they are removed.",
        *([names] if others else []),
    )
