"""Looks for anomalies: where memory differs from the LEI register as it was read last, and where it contradicts itself.

Nothing outside is asked. An LEI that is missing says something only where a full golden copy is imported.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TypeAlias

from django.db import transaction
from django.db.models import QuerySet, Sum

from entities.gleif.golden.lookup import is_full_copy
from entities.memory import contradictions
from entities.models import Anomaly, Entity, LeiRecord, LeiRelationship, Relationship, Statement
from entities.names.matching import SAME, NameVariant, compare
from entities.services.anomalies import Finding, report_anomalies

CHUNK = 500
LAPSED = "LAPSED"
IN_FORCE = ("ISSUED", "LAPSED", "PENDING_TRANSFER", "PENDING_ARCHIVAL", "")
PARENTS = {
    "IS_DIRECTLY_CONSOLIDATED_BY": Relationship.Type.DIRECTLY_CONSOLIDATED_BY,
    "IS_ULTIMATELY_CONSOLIDATED_BY": Relationship.Type.ULTIMATELY_CONSOLIDATED_BY,
}
SOURCE = "GLEIF"

Kind = Anomaly.Kind
Look: TypeAlias = Callable[[Sequence[Entity]], Iterator[Finding]]


def look_for_anomalies(*, now: datetime | None = None) -> int:
    """Look at every entity; returns how many anomalies are new or have changed. An interrupted look is repeated."""
    entities = Entity.objects.filter(merged_into__isnull=True).order_by("pk")
    fresh, last = 0, None
    while chunk := list((entities.filter(pk__gt=last) if last else entities)[:CHUNK]):
        last = chunk[-1].pk
        fresh += _look_at(chunk, now)
    return fresh


def _look_at(chunk: Sequence[Entity], now: datetime | None) -> int:
    among: QuerySet[Entity] = Entity.objects.filter(pk__in=[one.pk for one in chunk])
    with transaction.atomic():
        return sum(
            report_anomalies(kind=kind, findings=look(chunk), among=among, now=now)
            for kind, look in LOOKS.items()
        )


def _records(chunk: Sequence[Entity]) -> dict[str, LeiRecord]:
    leis = [one.lei for one in chunk if one.lei]
    return {row.lei: row for row in LeiRecord.objects.filter(lei__in=leis).defer("attributes")}


def _left(chunk: Sequence[Entity]) -> Iterator[Finding]:
    if not is_full_copy():
        return
    known = _records(chunk)
    for one in chunk:
        if one.lei and one.lei not in known:
            yield Finding(one, one.lei, f"The full LEI register has no record {one.lei}.", {"lei": one.lei})


def _ended(chunk: Sequence[Entity]) -> Iterator[Finding]:
    for one, row in _with_records(chunk):
        if row.registration_status not in IN_FORCE or row.entity_status == "INACTIVE":
            states = f"entity {row.entity_status or 'unknown'}, registration {row.registration_status}"
            after = f" Its successor is {row.successor}." if row.successor else ""
            evidence = {**_states(row), "successor": row.successor}
            yield Finding(one, one.lei, f"The LEI register says: {states}.{after}", evidence)


def _lapsed(chunk: Sequence[Entity]) -> Iterator[Finding]:
    for one, row in _with_records(chunk):
        if row.registration_status == LAPSED and row.entity_status != "INACTIVE":
            due = f"{row.next_renewal:%Y-%m-%d}" if row.next_renewal else ""
            since = f" It was due for renewal on {due}." if due else ""
            evidence = {**_states(row), "next_renewal": due}
            yield Finding(one, one.lei, f"The registration of {one.lei} has lapsed.{since}", evidence)


def _renamed(chunk: Sequence[Entity]) -> Iterator[Finding]:
    for one, row in _with_records(chunk):
        known = [one.name, *(str(alias.get("name", "")) for alias in one.aliases)]
        if all(compare(name, NameVariant(row.legal_name)).score < SAME for name in known):
            evidence = {"lei": row.lei, "memory": one.name, "register": row.legal_name, "as_of": row.as_of}
            said = f"The LEI register calls it “{row.legal_name}”, memory “{one.name}”."
            yield Finding(one, one.lei, said, evidence)


def _reparented(chunk: Sequence[Entity]) -> Iterator[Finding]:
    by_lei = {one.lei: one for one in chunk if one.lei}
    kept = Relationship.objects.filter(
        subject__in=chunk, type__in=PARENTS.values(), valid_to=None
    ).select_related("object")
    memory = {(link.subject_id, link.type): link.object for link in kept}
    rows = LeiRelationship.objects.filter(start__in=by_lei, type__in=PARENTS, status="ACTIVE")
    for row in rows.order_by("start", "type"):
        one = by_lei[row.start]
        parent = memory.get((one.pk, PARENTS[row.type]))
        if parent is not None and parent.lei and parent.lei != row.end:
            level = "direct" if row.type.startswith("IS_DIRECTLY") else "ultimate"
            said = f"The LEI register names {row.end} as {level} parent, memory {parent.name} ({parent.lei})."
            evidence = {"level": level, "memory": parent.lei, "register": row.end, "as_of": row.as_of}
            yield Finding(one, level, said, evidence)


def _over_shared(chunk: Sequence[Entity]) -> Iterator[Finding]:
    by_pk = {one.pk: one for one in chunk}
    owned = Relationship.objects.filter(
        subject__in=chunk, type=Relationship.Type.OWNED_BY, valid_to=None, object__merged_into=None
    )
    for row in owned.order_by().values("subject").annotate(total=Sum("percentage")).filter(total__gt=100):
        total = f"{row['total'].normalize():f}"
        said = f"Shares of its owners add up to {total} %."
        yield Finding(by_pk[row["subject"]], "", said, {"total": total})


def _contradicting(chunk: Sequence[Entity]) -> Iterator[Finding]:
    by_pk = {one.pk: one for one in chunk}
    for row in contradictions().filter(subject__in=chunk).order_by("id"):
        other = row.contradicts
        if other is None:
            continue
        about = f" {row.object.name}" if row.object else ""
        said = [f"{_said(each)} ({each.source or each.source_kind})" for each in (row, other)]
        evidence = {"property": row.property, "statements": sorted([row.pk, other.pk])}
        summary = f"{row.property}{about}: {said[0]} contradicts {said[1]}."
        yield Finding(by_pk[row.subject_id], row.slot, summary, evidence)


def _said(statement: Statement) -> str:
    if statement.share_low is not None or statement.share_high is not None:
        ends = [
            f"{end.normalize():f}" for end in (statement.share_low, statement.share_high) if end is not None
        ]
        return f"{' to '.join(dict.fromkeys(ends))} %"
    return f"“{statement.value[:100]}”"


def _with_records(chunk: Sequence[Entity]) -> Iterator[tuple[Entity, LeiRecord]]:
    known = _records(chunk)
    return ((one, known[one.lei]) for one in chunk if one.lei in known)


def _states(row: LeiRecord) -> dict[str, str]:
    return {
        "lei": row.lei,
        "entity_status": row.entity_status,
        "registration_status": row.registration_status,
        "as_of": row.as_of,
    }


LOOKS: dict[str, Look] = {
    Kind.REGISTER_LEFT: _left,
    Kind.REGISTER_ENDED: _ended,
    Kind.REGISTER_LAPSED: _lapsed,
    Kind.RENAMED: _renamed,
    Kind.OWNER_CHANGED: _reparented,
    Kind.SHARES: _over_shared,
    Kind.CONTRADICTION: _contradicting,
}
