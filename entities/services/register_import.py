"""Writing what a register says of a chosen company, each fact under the selection it rests on, so that it can be taken
back: the number, further names, the place, a line in the metadata, and who controls the company.

A fact that memory holds already, from whatever source, is left alone and is not this selection's to take back.
"""

from datetime import date
from typing import Any

from django.utils import timezone

from entities import memory
from entities.memory.vouching import written
from entities.models import (
    Entity,
    ImportedFact,
    RegisterSelection,
    Relationship,
    Representation,
    SourceKind,
)
from entities.models.selection import FactKind
from entities.registers.records import Company, Control, Owner, Owners, as_json

MAX_OWNERS = 100
LEI_REGISTER = "gleif"
TYPES = {
    "natural_person": Entity.Type.PERSON,
    "legal_entity": Entity.Type.LEGAL_ENTITY,
    "government": Entity.Type.LEGAL_ENTITY,
}


class Importer:
    """Writes for one selection; call it inside the transaction that created the selection."""

    def __init__(self, selection: RegisterSelection, label: str) -> None:
        self.selection, self.entity, self.label = selection, selection.entity, label
        self.facts: list[ImportedFact] = []
        self.log = memory.ChangeLog()

    def take(self, company: Company, owners: Owners | None) -> list[ImportedFact]:
        """Everything that the register says of the company. Raises RefusedWrite if another entity has its number."""
        origin = memory.Origin(
            kind=SourceKind.REGISTER,
            source=self.source,
            as_of=_day(company.provenance.as_of),
            document=selection_document(self.selection),
            signed_by=self.selection.chosen_by.get_username() if self.selection.chosen_by else "",
        )
        self.log = memory.ChangeLog(origin=origin)
        self._number(company)
        self._fields(company)
        for owner in owners.current[:MAX_OWNERS] if owners else ():
            if not owner.withheld and owner.kind in TYPES:
                self._owner(company, owner)
        self._tell(company)
        facts = ImportedFact.objects.bulk_create(self.facts)
        written("importedfact", [fact.pk for fact in facts])
        return facts

    @property
    def source(self) -> str:
        return f"{self.label} ({self.selection.number})"

    def _note(
        self, kind: FactKind, entity: Entity, row: object, field: str = "", old: Any = None, new: Any = None
    ) -> None:
        self.facts.append(
            ImportedFact(
                selection=self.selection,
                ordinal=len(self.facts) + 1,
                kind=kind,
                entity=entity,
                row=str(row),
                field=field,
                old=old,
                new=new,
            )
        )

    def _number(self, company: Company) -> None:
        held = Representation.objects.filter(entity=self.entity, active=True).values_list("pk", flat=True)
        before = set(held)
        lei = self.selection.register == LEI_REGISTER
        if lei:
            self._refuse_taken(company.number)
        form = memory.add_representation(
            entity=self.entity,
            type=Representation.Type.LEI if lei else Representation.Type.REGISTER_NUMBER,
            authority="GLEIF" if lei else self.selection.register,
            key=company.number,
            log=self.log,
        )
        if form.pk not in before:
            self._note(FactKind.REPRESENTATION, self.entity, form.pk, new=company.number)

    def _refuse_taken(self, lei: str) -> None:
        if self.entity.lei not in ("", lei):
            raise memory.RefusedWrite(f"{self.entity.slug} has the LEI {self.entity.lei} already")
        other = Entity.objects.filter(lei=lei).exclude(pk=self.entity.pk).first()
        if other:
            raise memory.RefusedWrite(f"LEI {lei} belongs to {other.slug} already, not to {self.entity.slug}")

    def _fields(self, company: Company) -> None:
        """New aliases, jurisdiction and LEI if none was known, and the register's own line in the metadata."""
        entity = Entity.objects.select_for_update().get(pk=self.entity.pk)
        known = {entity.name.casefold(), *(str(alias.get("name", "")).casefold() for alias in entity.aliases)}
        added = [
            {"name": one.name, "type": one.type, "language": one.language}
            for one in company.names
            if one.name.casefold() not in known
        ]
        line = _line(company)
        registers = dict(entity.metadata.get("registers") or {})
        self._field(entity, "aliases", None, added)
        if not entity.jurisdiction:
            self._field(entity, "jurisdiction", "", company.jurisdiction[:10])
            entity.jurisdiction = company.jurisdiction[:10]
        if self.selection.register == LEI_REGISTER and not entity.lei:
            self._field(entity, "lei", "", company.number)
            entity.lei = company.number
        name = f"metadata.registers.{self.selection.register}"
        self._field(entity, name, registers.get(self.selection.register), line)
        entity.aliases = [*entity.aliases, *added]
        entity.metadata = {**entity.metadata, "registers": {**registers, self.selection.register: line}}
        entity.save(update_fields=["aliases", "jurisdiction", "lei", "metadata", "updated_at"])
        given = Entity(
            name=company.name,
            jurisdiction=company.jurisdiction[:10],
            aliases=added,
            metadata={"registers": {self.selection.register: line}},
        )
        memory.state_entity(entity, self.log, given=given)
        self.entity.refresh_from_db()

    def _field(self, entity: Entity, name: str, old: Any, new: Any) -> None:
        if new and new != old:
            self._note(FactKind.FIELD, entity, entity.pk, name, old, new)

    def _owner(self, company: Company, owner: Owner) -> None:
        """One controller: an entity of its own unless the company is linked to one of that name already."""
        shares = any(nature.kind == Control.SHARES for nature in owner.control)
        type = Relationship.Type.OWNED_BY if shares else Relationship.Type.CONTROLLED_BY
        current = Relationship.objects.filter(subject=self.entity, valid_to=None).select_related("object")
        if any(link.object.name.casefold() == owner.name.casefold() for link in current):
            return
        controller = memory.create_entity(
            name=owner.name,
            type=TYPES[owner.kind],
            key=f"{self.selection.register} {company.number} {owner.name}"[:200],
            metadata={"stated_by": self.source},
            log=self.log,
        )
        self._note(FactKind.ENTITY, controller, controller.pk, new=owner.name)
        link = memory.link(
            subject=self.entity,
            object=controller,
            type=type,
            percentage=None,  # a band is no percentage
            source=self.source,
            valid_from=owner.since,
            metadata={"natures_of_control": _natures(owner)},
            log=self.log,
        )
        self._note(FactKind.RELATIONSHIP, self.entity, link.pk, type, new=owner.name)

    def _tell(self, company: Company) -> None:
        event = memory.add_event(
            entity=self.entity,
            type="register-linked",
            summary=f"{self.label} {company.number} was taken to be this entity: {company.name}",
            source=self.source,
            data={"selection": str(self.selection.pk)},
        )
        self._note(FactKind.EVENT, self.entity, event.pk)


def selection_document(selection: RegisterSelection) -> str:
    """How the statements of a selection name it."""
    return f"selection {selection.pk}"


def _day(text: str) -> date | None:
    """The day for which the register speaks; none where it says it otherwise."""
    try:
        return min(date.fromisoformat(text[:10]), timezone.localdate())
    except ValueError:
        return None


def _line(company: Company) -> dict[str, Any]:
    line: dict[str, Any] = as_json(
        {
            "number": company.number,
            "name": company.name,
            "standing": company.standing,
            "status": company.status,
            "legal_form": company.legal_form,
            "founded": company.founded,
            "ended": company.ended,
            "address": company.address,
            "as_of": company.provenance.as_of,
            "url": company.provenance.url,
        }
    )
    return line


def _natures(owner: Owner) -> list[dict[str, str]]:
    return [
        {"kind": nature.kind.value, "band": nature.band, "through": nature.through, "stated": nature.stated}
        for nature in owner.control
    ]
