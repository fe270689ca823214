"""Decisions of courts as tools: search, read one, find citing and cited decisions, list the courts."""

from collections.abc import Sequence
from functools import partial

from django.conf import settings

from citations.decision_text import cited_in
from citations.extract import extract
from citations.services.verification import remember
from citations.sources.decisions import CANTONS, LANGUAGES, CourtDecision
from citations.sources.entscheidsuche import Found
from citations.sources.naming import citation_of
from citations.sources.setup import open_entscheidsuche
from research.jsontext import JsonObject
from research.tools.legal import Work, day, law_tool, up_to, words
from research.tools.tool import Answer, ToolContext, ToolError

FEDERAL_COURTS = ("CH_BGE", "CH_BGer")

QUERY = words(
    1, 500, 'Words that all must occur; "words in quotes" are a phrase, OR stands between alternatives'
)
IDENTIFIER = words(3, 200)
LANGUAGE: JsonObject = {
    "type": "string",
    "enum": list(LANGUAGES),
    "description": "Only decisions in this language",
}
DAY: JsonObject = {
    "type": "string",
    "pattern": r"^\d{4}-\d{2}-\d{2}$",
    "maxLength": 10,
    "description": "A day, 2015-01-31",
}
CANTON_LIST: JsonObject = {
    "type": "array",
    "minItems": 1,
    "maxItems": 26,
    "items": {"type": "string", "enum": sorted(CANTONS)},
}
COURT_LIST: JsonObject = {
    "type": "array",
    "maxItems": 20,
    "items": {"type": "string", "maxLength": 60},
    "description": "Entries of the court tree, for example CH_BVGE or ZH_OG: list_hierarchy has them",
}
TIME = {"language": LANGUAGE, "dateFrom": DAY, "dateTo": DAY}
SEARCH = {**TIME, "limit": up_to(50)}


def law_is_set_up() -> bool:
    """Whether the address of a decision search is configured."""
    return bool(settings.ENTSCHEIDSUCHE_BASE_URL)


court_tool = partial(law_tool, law_is_set_up)


@court_tool(
    "search_bge",
    "Search decisions of the Swiss Federal Supreme Court, published (BGE) and unpublished. Best first. A decision that "
    "is not found may exist all the same.",
    needs={"query": QUERY},
    may=SEARCH,
)
def search_bge(arguments: JsonObject, context: ToolContext) -> Answer:
    return _searched(arguments, courts=FEDERAL_COURTS)


@court_tool(
    "search_canton",
    "Search decisions of the courts of one or several Swiss cantons. Best first.",
    needs={"query": QUERY, "cantons": CANTON_LIST},
    may=SEARCH,
)
def search_canton(arguments: JsonObject, context: ToolContext) -> Answer:
    return _searched(arguments)


@court_tool(
    "search_decisions",
    "Search the decisions of all Swiss courts, or of those named. Best first.",
    needs={"query": QUERY},
    may={
        **SEARCH,
        "cantons": CANTON_LIST,
        "courts": COURT_LIST,
        "from": {"type": "integer", "minimum": 0, "maximum": 9_000, "default": 0},
    },
)
def search_decisions(arguments: JsonObject, context: ToolContext) -> Answer:
    return _searched(arguments, courts=arguments.get("courts") or (), offset=arguments["from"])


@court_tool(
    "search_by_case_number",
    "Find the decisions that bear a case number, such as 4A_123/2020 or VB.2021.00456, not those that cite it.",
    needs={"caseNumber": words(3, 100)},
)
def search_by_case_number(arguments: JsonObject, context: ToolContext) -> Answer:
    found = open_entscheidsuche().by_reference(arguments["caseNumber"])
    remember(found.decisions)
    return _listed(found)


@court_tool(
    "get_bge_decision",
    "A decision of the official collection by its citation, such as BGE 145 III 229, with its text.",
    needs={"citation": words(5, 100)},
)
def get_bge_decision(arguments: JsonObject, context: ToolContext) -> Answer:
    mentions = [one for one in extract(arguments["citation"]) if one.kind == "bge" and one.normalized]
    if not mentions:
        raise ToolError("INVALID_CITATION_FORMAT", "That is no citation such as BGE 145 III 229.")
    found = open_entscheidsuche().by_reference(str(mentions[0].normalized))
    if not found.decisions:
        missing = f"{mentions[0].normalized} is not in entscheidsuche; it may exist."
        raise ToolError("not_found", missing, may_exist=True)
    return _one(found.decisions[0])


