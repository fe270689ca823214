"""Open commentaries as tools."""

from functools import partial

from django.conf import settings

from citations.mention import LANGUAGES
from citations.sources.onlinekommentar import Commentary
from citations.sources.setup import open_onlinekommentar
from research.jsontext import JsonObject
from research.tools.legal import ACT, ARTICLE, LANGUAGE, Work, law_tool, up_to, words
from research.tools.tool import Answer, ToolContext, ToolError

SPOKEN: JsonObject = {
    "type": "string",
    "enum": list(LANGUAGES),
    "description": "Only commentaries in this language",
}


def doctrine_is_set_up() -> bool:
    return bool(settings.ONLINEKOMMENTAR_BASE_URL)


doctrine_tool = partial(law_tool, doctrine_is_set_up)


@doctrine_tool(
    "search_commentaries",
    "Search open commentaries on Swiss law at onlinekommentar.ch: title, authors, address. The text: get_commentary.",
    needs={"query": words(2, 200)},
    may={"language": SPOKEN, "limit": up_to(50)},
)
def search_commentaries(arguments: JsonObject, context: ToolContext) -> Answer:
    language, limit = arguments.get("language", ""), arguments["limit"]
    return _listed(open_onlinekommentar().search(arguments["query"], language=language, limit=limit))


@doctrine_tool(
    "get_commentary_for_article",
    "Open commentaries on one article, such as article 10 of the DBG.",
    needs={"article": ARTICLE, "statute": ACT},
    may={"language": SPOKEN},
)
def get_commentary_for_article(arguments: JsonObject, context: ToolContext) -> Answer:
    article, act, language = arguments["article"], arguments["statute"], arguments.get("language", "")
    return _listed(open_onlinekommentar().for_article(article, act, language=language))


@doctrine_tool(
    "get_commentary",
    "The text of an open commentary, by the id that a search gave.",
    needs={"commentaryId": words(1, 80)},
)
def get_commentary(arguments: JsonObject, context: ToolContext) -> Answer:
    found = open_onlinekommentar().get(arguments["commentaryId"])
    if found is None:
        raise ToolError("not_found", "onlinekommentar has no commentary with this id.")
    return Answer(_row(found) | {"text": found.text}, (work_of(found).source(),))


@doctrine_tool(
    "list_legislative_acts",
    "The acts that have open commentaries, with the number of commentaries on each.",
    may={"language": LANGUAGE},
)
def list_legislative_acts(arguments: JsonObject, context: ToolContext) -> Answer:
    acts, complete = open_onlinekommentar().acts(language=arguments["language"])
    listed = [{"id": one.id, "title": one.title, "commentaries": one.commentaries} for one in acts]
    return Answer({"acts": listed, "total": len(listed), "complete": complete})


def work_of(one: Commentary) -> Work:
    """A commentary as a list entry and as a source."""
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
    """``OK-MUSTER/MEIER, Art. 10 DBG (2026-05-18)``: author, provision and date."""
    names = "/".join(name.split()[-1].upper() for name in authors[:4] if name.split())
    day = f" ({updated})" if updated else ""
    return f"OK-{names}, {title}{day}" if names else f"OK, {title}{day}"


def _listed(found: tuple[Commentary, ...]) -> Answer:
    return Answer({"results": [_row(one) for one in found], "total": len(found)})


def _row(one: Commentary) -> JsonObject:
    return work_of(one).row(authors=list(one.authors), act=one.act, updated=one.updated)
