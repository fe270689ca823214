"""Choosing the line of a register that is an entity, and keeping an account of it: candidates, scores, who and why.

The register is asked before anything is written, and nothing is held while it answers. What was chosen is imported in
the same transaction, each fact under the selection it rests on.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

from django.contrib.auth.models import User
from django.utils import timezone

from common.connection import give_connection_back
from common.text import storable_text
from common.transactions import retried
from entities.memory import NotAllowed, RefusedWrite
from entities.memory.locks import one_at_a_time
from entities.memory.vouching import together
from entities.models import Entity, RegisterSelection, Representation
from entities.models.selection import CHOSEN, Chooser, SelectionVerdict
from entities.registers.base import RegisterSource
from entities.registers.looking import Found, look_up, usable_number
from entities.registers.matching import Candidate, Outcome, Thresholds, Wanted, match
from entities.registers.records import Capability, Company, Owners, Page
from entities.registers.setup import open_source
from entities.services.register_import import Importer
from entities.services.thresholds import thresholds_of

Person: TypeAlias = User

DECIDE = "entities.decide_register"
MAX_REASON = 2_000
MAX_KEPT = 20


@dataclass(frozen=True)
class Choice:
    """A look-up as it is put on record; ``company`` and ``owners`` only when something was chosen."""

    source: RegisterSource
    wanted: Wanted
    found: Found
    thresholds: Thresholds
    verdict: SelectionVerdict
    chooser: Chooser
    reason: str
    candidate: Candidate | None = None
    company: Company | None = None
    owners: Owners | None = None


@dataclass(frozen=True)
class Origin:
    """Where a choice came from, when not from a person's own look: the model that proposed it, the result or run."""

    model: str = ""
    reference: str = ""


def require_decider(by: Person | None) -> Person:
    """Raises NotAllowed unless the person is active and may choose and correct."""
    if by is None or not by.is_active or not by.has_perm(DECIDE):
        who = by.get_username() if by else "an anonymous caller"
        raise NotAllowed(f"{who} may not choose for registers: the permission {DECIDE} is missing")
    return by


def candidates_for(*, entity: Entity, register: str, name: str = "", number: str = "") -> Found:
    """What a register has for an entity, judged by the thresholds. Writes nothing. Raises RegisterError."""
    source = open_source(register)
    wanted, thresholds = wanted_for(entity, source, name, number), thresholds_of(register)
    give_connection_back()
    return look_up(source, wanted, thresholds)


def select_company(
    *,
    entity: Entity,
    register: str,
    by: Person,
    number: str = "",
    name: str = "",
    reason: str = "",
    origin: Origin | None = None,
) -> RegisterSelection:
    """Choose for an entity: the line with ``number``, else whatever the rule takes by itself, if it takes any.

    A rule that takes none is recorded as well, as ambiguous or no-match, and nothing is imported. With a number the
    person's choice stands whatever the score; the rule's view of it is kept beside it.

    Raises:
        NotAllowed, RefusedWrite: the entity has another line of this register already, or another entity has this one.
        RegisterError: the register could not be asked, or has no such number.
    """
    require_decider(by)
    _refuse_second(entity, register)
    source = open_source(register)
    wanted, thresholds = wanted_for(entity, source, name, number), thresholds_of(register)
    give_connection_back()
    if number:
        choice = chosen_by_person(source, wanted, thresholds, number, reason, origin or Origin())
    else:
        choice = _chosen_by_rule(source, wanted, thresholds)
    return record_choice(entity=entity, choice=choice, by=by, origin=origin or Origin())


def reject_candidates(
    *, entity: Entity, register: str, by: Person, reason: str, name: str = ""
) -> RegisterSelection:
    """Put on record that none of a register's lines is the entity. Raises as ``select_company`` does."""
    require_decider(by)
    why = _reason(reason)
    source = open_source(register)
    wanted, thresholds = wanted_for(entity, source, name, ""), thresholds_of(register)
    give_connection_back()
    found = look_up(source, wanted, thresholds)
    choice = Choice(source, wanted, found, thresholds, SelectionVerdict.REJECTED, Chooser.PERSON, why)
    return record_choice(entity=entity, choice=choice, by=by, origin=Origin())


@retried
@together()
def record_choice(
    *,
    entity: Entity,
    choice: Choice,
    by: Person,
    origin: Origin,
    instead_of: RegisterSelection | None = None,
) -> RegisterSelection:
    """Write the selection and what it imports, all or nothing; one selection of a register is in force at a time."""
    one_at_a_time(f"register {choice.source.name} {entity.pk}")
    if choice.company:
        _refuse_second(entity, choice.source.name, instead_of)
    selection = RegisterSelection.objects.create(
        entity=entity,
        register=choice.source.name,
        query=_query(choice.wanted),
        candidates=[_as_json(one) for one in choice.found.outcome.candidates[:MAX_KEPT]],
        thresholds=_thresholds(choice.thresholds),
        verdict=choice.verdict,
        number=choice.company.number if choice.company else "",
        score=choice.candidate.score if choice.candidate else None,
        chooser=choice.chooser,
        chosen_by=by,
        model=origin.model[:100],
        reason=choice.reason,
        reference=origin.reference[:64],
        url=choice.company.provenance.url if choice.company else choice.found.provenance.url,
        as_of=choice.found.provenance.as_of,
        at=timezone.now(),
    )
    if choice.company:
        Importer(selection, choice.source.label).take(choice.company, choice.owners)
    return selection


