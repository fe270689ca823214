"""Client discovery: the apex of a group, its fund managers and its funds, as far as the register states them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from research.jsontext import JsonObject
from research.llm.interface import Task
from research.register_researcher.classification import (
    entity_type,
    fund_structure,
    fund_type,
    manager_likelihood,
    named_like_investment_manager,
)
from research.register_researcher.exceptions import exception_sentences
from research.register_researcher.playbook import Ask, Notes, Steps, ask, ask_all, quoted, tally
from research.register_researcher.selection import Found, described, find_entity, is_live, name_of, status_of

MAX_LIST = 200  # entries of one register list; more are counted but not shown
MAX_MANAGERS = 8  # entities asked for their funds, besides the apex and the requested entity
MAX_NAMED = 10  # subsidiaries named in a finding
MAX_ENDED = 5  # ended entities named in a finding
DEFAULT_ENTITIES = 20
WITH_FUNDS = ("all", "fund_structure")
KINDS = ("management_companies", "investment_managers", "funds")


@dataclass
class Group:
    """What was read about a group, before it is cut to the requested number of entities."""

    found: Found
    apex: JsonObject
    direct: list[JsonObject] = field(default_factory=list)
    indirect: list[JsonObject] = field(default_factory=list)
    managers: list[tuple[JsonObject, JsonObject]] = field(default_factory=list)  # record, managed funds
    investment_managers: list[JsonObject] = field(default_factory=list)

    @property
    def members(self) -> list[JsonObject]:
        """All members except the apex, once each."""
        unique = {record["lei"]: record for record in (*self.direct, *self.indirect)}
        unique.pop(self.apex["lei"], None)
        return list(unique.values())


def client_discovery(task: Task) -> Steps[JsonObject]:
    """Document of schema ``client-discovery-result``.

    Raises:
        Refusal: the client was not found, is ambiguous, or the register cannot be asked.
    """
    notes, params = Notes(), task.params
    hint = str(params.get("jurisdiction_hint") or "")
    found = yield from find_entity(
        notes, task, str(params.get("client_name") or ""), place=hint, strict=False
    )
    apex = yield from _find_apex(notes, found)
    group = Group(found, apex)
    yield from _read_members(notes, group)
    yield from _read_managers(notes, group)
    return _document(notes, group, task)


def _find_apex(notes: Notes, found: Found) -> Steps[JsonObject]:
    """The ultimate parent if one is on record, else the entity itself."""
    parents = yield from ask(notes, "lei_parents", lei=found.lei)
    if parents is None:
        notes.gaps.append(
            f"Whether {described(found.record)} has a parent is not known; it is shown as the apex."
        )
        return found.record
    ultimate = parents["ultimate"].get("record")
    if not ultimate or ultimate["lei"] == found.lei:
        notes.findings += [
            sentence for sentence, _ in exception_sentences(quoted(name_of(found.record)), parents)
        ]
        for level in ("direct", "ultimate"):
            said = parents[level]
            if said["kind"] == "record":
                notes.findings.append(f"The {level} parent on record is {described(said['record'])}.")
            elif said["kind"] == "none":
                notes.gaps.append(
                    f"The register is silent about a {level} parent of {described(found.record)}."
                )
        return found.record
    notes.findings.append(
        f"{described(found.record)} belongs to {described(ultimate)}, its ultimate parent on record."
    )
    full = yield from ask(notes, "lei_record", lei=ultimate["lei"])
    return full or ultimate


def _read_members(notes: Notes, group: Group) -> Steps[None]:
    lei = group.apex["lei"]
    asks = [
        Ask("lei_children", {"lei": lei, "level": level, "limit": MAX_LIST})
        for level in ("direct", "ultimate")
    ]
    direct, ultimate = yield from ask_all(notes, asks)
    group.direct = _records(direct)
    known = {record["lei"] for record in group.direct}
    group.indirect = [record for record in _records(ultimate) if record["lei"] not in known]
    for level, page in (("direct", direct), ("ultimate", ultimate)):
        _note_page(notes, group.apex, level, page)
    ended = [record for record in group.members if not is_live(record)]
    if ended:
        names = "; ".join(map(described, ended[:MAX_ENDED]))
        more = f" and {len(ended) - MAX_ENDED} more" if len(ended) > MAX_ENDED else ""
        notes.findings.append(f"Of the group on record, these have ended and are left out: {names}{more}.")


def _note_page(notes: Notes, apex: JsonObject, level: str, page: JsonObject | None) -> None:
    if not page or not page["total"]:
        return
    name, total, records = quoted(name_of(apex)), page["total"], _records(page)
    places = tally([str(record.get("jurisdiction", "")) for record in records])
    report = _count(total, "entity reports", "entities report")
    notes.findings.append(f"{report} {name} as {level} parent ({places}).")
    if len(records) < total:
        notes.gaps.append(f"Of {total} entities with {name} as {level} parent, {len(records)} were read.")


def _read_managers(notes: Notes, group: Group) -> Steps[None]:
    """Ask members with the name of a manager for their funds. The register has no better indicator."""
    always = {
        record["lei"]: record
        for record in (group.apex, group.found.record)
        if record.get("category") != "FUND"
    }
    manager = group.found.record.get("fund_manager")
    if manager:
        always.setdefault(manager["lei"], manager)
    likely = [r for r in group.members if is_live(r) and r["lei"] not in always and manager_likelihood(r)]
    likely.sort(key=lambda record: -manager_likelihood(record))
    if len(likely) > MAX_MANAGERS:
        notes.gaps.append(
            f"{len(likely) - MAX_MANAGERS} further entities may manage funds by their names; their funds were not read."
        )
    candidates = [*always.values(), *likely[:MAX_MANAGERS]]
    asks = [Ask("lei_managed_funds", {"lei": record["lei"], "limit": MAX_LIST}) for record in candidates]
    pages = yield from ask_all(notes, asks)
    for record, page in zip(candidates, pages, strict=True):
        if page and page["total"]:
            group.managers.append((record, page))
        elif page and named_like_investment_manager(record) and record["lei"] != group.apex["lei"]:
            group.investment_managers.append(record)


def _document(notes: Notes, group: Group, task: Task) -> JsonObject:
    limit = max(1, int(task.params.get("max_entities") or DEFAULT_ENTITIES))
    focus = str(task.params.get("focus_area") or "all")
    managers = [_manager(group, record) for record, _ in group.managers]
    # The entity is a fact. Its role is only read from its name, so confidence is not "high".
    advisers = [{**_identity(record), "confidence": "medium"} for record in group.investment_managers]
    funds = _funds(group) if focus in WITH_FUNDS else []
    document: JsonObject = {"apex_entity": _apex(group), **_requested(group, [*managers, *advisers, *funds])}
    lists = _cut(notes, max(0, limit - len(document)), [managers, advisers, funds])
    document |= dict(zip(KINDS, lists, strict=True))
    _note_managers(notes, group, lists[2], focus)
    _note_group(notes, group, focus)
    notes.gaps.append(
        "Not in this register: assets under management, supervisors and their ids, listing, and whether a fund is a "
        "UCITS or an AIF (“other” unless its name or legal form says so)."
    )
    if focus == "regulatory_status":
        notes.gaps.append(
            "The regulatory status asked for cannot be read from this register, beyond that of the LEI."
        )
    _note_verifications(notes, group)
    note_feedback(notes, task)
    note_register(notes)
    single = [document[key] for key in ("apex_entity", "requested_entity") if key in document]
    count = len(
        {entity["lei"] for entity in (*single, *(entry for kind in KINDS for entry in document[kind]))}
    )
    document["research_summary"] = {
        "total_entities_found": count,
        "entities_with_lei": count,
        "data_quality_assessment": notes.data_quality,
        "key_findings": notes.findings,
        "data_gaps": notes.gaps,
        "recommended_verifications": notes.verifications,
    }
    return {**document, "search_quality": notes.search_quality}


def _cut(notes: Notes, room: int, lists: Sequence[list[JsonObject]]) -> list[list[JsonObject]]:
    """Keep as many entries as fit, in the order of the lists, and report the rest."""
    kept = []
    for kind, entries in zip(KINDS, lists, strict=True):
        kept.append(entries[:room])
        over = len(entries) - len(kept[-1])
        if over:
            what = kind.replace("_", " ")
            notes.gaps.append(
                f"{over} of {len(entries)} {what} that were read are beyond max_entities and not listed."
            )
        room -= len(kept[-1])
    return kept


def _apex(group: Group) -> JsonObject:
    record = group.apex
    sure = group.found.sure or record["lei"] != group.found.lei
    return _present(
        {
            **_identity(record),
            "entity_type": entity_type(record),
            "listing_status": "unknown",
            "confidence": "high" if sure else "medium",
        }
    )


def _manager(group: Group, record: JsonObject) -> JsonObject:
    direct = {child["lei"] for child in group.direct}
    parent = name_of(group.apex) if record["lei"] in direct else ""
    return _present({**_identity(record), "parent_entity": parent, "confidence": "high"})


def _requested(group: Group, listed: Sequence[JsonObject]) -> JsonObject:
    """The client itself, if it is neither the apex nor in a list."""
    record = group.found.record
    if record["lei"] in {group.apex["lei"], *(entry["lei"] for entry in listed)}:
        return {}
    return {"requested_entity": {**_identity(record), "confidence": "high" if group.found.sure else "medium"}}


def _identity(record: JsonObject) -> JsonObject:
    jurisdiction = str(record.get("jurisdiction") or "unknown")
    return {"name": name_of(record), "lei": record["lei"], "jurisdiction": jurisdiction}


def _funds(group: Group) -> list[JsonObject]:
    """The requested fund first, then the managers' funds in turn, then consolidated funds."""
    managed = [
        [(fund, manager) for fund in _records(page) if is_live(fund)] for manager, page in group.managers
    ]
    turns = [pair for turn in zip_longest(*managed) for pair in turn if pair]
    own = [(record, None) for record in group.members if record.get("category") == "FUND" and is_live(record)]
    asked = [pair for pair in turns if pair[0]["lei"] == group.found.lei]
    if not asked and group.found.record.get("category") == "FUND" and group.found.lei != group.apex["lei"]:
        asked = [(group.found.record, group.found.record.get("fund_manager"))]
    unique: dict[str, JsonObject] = {}
    for fund, manager in (*asked, *turns, *own):
        umbrella = fund.get("umbrella_fund")
        unique.setdefault(
            fund["lei"],
            _present(
                {
                    **_identity(fund),
                    "fund_type": fund_type(fund),
                    "structure": fund_structure(fund),
                    "umbrella_fund": name_of(umbrella) if umbrella else "",
                    "management_company": name_of(manager) if manager else "",
                    "confidence": "high",
                }
            ),
        )
    return list(unique.values())


