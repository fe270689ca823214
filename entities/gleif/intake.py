"""Writing what the LEI register said into memory: records, relationships and exceptions, with every change noted."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.db import models
from django.utils import timezone

from entities import memory
from entities.gleif.cache import record_fields
from entities.gleif.records import (
    DIRECT_CONSOLIDATION,
    EXCEPTION_CATEGORY,
    FUND_MANAGED,
    SUBFUND,
    ULTIMATE_CONSOLIDATION,
    Level,
    ParentAnswer,
    Record,
)
from entities.gleif.register import Register
from entities.memory.vouching import together
from entities.models import (
    Entity,
    EntityEvent,
    GleifImport,
    LeiRecord,
    LeiRelationship,
    RegisterName,
    Relationship,
    ReportingException,
    Representation,
    SourceKind,
)
from entities.names.matching import LEGAL_NAME

LINK_TYPES = {
    DIRECT_CONSOLIDATION: Relationship.Type.DIRECTLY_CONSOLIDATED_BY,
    ULTIMATE_CONSOLIDATION: Relationship.Type.ULTIMATELY_CONSOLIDATED_BY,
    FUND_MANAGED: Relationship.Type.FUND_MANAGED_BY,
    SUBFUND: Relationship.Type.SUBFUND_OF,
}
_ENTITY_TYPES = {
    "FUND": Entity.Type.FUND,
    "BRANCH": Entity.Type.BRANCH,
    "SOLE_PROPRIETOR": Entity.Type.PERSON,
}


@dataclass(frozen=True)
class Surroundings:
    """A record with what the register links to it, read before anything is written."""

    record: Record
    parents: dict[Level, ParentAnswer] = field(default_factory=dict)
    manager: Record | None = None
    umbrella: Record | None = None

    @property
    def records(self) -> list[Record]:
        """All of them."""
        near = [self.manager, self.umbrella, *(answer.record for answer in self.parents.values())]
        return [self.record, *filter(None, near)]


def keys_of_records(records: Iterable[Record]) -> set[str]:
    """What to claim before these are taken in: they, the names and the identifiers they may be found by."""
    records = list(records)
    found = memory.keys_of(
        names=[record.legal_name[: memory.MAX_NAME] or record.lei for record in records],
        leis=[record.lei for record in records],
    )
    return found.union(
        f"number {key}" for record in records for key in (*record.bics, record.registered_as) if key
    )


def read_surroundings(register: Register, lei: str) -> Surroundings:
    """Read a record, its parents or exceptions, its fund manager and its umbrella. Raises GleifError."""
    record = register.record(lei)
    fund = record.category == "FUND"
    return Surroundings(
        record=record,
        parents={"direct": register.parent(lei, "direct"), "ultimate": register.parent(lei, "ultimate")},
        manager=register.fund_manager(lei) if fund else None,
        umbrella=register.umbrella(lei) if fund else None,
    )


class Intake:
    """Writes records of one register; every method notes its changes in ``log``."""

    def __init__(self, register: Register, log: memory.ChangeLog) -> None:
        self.register = register
        day = date.fromisoformat(register.as_of[:10]) if register.as_of else None
        origin = replace(log.origin, kind=SourceKind.REGISTER, source=self._source, as_of=day)
        self.log = replace(log, origin=origin)  # the same account, kept under the register's name

    @together()
    def surroundings(self, found: Surroundings) -> Entity:
        """A record and everything the register links to it."""
        entity = self.record(found.record)
        for level, answer in found.parents.items():
            self.parent(entity, level, answer)
        if found.manager:
            self.edge(entity, self.record(found.manager), FUND_MANAGED)
        if found.umbrella:
            self.edge(entity, self.record(found.umbrella), SUBFUND)
        return entity

    @together()
    def record(self, record: Record) -> Entity:
        """The record itself and the entity it is about: names, identifiers, statuses, addresses."""
        self._keep_record(record)
        entity = memory.ensure_entity(
            name=record.legal_name[: memory.MAX_NAME] or record.lei,
            type=_ENTITY_TYPES.get(record.category, Entity.Type.LEGAL_ENTITY),
            lei=record.lei,
            jurisdiction=record.jurisdiction[:10],
            aliases=_aliases(record),
            metadata=_metadata(record, self.register),
            rename=True,
            log=self.log,
        )
        self._identifiers(entity, record)
        return entity

    def parent(self, entity: Entity, level: Level, answer: ParentAnswer) -> Entity | None:
        """A parent becomes a relationship, a reporting exception is kept; nothing is concluded from silence."""
        if answer.kind == "exception":
            key = {"lei": entity.lei, "category": EXCEPTION_CATEGORY[level]}
            self._state(ReportingException, key, {"reason": answer.reason})
        if answer.record is None or answer.record.lei == entity.lei:
            return None
        type = DIRECT_CONSOLIDATION if level == "direct" else ULTIMATE_CONSOLIDATION
        parent = self.record(answer.record)
        memory.end_links(
            subject=entity, type=LINK_TYPES[type], keep=parent, source=self._source, log=self.log
        )  # there is one parent of a level at a time
        self.edge(entity, parent, type, answer.relationship.attributes if answer.relationship else {})
        return parent

    def edge(self, start: Entity, end: Entity, type: str, attributes: dict[str, Any] | None = None) -> None:
        """A relationship record of the register, and the relationship it states."""
        key = {"start": start.lei, "end": end.lei, "type": type}
        self._state(LeiRelationship, key, {"attributes": attributes or {}, "status": _status(attributes)})
        memory.link(
            subject=start,
            object=end,
            type=LINK_TYPES[type],
            source=self._source,
            log=self.log,
        )

    def adopt(self, entity: Entity, lei: str) -> None:
        """Give an entity that has no LEI the one it was found to have, unless another entity has it."""
        free = Entity.objects.filter(pk=entity.pk, lei="")
        if not Entity.objects.filter(lei=lei).exists() and free.update(lei=lei):
            entity.lei = lei
            self.log.note(entity, "lei", "", lei)
            self.log.rows.changed(entity, {"lei": ""})
            memory.state(subject=entity, facts=[memory.identifier("lei", lei, "GLEIF")], log=self.log)

    def begin(self, kind: str, root: str, options: dict[str, Any]) -> GleifImport:
        """Open the account of one import."""
        return GleifImport.objects.create(
            kind=kind, root=root, options=options, register=self.register.name, as_of=self.register.as_of
        )

    def finish(self, account: GleifImport) -> dict[str, int]:
        """Close the account with what was created, updated and linked."""
        account.counts, account.finished_at = tally(self.log), timezone.now()
        account.save(update_fields=["counts", "finished_at"])
        return dict(account.counts)

    def _keep_record(self, record: Record) -> None:
        fields = record_fields(record)
        self._state(LeiRecord, {"lei": fields.pop("lei")}, fields)

    def _state(self, model: type[models.Model], key: dict[str, Any], facts: dict[str, Any]) -> None:
        """Keep what the register stated. What was imported is there already and is not written over."""
        rows = model._default_manager
        if not rows.filter(**key, register=RegisterName.LOCAL).exists():
            rows.update_or_create(**key, defaults={**facts, **self._provenance()})

    def _identifiers(self, entity: Entity, record: Record) -> None:
        keys = [(Representation.Type.BIC, "SWIFT", bic) for bic in record.bics]
        if record.registered_as and record.registered_at:
            keys.append(
                (Representation.Type.REGISTER_NUMBER, record.registered_at[:60], record.registered_as[:200])
            )
        for kind, authority, key in keys:
            try:
                memory.add_representation(
                    entity=entity, type=kind, authority=authority, key=key, log=self.log
                )
            except (
                memory.RefusedWrite
            ) as error:  # the retired and the live LEI of one company share its number
                self._conflict(entity, str(error))

    def _conflict(self, entity: Entity, summary: str) -> None:
        """An event, once: a refresh finds the same conflict again and again."""
        kind = "identifier-conflict"
        if not EntityEvent.objects.filter(entity=entity, type=kind, summary=summary).exists():
            memory.add_event(
                entity=entity, type=kind, summary=summary, importance=6, source=self._source, log=self.log
            )

    @property
    def _source(self) -> str:
        return f"LEI register ({self.register.name})"

    def _provenance(self) -> dict[str, Any]:
        return {"register": self.register.name, "as_of": self.register.as_of, "fetched_at": timezone.now()}


def tally(log: memory.ChangeLog) -> dict[str, int]:
    """Entities created, others changed, and relationships stated, as a log has them."""
    created = {change["entity"] for change in log.changes if change["field"] == "created"}
    touched = {change["entity"] for change in log.changes} - created
    links = sum(change["field"] in Relationship.Type.values for change in log.changes)
    return {
        "entities_created": len(created),
        "entities_updated": len(touched),
        "relationships_created": links,
    }


def _aliases(record: Record) -> list[dict[str, str]]:
    return [
        {"name": variant.name, "type": variant.type, "language": variant.language}
        for variant in record.names
        if variant.type != LEGAL_NAME
    ]


def _metadata(record: Record, register: Register) -> dict[str, Any]:
    entity = record.attributes.get("entity") or {}
    return {
        "entity_status": record.entity_status,
        "registration_status": record.registration_status,
        "category": record.category,
        "legal_form": record.legal_form,
        "addresses": [entity[key] for key in ("legalAddress", "headquartersAddress") if entity.get(key)],
        "register": register.name,
    }


def _status(attributes: dict[str, Any] | None) -> str:
    return str(((attributes or {}).get("relationship") or {}).get("status") or "")[:20]
