"""Federal acts as tools: the version in force, its articles, one article, its dates, and related acts."""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import TypeVar

from django.conf import settings
from django.utils import timezone

from citations.extract import extract
from citations.services import act_table
from citations.services.verification import remember_article
from citations.sources.fedlex import MOST_RELATED, ActEntry, Article, Version, number_of, paragraph_of
from citations.sources.setup import open_fedlex
from research.jsontext import Json, JsonObject
from research.tools.legal import ACT, ARTICLE, LANGUAGE, Work, law_tool, up_to, words
from research.tools.tool import Answer, ToolContext, ToolError

RELATIONS = {"cites_it": "citing", "is_cited": "cited", "changed_it": "changed_by"}
Found = TypeVar("Found")


def fedlex_is_set_up() -> bool:
    return bool(settings.FEDLEX_BASE_URL)


fedlex_tool = partial(law_tool, fedlex_is_set_up)


@fedlex_tool(
    "lookup_statute",
    "Which version of a federal act is in force: title, SR number, since when, address.",
    needs={"statute": ACT},
    may={"language": LANGUAGE},
)
def lookup_statute(arguments: JsonObject, context: ToolContext) -> Answer:
    return Answer(_version(_asked(open_fedlex().version, arguments, missing="version in force of")))


@fedlex_tool(
    "get_article",
    "The text of an article of a federal act as in force today.",
    needs={"statute": ACT, "article": ARTICLE},
    may={"language": LANGUAGE},
)
def get_article(arguments: JsonObject, context: ToolContext) -> Answer:
    number = arguments["article"]
    missing = f"article {number} in force of"
    found = _asked(open_fedlex().article, arguments, number, missing=missing)
    if known := number_of(found.version.number, act_table())[1]:
        remember_article(found, known.key)
    work = work_of(found)
    return Answer({**_version(found.version), **work.row(text=found.text)}, (work.source(),))


@fedlex_tool(
    "get_provision_text",
    "The text of the provision that a citation names (Art. 97 Abs. 1 OR), as in force today: the paragraph if one is "
    "named and can be told apart, else the whole article.",
    needs={"citation": words(3, 200)},
    may={"language": LANGUAGE},
)
def get_provision_text(arguments: JsonObject, context: ToolContext) -> Answer:
    cited = [one for one in extract(arguments["citation"], acts=act_table()) if one.kind == "statute"]
    if not cited or not cited[0].data.get("sr"):
        raise ToolError(
            "INVALID_CITATION_FORMAT", "That names no article of a federal act, such as Art. 97 OR."
        )
    if cited[0].reason == "former_law":
        raise ToolError("not_offered", "That is former law; Fedlex is asked for the law in force.")
    provision = cited[0].data
    wanted = {"statute": provision["sr"], "article": provision["article"], "language": arguments["language"]}
    answer = get_article(wanted, context)
    named = dict(provision["parts"]).get("Abs.", "")
    part = paragraph_of(answer.data["text"], named) if named else None
    data = {"paragraph": named if part else None, "text": part or answer.data["text"]}
    return Answer({**answer.data, "asked": cited[0].normalized, **data}, answer.sources)


@fedlex_tool(
    "list_articles",
    "The articles of a federal act as in force today: number, heading, address.",
    needs={"statute": ACT},
    may={"language": LANGUAGE},
)
def list_articles(arguments: JsonObject, context: ToolContext) -> Answer:
    version, headings = _asked(open_fedlex().headings, arguments, missing="version in force of")
    listed = [{"article": one.number, "heading": one.heading} for one in headings]
    return Answer({**_version(version), "articles": listed, "total": len(listed)})


@fedlex_tool(
    "search_legislation",
    "Search federal acts in force by words of their title or their abbreviation; all words must occur. The texts of "
    "acts are not searched.",
    needs={"query": words(2, 200)},
    may={"language": LANGUAGE, "limit": up_to(50)},
)
def search_legislation(arguments: JsonObject, context: ToolContext) -> Answer:
    language, limit = arguments["language"], arguments["limit"]
    found = open_fedlex().search(
        arguments["query"], language=language, today=timezone.localdate(), limit=limit
    )
    listed = [_entry(one) for one in found.acts]
    return Answer({"results": listed, "total": len(listed), "complete": found.complete})


@fedlex_tool(
    "get_metadata",
    "Title, number and dates of a federal act: adopted, in force since and until, how often it was consolidated.",
    needs={"statute": ACT},
    may={"language": LANGUAGE},
)
def get_metadata(arguments: JsonObject, context: ToolContext) -> Answer:
    found = _asked(open_fedlex().metadata, arguments, missing="act")
    dates = {"adopted": _day(found.adopted), "in_force_until": _day(found.in_force_until)}
    return Answer({**_entry(found), **dates, "versions": found.versions, "last_version": _day(found.latest)})


@fedlex_tool(
    "find_related",
    "Acts that belong to a federal act as Fedlex records it: that cite it, that it cites, and that changed it. The "
    "records are not complete; what is missing may exist.",
    needs={"statute": ACT},
    may={"language": LANGUAGE, "limit": up_to(MOST_RELATED, 20)},
)
def find_related(arguments: JsonObject, context: ToolContext) -> Answer:
    found = _asked(open_fedlex().related, arguments, missing="act")
    kinds = {name: [_entry(one) for one in found.acts if one.how == how] for how, name in RELATIONS.items()}
    listed = {name: entries[: arguments["limit"]] for name, entries in kinds.items()}
    totals = {name: len(entries) for name, entries in kinds.items()}
    return Answer({**listed, "totals": totals, "complete": found.complete})


def work_of(found: Article) -> Work:
    """An article as a list entry and as a source."""
    version = found.version
    key = f"fedlex:{version.number}:{found.number}:{version.language}"
    return Work(
        kind="article",
        id=key,
        key=key,
        citation=f"Art. {found.number} {version.abbreviation or version.number}",
        title=version.title,
        url=found.url,
        language=version.language,
        date=str(_day(version.in_force_since)),
        summary=" ".join(found.text.split()),
        text=found.text,
        found_by="fedlex",
    )


def _asked(ask: Callable[..., Found | None], arguments: JsonObject, *more: str, missing: str) -> Found:
    """The answer of Fedlex about an act. Refuse a name that is not an act's, and an act Fedlex does not know."""
    act, language = arguments["statute"], arguments["language"]
    try:
        found = ask(act, *more, language=language, today=timezone.localdate(), acts=act_table())
    except ValueError as error:
        raise ToolError("bad_arguments", f"{error}.") from None
    if found is None:
        raise ToolError("not_found", f"Fedlex has no {missing} {act}.")
    return found


def _version(version: Version) -> JsonObject:
    return {**_entry(version), "language": version.language}


def _entry(one: ActEntry | Version) -> JsonObject:
    return {
        "number": one.number,
        "title": one.title,
        "abbreviation": one.abbreviation,
        "in_force_since": _day(one.in_force_since),
        "url": one.url,
    }


def _day(value: date | None) -> Json:
    return value.isoformat() if value else ""
