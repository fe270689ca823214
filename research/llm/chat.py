"""OpenAI Chat Completions (``POST /v1/chat/completions``): OpenAI, and Ollama, vLLM, llama.cpp and others like it.

After the types of OpenAI's Python SDK 3.52; compatible servers leave out what they please, so nothing is taken for
granted. The schema is sent only when no tools are on offer: several servers cannot do both, and would never call one.
"""

import re
from collections.abc import Iterator, Mapping

from research.jsontext import Json, JsonObject
from research.llm.adapter import Adapter
from research.llm.answer_json import document_at_the_end
from research.llm.http import Endpoint
from research.llm.interface import Citation, Message, ModelRequest, Stop, ToolCall, Turn, Usage
from research.llm.schemas import keeps_strictly
from research.llm.streams import completion_of
from research.llm.tool_answers import answer_text
from research.llm.wire import (
    Ids,
    Namer,
    arguments_text,
    at,
    cache_key,
    count,
    distinct,
    native,
    objects,
    read_call,
    reason_of,
    schema_name,
    system_text,
)

PROTOCOL = "chat"
PATH = "/chat/completions"
STOPS: Mapping[str, Stop] = {
    "stop": "end",
    "tool_calls": "tools",
    "function_call": "error",  # the protocol's predecessor of tools; never requested
    "length": "max_tokens",
    "content_filter": "content_filter",
}
_THOUGHT_END = re.compile("</think>")
_THOUGHT_ENDS = re.compile(  # text in the middle of a sentence is about the mark
    r"(?:^|[.!?…])\s*</think>|</think>[ \t]*(?:\n|\Z)", re.MULTILINE
)
_SENT_BACK = ("content", "refusal", "tool_calls")  # fields of a message; servers refuse others


