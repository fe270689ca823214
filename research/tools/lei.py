"""The LEI register as tools. Answers are short and bounded; full records travel with them as sources."""

from urllib.parse import quote

from django.utils import timezone

from common.text import counted
from entities import lei as iso17442
from entities.gleif.checking import base_policy, check_claims
from entities.gleif.claims import Claim
from entities.gleif.errors import GleifError, GleifNotFound
from entities.gleif.finding import find_by_name, outcome_json
from entities.gleif.ranking import Match
from entities.gleif.records import Level, Page, ParentAnswer, Record
from entities.gleif.register import Register
from research.jsontext import Json, JsonObject
from research.tools.tool import Answer, ToolContext, ToolError, register_source, tool, under, whole

MAX_NAMES = 10
MAX_EVENTS = 10
MAX_TEXT = 500  # names of one record; register data may be of any size
MAX_LIMIT = 200

LEI = {
    "type": "string",
    "minLength": 20,
    "maxLength": 40,
    "description": "Legal Entity Identifier, 20 characters",
}
CLAIM = {"type": "string", "maxLength": 500}
LIMIT = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": 50}
LEVEL = {"type": "string", "enum": ["direct", "ultimate"], "default": "direct"}


def _hits(data: JsonObject) -> list[Json]:
    """Candidates and nearest names are register records, even when none was selected."""
    return [*data["candidates"], *data.get("nearest", ())]


def _settled(data: JsonObject) -> list[Json]:
    """The candidates, unless all of them score too low."""
    return [] if data["outcome"] == "none" else data["candidates"]


@tool(
    "lei_search",
    "Find legal entities in the LEI register by name. Gives candidates with a score (100 = same name), best first, "
    "which of their names matched, and their status; and the nearest names when none is good. The outcome says whether "
    "it is clear who is meant: one, several (with the LEIs that may be) or none; of several never pick one yourself.",
    {
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 20_000},
            "jurisdiction": {
                "type": "string",
                "maxLength": 100,
                "description": "such as DE, US-DE or Germany",
            },
            "category": {"type": "string", "enum": ["GENERAL", "FUND", "BRANCH", "SOLE_PROPRIETOR"]},
            "status": {"type": "string", "enum": ["ACTIVE", "INACTIVE"], "description": "of the entity"},
            "limit": {**LIMIT, "maximum": 100, "default": 20},
        },
    },
    found=_hits,
    hits=_settled,
)
def lei_search(arguments: JsonObject, context: ToolContext) -> Answer:
    name, register = arguments["name"], context.register
    filters = {key: arguments.get(key) for key in ("jurisdiction", "category", "status")}
    found = find_by_name(name, register=register, limit=arguments.get("limit", 20), **filters)
    data: JsonObject = {
        "query": _text(name),
        **outcome_json(found.outcome),
        "candidates": [_candidate(match) for match in found.matches],
    }
    if found.outcome.kind == "none":
        data["nearest"] = [_candidate(match) for match in register.nearest(name, limit=5)]
    if not _settled(data):
        return Answer(_stamped(data, register))  # an unsuccessful search is not a source
    path = f"lei-records?filter[entity.names]={quote(name[:150])}"
    hits = counted(len(found.matches), "candidate")
    return _answer(data, register, path, f"search for {_text(name)}", hits)


@tool(
    "lei_record",
    "One LEI record: names, status, dates, successor, parent state.",
    {
        "required": ["lei"],
        "properties": {"lei": LEI},
    },
    found=whole,
)
def lei_record(arguments: JsonObject, context: ToolContext) -> Answer:
    register = context.register
    record = _record(_lei(arguments, register), register)
    data = {**full_record(record, register), **_fund_links(record, register)}
    return Answer(_stamped(data, register), (_record_source(record, register),))


@tool(
    "lei_check",
    "Verify one LEI with what is claimed beside it: form, check digits, existence, status, successor, name, "
    "jurisdiction, register number, legal form, category, parent, namesakes. Gives a verdict for each, and what may "
    "have been meant. A wrong LEI is an answer here, not an error.",
    {
        "required": ["lei"],
        "properties": {
            "lei": {"type": "string", "minLength": 1, "maxLength": 100},
            "name": CLAIM,
            "jurisdiction": {**CLAIM, "description": "such as DE, US-DE or Germany"},
            "registered_as": {**CLAIM, "description": "number in a business register"},
            "registered_at": {**CLAIM, "description": "GLEIF's code of that register, such as RA000242"},
            "legal_form": {**CLAIM, "description": "ELF code or in words"},
            "category": {**CLAIM, "description": "GENERAL, FUND, BRANCH, SOLE_PROPRIETOR"},
            "parent": {**CLAIM, "description": "LEI or name of who is said to be its parent"},
        },
    },
    found=under("record", "suggestions"),
)
def lei_check(arguments: JsonObject, context: ToolContext) -> Answer:
    register = context.register
    [report] = check_claims([Claim(**arguments)], register=register)
    data = _stamped(report.as_json(), register)
    if report.record:
        return Answer(data, (_record_source(report.record, register),))
    title = f"check of {_text(report.lei)}"
    return _answer(data, register, f"lei-records/{quote(report.lei[:40])}", title, report.verdict)


