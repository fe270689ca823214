"""Regulatory check: the standing of an entity by the LEI register, and what it does not cover.

The register is no supervisor's register and no sanctions list; those are asked where they are set up. The
recommendation is always that more is needed, unless a register or a list gives cause to escalate.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from research.jsontext import JsonObject
from research.llm.interface import Task
from research.register_researcher.discovery import note_feedback, note_register
from research.register_researcher.national import look_up
from research.register_researcher.ownership import entity_part
from research.register_researcher.playbook import Notes, Steps, ask, quoted
from research.register_researcher.sanctions import Sanctions, look_at_lists
from research.register_researcher.selection import (
    Found,
    described,
    find_named_entity,
    is_live,
    name_of,
    status_of,
)
from research.register_researcher.supervision import Supervision, read_supervision

DEFAULT_CHECKS = ("regulatory_registration", "enforcement_actions", "sanctions")
DOES = "regulatory_registration"
MEASURES = "enforcement_actions"
SANCTIONS = "sanctions"
KINDS = {
    "enforcement_actions": "enforcement actions",
    "sanctions": "sanctions lists",
    "pep": "politically exposed persons",
    "pep_connections": "politically exposed persons",
    "adverse_media": "adverse media",
    "litigation": "litigation",
}


@dataclass
class Standing:
    """Points for and against an entity."""

    concerns: list[str] = field(default_factory=list)  # a reason to escalate
    risks: list[str] = field(default_factory=list)
    mitigating: list[str] = field(default_factory=list)

    def add(self, told: Supervision) -> None:
        """Add the statements of supervisors and commercial registers. A measure is a reason to escalate."""
        self.concerns += told.concerns
        self.concerns += [f"{one['authority']}: {one['description']}" for one in told.measures]
        self.risks += told.risks
        self.mitigating += told.mitigating


def regulatory_check(task: Task, offered: frozenset[str] = frozenset()) -> Steps[JsonObject]:
    """Document of schema ``regulatory-check-result``; supervisors are asked if their tools are offered.

    Raises:
        Refusal: the entity was not found, is ambiguous, or the register cannot be asked.
    """
    notes = Notes()
    found = yield from find_named_entity(notes, task)
    related: list[JsonObject] = []
    if task.params.get("include_related_parties"):
        related = yield from _related(notes, found)
    national = yield from look_up(notes, found.record, offered)
    supervision = yield from read_supervision(notes, national, name_of(found.record))
    sanctions = Sanctions()
    if SANCTIONS in _asked_for(task):
        sanctions = yield from look_at_lists(notes, [found.record, *related], offered)
    return _document(notes, found, related, supervision, sanctions, task)


def _asked_for(task: Task) -> list[str]:
    kinds = task.params.get("check_types")
    return list(dict.fromkeys(map(str, kinds if isinstance(kinds, list) else DEFAULT_CHECKS)))


def _related(notes: Notes, found: Found) -> Steps[list[JsonObject]]:
    """The parents on record: the only related parties that this register knows."""
    parents = yield from ask(notes, "lei_parents", lei=found.lei)
    notes.gaps.append(
        "Of the related parties only parents were looked at; directors and owners are not in this register."
    )
    if parents is None:
        return []
    records = [parents[level]["record"] for level in ("direct", "ultimate") if "record" in parents[level]]
    if not records:
        notes.findings.append(f"No parent of {described(found.record)} is on record.")
    return list({record["lei"]: record for record in records}.values())


def _document(
    notes: Notes,
    found: Found,
    related: Sequence[JsonObject],
    supervision: Supervision,
    sanctions: Sanctions,
    task: Task,
) -> JsonObject:
    asked = _asked_for(task)
    judged = [found.record] if found.first["lei"] == found.lei else [found.record, found.first]
    standing = _judge(notes, judged)
    for record in related:
        if not is_live(record):
            standing.concerns.append(f"Related party {described(record)} has ended: {status_of(record)}.")
        elif record.get("registration_status") not in ("ISSUED", None):
            standing.risks.append(f"Related party {described(record)}: {status_of(record)}.")
    standing.add(supervision)
    standing.concerns += sanctions.concerns
    standing.mitigating += sanctions.mitigating
    done = {DOES, *[MEASURES] * bool(supervision.supervisors), *[SANCTIONS] * sanctions.checked}
    not_done = [kind for kind in asked if kind not in done]
    _note_not_done(notes, not_done, supervision)
    note_feedback(notes, task)
    note_register(notes)
    registrations = [_registration(record) for record in (*judged, *related)]
    return {
        "entity": entity_part(found.record),
        "regulatory_registrations": [*registrations, *supervision.registrations] if DOES in asked else [],
        **({"enforcement_actions": supervision.measures} if supervision.measures else {}),
        **({"sanctions_findings": sanctions.findings} if sanctions.findings else {}),
        "overall_risk_assessment": _assessment(notes, standing, not_done),
        "search_quality": notes.search_quality,
        "note": "\n".join(notes.findings),
    }


def _registration(record: JsonObject) -> JsonObject:
    """The LEI registration as a registration. It states that it is not a licence."""
    details = [
        ("registered since", record.get("initial_registration")),
        ("last updated", record.get("last_update")),
        ("next renewal", record.get("next_renewal")),
        ("corroboration", record.get("corroboration")),
        ("conformity", record.get("conformity")),
        ("commercial register", record.get("registered_as")),
    ]
    said = "; ".join(f"{label} {quoted(value)}" for label, value in details if value)
    fact = {
        "regulator": "GLEIF (LEI register; not a supervisor)",
        "registration_type": "LEI registration",
        "registration_number": record["lei"],
        "jurisdiction": str(record.get("jurisdiction") or ""),
        "status": str(record.get("registration_status") or "not stated"),
        "severity": _severity(record),
        "description": f"{quoted(name_of(record))}: {status_of(record)}{'; ' + said if said else ''}",
        "confidence": "high",
        "source_url": str(record.get("url") or ""),
    }
    return {key: value for key, value in fact.items() if value}


def _severity(record: JsonObject) -> str:
    if not is_live(record):
        return "high"
    return "low" if record.get("registration_status") == "ISSUED" else "medium"


def _judge(notes: Notes, records: Sequence[JsonObject]) -> Standing:
    standing = Standing()
    for record in records:
        _judge_status(standing, record)
        _judge_quality(standing, record)
        for event in record.get("events") or []:
            kind, status, day = (str(event.get(key) or "") for key in ("type", "status", "effective"))
            told = ", ".join(part for part in (status, day[:10]) if part)
            notes.findings.append(
                f"Event on record for {quoted(name_of(record))}: {quoted(kind)}{f' ({told})' if told else ''}."
            )
        due = record.get("next_renewal")
        if due and notes.as_of and is_live(record) and due < notes.as_of[:10]:
            standing.risks.append(f"The LEI renewal of {described(record)} was due on {due}.")
    return standing


def _judge_status(standing: Standing, record: JsonObject) -> None:
    status = record.get("registration_status")
    if not is_live(record):
        ended = [record.get("expiration_date"), record.get("expiration_reason")]
        how = ", ".join(str(part) for part in ended if part)
        standing.concerns.append(
            f"{described(record)} has ended: {status_of(record)}{f' ({how})' if how else ''}."
        )
    elif status == "ISSUED":
        standing.mitigating.append(f"The LEI registration of {described(record)} is in force.")
    elif status:
        standing.risks.append(
            f"The LEI registration of {described(record)} is {status}: its data may be out of date."
        )
    else:
        standing.risks.append(f"The register states no registration status for {described(record)}.")


def _judge_quality(standing: Standing, record: JsonObject) -> None:
    if not is_live(record):
        return
    if record.get("corroboration") == "FULLY_CORROBORATED":
        standing.mitigating.append(
            f"The record of {quoted(name_of(record))} is fully corroborated by its LEI issuer."
        )
    elif record.get("corroboration"):
        standing.risks.append(f"The record of {quoted(name_of(record))} is only {record['corroboration']}.")
    if record.get("conformity") == "NON_CONFORMING":
        standing.risks.append(f"The record of {quoted(name_of(record))} is flagged NON_CONFORMING.")


def _note_not_done(notes: Notes, kinds: Sequence[str], supervision: Supervision) -> None:
    for kind in kinds:
        notes.gaps.append(
            f"Not checked: {KINDS.get(kind, quoted(kind))}. The register researcher has no source for it."
        )
        notes.verifications.append(f"Check {KINDS.get(kind, quoted(kind))} with a source made for it.")
    if supervision.supervisors:
        names = ", ".join(dict.fromkeys(supervision.supervisors))
        notes.gaps.append(f"Authorisation and measures were looked up with {names} alone.")
        return
    notes.gaps.append(
        "Authorisation by a supervisor is not in this register; the LEI registration is no licence."
    )
    notes.verifications.append("Look the entity up in the register of its supervisor.")


def _assessment(notes: Notes, standing: Standing, not_done: Sequence[str]) -> JsonObject:
    escalate = bool(standing.concerns)
    return {
        "risk_level": "high" if escalate else "medium",
        "recommendation": "escalate_to_compliance" if escalate else "needs_more_information",
        "risk_factors": [*standing.concerns, *standing.risks],
        "mitigating_factors": standing.mitigating,
        "key_concerns": [_explained(escalate, not_done), *standing.concerns, *notes.gaps],
        "recommended_actions": notes.verifications,
        "sources_consulted": [notes.register_label, *dict.fromkeys(notes.consulted)],
    }


def _explained(escalate: bool, not_done: Sequence[str]) -> str:
    if escalate:
        return "The risk level is “high” because of what a register or a list shows; see the concerns below."
    missing = (
        ", ".join(KINDS.get(kind, quoted(kind)) for kind in not_done) or "the authorisation by a supervisor"
    )
    return f"The risk level is “medium” because it was not assessed, not because of a finding. Not checked: {missing}."
