"""Anthropic Messages (``POST /v1/messages``), after the types of Anthropic's Python SDK 2.11.

Blocks are kept as they came and sent back as they came: thinking carries a signature, search results are encrypted.
"""

from collections.abc import Iterator, Mapping

from research.jsontext import Json, JsonObject
from research.llm.adapter import Adapter
from research.llm.interface import Citation, Message, ModelRequest, Stop, ToolCall, Turn, Usage
from research.llm.schemas import keeps_as_format
from research.llm.streams import message_of
from research.llm.tool_answers import answer_text
from research.llm.wire import (
    MAX_SEARCHES,
    SEARCH_NAME,
    Ids,
    Namer,
    as_called,
    at,
    count,
    distinct,
    native,
    objects,
    read_call,
    reason_of,
    searches_itself,
    system_text,
    wire_name,
)

PROTOCOL = "anthropic"
PATH = "/v1/messages"
CACHE = {"type": "ephemeral"}
LONG_ANSWER = 21_333  # tokens: by the SDK's estimate longer answers take over ten minutes: stream them
STOPS: Mapping[str, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tools",
    "max_tokens": "max_tokens",
    "pause_turn": "paused",
    "refusal": "refusal",
    "model_context_window_exceeded": "context",
}


class AnthropicModel(Adapter):
    """A model of Anthropic. ``complete`` is one POST."""

    kind = "anthropic"

    def complete(self, request: ModelRequest) -> Turn:
        if self.options.stream == "on" or (
            self.options.stream == "auto" and request.max_tokens > LONG_ANSWER
        ):
            streamed = {**self._body(request), "stream": True}
            with self.endpoint.reading():
                return read_turn(*message_of(self.endpoint, streamed, PATH), Namer(request))
        message = self.endpoint.post(PATH, self._body(request))
        with self.endpoint.reading():
            return read_turn(message, {}, Namer(request))

    def _body(self, request: ModelRequest) -> JsonObject:
        search = searches_itself(request, self.abilities)
        messages = list(_messages(request, search))
        body: JsonObject = {"model": self.model, "max_tokens": request.max_tokens, "messages": messages}
        system = system_text(request)
        if system:
            body["system"] = [{"type": "text", "text": system, "cache_control": CACHE}]
        tools = [*_tools(request, search)] or [*_tools_of_the_past(messages)]
        if tools:
            body["tools"] = tools
            tools[-1] = {**tools[-1], "cache_control": CACHE}
        if tools and not request.tools and not search:
            body["tool_choice"] = {"type": "none"}
        # citations from the vendor's search and an output format exclude each other
        shape = keeps_as_format(request.schema) if self.abilities.schema and not search else None
        if shape:
            body["output_config"] = {"format": {"type": "json_schema", "schema": shape}}
        if self.thinking == "off":
            body["thinking"] = {"type": "disabled"}
        elif self.thinking:
            body["thinking"] = {"type": "adaptive"}
            body["output_config"] = {**body.get("output_config", {}), "effort": self.thinking}
        return body


def _tools(request: ModelRequest, search: bool) -> Iterator[JsonObject]:
    for tool in request.tools:
        name = wire_name(tool.name, search)
        yield {"name": name, "description": tool.description, "input_schema": tool.parameters}
    if search:
        yield {"type": "web_search_20250305", "name": SEARCH_NAME, "max_uses": MAX_SEARCHES}


def _tools_of_the_past(messages: list[JsonObject]) -> Iterator[JsonObject]:
    """Tools that were called must be declared even if none is offered any more."""
    blocks = [
        block for message in messages for block in message["content"] if block.get("type") == "tool_use"
    ]
    for name in dict.fromkeys(block["name"] for block in blocks):
        yield {"name": name, "description": "No longer available.", "input_schema": {"type": "object"}}


def _messages(request: ModelRequest, search: bool) -> Iterator[JsonObject]:
    """Roles must alternate, so consecutive messages are merged. The last question ends with a cache mark."""
    ids = Ids(request, PROTOCOL, 64)
    merged: list[JsonObject] = []
    for message in request.messages:
        role = "assistant" if message.role == "assistant" else "user"
        content = list(_content(message, ids, search))
        if merged and merged[-1]["role"] == role:
            merged[-1]["content"] += content
        elif content:
            merged.append({"role": role, "content": content})
    asked = next((message for message in reversed(merged) if message["role"] == "user"), None)
    if asked:
        asked["content"][-1] = {**asked["content"][-1], "cache_control": CACHE}
    yield from merged


