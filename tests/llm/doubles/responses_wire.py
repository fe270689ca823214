"""OpenAI Responses as the double speaks it."""

import json
from collections.abc import Iterator
from typing import Any

OURS = ("reasoning", "message", "function_call", "web_search_call")


def _is_model(item: dict[str, Any]) -> bool:
    return (item.get("type") in OURS and item.get("role", "assistant") == "assistant") or item.get(
        "role"
    ) == "assistant"


def turns_so_far(request: dict[str, Any]) -> int:
    """Groups of items of the model between those of others."""
    flags = [_is_model(item) for item in request["input"]]
    return sum(flag and not before for before, flag in zip([False, *flags], flags, strict=False))


def offers_tools(request: dict[str, Any]) -> bool:
    return any(tool["type"] == "function" for tool in request.get("tools", []))


def instructions(request: dict[str, Any]) -> str:
    return str(request.get("instructions", ""))


def question(request: dict[str, Any]) -> str:
    return str(request["input"][0].get("content"))


def answer(
    turn: dict[str, Any], request: dict[str, Any], serial: int, usage: dict[str, int]
) -> dict[str, Any]:
    stop = turn.get("stop") or ("tools" if turn.get("calls") else "end")
    cut = {
        "max_tokens": "max_output_tokens",
        "content_filter": "content_filter",
        "context": "max_messages",
    }.get(stop)
    return {
        "id": f"resp_{serial}",
        "object": "response",
        "created_at": 1_795_000_000,
        "model": f"{request['model']}-2026-11-01",
        "status": turn.get("status") or ("incomplete" if cut else "completed"),
        "error": turn.get("error"),
        "incomplete_details": {"reason": cut} if cut else None,
        "instructions": request.get("instructions"),
        "metadata": {},
        "output": list(_items(turn, serial, stop)),
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": request.get("tools", []),
        "top_p": 1.0,
        "background": bool(request.get("background")),
        "usage": {
            "input_tokens": usage["input"] + usage["cached"] + usage["written"],
            "input_tokens_details": {
                "cached_tokens": usage["cached"],
                "cache_write_tokens": usage["written"],
            },
            "output_tokens": usage["output"],
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": sum(usage[key] for key in ("input", "cached", "written", "output")),
        },
        "tool_usage": {
            "image_gen": {
                "input_tokens": 0,
                "input_tokens_details": {"image_tokens": 0, "text_tokens": 0},
                "output_tokens": 0,
                "output_tokens_details": {"image_tokens": 0, "text_tokens": 0},
                "total_tokens": 0,
            },
            "web_search": {"num_requests": usage["searches"]},
        },
    }


def _items(turn: dict[str, Any], serial: int, stop: str) -> Iterator[dict[str, Any]]:
    if "thinking" in turn:
        yield {"type": "reasoning", "id": f"rs_{serial}", "summary": [], "encrypted_content": f"enc-{serial}"}
    if "search" in turn:
        yield _search(turn["search"], serial)
    if stop == "refusal":
        yield _message(serial, {"type": "refusal", "refusal": turn.get("text") or "Not this."})
    elif turn.get("text"):
        part = {"type": "output_text", "text": turn["text"], "annotations": _notes(turn), "logprobs": []}
        yield _message(serial, part)
    for place, call in enumerate(turn.get("calls", ())):
        text = call.get("raw", json.dumps(call.get("arguments", {})))
        item = {
            "type": "function_call",
            "id": f"fc_{serial}_{place}",
            "call_id": call.get("id", f"call_{serial}_{place}"),
        }
        yield {**item, "name": call["name"], "arguments": text, "status": "completed"}


def _message(serial: int, part: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "message",
        "id": f"msg_{serial}",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }


def _search(search: dict[str, Any], serial: int) -> dict[str, Any]:
    sources = [{"type": "url", "url": found["url"]} for found in search.get("results", ())]
    action = {"type": "search", "query": search.get("query", ""), "sources": sources}
    status = "failed" if search.get("error") else "completed"
    return {"type": "web_search_call", "id": f"ws_{serial}", "status": status, "action": action}


def _notes(turn: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "type": "url_citation",
            "url": found["url"],
            "title": found["title"],
            "start_index": 0,
            "end_index": 1,
        }
        for found in turn.get("search", {}).get("results", ())
        if turn["search"].get("quote")
    ]


def events(response: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    parts: list[tuple[str, dict[str, Any]]] = [("response.created", {"response": begun})]
    for index, item in enumerate(response["output"]):
        place: dict[str, Any] = {"output_index": index}
        parts.append(("response.output_item.added", {**place, "item": item}))
        if item["type"] == "function_call":
            parts.append(
                (
                    "response.function_call_arguments.delta",
                    {**place, "item_id": item["id"], "delta": item["arguments"]},
                )
            )
        parts.append(("response.output_item.done", {**place, "item": item}))
    parts.append((f"response.{response['status']}", {"response": response}))
    for number, (name, data) in enumerate(parts):
        yield name, {"type": name, "sequence_number": number, **data}


def whole(response: dict[str, Any]) -> dict[str, Any]:
    return response


def issued(response: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for item in response["output"]:
        if item["type"] == "function_call":
            yield item["call_id"], [_without_sources(one) for one in response["output"]]


def _without_sources(item: dict[str, Any]) -> dict[str, Any]:
    """They are given because they were asked for; they need not come back."""
    if item["type"] != "web_search_call":
        return item
    return {**item, "action": {key: value for key, value in item["action"].items() if key != "sources"}}


def violations(
    request: dict[str, Any], headers: dict[str, str], known: dict[str, list[dict[str, Any]]]
) -> Iterator[str]:
    if not headers.get("authorization", "").startswith("Bearer "):
        yield "a bearer token is needed"
    yield from (f"{name} is not for this model" for name in ("temperature", "top_p") if name in request)
    yield from (f"{name} is required" for name in ("model", "input") if not request.get(name))
    names = [tool.get("name", tool["type"]) for tool in request.get("tools", [])]
    if len(names) != len(set(names)):
        yield f"tool names must be unique: {names}"
    yield from (
        f"{tool['name']}: strict is missing"
        for tool in request.get("tools", [])
        if tool["type"] == "function" and "strict" not in tool
    )
    items = request.get("input", [])
    calls = [item["call_id"] for item in items if item.get("type") == "function_call"]
    outputs = [item["call_id"] for item in items if item.get("type") == "function_call_output"]
    if calls != outputs:
        yield f"calls {calls} are answered by {outputs}"
    if len(calls) != len(set(calls)):
        yield f"call ids must be unique: {calls}"
    for call_id in calls:
        for expected in known.get(call_id, ()):
            if _but_its_id(expected) not in map(_but_its_id, items):
                yield f"an item was changed or left out: {json.dumps(expected)[:200]}"


def _but_its_id(item: dict[str, Any]) -> dict[str, Any]:
    """A call may come back under another id, as long as its answer has the same."""
    return {**item, "call_id": ""} if item.get("type") == "function_call" else item
