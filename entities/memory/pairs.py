"""Pairs of entities that may be the same: proposed when they are found, and never again once a person has judged."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from common.text import storable_text
from entities.memory.base import MAX_SOURCE
from entities.memory.likeness import Likeness, lookalikes
from entities.models import WAITING, Entity, EntityPair, PairState

MOST_PAIRS = 10  # of one entity at a time: the likest


def propose_pairs(entity: Entity, alike: Iterable[Likeness], *, found_by: str = "") -> list[EntityPair]:
    """Ask a person about the entity and each that it is like, unless they are asked already or were told apart."""
    likest = sorted((each for each in alike if each.entity.pk != entity.pk), key=lambda each: -each.score)
    proposed = []
    for each in likest[:MOST_PAIRS]:
        if _between(entity, each.entity).filter(state__in=(*WAITING, PairState.DIFFERENT)).exists():
            continue
        pair = EntityPair(
            entity=entity,
            other=each.entity,
            score=round(each.score, 1),
            explanation=each.explanation,
            found_by=storable_text(found_by)[:MAX_SOURCE],
        )
        # Who loses a race for the same two has nothing to add.
        proposed += EntityPair.objects.bulk_create([pair], ignore_conflicts=True)
    return proposed


def find_pairs(*, found_by: str, after: str = "", limit: int = 1_000) -> tuple[int, str]:
    """Look through entities in the order of their slugs for pairs that nobody has proposed yet.

    Gives how many were found, and the slug to go on after; "" when every entity has been looked at. What is created
    is looked at by itself: this is for what was stored before, and for what two created at the same moment.
    """
    living = Entity.objects.filter(merged_into__isnull=True, slug__gt=after).order_by("slug")
    some, found = list(living[:limit]), 0
    for entity in some:
        alike = lookalikes(
            entity.name, type=entity.type, lei=entity.lei, jurisdiction=entity.jurisdiction, besides=entity
        )
        found += len(propose_pairs(entity, alike, found_by=found_by))
    return found, some[-1].slug if len(some) == limit else ""


def waiting_pairs() -> QuerySet[EntityPair]:
    """Pairs that wait for a person, the likest first; those put off come last. Merged entities are in none of them."""
    apart = EntityPair.objects.filter(
        Q(entity=OuterRef("entity"), other=OuterRef("other"))
        | Q(entity=OuterRef("other"), other=OuterRef("entity")),
        state=PairState.DIFFERENT,
    )
    living = EntityPair.objects.filter(
        ~Exists(apart), state__in=WAITING, entity__merged_into__isnull=True, other__merged_into__isnull=True
    )
    return living.select_related("entity", "other").order_by("-state", "-score", "id")


def pairs_of(entity: Entity) -> QuerySet[EntityPair]:
    """The pairs that wait and that the entity is one of."""
    return waiting_pairs().filter(Q(entity=entity) | Q(other=entity))


def told_apart(one: Entity, other: Entity) -> bool:
    """Whether a person has said that the two are different, or that what was merged into them is."""
    return _between(one, other).filter(state=PairState.DIFFERENT).exists()


def moving_pairs(side: str, other: Entity, into: Entity) -> QuerySet[EntityPair]:
    """Rows that go along when ``other`` is merged: all judged different, and questions that ``into`` is not asked."""
    far = "other" if side == "entity" else "entity"
    rows = EntityPair.objects.filter(**{side: other}).exclude(**{far: into})
    beside = OuterRef(far)
    asked = EntityPair.objects.filter(
        Q(entity=into, other=beside) | Q(other=into, entity=beside), state__in=(*WAITING, PairState.DIFFERENT)
    )
    return rows.filter(Q(state=PairState.DIFFERENT) | (Q(state__in=WAITING) & ~Exists(asked)))


def close_as_same(into: Entity, other: Entity, **judged: Any) -> None:
    """Answer the question whether the two are the same, if it waits: they were merged."""
    _between(into, other).filter(state__in=WAITING).update(state=PairState.SAME, **judged)


def reopen(into: Entity, other: Entity) -> None:
    """Ask again: the merge was undone."""
    same = _between(into, other).filter(state=PairState.SAME).order_by("-judged_at", "-id").first()
    if same and not _between(into, other).filter(state__in=WAITING).exists():
        EntityPair.objects.filter(pk=same.pk).update(state=PairState.OPEN, judged_by=None, judged_at=None)


def _between(one: Entity, other: Entity) -> QuerySet[EntityPair]:
    return EntityPair.objects.filter(Q(entity=one, other=other) | Q(entity=other, other=one))