def _note_managers(notes: Notes, group: Group, listed: Sequence[JsonObject], focus: str) -> None:
    for record, page in group.managers:
        ended = sum(not is_live(fund) for fund in _records(page))
        shown = sum(fund.get("management_company") == name_of(record) for fund in listed)
        tail = f"; {shown} are listed" if focus in WITH_FUNDS else "; funds were not asked for"
        over = f", {ended} of those read have ended" if ended else ""
        funds = _count(page["total"], "fund names", "funds name")
        notes.findings.append(f"{funds} {described(record)} as manager{over}{tail}.")
        if focus in WITH_FUNDS and len(_records(page)) < page["total"]:
            notes.gaps.append(
                f"Of {page['total']} funds managed by {quoted(name_of(record))}, {len(_records(page))} were read."
            )
    if not group.managers and not notes.failed:
        notes.findings.append("No entity of the group that was asked manages a fund on record.")


def _note_group(notes: Notes, group: Group, focus: str) -> None:
    apex, found = group.apex, group.found
    notes.findings.insert(0, f"{described(apex)}: {status_of(apex)}{_renewal(apex, notes.as_of)}.")
    if found.lei != apex["lei"]:
        told = f"The client asked for, {described(found.record)}: {status_of(found.record)}."
        notes.findings.insert(1, told)
    names = [quoted(name_of(record)) for record in group.direct if is_live(record)]
    if names and focus in ("all", "corporate_hierarchy"):
        notes.findings.append(f"Among the direct subsidiaries: {', '.join(names[:MAX_NAMED])}.")


