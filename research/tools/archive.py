"""The archive as a tool: search what any run has read before. Free, and no request leaves the machine."""

from research.jsontext import JsonObject
from research.tools.tool import Answer, ToolContext, tool, under
from research.web.archive.search import Found, search_documents

MAX_RESULTS = 20


@tool(
    "archive_search",
    "Search the texts that earlier research has read and kept. Ask a whole question or give a few words; the best "
    "answers come first. Free of charge: try it before searching the web.",
    {
        "required": ["query"],
        "properties": {
            "query": {"type": "string", "minLength": 1, "maxLength": 2_000},
            "host": {"type": "string", "maxLength": 255, "description": "only this host and those below it"},
            "language": {
                "type": "string",
                "maxLength": 10,
                "description": "only this language, for example de",
            },
            "max_results": {"type": "integer", "minimum": 1, "maximum": MAX_RESULTS},
        },
    },
    web=True,
    found=under("results"),
    hits=under("results"),
)
def archive_search(arguments: JsonObject, context: ToolContext) -> Answer:
    found = search_documents(
        arguments["query"],
        host=arguments.get("host"),
        language=arguments.get("language"),
        limit=arguments.get("max_results", 5),
    )
    data: JsonObject = {"query": arguments["query"], "results": [_result(each) for each in found]}
    return Answer(data, tuple(map(found_source, found)))


def _result(found: Found) -> JsonObject:
    document = found.document
    return {
        "title": document.title,
        "url": _address(found),
        "snippet": found.snippet.text,
        "read": document.fetched_at.date().isoformat(),
    }


def found_source(found: Found) -> JsonObject:
    document = found.document
    return {
        "kind": "web",
        "url": _address(found),
        "title": document.title or document.url,
        "snippet": found.snippet.text,
        "text": document.text,
        "mime": document.mime,
        "language": document.language,
        "found_by": "archive",
        "warnings": document.warnings,
    }


def _address(found: Found) -> str:
    return found.document.url or f"archive:{found.document.pk}"
