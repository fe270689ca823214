"""Ownership: the chain of accounting parents, and every reason why it ends.

The LEI register knows who consolidates whom, which is control; it knows no percentages and no natural persons. So it
names nobody as a beneficial owner, and every end of the chain is told with its reason. Persons come only from national
registers that have been told of them, where this installation can ask any.
"""

from dataclasses import dataclass, field

from research.jsontext import JsonObject
from research.llm.interface import Task
from research.register_researcher.classification import entity_type
from research.register_researcher.control import Controllers, read_controllers, read_officers
from research.register_researcher.discovery import note_feedback, note_register
from research.register_researcher.exceptions import WITHHELD, exception_sentences
from research.register_researcher.national import SEARCH, look_up
from research.register_researcher.playbook import Notes, Steps, ask, quoted
from research.register_researcher.selection import (
    Found,
    described,
    find_named_entity,
    is_live,
    name_of,
    status_of,
)

MAX_DEPTH = 10
DEFAULT_THRESHOLD = 25


@dataclass
class Chain:
    """The chain of parents as the schema defines it, and how it ended."""

    links: list[JsonObject] = field(default_factory=list)
    records: list[JsonObject] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    looped: bool = False
    broken: bool = False  # a call was not answered, or the depth limit was reached
    reasons: list[str] = field(default_factory=list)


def ubo_investigation(task: Task, offered: frozenset[str] = frozenset()) -> Steps[JsonObject]:
    """Document of schema ``ubo-investigation-result``; national registers are asked if their tools are offered.

    Raises:
        Refusal: the entity was not found, is ambiguous, or the register cannot be asked.
    """
    notes = Notes()
    found = yield from find_named_entity(notes, task)
    chain = yield from _climb(notes, found)
    control = yield from _controllers(notes, chain, task, offered)
    return _document(notes, found, chain, control, task)


def _controllers(notes: Notes, chain: Chain, task: Task, offered: frozenset[str]) -> Steps[Controllers]:
    """Controllers of both ends of the chain by national registers: the entity and the top."""
    told = Controllers()
    ends = {record["lei"]: record for record in (chain.records[0], chain.records[-1])}
    for record in ends.values():
        national = yield from look_up(notes, record, offered)
        found = yield from read_controllers(notes, national, task)
        yield from read_officers(notes, national)
        told.add(found)
        if SEARCH not in offered:
            break
    return told


def _climb(notes: Notes, found: Found) -> Steps[Chain]:
    """Follow direct parents upwards. If only the ultimate parent is on record, go straight to it."""
    chain = Chain(records=[found.record])
    while len(chain.links) < MAX_DEPTH:
        current = chain.records[-1]
        parents = yield from ask(notes, "lei_parents", lei=current["lei"])
        if parents is None:
            chain.broken = True
            return chain
        level, parent = _next(parents, current["lei"])
        _note_exceptions(notes, chain, current, parents, climbs=parent is not None)
        if parent is None:
            return chain
        chain.links.append(_link(current, parent, level, parents[level].get("relationship") or {}))
        if parent["lei"] in {record["lei"] for record in chain.records}:
            chain.looped = True
            chain.flags.append(f"The parents on record go in a circle: {described(parent)} occurs twice.")
            return chain
        chain.records.append(parent)
    chain.broken = True
    notes.gaps.append(f"The chain was followed over {MAX_DEPTH} parents and not further.")
    return chain


def _next(parents: JsonObject, own: str) -> tuple[str, JsonObject | None]:
    for level in ("direct", "ultimate"):
        record: JsonObject | None = parents[level].get("record")
        if record and record["lei"] != own:
            return level, record
    return "", None


def _note_exceptions(
    notes: Notes, chain: Chain, record: JsonObject, parents: JsonObject, *, climbs: bool
) -> None:
    name = described(record)
    for sentence, reason in exception_sentences(name, parents):
        # Every exception leaves owners unknown. A withheld parent is also a red flag.
        notes.gaps.append(sentence)
        chain.reasons.append(reason)
        if reason in WITHHELD:
            chain.flags.append(sentence)
    if climbs and parents["direct"]["kind"] != "record":
        notes.gaps.append(f"Between {name} and its ultimate parent may be entities that are not on record.")
    elif not climbs and "none" in (parents["direct"]["kind"], parents["ultimate"]["kind"]):
        notes.gaps.append(f"The register is silent about parents of {name}; that is not free float.")


