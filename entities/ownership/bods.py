"""Statements of the Beneficial Ownership Data Standard 0.4 (BODS): written from a structure, and read one by one.

https://standard.openownership.org/en/0.4.0/: a file is an array of statements on entities, persons and relationships.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from entities.ownership.assessment import Assessment, Owner
from entities.ownership.interests import (
    REASONS,
    Interest,
    InterestType,
    Party,
    PartyKind,
    Structure,
    UnspecifiedReason,
    Way,
)
from entities.ownership.shares import BadShare, Share

VERSION = "0.4"
PUBLISHER = "Dossier"
ENTITY_TYPES = {PartyKind.ARRANGEMENT: "arrangement", PartyKind.STATE: "state"}
KINDS = {"arrangement": PartyKind.ARRANGEMENT, "state": PartyKind.STATE, "stateBody": PartyKind.STATE}
MAX_INTERESTS = 200
JsonObject = dict[str, Any]


class BadStatement(ValueError):
    """A statement that cannot be read; the message is one sentence for a person."""


def write_bods(
    structure: Structure, found: Assessment, *, today: date, people: bool = True
) -> list[JsonObject]:
    """The interests above a subject as BODS statements: parties, then relationships, components before what they make.

    Each person who reaches the threshold through others has a primary relationship of its own with what was computed;
    its ``details`` name the rule. Without ``people`` persons are anonymous.
    """
    writer = _Writer(structure, found, today, people)
    statements = [writer.party(id) for id in structure.above(found.subject.id) if writer.has_record(id)]
    by_pair: dict[tuple[str, str], list[Interest]] = {}
    for interest in found.inputs:
        by_pair.setdefault((interest.held, interest.holder), []).append(interest)
    statements += [writer.relationship(*pair, interests) for pair, interests in by_pair.items()]
    return statements + [
        writer.primary(owner) for owner in found.owners if owner.answer == "met" and len(owner.chain) > 2
    ]


class _Writer:
    """Statements of one declaration: they share its subject, its day and its publisher."""

    def __init__(self, structure: Structure, found: Assessment, today: date, people: bool) -> None:
        self._structure, self._found, self._today, self._people = structure, found, today, people
        self._between = {id for owner in found.owners if owner.answer == "met" for id in owner.chain[1:-1]}

    def has_record(self, id: str) -> bool:
        return self._structure.party(id).kind != PartyKind.UNKNOWN

    def party(self, id: str) -> JsonObject:
        party = self._structure.party(id)
        if party.kind == PartyKind.PERSON:
            return self._statement("person", self._record(id), self._person(party))
        details: JsonObject = {
            "isComponent": id in self._between,
            "entityType": {"type": ENTITY_TYPES.get(party.kind, "registeredEntity")},
            "name": party.name,
        }
        if party.jurisdiction:
            details["jurisdiction"] = {"name": party.jurisdiction, "code": party.jurisdiction[:6]}
        if party.lei:
            details["identifiers"] = [{"id": party.lei, "scheme": "XI-LEI"}]
        if party.listed:
            details["publicListing"] = {"hasPublicListing": True}
        return self._statement("entity", self._record(id), details)

    def _person(self, party: Party) -> JsonObject:
        if not self._people:
            reason = {
                "reason": "informationUnknownToPublisher",
                "description": "Withheld from whoever exported it.",
            }
            return {"isComponent": False, "personType": "anonymousPerson", "unspecifiedPersonDetails": reason}
        details: JsonObject = {
            "isComponent": False,
            "personType": "knownPerson",
            "names": [{"type": "legal", "fullName": party.name}],
        }
        if party.born:
            details["birthDate"] = party.born
        if party.nationalities:
            details["nationalities"] = [{"name": each, "code": each[:2]} for each in party.nationalities]
        return details

    def relationship(self, held: str, holder: str, interests: list[Interest]) -> JsonObject:
        component = held != self._found.subject.id
        details: JsonObject = {
            "isComponent": component or holder in self._between,
            "subject": self._record(held),
            "interestedParty": self._interested(holder),
            "interests": [_written(each) for each in interests],
        }
        source = next((each.source for each in interests if each.source), "")
        return self._statement("relationship", self._record(f"{held}>{holder}"), details, source)

    def primary(self, owner: Owner) -> JsonObject:
        """What was computed for an owner, with the records that it was computed from."""
        rule, share = self._found.rule, next(iter(owner.shares.values()), None)
        interest: JsonObject = {
            "type": InterestType.SHAREHOLDING.value if share else InterestType.OTHER_INFLUENCE.value,
            "directOrIndirect": "indirect",
            "beneficialOwnershipOrControl": True,
            "details": f"Computed on {self._found.as_of} by {rule.name}, {rule.words}. {owner.controls}".strip(),
        }
        if share and share.as_bods():
            interest["share"] = share.as_bods()
        pairs = zip(owner.chain[1:], owner.chain, strict=False)
        details: JsonObject = {
            "isComponent": False,
            "subject": self._record(self._found.subject.id),
            "interestedParty": self._interested(owner.party.id),
            "interests": [interest],
            "componentRecords": [
                *(self._record(id) for id in owner.chain[1:-1]),
                *(self._record(f"{held}>{holder}") for held, holder in pairs),
            ],
        }
        return self._statement("relationship", self._record(f"primary>{owner.party.id}"), details)

    def _interested(self, holder: str) -> str | JsonObject:
        party = self._structure.party(holder)
        if party.kind != PartyKind.UNKNOWN:
            return self._record(holder)
        reason = party.reason or UnspecifiedReason.UNKNOWN
        return {"reason": reason.value, "description": REASONS[reason]}

    def _record(self, id: str) -> str:
        """One id in this declaration: another subject's declaration of the same company has another."""
        return _digest([self._found.subject.id, id])[:40]

    def _statement(self, type: str, record: str, details: JsonObject, source: str = "") -> JsonObject:
        statement: JsonObject = {
            "statementDate": self._found.as_of.isoformat(),
            "declarationSubject": self._record(self._found.subject.id),
            "recordId": record,
            "recordType": type,
            "recordStatus": "new",
            "recordDetails": details,
            "publicationDetails": {
                "publicationDate": self._today.isoformat(),
                "bodsVersion": VERSION,
                "publisher": {"name": PUBLISHER},
            },
        }
        if source:
            statement["source"] = {"type": ["thirdParty"], "description": source}
        return {"statementId": _digest(statement), **statement}


