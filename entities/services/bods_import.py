"""BODS 0.4 files into memory: parties first, then interests. What was imported before is met, not repeated.

A run that was killed is done again from the start: what it had written is met, and no statement is half there.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from common.bounded_json import load_json
from entities import memory
from entities.memory import ChangeLog, RefusedWrite
from entities.memory.base import Origin
from entities.memory.facts import Period
from entities.memory.interests import LISTED, record_interest
from entities.memory.vouching import together
from entities.models import Entity, Representation, SourceKind
from entities.ownership.bods import Relation, read_statement, statements_in
from entities.ownership.interests import InterestType, Party, PartyKind, UnspecifiedReason

AUTHORITY = "BODS"
MAX_STATEMENT, MAX_BYTES, MAX_FAULTS = 1_000_000, 200_000_000, 1_000
CHUNK = 1 << 16
TYPES = {PartyKind.PERSON: Entity.Type.PERSON}


class TooLarge(ValueError):
    """The file is larger than is read; the message says how large it may be."""


@dataclass
class Imported:
    """What came of a file: counts, and the faults of single statements as (number, sentence), the first thousand."""

    statements: int = 0
    parties: int = 0
    interests: int = 0
    faulty: int = 0
    faults: list[tuple[int, str]] = field(default_factory=list)

    def refuse(self, number: int, message: str) -> None:
        self.faulty += 1
        if len(self.faults) < MAX_FAULTS:
            self.faults.append((number, message))


def import_bods(*, path: Path, source: str, dry_run: bool = False) -> Imported:
    """Read a file of BODS 0.4 twice: parties, then relationships. Each statement is one transaction.

    With ``dry_run`` nothing is written, and the faults of single statements are told.

    Raises TooLarge for a file above MAX_BYTES, and BadStatement for one that is cut off.
    """
    if path.stat().st_size > MAX_BYTES:
        raise TooLarge(f"{path.name} is larger than {MAX_BYTES // 1_000_000} MB; split it.")
    done, origin = Imported(), Origin(kind=SourceKind.IMPORT, source=source)
    unnamed: dict[str, UnspecifiedReason | None] = {}
    for number, party in _read(path, done):
        done.statements += 1
        if isinstance(party, Relation):
            continue
        done.parties += 1
        if party.kind == PartyKind.UNKNOWN:
            unnamed[party.id] = party.reason
        elif not dry_run:
            _try(done, number, partial(_take_party, party, source, ChangeLog(origin=origin)))
    for number, relation in _read(path, Imported()):  # what cannot be read has been told
        if isinstance(relation, Relation):
            done.interests += len(relation.interests)
            if not dry_run:
                log = ChangeLog(origin=origin)
                _try(done, number, partial(_take_relation, relation, unnamed, source, log))
    return done


def _try(done: Imported, number: int, write: Callable[[], object]) -> None:
    try:
        with together():
            write()
    except RefusedWrite as error:
        done.refuse(number, f"{error}.")


def _read(path: Path, done: Imported) -> Iterator[tuple[int, Party | Relation]]:
    """What can be read, with the number of its statement; the rest is told to ``done``."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, text in statements_in(iter(lambda: file.read(CHUNK), ""), MAX_STATEMENT):
            try:
                yield number, read_statement(load_json(text))
            except ValueError as error:
                done.refuse(number, str(error))


def _take_party(party: Party, source: str, log: ChangeLog) -> Entity:
    """The entity of a record: by the record, else by its LEI, else new. Equal names alone make nobody the same."""
    known = _by_record(party.id)
    if known:
        return known
    details = {
        "stated_by": source,
        "entity_type": {PartyKind.ARRANGEMENT: "arrangement", PartyKind.STATE: "government"}.get(
            party.kind, ""
        ),
        LISTED: party.listed,
        "date-of-birth": party.born,
        "nationality": ", ".join(party.nationalities),
    }
    metadata = {name: value for name, value in details.items() if value}
    if party.lei:
        entity = memory.ensure_entity(
            name=party.name, lei=party.lei, jurisdiction=party.jurisdiction, metadata=metadata, log=log
        )
    else:
        type = TYPES.get(party.kind, Entity.Type.LEGAL_ENTITY)
        entity = memory.create_entity(
            name=party.name,
            type=type,
            jurisdiction=party.jurisdiction,
            metadata=metadata,
            key=party.id,
            log=log,
        )
    memory.add_representation(
        entity=entity, type=Representation.Type.OTHER, authority=AUTHORITY, key=party.id, log=log
    )
    return entity


def _take_relation(
    relation: Relation, unnamed: dict[str, UnspecifiedReason | None], source: str, log: ChangeLog
) -> None:
    subject = _by_record(relation.held)
    if subject is None:
        raise RefusedWrite(f"the subject {relation.held[:64]} is no entity of the file")
    reason = relation.reason or unnamed.get(relation.holder)
    holder = None if reason else _by_record(relation.holder)
    if holder is None and reason is None:
        raise RefusedWrite(f"the interested party {relation.holder[:64]} is no record of the file")
    if not relation.interests and reason:
        record_interest(
            subject=subject, holder=None, type=InterestType.UNKNOWN, reason=reason, source=source, log=log
        )
    for each in relation.interests:
        ended = each.end or (each.stated_on if relation.closed else None)
        record_interest(
            subject=subject,
            holder=holder,
            type=each.type,
            share=each.share,
            way=each.way,
            reason=reason.value if reason else "",
            valid=Period(each.start, ended),
            source=each.source or source,
            as_of=each.stated_on,
            details=each.details,
            log=log,
        )


def _by_record(record: str) -> Entity | None:
    form = Representation.objects.filter(
        type=Representation.Type.OTHER, authority=AUTHORITY, key=record[: memory.MAX_KEY], active=True
    ).select_related("entity__merged_into")
    found = form.first()
    return memory.survivor(found.entity) if found else None