@court_tool(
    "get_decision_details",
    "A decision with its text, by the id that a search gave.",
    needs={"decisionId": IDENTIFIER},
)
def get_decision_details(arguments: JsonObject, context: ToolContext) -> Answer:
    return _one(decision_with(arguments["decisionId"]))


@court_tool(
    "get_related_decisions",
    "What a decision cites, and which decisions cite it, by the id that a search gave.",
    needs={"decisionId": IDENTIFIER},
    may={"limit": up_to(20)},
)
def get_related_decisions(arguments: JsonObject, context: ToolContext) -> Answer:
    decision = decision_with(arguments["decisionId"])
    reference = (decision.references or (decision.id,))[0].replace('"', " ")
    limit = arguments["limit"]
    found = open_entscheidsuche().search(f'"{reference.removeprefix("BGE ")}"', limit=limit + 1)
    works = [work_of(one) for one in found.decisions if one.id != decision.id][:limit]
    data = {"id": decision.id, "citation": citation_of(decision), "cites": cited_in(decision.text)}
    return Answer({**data, "citedBy": [one.row() for one in works]}, tuple(one.source() for one in works))


@court_tool(
    "list_hierarchy",
    "The courts whose decisions can be searched: code, canton and names.",
    may={"query": {"type": "string", "maxLength": 100}, "size": up_to(200, 100)},
)
def list_hierarchy(arguments: JsonObject, context: ToolContext) -> Answer:
    wanted = arguments.get("query", "").casefold()
    courts = [
        {"code": court.code, "canton": court.canton, **court.names}
        for court in open_entscheidsuche().courts()
        if wanted in " ".join((court.code, court.canton, *court.names.values())).casefold()
    ]
    return Answer({"courts": courts[: arguments["size"]], "total": len(courts)})


@court_tool(
    "list_facets",
    "What decisions can be narrowed to: languages, cantons, their courts, and with a canton (or CH) the chambers too.",
    may={"canton": {"type": "string", "enum": ["CH", *sorted(CANTONS)]}},
)
def list_facets(arguments: JsonObject, context: ToolContext) -> Answer:
    wanted = arguments.get("canton", "")
    cantons: dict[str, JsonObject] = {}
    for court in open_entscheidsuche().courts():
        if wanted in ("", court.canton):
            branch = {"code": court.canton, **court.of_canton, "courts": []}
            whole = bool(wanted)
            chambers = [{"code": code, **names} for code, names in court.chambers.items()]
            cantons.setdefault(court.canton, branch)["courts"].append(
                {"code": court.code, **court.names, "chambers": chambers if whole else len(chambers)}
            )
    return Answer({"cantons": list(cantons.values()), "languages": list(LANGUAGES)})


def work_of(decision: CourtDecision) -> Work:
    """A decision as a list entry and as a source."""
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


def find(
    arguments: JsonObject, query: str, limit: int, *, courts: Sequence[str] = (), offset: int = 0
) -> Found:
    """Search for decisions, filtered by the arguments. Hits are kept for ``decision_with``."""
    found = open_entscheidsuche().search(
        query,
        courts=courts,
        cantons=arguments.get("cantons") or (),
        language=arguments.get("language", ""),
        since=day(arguments, "dateFrom"),
        until=day(arguments, "dateTo"),
        limit=limit,
        offset=offset,
    )
    remember(found.decisions)
    return found


def _searched(arguments: JsonObject, *, courts: Sequence[str] = (), offset: int = 0) -> Answer:
    return _listed(find(arguments, arguments["query"], arguments["limit"], courts=courts, offset=offset))


def _listed(found: Found) -> Answer:
    works = [work_of(one) for one in found.decisions]
    data: JsonObject = {"results": [one.row() for one in works], "total": found.total}
    return Answer(data, tuple(one.source() for one in works))


def _one(decision: CourtDecision) -> Answer:
    remember([decision])
    work = work_of(decision)
    row = work.row(text=decision.text, references=list(decision.references))
    return Answer(row, (work.source(),))


def decision_with(identifier: str) -> CourtDecision:
    """The decision with an id from a search. Raises ToolError if there is none."""
    decision = open_entscheidsuche().get(identifier)
    if decision is None:
        raise ToolError("not_found", "entscheidsuche has no decision with this id.")
    return decision
