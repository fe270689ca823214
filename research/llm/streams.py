"""Answers that come in pieces, put together to what the same answer is when it comes whole.

Every stream has an end of its own: ``message_stop``, a response event with a final status, ``[DONE]``. Without it the
answer was cut, and is a fault, however complete it looks.
"""

from typing import Any

from research.jsontext import Json, JsonObject
from research.llm.base import ModelFault
from research.llm.http import Endpoint
from research.llm.wire import at, objects, read_call

FINAL = {"response.completed", "response.incomplete", "response.failed", "response.cancelled"}


def message_of(endpoint: Endpoint, body: JsonObject, path: str) -> tuple[JsonObject, dict[str, str]]:
    """Anthropic's Message object, and the faults of calls by their id."""
    message: JsonObject = {}
    blocks: dict[Any, JsonObject] = {}
    inputs: dict[Any, str] = {}
    done = False
    for event in endpoint.events(path, body):
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
    """Put the inputs of calls together; what cannot be read is an empty input and a fault."""
    faults = {}
    for place, text in inputs.items():
        call = read_call(str(blocks[place].get("id")), "", text)
        blocks[place]["input"] = call.arguments
        if call.fault:
            faults[call.id] = call.fault
    return faults


def response_of(endpoint: Endpoint, body: JsonObject, path: str) -> JsonObject:
    """OpenAI's Response object: the last event carries it whole, though some gateways leave its items out.

    Reasoning is encrypted anew in each event; what was sent with the finished item is what is seen to be sent back.
    """
    items: list[JsonObject] = []
    response: JsonObject | None = None
    for event in endpoint.events(path, body):
        kind = event.get("type")
        if kind == "error":
            raise endpoint.reported(event)
        if kind == "response.output_item.done":
            items += objects([event.get("item")])
        elif kind in FINAL:
            response = dict(event.get("response") or {})
    if response is None:
        raise cut(endpoint)
    last = list(objects(response.get("output")))
    return {**response, "output": last if len(last) > len(items) else items}


def completion_of(endpoint: Endpoint, body: JsonObject, path: str) -> JsonObject:
    """The ChatCompletion object that the chunks spell out."""
    whole: JsonObject = {}
    message: JsonObject = {"role": "assistant", "content": None}
    choice: JsonObject = {"index": 0, "message": message, "finish_reason": None}
    calls: dict[Any, JsonObject] = {}
    done = False
    for chunk in endpoint.events(path, body):
        if chunk.get("error"):
            raise endpoint.reported(chunk["error"])
        whole |= {key: chunk[key] for key in ("id", "model", "usage") if chunk.get(key)}
        for part in objects(chunk.get("choices")):
            _add_to_message(message, part.get("delta") or {}, calls)
            choice["finish_reason"] = part.get("finish_reason") or choice["finish_reason"]
        done = done or chunk.get("type") == "[DONE]"
    if not done:
        raise cut(endpoint)
    if calls:
        message["tool_calls"] = list(calls.values())
    return {**whole, "choices": [choice]}


def _add_to_message(message: JsonObject, delta: JsonObject, calls: dict[Any, JsonObject]) -> None:
    for key in ("content", "refusal", "reasoning_content"):
        if isinstance(delta.get(key), str):
            message[key] = (message.get(key) or "") + delta[key]
    if delta.get("annotations"):
        message["annotations"] = [*message.get("annotations", []), *delta["annotations"]]
    for piece in objects(delta.get("tool_calls")):
        place = piece.get("index", len(calls))  # a server that leaves the index out sends each call whole
        call = calls.setdefault(
            place, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
        )
        call["id"] = piece.get("id") or call["id"]
        call["function"]["name"] = at(piece, "function", "name") or call["function"]["name"]
        call["function"]["arguments"] += at(piece, "function", "arguments") or ""


def cut(endpoint: Endpoint) -> ModelFault:
    return endpoint.fault("truncated", "cut the stream before its end")
