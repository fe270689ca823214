"""Federal acts as tools: the version in force, its articles, one of them, its dates, and acts that belong to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from django.conf import settings
from django.utils import timezone

from citations.extract import extract
from citations.services import act_table
from citations.services.verification import remember_article
from citations.sources.fedlex import MOST_RELATED, ActEntry, Article, Version, number_of, paragraph_of
from citations.sources.setup import open_fedlex
from research.jsontext import Json, JsonObject
from research.tools.base import Answer, ToolContext, ToolError, tool
from research.tools.legal import ACT, ARTICLE, LANGUAGE, Work, asking

RELATIONS = {"cites_it": "citing", "is_cited": "cited", "changed_it": "changed_by"}


def fedlex_is_set_up() -> bool:
    return bool(settings.FEDLEX_BASE_URL)


@contextmanager
def named_rightly(argument: str) -> Iterator[None]:
    """What is neither an abbreviation nor a number, as the refusal of a tool."""
    try:
        yield
    except ValueError as error:
        raise ToolError("bad_arguments", f"{argument}: {error}") from None


@tool(
    "lookup_statute",
    "Which version of a federal act is in force: title, SR number, since when, address.",
    {"required": ["statute"], "properties": {"statute": ACT, "language": LANGUAGE}},
    available=fedlex_is_set_up,
)
@asking
def lookup_statute(arguments: JsonObject, context: ToolContext) -> Answer:
    language = arguments.get("language", "de")
    with named_rightly("statute"):
        version = open_fedlex().version(
            arguments["statute"], language=language, today=timezone.localdate(), acts=act_table()
        )
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
    with named_rightly("statute or article"):
        found = open_fedlex().article(
            act, number, language=language, today=timezone.localdate(), acts=act_table()
        )
    if found is None:
        raise ToolError("not_found", f"Fedlex has no article {number} of {act} in the version in force.")
    if known := number_of(found.version.number, act_table())[1]:
        remember_article(found, known.key)
    work = work_of(found)
    return Answer({**_version(found.version), **work.row(text=found.text)}, (work.source(),))


@tool(
    "get_provision_text",
    "The text of the provision that a citation names (Art. 97 Abs. 1 OR), as in force today: the paragraph if one is "
    "named and can be told apart, else the whole article.",
    {
        "required": ["citation"],
        "properties": {
            "citation": {"type": "string", "minLength": 3, "maxLength": 200},
            "language": LANGUAGE,
        },
    },
    available=fedlex_is_set_up,
)
@asking
def get_provision_text(arguments: JsonObject, context: ToolContext) -> Answer:
    cited = [one for one in extract(arguments["citation"], acts=act_table()) if one.kind == "statute"]
    if not cited or not cited[0].data.get("sr"):
        raise ToolError(
            "INVALID_CITATION_FORMAT", "That names no article of a federal act, such as Art. 97 OR."
        )
    if cited[0].reason == "former_law":
        raise ToolError("not_found", "That is former law; Fedlex is asked for the law in force.")
    provision = cited[0].data
    answer = get_article(
        {
            "statute": provision["sr"],
            "article": provision["article"],
            "language": arguments.get("language", "de"),
        },
        context,
    )
    named = dict(provision["parts"]).get("Abs.", "")
    part = paragraph_of(answer.data["text"], named) if named else None
    data = {"paragraph": named if part else None, "text": part or answer.data["text"]}
    return Answer({**answer.data, "asked": cited[0].normalized, **data}, answer.sources)


@tool(
    "list_articles",
    "The articles of a federal act as in force today: number, heading, address.",
    {"required": ["statute"], "properties": {"statute": ACT, "language": LANGUAGE}},
    available=fedlex_is_set_up,
)
@asking
def list_articles(arguments: JsonObject, context: ToolContext) -> Answer:
    language = arguments.get("language", "de")
    with named_rightly("statute"):
        found = open_fedlex().headings(
            arguments["statute"], language=language, today=timezone.localdate(), acts=act_table()
        )
    if found is None:
        raise ToolError("not_found", f"Fedlex has no version in force of {arguments['statute']}.")
    version, headings = found
    listed = [{"article": one.number, "heading": one.heading} for one in headings]
    return Answer({**_version(version), "articles": listed, "total": len(listed)})


@tool(
    "search_legislation",
    "Search federal acts in force by words of their title or their abbreviation; all words must occur. The texts of "
    "acts are not searched.",
    {
        "required": ["query"],
        "properties": {
            "query": {"type": "string", "minLength": 2, "maxLength": 200},
            "language": LANGUAGE,
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        },
    },
    available=fedlex_is_set_up,
)
@asking
def search_legislation(arguments: JsonObject, context: ToolContext) -> Answer:
    found = open_fedlex().search(
        arguments["query"],
        language=arguments.get("language", "de"),
        today=timezone.localdate(),
        limit=arguments.get("limit", 10),
    )
    return Answer({"results": [_entry(one) for one in found], "total": len(found)})


@tool(
    "get_metadata",
    "Title, number and dates of a federal act: adopted, in force since and until, how often it was consolidated.",
    {"required": ["statute"], "properties": {"statute": ACT, "language": LANGUAGE}},
    available=fedlex_is_set_up,
)
@asking
def get_metadata(arguments: JsonObject, context: ToolContext) -> Answer:
    with named_rightly("statute"):
        found = open_fedlex().metadata(
            arguments["statute"],
            language=arguments.get("language", "de"),
            today=timezone.localdate(),
            acts=act_table(),
        )
    if found is None:
        raise ToolError("not_found", f"Fedlex has no act {arguments['statute']}.")
    dates = {"adopted": _day(found.adopted), "in_force_until": _day(found.in_force_until)}
    return Answer({**_entry(found), **dates, "versions": found.versions, "last_version": _day(found.latest)})


@tool(
    "find_related",
    "Acts that belong to a federal act as Fedlex records it: that cite it, that it cites, and that changed it. The "
    "records are not complete; what is missing may exist.",
    {
        "required": ["statute"],
        "properties": {
            "statute": ACT,
            "language": LANGUAGE,
            "limit": {"type": "integer", "minimum": 1, "maximum": MOST_RELATED, "default": 20},
        },
    },
    available=fedlex_is_set_up,
)
@asking
def find_related(arguments: JsonObject, context: ToolContext) -> Answer:
    with named_rightly("statute"):
        found = open_fedlex().related(
            arguments["statute"],
            language=arguments.get("language", "de"),
            today=timezone.localdate(),
            acts=act_table(),
        )
    limit = arguments.get("limit", 20)
    kinds = {name: [_entry(one) for one in found if one.how == how] for how, name in RELATIONS.items()}
    totals = {name: len(entries) for name, entries in kinds.items()}
    return Answer({**{name: entries[:limit] for name, entries in kinds.items()}, "totals": totals})


def work_of(found: Article) -> Work:
    """An article as it is listed and archived."""
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


def _version(version: Version) -> JsonObject:
    return {
        "number": version.number,
        "title": version.title,
        "abbreviation": version.abbreviation,
        "language": version.language,
        "in_force_since": _day(version.in_force_since),
        "url": version.url,
    }


def _entry(one: ActEntry) -> JsonObject:
    return {
        "number": one.number,
        "title": one.title,
        "abbreviation": one.abbreviation,
        "in_force_since": _day(one.in_force_since),
        "url": one.url,
    }


def _day(value: date | None) -> Json:
    return value.isoformat() if value else ""