def _content(message: Message, ids: Ids, search: bool) -> Iterator[JsonObject]:
    if message.role == "tool":
        for answer in message.answers:
            result = {
                "type": "tool_result",
                "tool_use_id": ids.fit(answer.call_id),
                "content": answer_text(answer),
            }
            yield result if answer.content.get("success", True) else {**result, "is_error": True}
        return
    blocks = native(message.turn, PROTOCOL) if message.role == "assistant" else None
    if blocks is not None and message.turn:
        sent = as_called(blocks, message.turn, "tool_use", "id")
        yield from (block for block in sent if not _is_dangling(block, ids))
        return
    text = message.turn.text if message.turn else message.text
    if text.strip():
        yield {"type": "text", "text": text}
    for call in message.turn.tool_calls if message.turn else ():
        if call.id in ids.answered:
            name = wire_name(call.name, search)
            yield {"type": "tool_use", "id": ids.fit(call.id), "name": name, "input": call.arguments}


def _is_dangling(block: JsonObject, ids: Ids) -> bool:
    """Blocks that the server would refuse: unanswered calls of a cut answer, and empty text."""
    if block.get("type") == "tool_use":
        return str(block.get("id")) not in ids.answered
    return block.get("type") == "text" and not block.get("text")


def read_turn(message: JsonObject, faults: Mapping[str, str], namer: Namer | None = None) -> Turn:
    """The turn in a Message object. ``faults`` are the calls with unreadable arguments."""
    blocks = list(objects(message.get("content")))
    stop = STOPS.get(str(message.get("stop_reason")), "error")
    calls = tuple(_calls(blocks, faults, namer or Namer()))
    if stop in ("end", "tools"):
        stop = "tools" if calls else "end"
    detail = reason_of(stop)
    said = at(message, "stop_details", "explanation")
    if stop == "refusal":
        detail |= {"category": at(message, "stop_details", "category"), **({"reason": said} if said else {})}
    errors = [at(block, "content", "error_code") for block in blocks if at(block, "content", "error_code")]
    if errors:
        detail["search_errors"] = errors
    return Turn(
        text=_text(blocks) or (str(detail["reason"]) if stop == "refusal" else ""),
        tool_calls=calls if stop == "tools" else (),
        stop=stop,
        raw={PROTOCOL: blocks},
        usage=_usage(message.get("usage")),
        detail=detail,
        citations=distinct(_citations(blocks)),
        model=str(message.get("model") or ""),
    )


def _calls(blocks: list[JsonObject], faults: Mapping[str, str], namer: Namer) -> Iterator[ToolCall]:
    for block in blocks:
        if block.get("type") == "tool_use":
            fault = faults.get(str(block.get("id")))
            call = read_call(namer.name(block.get("id")), str(block.get("name")), block.get("input"))
            yield ToolCall(call.id, call.name, {}, fault) if fault else call


def _text(blocks: list[JsonObject]) -> str:
    """The text after the last search. Text before it only announces the search."""
    last = max((place for place, block in enumerate(blocks) if _is_searching(block)), default=-1)
    after, all_ = (
        "".join(str(block.get("text") or "") for block in part if block.get("type") == "text")
        for part in (blocks[last + 1 :], blocks)
    )
    return after if after.strip() else all_


def _is_searching(block: JsonObject) -> bool:
    type_ = str(block.get("type"))
    return type_ == "server_tool_use" or (type_.endswith("_tool_result") and type_ != "tool_result")


def _citations(blocks: list[JsonObject]) -> Iterator[Citation]:
    for cited in (cited for block in blocks for cited in objects(block.get("citations"))):
        url = cited.get("url") or cited.get("source") or ""
        yield Citation(str(url), str(cited.get("title") or ""), str(cited.get("cited_text") or ""))
    for found in (found for block in blocks for found in objects(block.get("content"))):
        if found.get("type") == "web_search_result":
            yield Citation(str(found.get("url") or ""), str(found.get("title") or ""))


def _usage(usage: Json) -> Usage:
    given, output = count(at(usage, "input_tokens")), count(at(usage, "output_tokens"))
    if given is None or output is None:
        return Usage(known=False)
    return Usage(
        input_tokens=given,
        cached_tokens=count(at(usage, "cache_read_input_tokens")) or 0,
        cache_write_tokens=count(at(usage, "cache_creation_input_tokens")) or 0,
        output_tokens=output,
        searches=count(at(usage, "server_tool_use", "web_search_requests")) or 0,
    )
