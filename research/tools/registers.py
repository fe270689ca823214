"""National registers and supervisors as tools: search, record, officers, owners, authorisation."""

from typing import Any

from common.connection import give_connection_back
from entities.gleif.jurisdictions import jurisdiction_code
from entities.registers.base import RegisterSource, speaks_for
from entities.registers.errors import RegisterError, RegisterRateLimited
from entities.registers.gleif import Gleif
from entities.registers.looking import look_up
from entities.registers.matching import Candidate, Thresholds, Wanted
from entities.registers.records import Capability, Provenance, as_json
from entities.registers.setup import KINDS, NAMES, configured, open_source
from entities.services.thresholds import thresholds_of
from research.jsontext import Json, JsonObject
from research.tools.tool import Answer, ToolContext, ToolError, register_source, tool, under

MAX_SHOWN = 10
MAX_LIMIT = 200
REGISTER = {"type": "string", "enum": list(NAMES), "description": "Which register"}
NUMBER = {
    "type": "string",
    "minLength": 1,
    "maxLength": 40,
    "description": "The company's number in that register, as register_search gave it",
}
LIMIT = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": 100}


def any_configured() -> bool:
    """Whether any register besides the LEI register is configured."""
    return bool(configured())


def _hits(data: JsonObject) -> list[Json]:
    return [one for answer in data["registers"] for one in answer.get("candidates", ())]


def _listed(data: JsonObject) -> list[Json]:
    """For a name it does not list, a supervisor only repeats the name from the question."""
    told = data["authorisation"]
    return [told["measures"]] if told["licence"] == "not_listed" else [told]


@tool(
    "register_search",
    "Find a company in national registers and supervisors' lists. For each register: candidates with score and doubts, "
    "and a verdict: auto (this one), ambiguous (a person must tell) or reject (none fits). A register that could not "
    "be asked says so, which is not absence.",
    {
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 500},
            "jurisdiction": {
                "type": "string",
                "maxLength": 60,
                "description": "Where it is registered, such as GB or US-DE; only registers of this place are asked",
            },
            "number": {
                "type": "string",
                "maxLength": 40,
                "description": "Its company number, if it is known",
            },
            "authority": {
                "type": "string",
                "maxLength": 20,
                "description": "GLEIF's code of the authority that gave the number, such as RA000585",
            },
            "register": {**REGISTER, "description": "Ask this one only"},
        },
    },
    available=any_configured,
    found=_hits,
    hits=_hits,
)
def register_search(arguments: JsonObject, context: ToolContext) -> Answer:
    place = jurisdiction_code(arguments.get("jurisdiction") or "")
    asked, answers = _sources(arguments.get("register"), place, context), []
    sources: list[JsonObject] = []
    limits = _thresholds(asked)
    for source in asked:
        told, seen = _search_one(source, arguments, place, limits[source.name])
        answers.append(told)
        sources += seen
    # Registers that cover the place but are not configured.
    data = {
        "name": arguments["name"],
        "registers": answers,
        "not_set_up": [
            kind.source.label
            for name, kind in KINDS.items()
            if name not in configured() and speaks_for(kind.source, place)
        ],
    }
    return Answer(data, tuple(sources))


@tool(
    "register_record",
    "One company as a register has it: names and former names, status, form, dates, address, successor.",
    {"required": ["register", "number"], "properties": {"register": REGISTER, "number": NUMBER}},
    available=any_configured,
    found=under("record"),
)
def register_record(arguments: JsonObject, context: ToolContext) -> Answer:
    source = _capable(arguments, Capability.RECORD, context)
    return _told(source, "record", source.record(arguments["number"]))


@tool(
    "register_officers",
    "Who runs a company: directors and other officers, former ones with the date they left; at the FCA the approved "
    "persons.",
    {
        "required": ["register", "number"],
        "properties": {"register": REGISTER, "number": NUMBER, "limit": LIMIT},
    },
    available=any_configured,
    found=under("officers"),
)
def register_officers(arguments: JsonObject, context: ToolContext) -> Answer:
    source = _capable(arguments, Capability.OFFICERS, context)
    found = source.officers(arguments["number"], limit=arguments.get("limit", 100))
    return _told(source, "officers", found)


@tool(
    "register_owners",
    "Who controls a company: persons and companies with significant control, with bands (25–50 %, 50–75 %, 75–100 %) "
    "as the register states them. A band is no percentage, and nobody listed is not nobody there.",
    {
        "required": ["register", "number"],
        "properties": {"register": REGISTER, "number": NUMBER, "limit": LIMIT},
    },
    available=any_configured,
    found=under("owners"),
)
def register_owners(arguments: JsonObject, context: ToolContext) -> Answer:
    source = _capable(arguments, Capability.OWNERS, context)
    found = source.owners(arguments["number"], limit=arguments.get("limit", 100))
    return _told(source, "owners", found)


