"""The interests above an entity: read from statements as values that ownership is computed from, and recorded."""

from collections.abc import Collection, Iterable, Iterator
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from entities.memory.base import ChangeLog, RefusedWrite
from entities.memory.facts import Fact, Period
from entities.memory.people import shown
from entities.memory.resolution import survivor
from entities.memory.statements import state
from entities.memory.vouching import together
from entities.memory.writes import link
from entities.memory.written import chunks
from entities.models import Entity, Relationship, Statement
from entities.ownership.interests import (
    Interest,
    InterestType,
    Party,
    PartyKind,
    Structure,
    UnspecifiedReason,
    Way,
)
from entities.ownership.psc import interests_of
from entities.ownership.shares import BadShare, Share

MAX_INTERESTS, MAX_MERGES = 50_000, 5_000
HELD = (Relationship.Type.OWNED_BY, Relationship.Type.CONTROLLED_BY)
OWNERSHIP = frozenset(
    {InterestType.SHAREHOLDING}
)  # what stands as owned-by in the present; the rest is control
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
KINDS = {"trust": PartyKind.ARRANGEMENT, "arrangement": PartyKind.ARRANGEMENT, "government": PartyKind.STATE}
ALWAYS = Period()
LOOKED_FOR, LISTED = "owners_looked_for", "listed"


class TooManyInterests(ValueError):
    """There are more interests above an entity than a structure may have; the message says how many are read."""


@together()
def record_interest(
    *,
    subject: Entity,
    holder: Entity | None,
    type: InterestType,
    share: Share | None = None,
    way: Way = "direct",
    reason: str = "",
    valid: Period = ALWAYS,
    source: str = "",
    as_of: date | None = None,
    details: str = "",
    log: ChangeLog | None = None,
) -> Statement:
    """State that ``holder`` has an interest in ``subject``; without a holder, for which ``reason`` none is named.

    The statement has the whole interest with its band. The relationship of the present, which trees are drawn from, has
    the exact percentage or none.

    Raises RefusedWrite for an interest in oneself or in a person, and as ``link`` does.
    """
    log = log if log is not None else ChangeLog()
    if subject.type == Entity.Type.PERSON:
        raise RefusedWrite(f"{subject.slug} is a natural person, whom nobody can own")
    data: dict[str, Any] = {"way": way, "details": details, "reason": reason}
    if holder:
        link(
            subject=subject,
            object=holder,
            type=HELD[type not in OWNERSHIP],
            percentage=share.low if share and share.is_exact else None,
            source=source,
            valid_from=valid.start,
            valid_to=valid.end,
            precision=(valid.start_precision, valid.end_precision),
            as_of=as_of,
            metadata={"interest": type.value},
            log=log,
        )
    fact = Fact(
        type.value,
        key=way if holder else reason,
        object=holder.pk if holder else None,
        data={name: value for name, value in data.items() if value},
        share_low=share.low if share else None,
        share_high=share.high if share else None,
        share_low_open=bool(share and share.low_open),
        share_high_open=bool(share and share.high_open),
        valid=valid,
    )
    [stated] = state(subject=subject, facts=[fact], log=log, origin=log.origin.citing(source, as_of))
    return stated


def read_structure(entity: Entity, day: date, known_at: datetime | None = None) -> Structure:
    """All that memory knows of the owners of an entity, through every chain, on a day, as it was known at a time.

    Ids are primary keys as text. One query for each level. Raises TooManyInterests above MAX_INTERESTS.
    """
    parties = {str(entity.pk): party_of(entity)}
    interests: list[Interest] = []
    level, merges = [entity.pk], _merges()
    while level:
        meant = {pk: pk for pk in level} | _merged_into(level, merges)
        rows = list(_rows(list(meant), day, known_at))
        if len(interests) + len(rows) > MAX_INTERESTS:
            raise TooManyInterests(f"More than {MAX_INTERESTS:,} interests stand above {entity.slug}.")
        level = []
        for row in rows:
            holder = survivor(row.object) if row.object else None
            party = party_of(holder) if holder else _unnamed(row)
            interests += _interests(row, party.id, str(meant[row.subject_id]))
            if party.id not in parties:
                parties[party.id] = party
                level += [holder.pk] if holder and party.kind != PartyKind.PERSON else []  # nobody owns them
    shown(*(UUID(key) for key, party in parties.items() if party.kind == PartyKind.PERSON))
    return Structure(parties, tuple(interests), day)