def in_force(entity: Entity, register: str) -> RegisterSelection | None:
    """The selection that an entity's facts of a register rest on now."""
    chosen = RegisterSelection.objects.filter(entity=entity, register=register, verdict__in=CHOSEN)
    return chosen.filter(correction__isnull=True).order_by("-at").first()


def fetch(source: RegisterSource, number: str) -> tuple[Company, Owners | None]:
    """The record, and who controls it where the register can say."""
    company = source.record(number)
    owners = source.owners(number) if source.can(Capability.OWNERS) else None
    return company, owners


def chosen_by_person(
    source: RegisterSource,
    wanted: Wanted,
    thresholds: Thresholds,
    number: str,
    reason: str,
    origin: Origin,
) -> Choice:
    """A person's choice, or a model's that a person approved, with the rule's view of it."""
    chosen = source.normal_number(number)
    company, owners = fetch(source, chosen)
    others = source.search(wanted.name) if source.can(Capability.SEARCH) else None
    outcome = _outcome_with(company, others, wanted, thresholds)
    candidate = next((one for one in outcome.candidates if one.hit.number == chosen), None)
    confirmed = outcome.chosen is not None and outcome.chosen.hit.number == chosen
    verdict = SelectionVerdict.USER_CONFIRMED if confirmed else SelectionVerdict.USER_SELECTED
    found = Found(outcome, company.provenance, len(outcome.candidates), truncated=False)
    why = _reason(reason or (outcome.reason if confirmed else ""))
    chooser = Chooser.MODEL if origin.model else Chooser.PERSON
    return Choice(source, wanted, found, thresholds, verdict, chooser, why, candidate, company, owners)


def _outcome_with(
    company: Company, others: Page[Any] | None, wanted: Wanted, thresholds: Thresholds
) -> Outcome:
    """What the rule would have said, without being told the number."""
    hits = [company.as_hit(), *(others.items if others else ())]
    return match(Wanted(wanted.name, wanted.jurisdiction), hits, thresholds)


def _chosen_by_rule(source: RegisterSource, wanted: Wanted, thresholds: Thresholds) -> Choice:
    found = look_up(source, wanted, thresholds)
    outcome = found.outcome
    if outcome.chosen is None:
        verdict = SelectionVerdict.AMBIGUOUS if outcome.verdict == "ambiguous" else SelectionVerdict.NO_MATCH
        return Choice(source, wanted, found, thresholds, verdict, Chooser.RULE, outcome.reason)
    company, owners = fetch(source, outcome.chosen.hit.number)
    return Choice(
        source,
        wanted,
        found,
        thresholds,
        SelectionVerdict.AUTO_SELECTED,
        Chooser.RULE,
        outcome.reason,
        outcome.chosen,
        company,
        owners,
    )


def wanted_for(entity: Entity, source: RegisterSource, name: str, number: str) -> Wanted:
    """What to ask for: the name and place of the entity, and the number that is given or that memory has."""
    known = number or _known_number(entity, source)
    return Wanted(storable_text(name).strip() or entity.name[:500], entity.jurisdiction, known)


def _known_number(entity: Entity, source: RegisterSource) -> str:
    """The number that memory has of this register, by its own name or GLEIF's codes of its authority."""
    if source.name == "gleif":
        return entity.lei
    forms = Representation.objects.filter(
        entity=entity,
        type=Representation.Type.REGISTER_NUMBER,
        authority__in=[source.name, *source.authorities],
        active=True,
    )
    return next((number for form in forms if (number := usable_number(source, form.key))), "")


def _refuse_second(entity: Entity, register: str, instead_of: RegisterSelection | None = None) -> None:
    current = in_force(entity, register)
    if current and current != instead_of:
        raise RefusedWrite(
            f"{entity.slug} has {current.number} of this register already: correct that selection first"
        )


def _reason(reason: str) -> str:
    why = storable_text(reason).strip()[:MAX_REASON]
    if not why:
        raise RefusedWrite("a choice against or beside the rule needs a reason in words")
    return why


def _query(wanted: Wanted) -> dict[str, str]:
    return {"name": wanted.name, "jurisdiction": wanted.jurisdiction, "number": wanted.number}


def _thresholds(thresholds: Thresholds) -> dict[str, Any]:
    return {
        "auto": str(thresholds.auto),
        "ambiguous": str(thresholds.ambiguous),
        "reject": str(thresholds.reject),
        "always_human": thresholds.always_human,
    }


def _as_json(one: Candidate) -> dict[str, Any]:
    hit = one.hit
    return {
        "number": hit.number,
        "name": hit.name,
        "jurisdiction": hit.jurisdiction,
        "status": hit.status,
        "score": str(one.score),
        "explanation": one.explanation,
        "doubts": list(one.doubts),
    }
