"""Read OpenAI's Response object. A failed response has HTTP status 200, so its own status decides."""

from collections.abc import Iterator, Mapping

from research.jsontext import Json, JsonObject
from research.llm.http import Endpoint
from research.llm.interface import Citation, Stop, ToolCall, Turn, Usage
from research.llm.wire import Namer, at, count, distinct, objects, read_call, reason_of

PROTOCOL = "responses"
CUT: Mapping[str, Stop] = {"max_output_tokens": "max_tokens", "content_filter": "content_filter"}
POLICY = {"bio_policy", "image_content_policy_violation", "misalignment_policy_violation"}


def read_turn(endpoint: Endpoint, response: JsonObject, namer: Namer | None = None) -> Turn:
    """The turn in a Response object. Raises ModelFault if it holds no answer."""
    items = list(objects(response.get("output")))
    calls = tuple(_calls(items, namer or Namer()))
    refused = "".join(str(part.get("refusal") or "") for part in _parts(items, "refusal"))
    stop = _stop(endpoint, response, bool(calls), bool(refused))
    detail = reason_of(stop) | ({"reason": refused} if refused else {})
    said = at(response, "error", "message")
    if stop == "content_filter" and said:
        detail["reason"] = str(said)
    failed = [str(item.get("status")) for item in items if is_search(item) and item.get("status") == "failed"]
    if failed:
        detail["search_errors"] = failed
    return Turn(
        text=_text(items) or refused,
        tool_calls=calls if stop == "tools" else (),
        stop=stop,
        raw={PROTOCOL: items},
        usage=_usage(response, items),
        detail=detail,
        citations=distinct(_citations(items)),
        model=str(response.get("model") or ""),
    )


def _stop(endpoint: Endpoint, response: JsonObject, calls: bool, refused: bool) -> Stop:
    status = response.get("status")
    if status == "incomplete":
        return CUT.get(str(at(response, "incomplete_details", "reason")), "error")
    if status == "failed":
        if at(response, "error", "code") in POLICY:
            return "content_filter"
        raise endpoint.reported(response.get("error"))
    if status == "cancelled":
        raise endpoint.fault("truncated", "cancelled the answer")
    if status != "completed":
        raise endpoint.fault("server", f"gave an answer with the status {str(status)[:40]!r}")
    if refused:
        return "refusal"
    return "tools" if calls else "end"


def _calls(items: list[JsonObject], namer: Namer) -> Iterator[ToolCall]:
    for item in items:
        if item.get("type") == "function_call":
            call_id = namer.name(item.get("call_id"))
            yield read_call(call_id, str(item.get("name")), item.get("arguments"))


def _parts(items: list[JsonObject], type_: str) -> Iterator[JsonObject]:
    for item in items:
        if item.get("type") == "message":
            yield from (part for part in objects(item.get("content")) if part.get("type") == type_)


def _text(items: list[JsonObject]) -> str:
    """The text after the last search, without commentary. All text if that is empty."""
    last = max((place for place, item in enumerate(items) if is_search(item)), default=-1)
    answer = [item for item in items[last + 1 :] if item.get("phase") != "commentary"]
    said = [
        "".join(str(part.get("text") or "") for part in _parts(some, "output_text"))
        for some in (answer, items)
    ]
    return said[0] if said[0].strip() else said[1]


def is_search(item: JsonObject) -> bool:
    return item.get("type") == "web_search_call"


def _citations(items: list[JsonObject]) -> Iterator[Citation]:
    for part in _parts(items, "output_text"):
        for note in objects(part.get("annotations")):
            if note.get("type") == "url_citation":
                yield Citation(str(note.get("url") or ""), str(note.get("title") or ""))
    for item in filter(is_search, items):
        for source in objects(at(item, "action", "sources")):
            yield Citation(str(source.get("url") or ""))


def _usage(response: JsonObject, items: list[JsonObject]) -> Usage:
    usage: Json = response.get("usage")
    given, output = count(at(usage, "input_tokens")), count(at(usage, "output_tokens"))
    if given is None or output is None:
        return Usage(known=False)
    cached = count(at(usage, "input_tokens_details", "cached_tokens")) or 0
    written = count(at(usage, "input_tokens_details", "cache_write_tokens")) or 0
    billed = count(at(response, "tool_usage", "web_search", "num_requests"))
    seen = sum(is_search(item) and at(item, "action", "type") == "search" for item in items)
    return Usage(
        input_tokens=max(given - cached - written, 0),
        cached_tokens=cached,
        cache_write_tokens=written,
        output_tokens=output,
        searches=seen if billed is None else billed,
    )
