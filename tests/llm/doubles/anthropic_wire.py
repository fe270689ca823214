"""Anthropic Messages as the double speaks it: answers, streams, and what the real service would refuse."""

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

STOPS = {
    "end": "end_turn",
    "tools": "tool_use",
    "paused": "pause_turn",
    "max_tokens": "max_tokens",
    "context": "model_context_window_exceeded",
    "refusal": "refusal",
    "content_filter": "refusal",
}
NEVER_SENT = ("temperature", "top_p", "top_k", "output_format")


def turns_so_far(request: dict[str, Any]) -> int:
    """Assistant messages, and the turns that were continued inside one of them after a pause."""
    said = [message for message in request["messages"] if message["role"] == "assistant"]
    return len(said) + sum(
        block.get("type") == "web_search_tool_result" and "_paused_" in block["tool_use_id"]
        for message in said
        for block in message["content"]
    )


def offers_tools(request: dict[str, Any]) -> bool:
    return request.get("tool_choice", {}).get("type") != "none" and any(
        "input_schema" in tool for tool in request.get("tools", [])
    )


def instructions(request: dict[str, Any]) -> str:
    return "".join(block["text"] for block in request.get("system", []))


def question(request: dict[str, Any]) -> str:
    return "".join(str(block.get("text")) for block in request["messages"][0]["content"])


def answer(
    turn: dict[str, Any], request: dict[str, Any], serial: int, usage: dict[str, int]
) -> dict[str, Any]:
    stop = turn.get("stop") or ("tools" if turn.get("calls") else "end")
    refusal = {"type": "refusal", "category": "cyber", "explanation": turn.get("text") or "Not this."}
    return {
        "id": f"msg_{serial}",
        "type": "message",
        "role": "assistant",
        "model": f"{request['model']}-20261101",
        "content": list(_blocks(turn, serial, stop)),
        "stop_reason": STOPS[stop],
        "stop_sequence": None,
        "stop_details": refusal if STOPS[stop] == "refusal" else None,
        "usage": {
            "input_tokens": usage["input"],
            "output_tokens": usage["output"],
            "cache_creation_input_tokens": usage["written"],
            "cache_read_input_tokens": usage["cached"],
            "server_tool_use": {"web_search_requests": usage["searches"], "web_fetch_requests": 0},
            "service_tier": "standard",
        },
    }


def _blocks(turn: dict[str, Any], serial: int, stop: str) -> Iterator[dict[str, Any]]:
    if "thinking" in turn:
        yield {"type": "thinking", "thinking": turn["thinking"], "signature": f"sig-{serial}"}
    if stop == "paused":
        yield _search_use(f"srvtoolu_paused_{serial}", turn)
        return
    if "resumes" in turn:  # the search that the paused turn had begun
        yield _search_result(f"srvtoolu_paused_{serial - 1}", turn, serial)
    elif "search" in turn:
        yield _search_use(f"srvtoolu_{serial}", turn)
        yield _search_result(f"srvtoolu_{serial}", turn, serial)
    if turn.get("text") and stop != "refusal":
        cited = _cited(turn, serial)
        yield {"type": "text", "text": turn["text"], **({"citations": cited} if cited else {})}
    for place, call in enumerate(turn.get("calls", ())):
        block = {"type": "tool_use", "id": call.get("id", f"toolu_{serial}_{place}"), "name": call["name"]}
        yield {
            **block,
            "input": call.get("arguments", {}),
            **({"_text": call["raw"]} if "raw" in call else {}),
        }


def _search_use(id_: str, turn: dict[str, Any]) -> dict[str, Any]:
    search = turn.get("search") or turn.get("resumes") or {}
    return {
        "type": "server_tool_use",
        "id": id_,
        "name": "web_search",
        "input": {"query": search.get("query", "")},
    }


def _search_result(id_: str, turn: dict[str, Any], serial: int) -> dict[str, Any]:
    search = turn.get("search") or turn["resumes"]
    content: Any = [
        {"type": "web_search_result", **found, "page_age": None, "encrypted_content": f"enc-{serial}-{place}"}
        for place, found in enumerate(search.get("results", ()))
    ]
    if search.get("error"):
        content = {"type": "web_search_tool_result_error", "error_code": search["error"]}
    return {"type": "web_search_tool_result", "tool_use_id": id_, "content": content}


def _cited(turn: dict[str, Any], serial: int) -> list[dict[str, Any]]:
    search = turn.get("search") or turn.get("resumes") or {}
    return [
        {
            "type": "web_search_result_location",
            "url": found["url"],
            "title": found["title"],
            "cited_text": search["quote"],
            "encrypted_index": f"idx-{serial}-{place}",
        }
        for place, found in enumerate(search.get("results", ()))
        if search.get("quote")
    ]


