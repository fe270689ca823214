"""Federal acts as tools: which version is in force, and the text of an article."""

from django.conf import settings
from django.utils import timezone

from citations.services import act_table
from citations.sources.fedlex import Article, Version
from citations.sources.setup import open_fedlex
from research.jsontext import JsonObject
from research.tools.base import Answer, ToolContext, ToolError, tool
from research.tools.legal import ACT, ARTICLE, LANGUAGE, Work, asking


def fedlex_is_set_up() -> bool:
    return bool(settings.FEDLEX_BASE_URL)


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
    work = work_of(found)
    return Answer({**_version(found.version), **work.row(text=found.text)}, (work.source(),))


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
        date=version.in_force_since.isoformat() if version.in_force_since else "",
        summary=" ".join(found.text.split()),
        text=found.text,
        found_by="fedlex",
    )


def _version(version: Version) -> JsonObject:
    since = version.in_force_since
    return {
        "number": version.number,
        "title": version.title,
        "abbreviation": version.abbreviation,
        "language": version.language,
        "in_force_since": since.isoformat() if since else "",
        "url": version.url,
    }
