"""Web search as a tool. Its results are leads: a page must be fetched before it can be quoted."""

from decimal import Decimal

from django.conf import settings
from django.db import connection

from research.jsontext import JsonObject
from research.tools.prices import paid_for, search_prices
from research.tools.tool import Answer, Paid, ToolContext, ToolError, tool, under
from research.web.archive.search import search_documents
from research.web.cleaning import clean_text
from research.web.search.base import MAX_TITLE, Hit, Provider
from research.web.search.quality import relevance, tier
from research.web.search.reading import cut, text
from research.web.search.search import MAX_QUERIES, SearchAnswer, web_search
from research.web.search.setup import HOW_TO, providers

MAX_QUERY = 400  # characters; every provider accepts this many
MAX_RESULTS = 20
MAX_SNIPPET = 500
MAX_EXCERPTS, MAX_EXCERPT = 2, 400
MAX_FAILED = 10

QUERY = {"type": "string", "minLength": 1, "maxLength": MAX_QUERY}


def queries_of(arguments: JsonObject) -> list[str]:
    """Normalised queries without duplicates. Also called before the arguments are checked."""
    listed = arguments.get("queries")
    asked = [arguments.get("query"), *(listed if isinstance(listed, list) else [])]
    lines = (" ".join(query.split()) for query in asked if isinstance(query, str))
    return list(dict.fromkeys(line for line in lines if line))


def count_calls(arguments: JsonObject) -> int:
    """Each query counts as one call."""
    return max(1, len(queries_of(arguments)))


def cut_calls(arguments: JsonObject, room: int) -> JsonObject:
    """The first queries that fit into the remaining budget."""
    rest = {key: value for key, value in arguments.items() if key not in {"query", "queries"}}
    return {**rest, "queries": queries_of(arguments)[:room]}


def worst_case(arguments: JsonObject) -> Decimal:
    """Highest cost: every available provider answers every query."""
    prices = search_prices(provider.name for provider in providers())
    return count_calls(arguments) * sum((price for price in prices.values() if price), Decimal(0))


@tool(
    "web_search",
    "Search the web with one query, or with several at once (each counts as one call; results are merged). Gives "
    "titles, addresses, snippets, and for each publisher a quality tier. Results are leads: read a page with "
    "extract_content before relying on it or quoting it.",
    {
        "properties": {
            "query": {**QUERY, "description": "one question or a few keywords"},
            "queries": {
                "type": "array",
                "items": QUERY,
                "minItems": 1,
                "maxItems": MAX_QUERIES,
                "description": "several of them, instead of query",
            },
            "max_results": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_RESULTS,
                "default": 5,
                "description": "for each query",
            },
        },
    },
    cost=worst_case,
    calls=count_calls,
    cut=cut_calls,
    web=True,
    reflects=True,
    found=under("results"),
    hits=under("results"),
)
def search_the_web(arguments: JsonObject, context: ToolContext) -> Answer:
    queries = queries_of(arguments)
    if not 1 <= len(queries) <= MAX_QUERIES:
        raise ToolError("bad_arguments", f"Give query, or queries with 1 to {MAX_QUERIES} texts.")
    chosen = providers(archive=search_archive)
    if not chosen:
        raise ToolError("no_search_provider", HOW_TO)
    found = web_search(queries, arguments.get("max_results", 5), chosen)
    paid = paid_for(found.billed, found.maybe)
    _refuse_nothing(found, chosen, paid)
    shown = [_shown(hit, queries) for hit in found.hits]
    # Keep the first failure of each kind for each provider.
    first = {(each.provider, each.code): each for each in reversed(found.failed)}
    data: JsonObject = {
        "queries": queries,
        "results": [result for result, _ in shown],
        "failed": [each.as_json() for each in found.failed if first[each.provider, each.code] is each][
            :MAX_FAILED
        ],
    }
    if _archive_by_default(chosen):
        data["limitation"] = {"code": "no_search_provider", "message": HOW_TO}
    return Answer(data, tuple(_source(result, warnings) for result, warnings in shown), paid)


def search_archive(query: str, limit: int) -> list[Hit]:
    """Hits in the archive. Frees the database connection afterwards."""
    try:
        found = search_documents(query, limit=limit)
        return [
            Hit(
                each.document.url,
                text(each.document.title, MAX_TITLE),
                text(each.snippet.text, MAX_SNIPPET),
                score=each.score,
                provider="archive",
            )
            for each in found
        ]
    finally:
        if not connection.in_atomic_block:
            connection.close()


def _refuse_nothing(found: SearchAnswer, chosen: list[Provider], paid: Paid) -> None:
    """Refuse an empty result if no provider answered. The archive does not replace the web.

    Raises:
        ToolError: no provider answered, or only the archive was available and has nothing.
    """
    if found.hits:
        return
    if _archive_by_default(chosen):
        raise ToolError("no_search_provider", HOW_TO)
    if not found.failed or set(found.answered) - {"archive"}:
        return
    waits = [each.retry_after for each in found.failed if each.retryable and each.retry_after is not None]
    reasons = " ".join(dict.fromkeys(each.message for each in found.failed))
    failed = ToolError(
        "search_failed",
        f"No search provider answered. {reasons}",
        retryable=any(each.retryable for each in found.failed),
        **({"retry_after": round(min(waits), 1)} if waits else {}),
    )
    failed.paid = paid
    raise failed


def _archive_by_default(chosen: list[Provider]) -> bool:
    """Only the archive is available, and the operator did not choose that."""
    return not settings.DOSSIER_SEARCH and all(provider.name == "archive" for provider in chosen)


def _shown(hit: Hit, queries: list[str]) -> tuple[JsonObject, list[str]]:
    """A hit made safe for a model, and the warnings about it."""
    # excerpts beyond the snippet
    given = hit.extra.get("excerpts") or [hit.text[MAX_SNIPPET:]]
    lines = (text(excerpt, MAX_EXCERPT) for excerpt in given)
    excerpts = [line for line in lines if line][:MAX_EXCERPTS]
    cleaned = [clean_text(said) for said in (hit.title, hit.snippet, *excerpts)]
    title, snippet, *others = (" ".join(each.text.split()) for each in cleaned)
    result: JsonObject = {
        "url": hit.url,
        "title": title,
        "snippet": cut(snippet, MAX_SNIPPET),
        "excerpts": [other for other in others if other],
        "published": hit.published,
        "provider": hit.provider,
        "quality": tier(hit.url),
        "relevance": max(relevance(query, f"{hit.title} {hit.snippet} {hit.text}") for query in queries),
    }
    warnings = list(dict.fromkeys(warning for each in cleaned for warning in each.warnings))
    return {**result, **({"warnings": warnings} if warnings else {})}, warnings


def _source(result: JsonObject, warnings: list[str]) -> JsonObject:
    source = {name: result[name] for name in ("url", "title", "snippet", "quality")}
    return {
        **source,
        "kind": "web",
        "found_by": result["provider"],
        **({"warnings": warnings} if warnings else {}),
    }
