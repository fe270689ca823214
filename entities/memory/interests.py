"""The interests that memory holds above an entity, as values that ownership is computed from."""

from collections.abc import Iterable
from datetime import date
from uuid import UUID

from django.db.models import Q

from entities.memory.written import chunks
from entities.models import Entity, Relationship
from entities.ownership.interests import Interest, InterestType, Party, PartyKind, Structure, Way
from entities.ownership.shares import Share

MAX_INTERESTS = 50_000
HELD = (Relationship.Type.OWNED_BY, Relationship.Type.CONTROLLED_BY)
# What a verb calls the ownership, and what it is in the standard.
TYPES: dict[str, tuple[InterestType, Way]] = {
    "direct_ownership": (InterestType.SHAREHOLDING, "direct"),
    "indirect_ownership": (InterestType.SHAREHOLDING, "indirect"),
    "voting_rights": (InterestType.VOTING_RIGHTS, "direct"),
    "board_control": (InterestType.APPOINTMENT_OF_BOARD, "direct"),
    "trust_beneficiary": (InterestType.BENEFICIARY, "direct"),
    "trust_settlor": (InterestType.SETTLOR, "direct"),
    "other_control": (InterestType.OTHER_INFLUENCE, "direct"),
}
KINDS = {"trust": PartyKind.ARRANGEMENT, "government": PartyKind.STATE}


class TooManyInterests(ValueError):
    """There are more interests above an entity than a structure may have; the message says how many are read."""


def read_structure(entity: Entity, day: date) -> Structure:
    """All that memory knows of the owners of an entity, through every chain, on a day. Ids are primary keys as text.

    One query for each level. Raises TooManyInterests above MAX_INTERESTS.
    """
    parties = {str(entity.pk): _party(entity)}
    interests: list[Interest] = []
    level: list[UUID] = [entity.pk]
    while level:
        rows = list(_rows(level, day))
        if len(interests) + len(rows) > MAX_INTERESTS:
            raise TooManyInterests(f"More than {MAX_INTERESTS:,} interests stand above {entity.slug}.")
        level = []
        for row in rows:
            interests.append(_interest(row))
            if str(row.object_id) not in parties:
                parties[str(row.object_id)] = _party(row.object)
                level.append(row.object_id)
    return Structure(parties, tuple(interests), day)


def _rows(level: list[UUID], day: date) -> Iterable[Relationship]:
    in_force = Q(valid_to__isnull=True) | Q(valid_to__gt=day)
    for part in chunks(level):
        rows = Relationship.objects.filter(
            in_force, subject__in=part, type__in=HELD, object__merged_into__isnull=True
        )
        yield from rows.select_related("object").order_by("pk")[: MAX_INTERESTS + 1]


def _party(entity: Entity) -> Party:
    stated = str(entity.metadata.get("entity_type", ""))
    kind = PartyKind.PERSON if entity.type == Entity.Type.PERSON else KINDS.get(stated, PartyKind.ENTITY)
    return Party(str(entity.pk), entity.name, kind, jurisdiction=entity.jurisdiction, lei=entity.lei)


def _interest(row: Relationship) -> Interest:
    control = row.type == Relationship.Type.CONTROLLED_BY
    stated = row.metadata.get("ownership_type", "other_control" if control else "direct_ownership")
    type, way = TYPES.get(stated, TYPES["other_control"])
    return Interest(
        holder=str(row.object_id),
        held=str(row.subject_id),
        type=type,
        share=None if row.percentage is None else Share.exactly(row.percentage),
        way=way,
        start=row.valid_from,
        end=row.valid_to,
        source=row.source,
        id=str(row.pk),
    )