def events(message: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    empty = {**message, "content": [], "stop_reason": None, "stop_details": None}
    yield (
        "message_start",
        {"type": "message_start", "message": {**empty, "usage": {**message["usage"], "output_tokens": 1}}},
    )
    yield "ping", {"type": "ping"}
    for index, block in enumerate(message["content"]):
        start, deltas = _pieces(block)
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": start}
        for delta in deltas:
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    delta = {key: message[key] for key in ("stop_reason", "stop_sequence", "stop_details")}
    yield "message_delta", {"type": "message_delta", "delta": delta, "usage": message["usage"]}
    yield "message_stop", {"type": "message_stop"}


def _pieces(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    if block["type"] == "text":
        texts = [{"type": "text_delta", "text": part} for part in _halves(block["text"])]
        cites = [{"type": "citations_delta", "citation": cited} for cited in block.get("citations", ())]
        return {"type": "text", "text": ""}, [*cites, *texts]
    if block["type"] == "thinking":
        parts = [{"type": "thinking_delta", "thinking": part} for part in _halves(block["thinking"])]
        return {**block, "thinking": "", "signature": ""}, [
            *parts,
            {"type": "signature_delta", "signature": block["signature"]},
        ]
    if block["type"] in ("tool_use", "server_tool_use"):
        text = block.get("_text", json.dumps(block["input"]))
        start = {key: value for key, value in block.items() if key != "_text"} | {"input": {}}
        return start, [{"type": "input_json_delta", "partial_json": part} for part in ["", *_halves(text)]]
    return block, []


def _halves(text: str) -> list[str]:
    middle = len(text) // 2
    return [part for part in (text[:middle], text[middle:]) if part]


def whole(message: dict[str, Any]) -> dict[str, Any]:
    """The answer without what only a stream can show: arguments that are no JSON."""
    kept = [{key: value for key, value in block.items() if key != "_text"} for block in message["content"]]
    return {**message, "content": kept}


def issued(message: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Under the id of each call: the blocks that must come back unchanged with it."""
    for block in message["content"]:
        if block["type"] in ("tool_use", "server_tool_use"):
            yield block["id"], [one for one in whole(message)["content"] if one.get("text") != ""]


def violations(
    request: dict[str, Any], headers: dict[str, str], known: dict[str, list[dict[str, Any]]]
) -> Iterator[str]:
    given = [name for name in ("x-api-key", "authorization") if name in headers]
    if len(given) != 1 or "anthropic-version" not in headers:
        yield f"one credential and the header anthropic-version are needed: {given}"
    yield from (f"{name} is not a parameter" for name in NEVER_SENT if name in request)
    yield from (
        f"{name} is required" for name in ("model", "max_tokens", "messages") if not request.get(name)
    )
    messages = request.get("messages", [])
    roles = [message["role"] for message in messages]
    if roles and (roles[0] != "user" or any(one == two for one, two in pairwise(roles))):
        yield f"roles must alternate and begin with user: {roles}"
    blocks = [block for message in messages for block in message["content"]]
    if any(block.get("type") == "text" and not block["text"].strip() for block in blocks):
        yield "text content blocks must be non-empty"
    if any(block.get("type") == "tool_use" for block in blocks) and not request.get("tools"):
        yield "tools must be declared when the conversation holds calls"
    if json.dumps(request).count('"cache_control"') > 4:
        yield "at most 4 blocks with cache_control"
    names = [tool["name"] for tool in request.get("tools", [])]
    if len(names) != len(set(names)):
        yield f"tool names must be unique: {names}"
    calls = [block["id"] for block in blocks if block.get("type") == "tool_use"]
    if len(calls) != len(set(calls)):
        yield f"`tool_use` ids must be unique: {calls}"
    yield from _unanswered(messages)
    yield from _changed(messages, known)


def _unanswered(messages: list[dict[str, Any]]) -> Iterator[str]:
    for message, following in zip(messages, [*messages[1:], {"content": []}], strict=True):
        wanted = [block["id"] for block in message["content"] if block.get("type") == "tool_use"]
        given = [block["tool_use_id"] for block in following["content"] if block.get("type") == "tool_result"]
        if (wanted or given) and wanted != given:
            yield f"calls {wanted} are answered by {given}"


def _changed(messages: list[dict[str, Any]], known: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    for message in messages:
        for block in message["content"]:
            for expected in known.get(block.get("id", ""), ()) if message["role"] == "assistant" else ():
                if _but_its_id(expected) not in map(_but_its_id, message["content"]):
                    yield f"a block was changed or left out: {json.dumps(expected)[:200]}"


def _but_its_id(block: dict[str, Any]) -> dict[str, Any]:
    """A call may come back under another id, as long as its answer has the same."""
    kept = {key: value for key, value in block.items() if key != "id"}
    return kept if block.get("type") == "tool_use" else block