def _note_verifications(notes: Notes, group: Group) -> None:
    apex = group.apex
    if group.investment_managers:
        notes.verifications.append(
            "Confirm the role of the investment managers: it is read from their names only."
        )
    for record, _ in group.managers[:3]:
        place = record.get("jurisdiction") or "its country"
        notes.verifications.append(
            f"Check the authorisation of {described(record)} with the supervisor in {place}."
        )
    if apex.get("registration_status") not in ("ISSUED", None):
        notes.verifications.append(
            f"Ask why the LEI registration of {described(apex)} is {apex['registration_status']}."
        )
    notes.verifications.append(f"Check whether {quoted(name_of(apex))} is listed.")


def note_feedback(notes: Notes, task: Task) -> None:
    if task.feedback.strip():
        notes.gaps.append(
            f"The reviewer's comment “{quoted(task.feedback)}” was given to a rule-based researcher, "
            "which takes LEIs from it and nothing else."
        )


def note_register(notes: Notes) -> None:
    notes.findings.append(f"Everything here was read in {notes.register_label}.")
    if notes.register == "demo":
        notes.gaps.append(
            "The demo register holds a small selection of entities; totals are those of the selection."
        )


def _renewal(record: JsonObject, as_of: str) -> str:
    day = str(record.get("next_renewal") or "")
    if not day:
        return ""
    return f", renewal overdue since {day}" if as_of and day < as_of[:10] else f", next renewal {day}"


def _records(page: JsonObject | None) -> list[JsonObject]:
    return list(page["records"]) if page else []


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _present(values: dict[str, Any]) -> JsonObject:
    return {key: value for key, value in values.items() if value not in ("", None)}
