"""Assemble streamed answers into the same object as a complete answer.

Every stream has an end of its own: ``message_stop``, a response event with a final status, ``[DONE]``. Without it the
answer was cut, and is a fault, however complete it looks.
"""

from typing import Any

from research.jsontext import Json, JsonObject
from research.llm.http import DONE, Endpoint
from research.llm.interface import ModelFault
from research.llm.wire import arguments_text, at, objects, read_call

FINAL = {"response.completed", "response.incomplete", "response.failed", "response.cancelled"}


def message_of(endpoint: Endpoint, body: JsonObject, path: str) -> tuple[JsonObject, dict[str, str]]:
    """Anthropic's Message object, and the faults of calls by id."""
    message: JsonObject = {}
    blocks: dict[Any, JsonObject] = {}
    inputs: dict[Any, str] = {}
    done = False
    for event in endpoint.events(path, body, ends=lambda event: event.get("type") == "message_stop"):
        kind, place = event.get("type"), event.get("index")
        if kind == "error":
            raise endpoint.reported(event.get("error"))
        if kind == "message_start":
            message = dict(event.get("message") or {})
        elif kind == "content_block_start":
            blocks[place] = dict(event.get("content_block") or {})
        elif kind == "content_block_delta" and place in blocks:
            _add_to_block(blocks[place], event.get("delta") or {}, inputs, place)
        elif kind == "message_delta":
            message |= event.get("delta") or {}
            message["usage"] = {**(message.get("usage") or {}), **(event.get("usage") or {})}
        done = done or kind == "message_stop"
    if not done:
        raise cut(endpoint)
    return {**message, "content": list(blocks.values())}, _read_inputs(blocks, inputs)


def _add_to_block(block: JsonObject, delta: JsonObject, inputs: dict[Any, str], place: Json) -> None:
    for key in ("text", "thinking", "signature"):
        if isinstance(delta.get(key), str):
            block[key] = (block.get(key) or "") + delta[key]
    if isinstance(delta.get("partial_json"), str):
        inputs[place] = inputs.get(place, "") + delta["partial_json"]
    if isinstance(delta.get("citation"), dict):
        block["citations"] = [*(block.get("citations") or []), delta["citation"]]


def _read_inputs(blocks: dict[Any, JsonObject], inputs: dict[Any, str]) -> dict[str, str]:
    """Parse the inputs of calls. An unreadable one becomes an empty input and a fault."""
    faults = {}
    for place, text in inputs.items():
        call = read_call(str(blocks[place].get("id")), "", text)
        blocks[place]["input"] = call.arguments
        if call.fault:
            faults[call.id] = call.fault
    return faults


def response_of(endpoint: Endpoint, body: JsonObject, path: str) -> JsonObject:
    """OpenAI's Response object. The last event holds it, though some gateways omit its items.

    Reasoning is encrypted anew in each event; what was sent with the finished item is what is seen to be sent back.
    """
    items: list[JsonObject] = []
    response: JsonObject | None = None
    for event in endpoint.events(path, body, ends=lambda event: event.get("type") in FINAL):
        kind = event.get("type")
        if kind == "error":
            raise endpoint.reported(event.get("error") or event)
        if kind == "response.output_item.done":
            items += objects([event.get("item")])
        elif kind in FINAL:
            response = dict(event.get("response") or {})
    if response is None:
        raise cut(endpoint)
    last = list(objects(response.get("output")))
    return {**response, "output": last if len(last) > len(items) else items}


def completion_of(endpoint: Endpoint, body: JsonObject, path: str) -> JsonObject:
    """The ChatCompletion object from its chunks."""
    whole: JsonObject = {}
    message: JsonObject = {"role": "assistant", "content": None}
    choice: JsonObject = {"index": 0, "message": message, "finish_reason": None}
    calls = _Calls()
    done = False
    for chunk in endpoint.events(path, body, ends=lambda chunk: chunk.get("type") == DONE):
        if chunk.get("error"):
            raise endpoint.reported(chunk["error"])
        whole |= {key: chunk[key] for key in ("id", "model", "usage") if chunk.get(key)}
        for part in objects(chunk.get("choices")):
            _add_to_message(message, part.get("delta") or {}, calls)
            choice["finish_reason"] = part.get("finish_reason") or choice["finish_reason"]
        done = done or chunk.get("type") == DONE
    if not done:
        raise cut(endpoint)
    if calls.known:
        message["tool_calls"] = calls.known
    return {**whole, "choices": [choice]}


def _add_to_message(message: JsonObject, delta: JsonObject, calls: "_Calls") -> None:
    for key in ("content", "refusal", "reasoning_content"):
        if isinstance(delta.get(key), str):
            message[key] = (message.get(key) or "") + delta[key]
    if delta.get("annotations"):
        message["annotations"] = [*message.get("annotations", []), *objects(delta["annotations"])]
    for piece in objects(delta.get("tool_calls")):
        calls.add(piece)


class _Calls:
    """The calls of one message, put together from pieces. Not every server numbers them as the protocol says: some give
    each call the same number, some none."""

    def __init__(self) -> None:
        self.known: list[JsonObject] = []
        self.latest: dict[int | None, JsonObject] = {}  # by the number from the server

    def add(self, piece: JsonObject) -> None:
        number = piece.get("index")
        place = number if isinstance(number, int) else None
        call = self.latest.get(place)
        if call is None or self._begins_another(call, piece, numbered=place is not None):
            call = {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
            self.latest[place] = call
            self.known.append(call)
        call["id"] = piece.get("id") or call["id"]
        call["function"]["name"] = at(piece, "function", "name") or call["function"]["name"]
        call["function"]["arguments"] += _written(at(piece, "function", "arguments"))

    @staticmethod
    def _begins_another(call: JsonObject, piece: JsonObject, *, numbered: bool) -> bool:
        """A piece that names a function starts a call, unless it repeats its own call."""
        if not at(piece, "function", "name"):
            return False
        given = piece.get("id")
        return bool(given and call["id"] and given != call["id"]) or not (numbered or given)


def _written(arguments: Json) -> str:
    """The arguments as text. Some servers send them as an object."""
    if isinstance(arguments, dict):
        return arguments_text(arguments)
    return arguments if isinstance(arguments, str) else ""


def cut(endpoint: Endpoint) -> ModelFault:
    return endpoint.fault("truncated", "cut the stream before its end")
