"""Decisions of courts as tools: search, one decision, who cites it, the tree of courts; citations by their form."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import wraps
from typing import Any, TypeVar

from django.conf import settings
from django.utils import timezone

from citations.extract import extract
from citations.format import format_mention
from citations.mention import LANGUAGES
from citations.services import act_table
from citations.services.verification import remember
from citations.sources.decisions import CANTONS, CourtDecision
from citations.sources.entscheidsuche import Entscheidsuche, Found
from citations.sources.faults import SourceUnavailable
from citations.sources.naming import citation_of
from citations.sources.setup import open_entscheidsuche
from research.jsontext import JsonObject
from research.tools.base import Answer, ToolContext, ToolError, tool

FEDERAL_COURTS = ("CH_BGE", "CH_BGer")
BGE_COURTS = ("CH_BGE",)
MAX_LIMIT, SUMMARY = 50, 600
MOST_CITED = 10
T = TypeVar("T")

QUERY = {
    "type": "string",
    "minLength": 1,
    "maxLength": 500,
    "description": 'Words that all must occur; "words in quotes" are a phrase, OR stands between alternatives',
}
LANGUAGE = {"type": "string", "enum": ["de", "fr", "it"], "description": "Only decisions in this language"}
DAY = {
    "type": "string",
    "pattern": r"^\d{4}-\d{2}-\d{2}$",
    "maxLength": 10,
    "description": "A day, 2015-01-31",
}
LIMIT = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": 10}
OFFSET = {"type": "integer", "minimum": 0, "maximum": 9_000, "default": 0}
CANTON_LIST = {
    "type": "array",
    "minItems": 1,
    "maxItems": 26,
    "items": {"type": "string", "enum": sorted(CANTONS)},
}
SEARCH = {"query": QUERY, "language": LANGUAGE, "dateFrom": DAY, "dateTo": DAY, "limit": LIMIT}


def law_is_set_up() -> bool:
    """Whether there is an address at which decisions are searched."""
    return bool(settings.ENTSCHEIDSUCHE_BASE_URL)


def asking(run: Callable[[JsonObject, ToolContext], Answer]) -> Callable[[JsonObject, ToolContext], Answer]:
    """Trouble with a source as the refusal of a tool, which is never an absence."""

    @wraps(run)
    def asked(arguments: JsonObject, context: ToolContext) -> Answer:
        try:
            return run(arguments, context)
        except SourceUnavailable as fault:
            detail = {"retry_after": fault.retry_after} if fault.retry_after else {}
            raise ToolError(
                fault.code, fault.message, retryable=fault.retryable, source=fault.source, **detail
            ) from fault

    return asked


@tool(
    "search_bge",
    "Search decisions of the Swiss Federal Supreme Court, published (BGE) and unpublished. Best first. A decision that "
    "is not found may exist all the same.",
    {"required": ["query"], "properties": SEARCH},
    available=law_is_set_up,
)
@asking
def search_bge(arguments: JsonObject, context: ToolContext) -> Answer:
    return _searched(arguments, courts=FEDERAL_COURTS)


@tool(
    "search_canton",
    "Search decisions of the courts of one or several Swiss cantons. Best first.",
    {"required": ["query", "cantons"], "properties": {**SEARCH, "cantons": CANTON_LIST}},
    available=law_is_set_up,
)
@asking
def search_canton(arguments: JsonObject, context: ToolContext) -> Answer:
    return _searched(arguments, cantons=arguments["cantons"])


@tool(
    "search_decisions",
    "Search the decisions of all Swiss courts, or of those named. Best first.",
    {
        "required": ["query"],
        "properties": {
            **SEARCH,
            "cantons": CANTON_LIST,
            "courts": {
                "type": "array",
                "maxItems": 20,
                "items": {"type": "string", "maxLength": 60},
                "description": "Entries of the court tree, for example CH_BVGE or ZH_OG: list_hierarchy has them",
            },
            "from": OFFSET,
        },
    },
    available=law_is_set_up,
)
@asking
def search_decisions(arguments: JsonObject, context: ToolContext) -> Answer:
    return _searched(
        arguments,
        courts=arguments.get("courts") or (),
        cantons=arguments.get("cantons") or (),
        offset=arguments.get("from", 0),
    )


@tool(
    "search_by_case_number",
    "Find the decisions that bear a case number, such as 4A_123/2020 or VB.2021.00456, not those that cite it.",
    {
        "required": ["caseNumber"],
        "properties": {"caseNumber": {"type": "string", "minLength": 3, "maxLength": 100}},
    },
    available=law_is_set_up,
)
@asking
def search_by_case_number(arguments: JsonObject, context: ToolContext) -> Answer:
    return _found(open_entscheidsuche().by_reference(arguments["caseNumber"]))


@tool(
    "get_bge_decision",
    "A decision of the official collection by its citation, such as BGE 145 III 229, with its text.",
    {
        "required": ["citation"],
        "properties": {"citation": {"type": "string", "minLength": 5, "maxLength": 100}},
    },
    available=law_is_set_up,
)
@asking
def get_bge_decision(arguments: JsonObject, context: ToolContext) -> Answer:
    mentions = [one for one in extract(arguments["citation"]) if one.kind == "bge" and one.normalized]
    if not mentions:
        raise ToolError("INVALID_CITATION_FORMAT", "That is no citation such as BGE 145 III 229.")
    found = open_entscheidsuche().by_reference(str(mentions[0].normalized))
    if not found.decisions:
        raise ToolError("not_found", f"{mentions[0].normalized} is not in entscheidsuche; it may exist.")
    return _one(found.decisions[0])


@tool(
    "get_decision_details",
    "A decision with its text, by the id that a search gave.",
    {
        "required": ["decisionId"],
        "properties": {"decisionId": {"type": "string", "minLength": 3, "maxLength": 200}},
    },
    available=law_is_set_up,
)
@asking
def get_decision_details(arguments: JsonObject, context: ToolContext) -> Answer:
    return _one(_decision(open_entscheidsuche(), arguments["decisionId"]))


@tool(
    "get_related_decisions",
    "What a decision cites, and which decisions cite it, by the id that a search gave.",
    {
        "required": ["decisionId"],
        "properties": {
            "decisionId": {"type": "string", "minLength": 3, "maxLength": 200},
            "limit": {"type": "integer", "minimum": 1, "maximum": 20, "default": 10},
        },
    },
    available=law_is_set_up,
)
@asking
def get_related_decisions(arguments: JsonObject, context: ToolContext) -> Answer:
    client = open_entscheidsuche()
    decision = _decision(client, arguments["decisionId"])
    reference = (decision.references or (decision.id,))[0].replace('"', " ")
    found = client.search(f'"{reference.removeprefix("BGE ")}"', limit=arguments.get("limit", 10) + 1)
    citing = [one for one in found.decisions if one.id != decision.id]
    data = {"id": decision.id, "citation": citation_of(decision), "cites": cited_in(decision.text)}
    return Answer({**data, "citedBy": [shown(one) for one in citing]}, tuple(map(as_source, citing)))


@tool(
    "list_hierarchy",
    "The courts whose decisions can be searched: code, canton and names.",
    {
        "properties": {
            "query": {"type": "string", "maxLength": 100},
            "size": {"type": "integer", "minimum": 1, "maximum": 200},
        }
    },
    available=law_is_set_up,
)
@asking
def list_hierarchy(arguments: JsonObject, context: ToolContext) -> Answer:
    wanted = arguments.get("query", "").casefold()
    courts = [
        {"code": court.code, "canton": court.canton, **court.names}
        for court in open_entscheidsuche().courts()
        if wanted in " ".join((court.code, court.canton, *court.names.values())).casefold()
    ]
    return Answer({"courts": courts[: arguments.get("size", 100)], "total": len(courts)})


@tool(
    "format_citation",
    "Write the citations of a text as a Swiss court does, in German, French, Italian or English.",
    {
        "required": ["citation", "language"],
        "properties": {
            "citation": {"type": "string", "minLength": 3, "maxLength": 2_000},
            "language": {"type": "string", "enum": list(LANGUAGES)},
            "style": {"type": "string", "enum": ["short", "long"], "default": "short"},
        },
    },
)
def format_citation(arguments: JsonObject, context: ToolContext) -> Answer:
    acts = act_table()
    written = [
        {
            "citation": one.raw,
            "normalized": one.normalized,
            "formatted": format_mention(
                one, arguments["language"], style=arguments.get("style", "short"), acts=acts
            ),
        }
        for one in extract(arguments["citation"], acts=acts)
    ]
    if not written:
        raise ToolError("INVALID_CITATION_FORMAT", "No citation was found in the text.")
    return Answer({"citations": written})


def shown(decision: CourtDecision) -> JsonObject:
    """A decision as a line of a list."""
    return {
        "id": decision.id,
        "citation": citation_of(decision),
        "title": decision.title,
        "court": decision.court,
        "canton": decision.canton,
        "date": decision.date.isoformat() if decision.date else "",
        "year": decision.year,
        "language": decision.language,
        "summary": decision.abstract[:SUMMARY],
        "url": decision.url,
        "key": key_of(decision),
    }


def key_of(decision: CourtDecision) -> str:
    """Under which the archive knows it."""
    return f"entscheidsuche:{decision.id}"[:200]


def as_source(decision: CourtDecision) -> JsonObject:
    """A decision as the engine archives it: its text, so that quotes can be held against it."""
    text = "\n\n".join(filter(None, (decision.abstract, decision.text)))
    return {
        "kind": "law",
        "key": key_of(decision),
        "url": decision.url,
        "title": f"{citation_of(decision)} · {decision.title}"[:500],
        "snippet": decision.abstract or decision.text[:SUMMARY],
        "text": text,
        "mime": "text/plain",
        "language": decision.language,
        "found_by": "entscheidsuche",
        "as_of": timezone.localdate().isoformat(),
    }


def cited_in(text: str) -> list[str]:
    """The decisions that a text cites, those cited most first."""
    counted: dict[str, int] = {}
    for one in extract(text):
        if one.kind in ("bge", "bger", "bvge", "bvger", "evg", "bstger") and one.normalized:
            counted[one.normalized] = counted.get(one.normalized, 0) + 1
    return sorted(counted, key=lambda name: -counted[name])[:MOST_CITED]


def _searched(
    arguments: JsonObject, *, courts: Sequence[str] = (), cantons: Sequence[str] = (), offset: int = 0
) -> Answer:
    found = open_entscheidsuche().search(
        arguments["query"],
        courts=courts,
        cantons=cantons,
        language=arguments.get("language", ""),
        since=_day(arguments, "dateFrom"),
        until=_day(arguments, "dateTo"),
        limit=arguments.get("limit", 10),
        offset=offset,
    )
    return _found(found)


def _found(found: Found) -> Answer:
    remember(found.decisions)
    data: JsonObject = {"results": [shown(one) for one in found.decisions], "total": found.total}
    return Answer(data, tuple(map(as_source, found.decisions)))


def _one(decision: CourtDecision) -> Answer:
    remember([decision])
    data = {**shown(decision), "text": decision.text, "references": list(decision.references)}
    return Answer(data, (as_source(decision),))


def _decision(client: Entscheidsuche, identifier: str) -> CourtDecision:
    decision = client.get(identifier)
    if decision is None:
        raise ToolError("not_found", "entscheidsuche has no decision with this id.")
    return decision


def _day(arguments: JsonObject, name: str) -> date | None:
    value: Any = arguments.get(name)
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        raise ToolError("bad_arguments", f"{name} is not a day.") from None
