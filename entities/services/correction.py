"""Taking a wrong selection back: what it imported is undone fact by fact, as far as nobody has built on it since.

The plan can be looked at first; it is made again under lock when it is carried out, and refused if it has become
another. Nothing is erased: forms are made inactive, relationships end, fields get their old value back, and the
correction keeps what was done and what was left, with the reason.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from uuid import UUID

from django.db import IntegrityError
from django.utils import timezone

from common.connection import give_connection_back
from common.text import storable_text
from common.transactions import retried
from entities import memory
from entities.memory import OutOfDate, RefusedWrite, survivor
from entities.memory.locks import one_at_a_time
from entities.memory.vouching import together
from entities.models import (
    Entity,
    ImportedFact,
    RegisterCorrection,
    RegisterSelection,
    Relationship,
    Representation,
    Statement,
)
from entities.models.selection import CHOSEN, CorrectionKind, FactKind
from entities.registers.setup import open_source
from entities.services.register_import import selection_document
from entities.services.selection import (
    MAX_REASON,
    Choice,
    Origin,
    Person,
    chosen_by_person,
    record_choice,
    require_decider,
    wanted_for,
)
from entities.services.thresholds import thresholds_of

Action: TypeAlias = Literal["end", "restore", "set apart", "keep"]
REPLACING = frozenset(
    {CorrectionKind.WRONG_ENTITY, CorrectionKind.WRONG_JURISDICTION, CorrectionKind.STALE_DATA}
)


@dataclass(frozen=True)
class Step:
    """What will be done about one fact; ``note`` says what it is, or why it is kept."""

    fact: ImportedFact
    action: Action
    note: str

    def as_json(self) -> dict[str, Any]:
        return {"fact": self.fact.ordinal, "kind": self.fact.kind, "action": self.action, "note": self.note}


@dataclass(frozen=True)
class Plan:
    """All steps, last written first; ``digest`` names exactly this plan."""

    selection: RegisterSelection
    steps: tuple[Step, ...]

    @property
    def digest(self) -> str:
        text = json.dumps([step.as_json() for step in self.steps], sort_keys=True)
        return hashlib.sha256(f"{self.selection.pk} {text}".encode()).hexdigest()


def preview_correction(selection: RegisterSelection) -> Plan:
    """What taking the selection back would do now. Writes nothing. Raises RefusedWrite if there is nothing to take."""
    if selection.verdict not in CHOSEN:
        raise RefusedWrite("nothing was chosen by this selection, so there is nothing to take back")
    if RegisterCorrection.objects.filter(selection=selection).exists():
        raise RefusedWrite("this selection has been corrected already")
    facts = ImportedFact.objects.filter(selection=selection).select_related("entity").order_by("-ordinal")
    steps = [_step(fact) for fact in facts]
    ending = {step.fact.row for step in steps if step.action == "end"}
    return Plan(selection, tuple(_apart(step, ending) for step in steps))


def correct_selection(
    *,
    selection: RegisterSelection,
    kind: str,
    reason: str,
    by: Person,
    digest: str = "",
    number: str = "",
    into: Entity | None = None,
) -> RegisterCorrection:
    """Take a selection back, and take another line instead where one is given.

    ``number`` is the right line for the same entity; for merge-required ``into`` is the entity that the line is of.
    ``digest`` is that of the plan that was looked at.

    Raises:
        NotAllowed, RefusedWrite: among them a selection that has been corrected already.
        OutOfDate: the plan is no longer the one that was looked at.
        RegisterError: the other line could not be read; nothing was written.
    """
    require_decider(by)
    why = storable_text(reason).strip()[:MAX_REASON]
    _refuse_unsound(selection, kind, why, number, into)
    target = _survivor_of(into.pk if into else selection.entity_id)
    choice = _other(selection, target, number or (selection.number if into else ""), why)
    correction = RegisterCorrection(selection=selection, kind=kind, reason=why, corrected_by=by)
    try:
        return _carry_out(correction, digest, choice, target)
    except IntegrityError as error:
        raise OutOfDate("somebody else has just corrected this selection") from error


def _refuse_unsound(
    selection: RegisterSelection, kind: str, why: str, number: str, into: Entity | None
) -> None:
    faults = [
        (kind not in CorrectionKind.values, f"there is no correction called {kind[:40]!r}"),
        (not why, "a correction needs a reason in words"),
        (
            bool(number) and kind not in REPLACING,
            f"a correction called {kind} takes no other number",
        ),
        (
            (kind == CorrectionKind.MERGE_REQUIRED) != (into is not None),
            "the entity that the line belongs to goes with merge-required, and only with it",
        ),
        (into is not None and into.pk == selection.entity_id, "it belongs to this entity already"),
    ]
    for holds, message in faults:
        if holds:
            raise RefusedWrite(message)


def _other(selection: RegisterSelection, target: Entity, number: str, why: str) -> Choice | None:
    """The line to take instead, read before anything is written."""
    if not number:
        return None
    source = open_source(selection.register)
    wanted, thresholds = wanted_for(target, source, "", number), thresholds_of(selection.register)
    give_connection_back()
    return chosen_by_person(source, wanted, thresholds, number, why, Origin())


@retried
@together()
def _carry_out(
    correction: RegisterCorrection, digest: str, choice: Choice | None, target: Entity
) -> RegisterCorrection:
    selection = correction.selection
    one_at_a_time(f"register {selection.register} {selection.entity_id}")
    plan = preview_correction(selection)
    if digest and digest != plan.digest:
        raise OutOfDate("what this selection imported has changed since you looked; look again")
    for step in plan.steps:
        _undo(step)
    _end_statements(selection)
    _tell(selection, correction.reason)
    correction.undone, correction.at = [step.as_json() for step in plan.steps], timezone.now()
    if choice:
        correction.replacement = record_choice(
            entity=Entity.objects.get(pk=target.pk),
            choice=choice,
            by=correction.corrected_by,
            origin=Origin(),
            instead_of=selection,
        )
    correction.save(force_insert=True)
    return correction


def _end_statements(selection: RegisterSelection) -> None:
    """What the selection stated ends, but for what the rows still say."""
    stated = Statement.objects.filter(
        document=selection_document(selection), subject__in=_touched(selection), recorded_to__isnull=True
    )
    entities = Entity.objects.filter(pk__in=stated.values("subject"))
    kept = {entity.pk: memory.facts_said_of(entity) for entity in entities}
    memory.retract(stated, kept=kept, at=timezone.now())


def _touched(selection: RegisterSelection) -> set[UUID]:
    facts = ImportedFact.objects.filter(selection=selection).select_related("entity")
    return {pk for fact in facts for pk in _holders(fact)}


def _step(fact: ImportedFact) -> Step:
    if fact.kind == FactKind.REPRESENTATION:
        return _step_for_form(fact)
    if fact.kind == FactKind.RELATIONSHIP:
        return _step_for_link(fact)
    if fact.kind == FactKind.FIELD:
        return _step_for_field(fact)
    if fact.kind == FactKind.ENTITY:
        return Step(fact, "set apart", f"the entity {fact.entity.slug}, which only this selection stated")
    return Step(fact, "keep", "what happened stays on the timeline; that it was taken back is added")


def _step_for_form(fact: ImportedFact) -> Step:
    form = Representation.objects.filter(pk=fact.row).first()
    if form is None or not form.active:
        return Step(fact, "keep", f"the number {fact.new} is not active any more")
    if form.entity_id not in _holders(fact):
        return Step(fact, "keep", f"the number {fact.new} has moved to another entity")
    return Step(fact, "end", f"the number {fact.new}")


def _step_for_link(fact: ImportedFact) -> Step:
    link = Relationship.objects.filter(pk=fact.row).first()
    if link is None or link.valid_to is not None:
        return Step(fact, "keep", f"that it is {fact.field} {fact.new} has ended already")
    if link.subject_id not in _holders(fact) or str(fact.selection.number) not in link.source:
        return Step(fact, "keep", f"that it is {fact.field} {fact.new} is stated by another source now")
    return Step(fact, "end", f"that it is {fact.field} {fact.new}")


def _step_for_field(fact: ImportedFact) -> Step:
    if fact.field == "aliases":
        names = ", ".join(str(alias["name"]) for alias in fact.new or [])
        return Step(fact, "restore", f"without the names {names}")
    if all(_value(entity, fact.field) != fact.new for entity in _holders(fact).values()):
        return Step(fact, "keep", f"{fact.field} has been changed since")
    return Step(fact, "restore", f"{fact.field} as it was before")


def _apart(step: Step, ending: set[str]) -> Step:
    """An entity is set apart only if nothing remains that speaks of it besides what is being taken back."""
    if step.action != "set apart":
        return step
    entity = step.fact.entity
    links = {*entity.related_from.filter(valid_to=None).values_list("pk", flat=True)}
    links |= {*entity.relationships.filter(valid_to=None).values_list("pk", flat=True)}
    others = {str(pk) for pk in links} - ending
    if entity.merged_into_id:
        return Step(step.fact, "keep", f"the entity {entity.slug} was merged into another")
    if entity.verified or entity.lei or others or entity.representations.filter(active=True).exists():
        return Step(step.fact, "keep", f"other facts rest on the entity {entity.slug}")
    return step


def _survivor_of(pk: UUID) -> Entity:
    """As the database has it now: a selection may have been looked at before a merge."""
    return survivor(Entity.objects.get(pk=pk))


def _holders(fact: ImportedFact) -> dict[UUID, Entity]:
    """Who may hold the fact now: the entity that it was written to, and the one that this was merged into."""
    return {entity.pk: entity for entity in (fact.entity, survivor(fact.entity))}


def _value(entity: Entity, path: str) -> Any:
    first, *rest = path.split(".", 2)
    value = getattr(entity, first)
    for key in rest:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _undo(step: Step) -> None:
    fact = step.fact
    if step.action == "end" and fact.kind == FactKind.REPRESENTATION:
        Representation.objects.filter(pk=fact.row, active=True).update(active=False)
    elif step.action == "end":
        _end_link(fact)
    elif step.action == "restore":
        _restore(fact)
    elif step.action == "set apart":
        _set_apart(fact)


def _end_link(fact: ImportedFact) -> None:
    today = timezone.localdate()
    link = Relationship.objects.get(pk=fact.row)
    link.valid_to = max(today, link.valid_from or today)
    link.save(update_fields=["valid_to", "updated_at"])


def _restore(fact: ImportedFact) -> None:
    for entity in Entity.objects.select_for_update().filter(pk__in=_holders(fact)).order_by("pk"):
        if fact.field == "aliases" or _value(entity, fact.field) == fact.new:
            _restore_in(entity, fact)


def _restore_in(entity: Entity, fact: ImportedFact) -> None:
    if fact.field == "aliases":
        entity.aliases = [alias for alias in entity.aliases if alias not in (fact.new or [])]
    elif fact.field in ("jurisdiction", "lei"):
        setattr(entity, fact.field, fact.old or "")
    else:
        register = fact.field.rpartition(".")[2]
        lines = {**(entity.metadata.get("registers") or {}), register: fact.old}
        kept = {name: line for name, line in lines.items() if line}
        rest = {key: value for key, value in entity.metadata.items() if key != "registers"}
        entity.metadata = {**rest, "registers": kept} if kept else rest
    entity.save(update_fields=["aliases", "jurisdiction", "lei", "metadata", "updated_at"])


def _set_apart(fact: ImportedFact) -> None:
    """No name leads to it any more, until a person verifies it."""
    entity = Entity.objects.select_for_update().get(pk=fact.entity_id)
    entity.pending_verification = not entity.verified
    entity.metadata = {**entity.metadata, "withdrawn": str(fact.selection_id)}
    entity.save(update_fields=["pending_verification", "metadata", "updated_at"])


def _tell(selection: RegisterSelection, why: str) -> None:
    memory.add_event(
        entity=_survivor_of(selection.entity_id),
        type="register-unlinked",
        summary=f"{selection.register} {selection.number} is not this entity: {why}"[:1000],
        importance=7,
        source=f"correction of {selection.register}",
        data={"selection": str(selection.pk)},
    )
