"""Tools for a model that cannot call any: it writes its calls as JSON, and reads their answers as plain messages.

    {"tool_calls": [{"tool": "web_search", "arguments": {"query": "…"}}], "reasoning": "…"}

Any other JSON object is the final document. A reply that is no JSON is a value, ``detail["parse_failure"]``; asking
again, and how often, is the engine's business.
"""

import json
from collections.abc import Iterator
from dataclasses import replace

from research.jsontext import Json, JsonTextError, canonical_json
from research.llm.adapter import Adapter
from research.llm.answer_json import read_json
from research.llm.interface import Feature, Message, ModelRequest, Stop, ToolAnswer, ToolCall, ToolSpec, Turn
from research.llm.tool_answers import answer_text
from research.llm.wire import SCHEMA_TEXT, TEXT_PROTOCOL, read_call

COMPLETE = "research_complete"
FORM = '{"tool_calls": [{"tool": "NAME", "arguments": {…}}], "reasoning": "why, in a sentence"}'


class TextProtocolModel:
    """A wrapper around a model that is only asked for text."""

    def __init__(self, inner: Adapter) -> None:
        self.inner = inner
        self.name, self.abilities = inner.name, replace(inner.abilities, tools=False)

    def without(self, feature: Feature) -> "TextProtocolModel":
        return TextProtocolModel(self.inner.without(feature))

    def complete(self, request: ModelRequest) -> Turn:
        """One attempt of the wrapped model. Raises ModelFault."""
        # Drop calls and answers. Merge consecutive messages of the person and the tools into one.
        merged: list[Message] = []
        for message in request.messages if isinstance(request.messages, list | tuple) else ():
            plain = _plain(message)
            if merged and merged[-1].role == plain.role == "user":
                merged[-1] = Message("user", f"{merged[-1].text}\n\n{plain.text}")
            else:
                merged.append(plain)
        asked = replace(
            request,
            system=_instructions(request),
            messages=tuple(merged),
            tools=(),
            schema=None if request.tools else request.schema,
        )
        turn = self.inner.complete(asked)
        marked = replace(turn, raw={**turn.raw, TEXT_PROTOCOL: turn.text})
        return read_reply(marked, request) if turn.stop == "end" and request.tools else marked


def _instructions(request: ModelRequest) -> str:
    if not request.tools:
        return request.system
    answer = "one JSON document" if request.schema is not None else "plain text"
    parts = [
        request.system,
        f"You call tools by writing JSON. To call some, reply with this JSON object and nothing else:\n{FORM}\n"
        f"Their results come in the next message. When you need no more of them, reply with your final answer "
        f"({answer}) and nothing else.",
        "The tools, each with the JSON Schema of its arguments:\n"
        + "\n".join(map(_described, request.tools)),
        "" if request.schema is None else SCHEMA_TEXT + canonical_json(request.schema),
    ]
    return "\n\n".join(part for part in parts if part)


def _described(tool: ToolSpec) -> str:
    return f"- {tool.name}: {tool.description} {canonical_json(tool.parameters)}"


def _plain(message: Message) -> Message:
    if message.role == "tool":
        return Message("user", "\n\n".join(map(_result, message.answers)))
    turn = message.turn
    if message.role == "user" or turn is None:
        return message
    if TEXT_PROTOCOL in turn.raw:
        raw = {key: value for key, value in turn.raw.items() if key != TEXT_PROTOCOL}
        return Message("assistant", turn=Turn(turn.raw[TEXT_PROTOCOL], raw=raw))
    calls = [{"tool": call.name, "arguments": call.arguments} for call in turn.tool_calls]
    text = (
        json.dumps({"tool_calls": calls, "reasoning": turn.text}, ensure_ascii=False) if calls else turn.text
    )
    return Message("assistant", turn=Turn(text))


def _result(answer: ToolAnswer) -> str:
    return f"Result of {answer.name}:\n{answer_text(answer)}"


def read_reply(turn: Turn, request: ModelRequest) -> Turn:
    """The calls or the final document in the text of ``turn``."""
    text = turn.text.strip()
    if not text:
        return turn
    try:
        data, repaired = read_json(text)
    except JsonTextError as error:
        if request.schema is None:
            return turn  # prose was requested
        return _unreadable(turn, f"The reply is not one JSON object: {error}.")
    marks = {"repaired": True} if repaired else {}
    wanted = _wanted(data)
    if wanted is None:
        final = text if not repaired else json.dumps(data, ensure_ascii=False)
        return replace(turn, text=final, detail={**turn.detail, **marks})
    try:
        calls = tuple(_calls(wanted, f"text_{len(request.messages)}"))
    except ValueError as error:
        return _unreadable(turn, str(error))
    reasoning = data.get("reasoning", "") if isinstance(data, dict) else ""
    reasoning = reasoning if isinstance(reasoning, str) else ""
    if not calls and COMPLETE in {tool.name for tool in request.tools}:
        calls = (ToolCall(f"text_{len(request.messages)}_0", COMPLETE, {"summary": reasoning}),)
    stop: Stop = "tools" if calls else "end"
    return replace(turn, text=reasoning, tool_calls=calls, stop=stop, detail={**turn.detail, **marks})


def _unreadable(turn: Turn, sentence: str) -> Turn:
    return replace(turn, stop="error", detail={**turn.detail, "reason": sentence, "parse_failure": sentence})


def _wanted(data: Json) -> list[Json] | None:
    """The list of calls. None if this is a document with a field of that name."""
    calls = data.get("tool_calls") if isinstance(data, dict) else data
    if not isinstance(calls, list):
        return None
    if isinstance(data, dict) and not data.keys() <= {"tool_calls", "reasoning"}:
        return calls if calls and all(isinstance(call, dict) and "tool" in call for call in calls) else None
    return calls


def _calls(wanted: list[Json], prefix: str) -> Iterator[ToolCall]:
    for place, call in enumerate(wanted):
        name = (call.get("tool") or call.get("name")) if isinstance(call, dict) else None
        if not isinstance(name, str):
            raise ValueError(f"Call {place + 1} names no tool; the form is {FORM}.")
        yield read_call(f"{prefix}_{place}", name, call.get("arguments", {}))