@tool(
    "register_authorisation",
    "What a supervisor says of a company: authorised or not, for what, measures and warnings. Not being on a list is "
    "no judgement.",
    {
        "required": ["register"],
        "properties": {
            "register": REGISTER,
            "number": NUMBER,
            "name": {"type": "string", "maxLength": 500, "description": "To look for in warnings"},
        },
    },
    available=any_configured,
    found=_listed,
)
def register_authorisation(arguments: JsonObject, context: ToolContext) -> Answer:
    source = _capable(arguments, Capability.AUTHORISATION, context)
    found = source.authorisation(arguments.get("number", ""), name=arguments.get("name", ""))
    return _told(source, "authorisation", found)


def _sources(name: str | None, place: str, context: ToolContext) -> list[RegisterSource]:
    if name:
        return [_open(name, context)]
    opened = [_open(each, context) for each in configured()]
    return [source for source in opened if source.covers(place)]


def _thresholds(sources: list[RegisterSource]) -> dict[str, Thresholds]:
    """The selection thresholds of the registers to ask. Frees the database connection meanwhile."""
    try:
        return {source.name: thresholds_of(source.name) for source in sources}
    finally:
        give_connection_back()


def _search_one(
    source: RegisterSource, arguments: JsonObject, place: str, limits: Thresholds
) -> tuple[JsonObject, list[JsonObject]]:
    """The answer of one register. A failure is reported beside the answers of the others."""
    wanted = Wanted(arguments["name"], place, _number_for(source, arguments))
    can = sorted(capability.value for capability in source.capabilities)
    told: JsonObject = {"register": source.name, "label": source.label, "can": can}
    try:
        found = look_up(source, wanted, limits)
    except RegisterError as error:
        return {**told, "verdict": "unknown", "error": _error(error)}, []
    outcome = found.outcome
    seen = {
        **told,
        "verdict": outcome.verdict,
        "reason": outcome.reason,
        "chosen": _candidate(outcome.chosen) if outcome.chosen else None,
        "candidates": [_candidate(one) for one in outcome.candidates[:MAX_SHOWN]],
        "total": found.total,
        "as_of": found.provenance.as_of,
    }
    if not seen["candidates"]:
        return seen, []  # an unsuccessful search is not a source
    return seen, [_source(source, f"search for {arguments['name'][:100]}", found.provenance, seen)]


def _number_for(source: RegisterSource, arguments: JsonObject) -> str:
    """The number, unless it belongs to the numbers of a different authority."""
    authority = arguments.get("authority") or ""
    if authority and authority not in source.authorities:
        return ""
    return str(arguments.get("number") or "")


def _candidate(one: Candidate) -> JsonObject:
    hit = one.hit
    plain: JsonObject = as_json(
        {
            "number": hit.number,
            "name": hit.name,
            "jurisdiction": hit.jurisdiction,
            "standing": hit.standing,
            "status": hit.status,
            "score": float(one.score),
            "explanation": one.explanation,
            "doubts": list(one.doubts),
            "url": hit.url,
        }
    )
    return plain


def _told(source: RegisterSource, what: str, value: Any) -> Answer:
    plain = as_json(value)
    if what == "owners":
        # State the band in words.
        for owner, stated in zip(plain.get("owners", []), value.owners, strict=True):
            for nature, own in zip(owner.get("control", []), stated.control, strict=True):
                nature["band"] = own.band
    data: JsonObject = {"register": source.name, "label": source.label, what: plain}
    title = f"{what} of {getattr(value, 'number', '') or source.label}"
    return Answer(data, (_source(source, title, value.provenance, data),))


def _source(source: RegisterSource, title: str, provenance: Provenance, seen: JsonObject) -> JsonObject:
    return register_source(
        key=f"{source.name}:{title}"[:200],
        url=provenance.url,
        title=f"{source.label}: {title}",
        snippet=f"{source.label}, as of {provenance.as_of}",
        seen=seen,
        as_of=provenance.as_of,
    )


def _capable(arguments: JsonObject, capability: Capability, context: ToolContext) -> RegisterSource:
    source = _open(arguments["register"], context)
    if not source.can(capability):
        raise ToolError("not_offered", f"{source.label} cannot be asked for {capability.value}.")
    return source


def _open(name: str, context: ToolContext) -> RegisterSource:
    """The run's own LEI register, live or demo."""
    return Gleif(context.register) if name == "gleif" else open_source(name)


def _error(error: RegisterError) -> JsonObject:
    after = error.retry_after if isinstance(error, RegisterRateLimited) else None
    told = {"code": error.code, "message": str(error), "retryable": error.retryable, "retry_after": after}
    return {key: value for key, value in told.items() if value is not None}