def _written(interest: Interest) -> JsonObject:
    told: JsonObject = {"type": interest.type.value, "directOrIndirect": interest.way}
    if interest.counts is not None:
        told["beneficialOwnershipOrControl"] = interest.counts
    if interest.share and interest.share.as_bods():
        told["share"] = interest.share.as_bods()
    if interest.details:
        told["details"] = interest.details
    dates = {"startDate": interest.start, "endDate": interest.end}
    return told | {name: day.isoformat() for name, day in dates.items() if day}


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@dataclass(frozen=True)
class Relation:
    """A relationship as it was read: record ids of both sides; an owner who is not named has a reason instead."""

    record: str
    held: str
    holder: str
    reason: UnspecifiedReason | None
    interests: tuple[Interest, ...]
    closed: bool


def read_statement(given: object) -> Party | Relation:
    """One statement of BODS 0.4 as a value. Ids are record ids; a subject that is not named is refused.

    Raises BadStatement for what is no statement of that version, and for a share or a date that cannot be.
    """
    if not isinstance(given, dict):
        raise BadStatement("A statement is a JSON object.")
    version = _object(given, "publicationDetails").get("bodsVersion", VERSION)
    if version != VERSION:
        raise BadStatement(f"This is BODS {str(version)[:10]}; only {VERSION} is read.")
    record, details = _text(given, "recordId"), _object(given, "recordDetails")
    for name in ("statementId", "declarationSubject", "statementDate"):
        _text(given, name)
    match given.get("recordType"):
        case "entity":
            return _entity(record, details)
        case "person":
            return _person(record, details)
        case "relationship":
            return _relation(record, given, details)
    raise BadStatement(f"There is no record type {str(given.get('recordType'))[:40]!r}.")


def _entity(record: str, details: JsonObject) -> Party:
    stated = str(_object(details, "entityType").get("type", ""))
    if stated in ("anonymousEntity", "unknownEntity"):
        unspecified = _object(details, "unspecifiedEntityDetails")
        return Party(
            record, "an entity that is not named", PartyKind.UNKNOWN, _reason(unspecified.get("reason"))
        )
    jurisdiction = _object(details, "jurisdiction")
    leis = [each.get("id") for each in _objects(details, "identifiers") if each.get("scheme") == "XI-LEI"]
    return Party(
        record,
        _text(details, "name"),
        KINDS.get(stated, PartyKind.ENTITY),
        jurisdiction=str(jurisdiction.get("code") or "")[:6],
        lei=str(leis[0]) if leis else "",
        listed=_object(details, "publicListing").get("hasPublicListing") is True,
    )


