"""Acts and commentaries as tools: which version of an act is in force, the text of an article, what is written on it;
and whether a citation exists.
"""

from typing import Any

from django.conf import settings
from django.utils import timezone

from citations.extract import extract
from citations.mention import LANGUAGES
from citations.services import act_table
from citations.services.verification import verify
from citations.sources.fedlex import Article, Version
from citations.sources.onlinekommentar import Commentary
from citations.sources.setup import open_fedlex, open_onlinekommentar
from research.jsontext import JsonObject
from research.tools.base import Answer, ToolContext, ToolError, tool
from research.tools.legal import SUMMARY, asking

ACT = {
    "type": "string",
    "minLength": 1,
    "maxLength": 80,
    "description": "The act: its abbreviation in any language (OR, CO) or its SR number (220)",
}
ARTICLE = {"type": "string", "minLength": 1, "maxLength": 12, "description": "The article: 97, 336c, 305bis"}
LANGUAGE = {"type": "string", "enum": ["de", "fr", "it", "en"], "default": "de"}
SPOKEN = {"type": "string", "enum": list(LANGUAGES), "description": "Only commentaries in this language"}


def fedlex_is_set_up() -> bool:
    return bool(settings.FEDLEX_BASE_URL)


def doctrine_is_set_up() -> bool:
    return bool(settings.ONLINEKOMMENTAR_BASE_URL)


@tool(
    "lookup_statute",
    "Which version of a federal act is in force: title, SR number, since when, address.",
    {"required": ["statute"], "properties": {"statute": ACT, "language": LANGUAGE}},
    available=fedlex_is_set_up,
)
@asking
def lookup_statute(arguments: JsonObject, context: ToolContext) -> Answer:
    language = arguments.get("language", "de")
    try:
        version = open_fedlex().version(
            arguments["statute"], language=language, today=timezone.localdate(), acts=act_table()
        )
    except ValueError as error:
        raise ToolError("bad_arguments", f"statute: {error}") from None
    if version is None:
        raise ToolError("not_found", f"Fedlex has no version in force of {arguments['statute']}.")
    return Answer(_version(version))


@tool(
    "get_article",
    "The text of an article of a federal act as in force today.",
    {
        "required": ["statute", "article"],
        "properties": {"statute": ACT, "article": ARTICLE, "language": LANGUAGE},
    },
    available=fedlex_is_set_up,
)
@asking
def get_article(arguments: JsonObject, context: ToolContext) -> Answer:
    act, number, language = arguments["statute"], arguments["article"], arguments.get("language", "de")
    try:
        found = open_fedlex().article(
            act, number, language=language, today=timezone.localdate(), acts=act_table()
        )
    except ValueError as error:
        raise ToolError("bad_arguments", str(error)) from None
    if found is None:
        raise ToolError("not_found", f"Fedlex has no article {number} of {act} in the version in force.")
    citation = f"Art. {found.number} {found.version.abbreviation or found.version.number}"
    key = f"fedlex:{found.version.number}:{found.number}:{language}"
    data = {"citation": citation, "text": found.text, "url": found.url, "key": key, **_version(found.version)}
    return Answer({**data, "url": found.url}, (_article_source(found, citation, key),))


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
    return Answer({**_shown(found), "text": found.text}, (_commentary_source(found),))


@tool(
    "validate_citation",
    "Whether what is cited exists: an impossible BGE is told apart from one that is merely not found, and from "
    "one that nobody could be asked about.",
    {
        "required": ["citation"],
        "properties": {"citation": {"type": "string", "minLength": 3, "maxLength": 500}},
    },
)
@asking
def validate_citation(arguments: JsonObject, context: ToolContext) -> Answer:
    mentions = [one for one in extract(arguments["citation"], acts=act_table()) if one.normalized]
    if not mentions:
        raise ToolError("INVALID_CITATION_FORMAT", "No citation was found in the text.")
    return Answer(verify(mentions[:1], lookups=1)[0].as_json())


def _version(version: Version) -> JsonObject:
    since: Any = version.in_force_since
    return {
        "number": version.number,
        "title": version.title,
        "abbreviation": version.abbreviation,
        "language": version.language,
        "in_force_since": since.isoformat() if since else "",
        "url": version.url,
    }


def _article_source(found: Article, citation: str, key: str) -> JsonObject:
    since = found.version.in_force_since
    return {
        "kind": "law",
        "key": key,
        "url": found.url,
        "title": f"{citation} · {found.version.title}"[:500],
        "snippet": found.text[:SUMMARY],
        "text": found.text,
        "mime": "text/plain",
        "language": found.version.language,
        "found_by": "fedlex",
        "as_of": since.isoformat() if since else "",
    }


def _listed(found: tuple[Commentary, ...]) -> Answer:
    return Answer({"results": [_shown(one) for one in found], "total": len(found)})


def _shown(one: Commentary) -> JsonObject:
    return {
        "id": one.id,
        "title": one.title,
        "authors": list(one.authors),
        "act": one.act,
        "language": one.language,
        "updated": one.updated,
        "url": one.url,
        "key": f"onlinekommentar:{one.id}",
        "citation": commentary_citation(one.authors, one.title, one.updated),
    }


def commentary_citation(authors: tuple[str, ...], title: str, updated: str) -> str:
    """``OK-MUSTER/MEIER, Art. 10 DBG (2026-05-18)``: who, on what, and of which day."""
    names = "/".join(name.split()[-1].upper() for name in authors[:4] if name.split())
    day = f" ({updated})" if updated else ""
    return f"OK-{names}, {title}{day}" if names else f"OK, {title}{day}"


def _commentary_source(one: Commentary) -> JsonObject:
    return {
        "kind": "law",
        "key": f"onlinekommentar:{one.id}",
        "url": one.url,
        "title": commentary_citation(one.authors, one.title, one.updated),
        "snippet": one.text[:SUMMARY],
        "text": one.text,
        "mime": "text/plain",
        "language": one.language,
        "found_by": "onlinekommentar",
        "as_of": one.updated,
    }