def party_of(entity: Entity) -> Party:
    """The entity as a party of a structure."""
    stated = str(entity.metadata.get("entity_type", ""))
    kind = PartyKind.PERSON if entity.type == Entity.Type.PERSON else KINDS.get(stated, PartyKind.ENTITY)
    looked = str(entity.metadata.get(LOOKED_FOR, ""))
    return Party(
        str(entity.pk),
        entity.name,
        kind,
        jurisdiction=entity.jurisdiction,
        lei=entity.lei,
        listed=bool(entity.metadata.get(LISTED)),
        looked_for=date.fromisoformat(looked) if looked else None,
        born=str(entity.metadata.get("date-of-birth", ""))[:7],
        nationalities=tuple(filter(None, [str(entity.metadata.get("nationality", ""))])),
    )


def _rows(level: list[UUID], day: date, known_at: datetime | None) -> Iterator[Statement]:
    """Statements in force on the day, without those of relationships beside which the whole interest is stated."""
    known = known_at or timezone.now()
    recorded = Q(recorded_to__isnull=True)
    if known_at:
        recorded = Q(recorded_from__lte=known) & (recorded | Q(recorded_to__gt=known))
    in_force = (
        Q(valid_from__isnull=True) | Q(valid_from__lte=day),
        Q(valid_to__isnull=True) | Q(valid_to__gt=day),
    )
    for part in chunks(level):
        rows = Statement.objects.filter(
            recorded, *in_force, subject__in=part, property__in=[*InterestType, *HELD]
        )
        for row in rows.select_related("object").order_by("pk")[: MAX_INTERESTS + 1]:
            if "interest" not in row.data:
                yield row


def _merges() -> dict[UUID, list[UUID]] | None:
    """All that went into others, by what it went into; None where they are so many that each level asks for its own."""
    rows = Entity.objects.filter(merged_into__isnull=False).values_list("merged_into", "pk")[: MAX_MERGES + 1]
    found: dict[UUID, list[UUID]] = {}
    for into, pk in rows:
        if into:
            found.setdefault(into, []).append(pk)
    return found if len(rows) <= MAX_MERGES else None


def _merged_into(level: Collection[UUID], merges: dict[UUID, list[UUID]] | None) -> dict[UUID, UUID]:
    """Entities that went into these, by whatever merges: what is said of them is said of these."""
    found: dict[UUID, UUID] = {}
    newest = {pk: pk for pk in level}
    while newest:
        if merges is None:
            rows = [
                row
                for part in chunks(list(newest))
                for row in Entity.objects.filter(merged_into__in=part).values_list("pk", "merged_into")
            ]
        else:
            rows = [(pk, into) for into in newest for pk in merges.get(into, ())]
        newest = {pk: newest[into] for pk, into in rows if into and pk not in found}
        found |= newest
    return found


def _unnamed(row: Statement) -> Party:
    reason = str(row.data.get("reason", ""))
    known: Iterable[str] = [each.value for each in UnspecifiedReason]
    why = UnspecifiedReason(reason) if reason in known else UnspecifiedReason.UNKNOWN
    return Party(f"unnamed-{row.pk}", "an owner who is not named", PartyKind.UNKNOWN, why)


def _interests(row: Statement, holder: str, held: str) -> Iterator[Interest]:
    """What one statement says; a line of the United Kingdom's register says several interests at once."""
    natures = row.data.get("natures_of_control")
    words = (
        [each.get("stated") for each in natures if isinstance(each, dict)]
        if isinstance(natures, list)
        else []
    )
    stated: list[tuple[InterestType, Way, Share | None]]
    if row.property not in HELD:
        stated = [(InterestType(row.property), row.data.get("way", "direct"), _share(row))]
    elif words:
        found = interests_of(map(str, words))
        stated = [(type, "unknown" if share else "direct", share) for type, share in found.items()]
    else:
        control = row.property == Relationship.Type.CONTROLLED_BY
        kind = row.data.get("ownership_type", "other_control" if control else "direct_ownership")
        stated = [(*TYPES.get(kind, TYPES["other_control"]), _share(row))]
    for type, way, share in stated:
        yield Interest(
            holder=holder,
            held=held,
            type=type,
            share=share,
            way=way,
            start=row.valid_from,
            end=row.valid_to,
            source=row.source,
            stated_on=row.as_of,
            details=str(row.data.get("details", "")),
            id=f"{row.pk}",
            start_precision=row.valid_from_precision,
        )


def _share(row: Statement) -> Share | None:
    if row.share_low is None or row.share_high is None:
        return None
    try:
        return Share(row.share_low, row.share_high, row.share_low_open, row.share_high_open)
    except BadShare:  # no room writes such a row
        return None
