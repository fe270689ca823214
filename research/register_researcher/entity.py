"""The LEI record of one legal entity, as findings for entity memory."""

from collections.abc import Iterator

from research.jsontext import JsonObject
from research.llm.interface import Task
from research.register_researcher.discovery import note_register
from research.register_researcher.exceptions import WITHHELD, exception_sentences
from research.register_researcher.national import look_up
from research.register_researcher.playbook import Notes, Steps, ask, quoted
from research.register_researcher.selection import Found, described, find_entity, is_live, name_of, status_of

CONFIDENCE = {"HIGH": 80, "MEDIUM": 60, "LOW": 40}
LESS_SURE = 20  # deduction if the name asked for differs from the name on record


def entity_research(task: Task, offered: frozenset[str] = frozenset()) -> Steps[JsonObject]:
    """Findings ``{summary, confidence, sentiment, risks, opportunities, metadata}`` about one entity.

    National registers are asked if their tools are offered.

    Raises:
        Refusal: the entity was not found, is ambiguous, or the register cannot be asked.
    """
    notes, params = Notes(), task.params
    name = str(params.get("name") or params.get("identifier") or "")
    lei, place = str(params.get("lei") or ""), str(params.get("jurisdiction") or "")
    found = yield from find_entity(notes, task, name, lei=lei, place=place)
    parents = yield from ask(notes, "lei_parents", lei=found.lei)
    national = yield from look_up(notes, found.record, offered)
    risks = [*_status_risks(found), *_parent_risks(found, parents)]
    _note_parents(notes, found, parents)
    note_register(notes)
    confidence = CONFIDENCE[notes.search_quality] - (0 if found.sure else LESS_SURE)
    status = f"{described(found.record)}: {status_of(found.record)}."
    numbers = {match["register"]: match["number"] for match in national.matches}
    return {
        "summary": " ".join([status, *notes.findings]),
        "confidence": confidence,
        "sentiment": "unknown",
        "risks": risks,
        "opportunities": [],
        "metadata": {
            "composed_by": "register",
            **_facts(found, parents),
            **({"register_numbers": numbers} if numbers else {}),
            "gaps": notes.gaps,
        },
    }


def _status_risks(found: Found) -> Iterator[str]:
    if found.first["lei"] != found.lei:
        yield f"{described(found.first)} has ended; {described(found.record)} is its successor on record."
    if not is_live(found.record):
        yield f"It is not live: {status_of(found.record)}."
    elif found.record.get("registration_status") == "LAPSED":
        yield "Its LEI registration has lapsed: nobody vouches that the record is up to date."


def _parent_risks(found: Found, parents: JsonObject | None) -> Iterator[str]:
    for sentence, reason in exception_sentences(quoted(name_of(found.record)), parents) if parents else ():
        if reason in WITHHELD:
            yield sentence


def _note_parents(notes: Notes, found: Found, parents: JsonObject | None) -> None:
    if parents is None:
        notes.gaps.append("Whether it has a parent is not known.")
        return
    for sentence, reason in exception_sentences(quoted(name_of(found.record)), parents):
        if reason not in WITHHELD:
            notes.findings.append(sentence)
    for level in ("direct", "ultimate"):
        said = parents[level]
        if said["kind"] == "record":
            notes.findings.append(f"Its {level} parent on record is {described(said['record'])}.")
        elif said["kind"] == "none":
            notes.gaps.append(f"The register is silent about a {level} parent.")


def _facts(found: Found, parents: JsonObject | None) -> JsonObject:
    record = found.record
    names = (
        "lei",
        "name",
        "jurisdiction",
        "category",
        "entity_status",
        "registration_status",
        "next_renewal",
    )
    facts = {name: record[name] for name in names if record.get(name)}
    for level in ("direct", "ultimate"):
        parent = (parents or {}).get(level, {}).get("record")
        if parent:
            facts[f"{level}_parent"] = parent["lei"]
    return facts
