"""What memory says of an entity for a day, as it was known at a time; and everything that was ever said."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from entities.memory.people import seen
from entities.memory.queries import Direction
from entities.memory.statements import merged_ids
from entities.memory.validity import compatible, overlap
from entities.models import PROPERTIES, Entity, EntityAct, Statement

MAX_TOLD = 1_000
ORDER = {word: place for place, word in enumerate(PROPERTIES)}


@dataclass(frozen=True)
class Told:
    """A statement that holds; ``contradicted`` by another one that holds too."""

    statement: Statement
    contradicted: bool = False


@dataclass(frozen=True)
class Knowledge:
    """What held on ``day`` as it was known at ``known_at``; ``left_out`` counts what is beyond the limit."""

    entity: Entity
    day: date
    known_at: datetime
    facts: tuple[Told, ...]
    left_out: int = 0


def knowledge_of(
    entity: Entity,
    *,
    day: date | None = None,
    known_at: datetime | None = None,
    direction: Direction = "out",
    limit: int = MAX_TOLD,
) -> Knowledge:
    """The statements of one day, by default today, as they were recorded at a time, by default now.

    A statement without a beginning holds for every day before its end. What was said of entities that had been merged
    into this one at that time is said of this one.
    """
    day, known = day or timezone.localdate(), known_at or timezone.now()
    held = Q(valid_from__isnull=True) | Q(valid_from__lte=day), Q(valid_to__isnull=True) | Q(valid_to__gt=day)
    recorded = Q(recorded_to__isnull=True) | Q(recorded_to__gt=known)
    ids = _merged_at(entity, known) if known_at else merged_ids(entity)
    rows = _about(ids, direction).filter(*held, recorded, recorded_from__lte=known)
    found = list(rows.select_related("subject", "object").order_by("property", "key", "id")[: limit + 1])
    left = rows.count() - limit if len(found) > limit else 0
    return Knowledge(entity, day, known, _told(found[:limit]), left)


def history_of(entity: Entity, *, direction: Direction = "out") -> QuerySet[Statement]:
    """Everything that was ever said of the entity, the newest first."""
    rows = _about(merged_ids(entity), direction).select_related("subject", "object")
    return rows.order_by("-recorded_from", "-id")


def contradictions() -> QuerySet[Statement]:
    """Current statements that contradict another current one, the newest first: a person has to decide."""
    rows = Statement.objects.filter(
        recorded_to__isnull=True, contradicts__isnull=False, contradicts__recorded_to__isnull=True
    )
    return rows.select_related("subject", "object", "contradicts").order_by("-recorded_from", "-id")


def end_of(day: date) -> datetime:
    """The last moment of a day: who asks what was known on a day means all of it."""
    return timezone.make_aware(datetime.combine(day, time.max))


def _about(ids: Collection[UUID], direction: Direction) -> QuerySet[Statement]:
    sides = {"out": Q(subject__in=ids), "in": Q(object__in=ids)}
    return seen(
        Statement.objects.filter(sides.get(direction) or sides["out"] | sides["in"]), "subject", "object"
    )


def _told(rows: Sequence[Statement]) -> tuple[Told, ...]:
    cells: dict[tuple[object, ...], list[Statement]] = {}
    for row in rows:
        cells.setdefault((row.property, row.key, row.object_id), []).append(row)
    told = [
        Told(
            row, any(not compatible(row, other) and overlap(row, other) for other in same if other is not row)
        )
        for same in cells.values()
        for row in same
    ]
    return tuple(sorted(told, key=lambda each: (ORDER[each.statement.property], each.statement.key)))


def _merged_at(entity: Entity, moment: datetime) -> list[UUID]:
    """The entity and those that had been merged into it at the time, as the acts tell."""
    found, newest = [entity.pk], [entity.pk]
    while newest:
        merges = EntityAct.objects.filter(kind=EntityAct.Kind.MERGED, entity__in=newest, at__lte=moment)
        undone = Q(undone_by__isnull=False, undone_by__at__lte=moment)
        newest = list(merges.exclude(undone).exclude(other__in=found).values_list("other", flat=True))
        found += newest
    return found