@tool(
    "lei_parents",
    "The direct and the ultimate accounting parent of an entity: for each the record, or the reason it gives for "
    "reporting none, or nothing at all. A missing parent never means free float.",
    {"required": ["lei"], "properties": {"lei": LEI}},
    found=under("direct", "ultimate"),
)
def lei_parents(arguments: JsonObject, context: ToolContext) -> Answer:
    register, lei = context.register, _lei(arguments, context.register)
    direct, ultimate = register.parent(lei, "direct"), register.parent(lei, "ultimate")
    data = {"lei": lei, "direct": _parent(direct), "ultimate": _parent(ultimate)}
    path = f"lei-records/{lei}/direct-parent"
    return _answer(data, register, path, f"parents of {lei}", _parents_snippet(direct, ultimate))


@tool(
    "lei_children",
    "Entities that report this one as their direct or ultimate accounting parent.",
    {"required": ["lei"], "properties": {"lei": LEI, "limit": LIMIT, "level": LEVEL}},
    found=under("records"),
)
def lei_children(arguments: JsonObject, context: ToolContext) -> Answer:
    register, lei = context.register, _lei(arguments, context.register)
    level: Level = arguments.get("level", "direct")
    page = register.children(lei, level=level, limit=arguments.get("limit", 50))
    return _page_answer(page, register, lei, f"{level}-children", {"level": level})


@tool(
    "lei_managed_funds",
    "Funds that name this entity as their manager; empty for an entity that manages none.",
    {"required": ["lei"], "properties": {"lei": LEI, "limit": LIMIT}},
    found=under("records"),
)
def lei_managed_funds(arguments: JsonObject, context: ToolContext) -> Answer:
    register, lei = context.register, _lei(arguments, context.register)
    page = register.managed_funds(lei, limit=arguments.get("limit", 50))
    return _page_answer(page, register, lei, "managed-funds", {})


def brief_record(record: Record) -> JsonObject:
    """A record in a list. Fields that the register leaves empty are omitted."""
    return _present(
        {
            "lei": record.lei,
            "name": _text(record.legal_name),
            "jurisdiction": record.jurisdiction or record.legal_country,
            "category": record.category,
            "entity_status": record.entity_status,
            "registration_status": record.registration_status,
            "legal_form": record.legal_form,
            "legal_form_text": _text(record.legal_form_text),
        }
    )


def full_record(record: Record, register: Register) -> JsonObject:
    """The details of a record, in at most a few thousand characters."""
    # Corporate events. The register defines their shape, so check every level.
    entity = record.attributes.get("entity")
    groups = entity.get("eventGroups") if isinstance(entity, dict) else None
    events = [event for group in _objects(groups) for event in _objects(group.get("events"))]
    fields = {"type": "type", "status": "status", "effective": "effectiveDate", "recorded": "recordedDate"}
    details = {
        "names": [
            {"name": _text(n.name), "type": n.type, "language": n.language} for n in record.names[:MAX_NAMES]
        ],
        "hq_country": record.hq_country,
        "registered_as": _text(record.registered_as),
        "registered_at": record.registered_at,
        "initial_registration": _day(record.initial_registration),
        "next_renewal": _day(record.next_renewal),
        "last_update": _day(record.last_update),
        "expiration_date": _day(record.expiration_date),
        "expiration_reason": record.expiration_reason,
        "successors": [
            _present({"lei": s.lei, "name": _text(s.name or "")}) for s in record.successors[:MAX_NAMES]
        ],
        "corroboration": record.corroboration,
        "conformity": record.conformity,
        "bics": list(record.bics[:MAX_NAMES]),
        "events": [
            _present({name: str(event.get(key) or "")[:60] for name, key in fields.items()})
            for event in events[:MAX_EVENTS]
        ],
        "direct_parent": record.direct_parent_link,
        "ultimate_parent": record.ultimate_parent_link,
        "url": record.url or _url(record.lei, register),
    }
    return {**brief_record(record), **_present(details)}


