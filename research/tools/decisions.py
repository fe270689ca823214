"""Decisions of courts as tools: search, one decision, what it cites and who cites it, the courts there are."""

from collections.abc import Sequence

from django.conf import settings

from citations.extract import extract
from citations.reading import cited_in
from citations.services.verification import remember
from citations.sources.decisions import CANTONS, LANGUAGES, CourtDecision
from citations.sources.entscheidsuche import Court, Found
from citations.sources.naming import citation_of
from citations.sources.setup import open_entscheidsuche
from research.jsontext import JsonObject
from research.tools.base import Answer, ToolContext, ToolError, tool
from research.tools.legal import Work, asking, day

FEDERAL_COURTS = ("CH_BGE", "CH_BGer")
MAX_LIMIT = 50

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
    return _one(decision_with(arguments["decisionId"]))


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
    decision = decision_with(arguments["decisionId"])
    reference = (decision.references or (decision.id,))[0].replace('"', " ")
    found = open_entscheidsuche().search(
        f'"{reference.removeprefix("BGE ")}"', limit=arguments.get("limit", 10) + 1
    )
    citing = [one for one in found.decisions if one.id != decision.id]
    data = {"id": decision.id, "citation": citation_of(decision), "cites": cited_in(decision.text)}
    works = [work_of(one) for one in citing]
    return Answer({**data, "citedBy": [one.row() for one in works]}, tuple(one.source() for one in works))


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
    "list_facets",
    "What decisions can be narrowed to: languages, cantons, their courts, and with a canton (or CH) the chambers too.",
    {"properties": {"canton": {"type": "string", "enum": ["CH", *sorted(CANTONS)]}}},
    available=law_is_set_up,
)
@asking
def list_facets(arguments: JsonObject, context: ToolContext) -> Answer:
    wanted = arguments.get("canton", "")
    cantons: dict[str, JsonObject] = {}
    for court in open_entscheidsuche().courts():
        if wanted in ("", court.canton):
            branch = {"code": court.canton, **court.of_canton, "courts": []}
            cantons.setdefault(court.canton, branch)["courts"].append(_facet(court, whole=bool(wanted)))
    return Answer({"cantons": list(cantons.values()), "languages": list(LANGUAGES)})


def _facet(court: Court, *, whole: bool) -> JsonObject:
    chambers = [{"code": code, **names} for code, names in court.chambers.items()]
    return {"code": court.code, **court.names, "chambers": chambers if whole else len(chambers)}


def work_of(decision: CourtDecision) -> Work:
    """A decision as it is listed and archived."""
    return Work(
        kind="decision",
        id=decision.id,
        key=f"entscheidsuche:{decision.id}"[:200],
        citation=citation_of(decision),
        title=decision.title,
        url=decision.url,
        language=decision.language,
        date=decision.date.isoformat() if decision.date else "",
        summary=decision.abstract,
        text="\n\n".join(filter(None, (decision.abstract, decision.text))),
        found_by="entscheidsuche",
        court=decision.court,
        canton=decision.canton,
        year=decision.year,
    )


def _searched(
    arguments: JsonObject, *, courts: Sequence[str] = (), cantons: Sequence[str] = (), offset: int = 0
) -> Answer:
    found = open_entscheidsuche().search(
        arguments["query"],
        courts=courts,
        cantons=cantons,
        language=arguments.get("language", ""),
        since=day(arguments, "dateFrom"),
        until=day(arguments, "dateTo"),
        limit=arguments.get("limit", 10),
        offset=offset,
    )
    return _found(found)


def _found(found: Found) -> Answer:
    remember(found.decisions)
    works = [work_of(one) for one in found.decisions]
    data: JsonObject = {"results": [one.row() for one in works], "total": found.total}
    return Answer(data, tuple(one.source() for one in works))


def _one(decision: CourtDecision) -> Answer:
    remember([decision])
    work = work_of(decision)
    row = work.row(text=decision.text, references=list(decision.references))
    return Answer(row, (work.source(),))


def decision_with(identifier: str) -> CourtDecision:
    """The decision with an id that a search gave. Raises ToolError when there is none."""
    decision = open_entscheidsuche().get(identifier)
    if decision is None:
        raise ToolError("not_found", "entscheidsuche has no decision with this id.")
    return decision
