"""Open commentaries as tools."""

from django.conf import settings

from citations.mention import LANGUAGES
from citations.sources.onlinekommentar import Commentary
from citations.sources.setup import open_onlinekommentar
from research.jsontext import JsonObject
from research.tools.base import Answer, ToolContext, ToolError, tool
from research.tools.legal import ACT, ARTICLE, Work, asking

SPOKEN = {"type": "string", "enum": list(LANGUAGES), "description": "Only commentaries in this language"}


def doctrine_is_set_up() -> bool:
    return bool(settings.ONLINEKOMMENTAR_BASE_URL)


@tool(
    "search_commentaries",
    "Search open commentaries on Swiss law at onlinekommentar.ch: title, authors, address. The text: get_commentary.",
    {
        "required": ["query"],
        "properties": {
            "query": {"type": "string", "minLength": 2, "maxLength": 200},
            "language": SPOKEN,
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        },
    },
    available=doctrine_is_set_up,
)
@asking
def search_commentaries(arguments: JsonObject, context: ToolContext) -> Answer:
    found = open_onlinekommentar().search(
        arguments["query"], language=arguments.get("language", ""), limit=arguments.get("limit", 10)
    )
    return _listed(found)


@tool(
    "get_commentary_for_article",
    "Open commentaries on one article, such as article 10 of the DBG.",
    {
        "required": ["article", "statute"],
        "properties": {"article": ARTICLE, "statute": ACT, "language": SPOKEN},
    },
    available=doctrine_is_set_up,
)
@asking
def get_commentary_for_article(arguments: JsonObject, context: ToolContext) -> Answer:
    found = open_onlinekommentar().for_article(
        arguments["article"], arguments["statute"], language=arguments.get("language", "")
    )
    return _listed(found)


@tool(
    "get_commentary",
    "The text of an open commentary, by the id that a search gave.",
    {
        "required": ["commentaryId"],
        "properties": {"commentaryId": {"type": "string", "minLength": 1, "maxLength": 80}},
    },
    available=doctrine_is_set_up,
)
@asking
def get_commentary(arguments: JsonObject, context: ToolContext) -> Answer:
    found = open_onlinekommentar().get(arguments["commentaryId"])
    if found is None:
        raise ToolError("not_found", "onlinekommentar has no commentary with this id.")
    return Answer(_row(found) | {"text": found.text}, (work_of(found).source(),))


@tool(
    "list_legislative_acts",
    "The acts that have open commentaries, with the number of commentaries on each.",
    {"properties": {"language": {"type": "string", "enum": list(LANGUAGES), "default": "de"}}},
    available=doctrine_is_set_up,
)
@asking
def list_legislative_acts(arguments: JsonObject, context: ToolContext) -> Answer:
    acts, complete = open_onlinekommentar().acts(language=arguments.get("language", "de"))
    listed = [{"id": one.id, "title": one.title, "commentaries": one.commentaries} for one in acts]
    return Answer({"acts": listed, "total": len(listed), "complete": complete})


def work_of(one: Commentary) -> Work:
    """A commentary as it is listed and archived."""
    return Work(
        kind="commentary",
        id=one.id,
        key=f"onlinekommentar:{one.id}",
        citation=commentary_citation(one.authors, one.title, one.updated),
        title=one.title,
        url=one.url,
        language=one.language,
        date=one.updated,
        summary=", ".join(one.authors),
        text=one.text,
        found_by="onlinekommentar",
    )


def commentary_citation(authors: tuple[str, ...], title: str, updated: str) -> str:
    """``OK-MUSTER/MEIER, Art. 10 DBG (2026-05-18)``: who, on what, and of which day."""
    names = "/".join(name.split()[-1].upper() for name in authors[:4] if name.split())
    day = f" ({updated})" if updated else ""
    return f"OK-{names}, {title}{day}" if names else f"OK, {title}{day}"


def _listed(found: tuple[Commentary, ...]) -> Answer:
    return Answer({"results": [_row(one) for one in found], "total": len(found)})


def _row(one: Commentary) -> JsonObject:
    return work_of(one).row(authors=list(one.authors), act=one.act, updated=one.updated)