def _candidate(match: Match) -> JsonObject:
    record = match.record
    matched = {"name": _text(match.matched_name.name), "type": match.matched_name.type}
    successors = [
        _present({"lei": s.lei, "name": _text(s.name or "")}) for s in record.successors[:MAX_NAMES]
    ]
    extra = _present({"successors": successors, "explanation": _text(match.explanation)})
    return {**brief_record(record), "score": round(match.score, 1), "matched_name": matched, **extra}


def _fund_links(record: Record, register: Register) -> JsonObject:
    """The manager and umbrella of a fund. Asks the register only for funds."""
    if record.category != "FUND":
        return {}
    manager, umbrella = register.fund_manager(record.lei), register.umbrella(record.lei)
    links = {"fund_manager": manager, "umbrella_fund": umbrella}
    return {key: brief_record(linked) for key, linked in links.items() if linked}


def _parent(answer: ParentAnswer) -> JsonObject:
    if answer.kind == "exception":
        return {"kind": "exception", "reason": answer.reason}
    if answer.kind == "none" or answer.record is None:
        return {"kind": "none"}
    relation = answer.relationship
    details = _present(
        {
            "status": relation.status if relation else "",
            "corroboration": relation.corroboration if relation else "",
            "documents": relation.corroboration_documents if relation else "",
        }
    )
    record = {**brief_record(answer.record), "url": answer.record.url}
    return {"kind": "record", "record": _present(record), "relationship": details}


def _parents_snippet(direct: ParentAnswer, ultimate: ParentAnswer) -> str:
    def said(answer: ParentAnswer) -> str:
        return answer.record.legal_name if answer.record else answer.reason or "none reported"

    return _text(f"direct: {said(direct)}; ultimate: {said(ultimate)}")


def _objects(value: Json) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _page_answer(page: Page, register: Register, lei: str, relation: str, extra: JsonObject) -> Answer:
    records = [brief_record(record) for record in page.items]
    data = {"lei": lei, **extra, "total": page.total, "truncated": page.truncated, "records": records}
    if not records:
        return Answer(_stamped(data, register))
    title, snippet = f"{relation.replace('-', ' ')} of {lei}", f"{len(records)} of {page.total} records"
    return _answer(data, register, f"lei-records/{lei}/{relation}", title, snippet)


def _answer(data: JsonObject, register: Register, path: str, title: str, snippet: str) -> Answer:
    """A list as an answer. A list has no address for people, so the question serves as address and key."""
    stamped = _stamped(data, register)
    seen = register_source(
        key=path,
        url=f"{register.base_url}/{path}",
        title=f"LEI register: {title}",
        snippet=snippet,
        seen=stamped,
        as_of=register.as_of,
    )
    return Answer(stamped, (seen,))


def _stamped(data: JsonObject, register: Register) -> JsonObject:
    return {**data, "register": register.name, "as_of": register.as_of}


def _record_source(record: Record, register: Register) -> JsonObject:
    status = f"{record.entity_status or '?'} / {record.registration_status or '?'}"
    return register_source(
        key=record.lei,
        url=record.url or _url(record.lei, register),
        title=f"LEI record {record.lei}: {_text(record.legal_name)}",
        snippet=f"{_text(record.legal_name)}, {record.jurisdiction or '?'}, {status}",
        seen=record.attributes,
        as_of=register.as_of,
    )


def _url(lei: str, register: Register) -> str:
    return f"{register.base_url}/lei-records/{lei}"


def _lei(arguments: JsonObject, register: Register) -> str:
    """The LEI of a call. An invalid LEI is refused before the register is asked.

    Raises:
        ToolError: bad_arguments, with the broken rule and the entities that may be meant.
    """
    lei = iso17442.normalise(arguments["lei"])
    broken = iso17442.check_format(lei)
    if not broken.ok:
        meant = _meant(lei, register)
        raise ToolError("bad_arguments", f"{lei} is not an LEI: {broken.message}", meant=meant)
    return lei


def _record(lei: str, register: Register) -> Record:
    """The record of an LEI. Raises ToolError; ``why`` explains what a missing record means."""
    try:
        return register.record(lei)
    except GleifNotFound as error:
        why = register.silence(timezone.localdate(), base_policy().absence_max_age_days)
        if not why:
            raise
        raise ToolError("not_found", str(error), may_exist=True, why=why) from error


def _meant(lei: str, register: Register) -> list[JsonObject]:
    """Records whose LEI differs by one slip. Most valid repairs were never issued, so ask the register for each."""
    try:
        known = register.records(iso17442.repairs(lei))
    except GleifError:
        return []
    return [brief_record(record) for record in known.values()][:MAX_NAMES]


def _present(values: JsonObject) -> JsonObject:
    return {key: value for key, value in values.items() if value not in ("", None, [], {})}


def _text(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def _day(day: Json) -> str:
    return day.isoformat() if day else ""