def _person(record: str, details: JsonObject) -> Party:
    if details.get("personType") != "knownPerson":
        unspecified = _object(details, "unspecifiedPersonDetails")
        return Party(
            record, "a person who is not named", PartyKind.UNKNOWN, _reason(unspecified.get("reason"))
        )
    names = _objects(details, "names")
    legal = [each for each in names if each.get("type") == "legal"] or names
    if not legal:
        raise BadStatement("A known person needs a name.")
    countries = _objects(details, "nationalities")
    return Party(
        record,
        _text(legal[0], "fullName"),
        PartyKind.PERSON,
        born=str(details.get("birthDate") or "")[:7],  # year and month: no more is needed
        nationalities=tuple(str(each.get("code") or each.get("name") or "") for each in countries),
    )


def _relation(record: str, given: JsonObject, details: JsonObject) -> Relation:
    held, party = details.get("subject"), details.get("interestedParty")
    if not isinstance(held, str) or not held:
        raise BadStatement("The subject of a relationship is not named.")
    reason = _reason(party.get("reason")) if isinstance(party, dict) else None
    if reason is None and (not isinstance(party, str) or not party):
        raise BadStatement("The interested party of a relationship is not named, and no reason is given.")
    holder = party if isinstance(party, str) else f"{record}:unnamed"
    stated = _objects(details, "interests")
    if len(stated) > MAX_INTERESTS:
        raise BadStatement(f"A relationship has {MAX_INTERESTS} interests at most.")
    interests = tuple(
        _read_interest(f"{record}#{number}", holder, held, each, given) for number, each in enumerate(stated)
    )
    return Relation(record, held, holder, reason, interests, given.get("recordStatus") == "closed")


def _read_interest(id: str, holder: str, held: str, stated: JsonObject, given: JsonObject) -> Interest:
    try:
        type = InterestType(stated.get("type", "unknownInterest"))
    except ValueError:
        raise BadStatement(f"There is no interest type {str(stated.get('type'))[:40]!r}.") from None
    way = stated.get("directOrIndirect", "unknown")
    if way not in ("direct", "indirect", "unknown"):
        raise BadStatement(f"An interest is direct, indirect or unknown, not {str(way)[:40]!r}.")
    try:
        share = Share.of_bods(_object(stated, "share")) if stated.get("share") else None
    except BadShare as error:
        raise BadStatement(str(error)) from None
    start, end = _day(stated, "startDate"), _day(stated, "endDate")
    if start and end and end < start:
        raise BadStatement(f"An interest ends on {end}, before it begins on {start}.")
    known: Way = way
    source = _object(given, "source")
    return Interest(
        holder,
        held,
        type,
        share,
        known,
        start,
        end,
        source=str(source.get("description") or source.get("url") or "")[:300],
        stated_on=_day(given, "statementDate"),
        details=str(stated.get("details") or "")[:1000],
        id=id,
        counts=stated.get("beneficialOwnershipOrControl"),
    )


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadStatement(f"The field {name} is missing.")
    return value.strip()


def _object(given: Mapping[str, Any], name: str) -> JsonObject:
    value = given.get(name)
    return value if isinstance(value, dict) else {}


def _objects(given: Mapping[str, Any], name: str) -> list[JsonObject]:
    value = given.get(name)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _day(given: Mapping[str, Any], name: str) -> date | None:
    value = given.get(name)
    if value is None:
        return None
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        raise BadStatement(f"{name} is {str(value)[:40]!r}, which is no full date.") from None


def _reason(value: object) -> UnspecifiedReason:
    try:
        return UnspecifiedReason(str(value))
    except ValueError:
        return UnspecifiedReason.UNKNOWN


def statements_in(chunks: Iterable[str], most: int) -> Iterator[tuple[int, str]]:
    """The JSON texts of the objects of an array, or of a file with one object a line, numbered from 1.

    No more than one object is held. Raises BadStatement for an object longer than ``most`` characters, and for a file
    that ends within one.
    """
    number, depth, quoted, escaped = 0, 0, False, False
    parts: list[str] = []
    length = 0
    for chunk in chunks:
        start = 0
        for place, char in enumerate(chunk):
            if quoted:
                quoted, escaped = escaped or char != '"', char == "\\" and not escaped
            elif char == '"':
                quoted = depth > 0
            elif char == "{":
                start = start if depth else place
                depth += 1
            elif char == "}" and depth:
                depth -= 1
                if depth == 0:
                    number += 1
                    yield number, "".join([*parts, chunk[start : place + 1]])
                    parts, length = [], 0
        if depth:
            parts.append(chunk[start:])
            length += len(chunk) - start
            if length > most:
                raise BadStatement(f"Statement {number + 1} is longer than {most:,} characters.")
    if depth:
        raise BadStatement(f"The file ends within statement {number + 1}.")