def _link(owned: JsonObject, owner: JsonObject, level: str, relation: JsonObject) -> JsonObject:
    """A consolidation as a chain entry: it means control ("other_control"), never a percentage."""
    status = relation.get("status")
    told = f", relationship {status}" if status else ""
    note = f"LEI register: {level} accounting consolidation parent{told}"
    return {
        "owner_name": name_of(owner),
        "owner_lei": owner["lei"],
        "owner_type": "legal_entity",
        "owned_entity": name_of(owned),
        "relationship_type": "other_control",
        "is_natural_person": False,
        "source": f"{note}; {owner['url']}" if owner.get("url") else note,
        "confidence": "high",
    }


def _document(notes: Notes, found: Found, chain: Chain, control: Controllers, task: Task) -> JsonObject:
    notes.findings.insert(0, f"{described(found.record)}: {status_of(found.record)}.")
    if chain.links:
        path = " → ".join(quoted(name_of(record)) for record in chain.records)
        notes.findings.insert(1, f"Consolidated upwards: {path}.")
    elif not chain.broken:
        notes.findings.insert(1, f"No parent of {described(found.record)} is on record.")
    _note_limits(notes, task, control)
    _note_statuses(chain)
    note_feedback(notes, task)
    note_register(notes)
    return {
        "entity": entity_part(found.record),
        "ownership_chain": [*chain.links, *control.links],
        "potential_ubos": control.persons,
        "investigation_summary": {
            "ownership_completeness": _completeness(chain, control),
            "ubo_determination_status": _determination(chain, control),
            "complexity_level": _complexity(chain),
            "red_flags": [*chain.flags, *control.flags],
            "data_gaps": notes.gaps,
            "recommended_actions": notes.verifications,
            "sources_consulted": [notes.register_label, *dict.fromkeys(notes.consulted)],
        },
        "search_quality": notes.search_quality,
        "note": "\n".join(notes.findings),
    }


def entity_part(record: JsonObject) -> JsonObject:
    """The entity of a document, with the facts of its record."""
    values = {
        "name": name_of(record),
        "lei": record["lei"],
        "jurisdiction": record.get("jurisdiction"),
        "entity_type": entity_type(record),
        "registration_number": record.get("registered_as"),
    }
    return {key: value for key, value in values.items() if value}


def _note_limits(notes: Notes, task: Task, control: Controllers) -> None:
    threshold = task.params.get("ownership_threshold")
    threshold = DEFAULT_THRESHOLD if threshold is None else threshold
    read = ", ".join(control.read)
    notes.gaps.append(
        f"Natural persons are not in the LEI register; those named here were notified to {read}, and bands are not "
        "percentages."
        if control.links
        else "Natural persons are not in this register, so no beneficial owner can be named from it."
    )
    notes.gaps.append(
        f"The LEI register has no percentages, so the threshold of {threshold:g} % could not be applied to it. "
        "Accounting consolidation means control, and is reported as such."
    )
    if task.params.get("include_control") is False:
        notes.gaps.append(
            "Control was not asked for (include_control is false), but consolidation is all that the register tells; "
            "the chain is reported because there is nothing else."
        )
    notes.verifications.append(
        "Ask the company for its register of beneficial owners, or the national one for an extract."
    )
    notes.verifications.append(
        "Obtain the shareholdings and voting rights from filings or the commercial register."
    )


def _note_statuses(chain: Chain) -> None:
    for record in chain.records:
        if not is_live(record):
            chain.flags.append(f"{described(record)} has ended: {status_of(record)}.")
        elif record.get("registration_status") == "LAPSED":
            chain.flags.append(
                f"The LEI registration of {described(record)} has lapsed: its parents may be out of date."
            )


def _determination(chain: Chain, control: Controllers) -> str:
    """Never "clear": a person must verify what a company has notified about its owners."""
    if chain.looped or len(chain.links) > 3:
        return "complex_structure_needs_review"
    return "possible_ubos_need_verification" if control.persons else "insufficient_information"


def _completeness(chain: Chain, control: Controllers) -> str:
    """Never "complete": the register does not contain natural persons."""
    if chain.broken or chain.looped:
        return "incomplete"
    return "partial" if chain.links or chain.reasons or control.links else "unknown"


def _complexity(chain: Chain) -> str:
    if chain.looped or len(chain.links) > 6:
        return "highly_complex"
    return "complex" if len(chain.links) > 3 else "moderate" if len(chain.links) > 1 else "simple"