class ChatModel(Adapter):
    """A model on a server that supports Chat Completions."""

    kind = "openai-chat"

    def complete(self, request: ModelRequest) -> Turn:
        if self.options.stream == "on":
            streamed = {**self._body(request), "stream": True, "stream_options": {"include_usage": True}}
            with self.endpoint.reading():
                completion = completion_of(self.endpoint, streamed, PATH)
        else:
            completion = self.endpoint.post(PATH, self._body(request))
        with self.endpoint.reading():
            return read_turn(self.endpoint, completion, Namer(request))

    def _body(self, request: ModelRequest) -> JsonObject:
        body: JsonObject = {"model": self.model, "messages": list(_messages(request))}
        # every compatible server knows the older name of the limit
        body["max_completion_tokens" if self.options.own_host else "max_tokens"] = request.max_tokens
        if self.options.own_host:
            body["prompt_cache_key"] = cache_key(request)
        if self.effort:
            body["reasoning_effort"] = self.effort
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": tool.parameters,
                    },
                }
                for tool in request.tools
            ]
        elif request.schema is not None and self.abilities.schema:
            shape = {"name": schema_name(request), "schema": request.schema}
            strict = {"strict": keeps_strictly(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": {**shape, **strict}}
        return body


def _messages(request: ModelRequest) -> Iterator[JsonObject]:
    ids = Ids(request, PROTOCOL, 40)
    system = system_text(request)
    if system:
        yield {"role": "system", "content": system}
    for message in request.messages:
        if message.role == "tool":
            for answer in message.answers:
                yield {
                    "role": "tool",
                    "tool_call_id": ids.fit(answer.call_id),
                    "content": answer_text(answer),
                }
        elif message.role == "assistant":
            yield from _assistant(message, ids)
        else:
            yield {"role": "user", "content": message.text}


def _assistant(message: Message, ids: Ids) -> Iterator[JsonObject]:
    given = native(message.turn, PROTOCOL)
    turn = message.turn or Turn(message.text)
    calls = [_call(ids.fit(call.id), call) for call in turn.tool_calls if call.id in ids.answered]
    if given is not None:
        sent = {key: given[key] for key in _SENT_BACK if given.get(key)}
        answered = [
            _readable(call) for call in objects(given.get("tool_calls")) if call.get("id") in ids.answered
        ]
        sent = {**sent, "tool_calls": answered}
    else:
        sent = {"content": turn.text, "tool_calls": calls}
    if not sent["tool_calls"]:
        del sent["tool_calls"]
    if sent.get("content") or "tool_calls" in sent or sent.get("refusal"):
        yield {"role": "assistant", **sent}


def _call(call_id: str, call: ToolCall) -> JsonObject:
    function = {"name": call.name, "arguments": call.text or arguments_text(call.arguments)}
    return {"id": call_id, "type": "function", "function": function}


def _readable(call: JsonObject) -> JsonObject:
    """Servers parse the arguments of earlier calls. Invalid JSON would break every later turn."""
    read = read_call("", "", at(call, "function", "arguments"))
    return {**call, "function": {**call["function"], "arguments": "{}"}} if read.fault else call


def read_turn(endpoint: Endpoint, completion: JsonObject, namer: Namer) -> Turn:
    """The turn in a ChatCompletion object. Raises ModelFault if it holds an error."""
    if completion.get("error"):
        raise endpoint.reported(completion["error"])
    choice = next(objects(completion.get("choices")), None)
    if choice is None or not isinstance(choice.get("message"), dict):
        raise endpoint.fault("server", "gave an answer without a choice")
    message: JsonObject = choice["message"]
    named = [{**call, "id": namer.name(call.get("id"))} for call in objects(message.get("tool_calls"))]
    if named:
        message = {**message, "tool_calls": named}
    refused = str(message.get("refusal") or "")
    stop = _stop(choice.get("finish_reason"), bool(named), bool(refused))
    return Turn(
        text=_text(message.get("content")) or refused,
        tool_calls=tuple(
            read_call(call["id"], str(at(call, "function", "name")), at(call, "function", "arguments"))
            for call in named
        )
        if stop == "tools"
        else (),
        stop=stop,
        raw={PROTOCOL: message},
        usage=_usage(completion.get("usage")),
        detail=reason_of(stop) | ({"reason": refused} if refused else {}),
        citations=distinct(_citations(message)),
        model=str(completion.get("model") or ""),
    )


def _stop(finish: Json, calls: bool, refused: bool) -> Stop:
    stop = STOPS.get(str(finish), "error")
    if stop not in ("end", "tools"):
        return stop
    if refused:
        return "refusal"
    return "tools" if calls else "end"


def _text(content: Json) -> str:
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in objects(content))
    return _without_thoughts(content) if isinstance(content, str) else ""


def _without_thoughts(text: str) -> str:
    """Remove the thinking of local models. For some the opening mark is part of the prompt.

    Thinking that never ends is no answer, but for the document that it comes to.
    """
    begun = text.lstrip()
    if begun.startswith(("{", "[", "```")):
        return text
    end = _THOUGHT_ENDS.search(text)
    if begun.startswith("<think>"):
        end = end or _THOUGHT_END.search(text)
        if not end:
            return document_at_the_end(begun)
    elif end and "<think>" in text[: end.start()]:
        end = None
    return text[end.end() :].lstrip() if end else text


def _citations(message: JsonObject) -> Iterator[Citation]:
    for note in objects(message.get("annotations")):
        url = at(note, "url_citation", "url")
        if url:
            yield Citation(str(url), str(at(note, "url_citation", "title") or ""))


def _usage(usage: Json) -> Usage:
    said: JsonObject = usage if isinstance(usage, dict) else {}
    given, output = count(said.get("prompt_tokens")), count(said.get("completion_tokens"))
    if given is None or output is None:
        return Usage(known=False)
    details = said.get("prompt_tokens_details")
    details = details if isinstance(details, dict) else {}
    cached, written = count(details.get("cached_tokens")) or 0, count(details.get("cache_write_tokens")) or 0
    return Usage(
        input_tokens=max(given - cached - written, 0),
        cached_tokens=cached,
        cache_write_tokens=written,
        output_tokens=output,
    )
