"""OpenAI Chat Completions as the double speaks it."""

import json
from collections.abc import Iterator
from typing import Any

from research.jsontext import parse_json

STOPS = {
    "end": "stop",
    "tools": "tool_calls",
    "max_tokens": "length",
    "context": "length",
    "content_filter": "content_filter",
    "refusal": "stop",
}


def turns_so_far(request: dict[str, Any]) -> int:
    return sum(message["role"] == "assistant" for message in request["messages"])


def offers_tools(request: dict[str, Any]) -> bool:
    return bool(request.get("tools"))


def instructions(request: dict[str, Any]) -> str:
    return "".join(message["content"] for message in request["messages"] if message["role"] == "system")


def question(request: dict[str, Any]) -> str:
    return next((str(message["content"]) for message in request["messages"] if message["role"] == "user"), "")


def answer(
    turn: dict[str, Any], request: dict[str, Any], serial: int, usage: dict[str, int]
) -> dict[str, Any]:
    stop = turn.get("stop") or ("tools" if turn.get("calls") else "end")
    message = {"role": "assistant", "content": turn.get("text"), "refusal": None, "annotations": _notes(turn)}
    if stop == "refusal":
        message |= {"content": None, "refusal": turn.get("text") or "Not this."}
    if turn.get("calls"):
        message["tool_calls"] = [
            _call(call, call.get("id", f"call_{serial}_{place}")) for place, call in enumerate(turn["calls"])
        ]
    return {
        "id": f"chatcmpl-{serial}",
        "object": "chat.completion",
        "created": 1_795_000_000,
        "model": f"{request['model']}-2026-11-01",
        "choices": [{"index": 0, "message": message, "finish_reason": STOPS[stop], "logprobs": None}],
        "usage": {
            "prompt_tokens": usage["input"] + usage["cached"] + usage["written"],
            "completion_tokens": usage["output"],
            "total_tokens": sum(usage[key] for key in ("input", "cached", "written", "output")),
            "prompt_tokens_details": {
                "cached_tokens": usage["cached"],
                "cache_write_tokens": usage["written"],
            },
        },
    }


def _call(call: dict[str, Any], call_id: str) -> dict[str, Any]:
    text = call.get("raw", json.dumps(call.get("arguments", {})))
    return {"id": call_id, "type": "function", "function": {"name": call["name"], "arguments": text}}


def _notes(turn: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"type": "url_citation", "url_citation": {**found, "start_index": 0, "end_index": 1}}
        for found in turn.get("search", {}).get("results", ())
    ]


def events(completion: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    base = {key: completion[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    choice = completion["choices"][0]
    for delta in _deltas(choice["message"]):
        yield "", {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield "", {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
    yield "", {**base, "choices": [], "usage": completion["usage"]}
    yield "", "[DONE]"


def _deltas(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    for key in ("content", "refusal"):
        text = message[key] or ""
        yield from ({key: part} for part in (text[: len(text) // 2], text[len(text) // 2 :]) if part)
    for index, call in enumerate(message.get("tool_calls", ())):
        text = call["function"]["arguments"]
        yield {"tool_calls": [{**call, "index": index, "function": {**call["function"], "arguments": ""}}]}
        for part in (text[: len(text) // 2], text[len(text) // 2 :]):
            yield {"tool_calls": [{"index": index, "function": {"arguments": part}}]}


def whole(completion: dict[str, Any]) -> dict[str, Any]:
    return completion


def issued(completion: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    calls = completion["choices"][0]["message"].get("tool_calls", [])
    for call in calls:
        yield call["id"], [one for one in calls if _is_json(one["function"]["arguments"])]


def _is_json(text: str) -> bool:
    try:
        return isinstance(parse_json(text), dict)
    except ValueError:
        return False


def violations(
    request: dict[str, Any], headers: dict[str, str], known: dict[str, list[dict[str, Any]]]
) -> Iterator[str]:
    yield from (f"{name} is not for this model" for name in ("temperature", "top_p") if name in request)
    yield from (f"{name} is required" for name in ("model", "messages") if not request.get(name))
    messages = request.get("messages", [])
    pending: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if not pending or message["tool_call_id"] != pending.pop(0):
                yield f"{message['tool_call_id']} answers no call before it"
            continue
        if pending:
            yield f"calls {pending} are not answered"
        calls = message.get("tool_calls", [])
        pending = [call["id"] for call in calls]
        yield from (
            f"the arguments of {call['id']} are not JSON"
            for call in calls
            if not _is_json(call["function"]["arguments"])
        )
        for call in calls:
            said = [one["function"] for one in calls]
            if call["id"] in known and any(one["function"] not in said for one in known[call["id"]]):
                yield f"the call {call['id']} was changed"
    if pending:
        yield f"calls {pending} are not answered"
