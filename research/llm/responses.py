"""OpenAI Responses (``POST /v1/responses``), after the types of OpenAI's Python SDK 3.52.

Nothing is kept at the provider: every item is in our journal and sent back, reasoning encrypted. Only with background
responses the provider stores the answer, so that it can be fetched after a crash instead of being paid for again.
"""

from collections.abc import Iterator

from research.jsontext import JsonObject
from research.llm.adapter import Adapter
from research.llm.interface import LookFailed, Message, ModelFault, ModelRequest, Turn
from research.llm.responses_turn import PROTOCOL, is_search, read_turn
from research.llm.schemas import keeps_strictly
from research.llm.streams import response_of
from research.llm.tool_answers import answer_text
from research.llm.wire import (
    MAX_SEARCHES,
    Ids,
    Namer,
    arguments_text,
    as_called,
    cache_key,
    native,
    schema_name,
    searches_itself,
    system_text,
    wire_name,
)

PATH = "/responses"
WORKING = {"queued", "in_progress"}


class ResponsesModel(Adapter):
    """A model of OpenAI. ``start``, ``collect`` and ``cancel`` split one attempt into three parts."""

    kind = "openai"

    def complete(self, request: ModelRequest) -> Turn:
        if self.options.stream == "on":
            streamed = {**self._body(request), "stream": True}
            with self.endpoint.reading():
                return read_turn(self.endpoint, response_of(self.endpoint, streamed, PATH), Namer(request))
        response = self.endpoint.post(PATH, self._body(request))
        with self.endpoint.reading():
            return read_turn(self.endpoint, response, Namer(request))

    def start(self, request: ModelRequest) -> str:
        """Start an answer in the background. Returns the id to collect it by."""
        answer = self.endpoint.post(PATH, {**self._body(request), "background": True, "store": True})
        ticket = answer.get("id")
        if not isinstance(ticket, str) or not ticket:
            raise self.endpoint.fault("server", "took the request but gave no id for it")
        return ticket

    def collect(self, ticket: str) -> Turn | None:
        """The answer, or None if it is pending."""
        try:
            answer = self.endpoint.get(f"{PATH}/{ticket}")
        except ModelFault as fault:
            if fault.status == 404:  # the answer has expired: the question must be asked, and paid for, again
                raise self.endpoint.fault("truncated", "no longer has the answer") from None
            if fault.passing:
                raise LookFailed(
                    fault.kind, fault.message, status=fault.status, retry_after=fault.retry_after
                ) from None
            raise
        with self.endpoint.reading():
            return None if answer.get("status") in WORKING else read_turn(self.endpoint, answer)

    def cancel(self, ticket: str) -> None:
        self.endpoint.post(f"{PATH}/{ticket}/cancel", {})

    def _body(self, request: ModelRequest) -> JsonObject:
        search = searches_itself(request, self.abilities)
        body: JsonObject = {
            "model": self.model,
            "input": list(_items(request, search)),
            "max_output_tokens": request.max_tokens,
            "store": False,
            "include": ["reasoning.encrypted_content"] + ["web_search_call.action.sources"] * search,
            "prompt_cache_key": cache_key(request),
        }
        if self.effort:
            body["reasoning"] = {"effort": self.effort}
        system = system_text(request)
        if system:
            body["instructions"] = system
        tools = list(_tools(request, search))
        if tools:
            body["tools"] = tools
        if search:
            body["max_tool_calls"] = MAX_SEARCHES
        if request.schema is not None and self.abilities.schema:
            shape = {"type": "json_schema", "name": schema_name(request), "schema": request.schema}
            body["text"] = {"format": {**shape, "strict": keeps_strictly(request.schema)}}
        return body


def _tools(request: ModelRequest, search: bool) -> Iterator[JsonObject]:
    for tool in request.tools:
        yield {
            "type": "function",
            "name": wire_name(tool.name, search),
            "description": tool.description,
            "parameters": tool.parameters,
            "strict": keeps_strictly(tool.parameters),  # the default would be true
        }
    if search:
        yield {"type": "web_search"}


def _items(request: ModelRequest, search: bool) -> Iterator[JsonObject]:
    ids = Ids(request, PROTOCOL, 64)
    for message in request.messages:
        if message.role == "tool":
            for answer in message.answers:
                output = {"type": "function_call_output", "call_id": ids.fit(answer.call_id)}
                yield {**output, "output": answer_text(answer)}
        elif message.role == "assistant":
            yield from _assistant(message, ids, search)
        else:
            yield {"role": "user", "content": message.text}


def _assistant(message: Message, ids: Ids, search: bool) -> Iterator[JsonObject]:
    items = native(message.turn, PROTOCOL)
    if items is not None and message.turn:
        sent = as_called(items, message.turn, "function_call", "call_id")
        yield from (_sent_back(item) for item in sent if not _is_dangling(item, ids))
        return
    text = message.turn.text if message.turn else message.text
    if text:
        yield {"role": "assistant", "content": text}
    for call in message.turn.tool_calls if message.turn else ():
        if call.id in ids.answered:
            item = {
                "type": "function_call",
                "call_id": ids.fit(call.id),
                "name": wire_name(call.name, search),
            }
            yield {**item, "arguments": arguments_text(call.arguments)}


def _is_dangling(item: JsonObject, ids: Ids) -> bool:
    """An unanswered call of a cut answer, which the server would refuse."""
    return item.get("type") == "function_call" and str(item.get("call_id")) not in ids.answered


def _sent_back(item: JsonObject) -> JsonObject:
    """The item as received, but without search sources: the API does not accept them back."""
    if not is_search(item) or not isinstance(item.get("action"), dict):
        return item
    return {**item, "action": {key: value for key, value in item["action"].items() if key != "sources"}}
