"""Fit a conversation into a size limit. A call is never separated from its answer.

In this order: old answers of tools are shortened, oldest first; then the oldest exchanges are left out whole; then the
newest answers are shortened too. The person's request and the model's last turn always stay.
"""

from collections.abc import Sequence
from dataclasses import replace

from research.jsontext import Json, JsonObject, compact_json
from research.llm.interface import Message, ToolAnswer

LEVELS = ((500, 20), (120, 8), (30, 2))  # characters of a text, items of a list
LEFT_OUT = {"left_out": "too long for what is left of this conversation"}
GAP = "\n\n(Earlier steps of this conversation are left out here.)"
CUT = "… (shortened)"


def size(message: Message) -> int:
    """Approximate number of characters of a message. Measured once, because it is sent with every turn."""
    if not message.measured:
        object.__setattr__(message, "measured", _size(message))
    return message.measured


def _size(message: Message) -> int:
    if message.turn and message.turn.raw:
        return _length(message.turn.raw)
    if message.turn:
        calls = [[call.name, call.arguments] for call in message.turn.tool_calls]
        return len(message.text) + (_length(calls) if calls else 0)
    return len(message.text) + sum(_length(answer.content) for answer in message.answers)


def fit(messages: Sequence[Message], limit: int) -> tuple[Message, ...]:
    """The messages within ``limit`` characters, as far as the request and the last turn allow."""
    kept = list(messages)
    excess = sum(map(size, kept)) - limit
    if excess <= 0:
        return tuple(kept)
    newest = next((place for place in reversed(range(len(kept))) if kept[place].role == "assistant"), 1)
    for level in range(len(LEVELS)):
        excess = _shorten(kept, range(1, newest), level, excess)
    if excess > 0:
        # Leave out whole exchanges from the second message on: a turn of the model and all answers to it.
        excess += len(GAP)
        end = 1
        while excess > 0 and end < newest:
            excess -= size(kept[end])
            end += 1
            while end < newest and kept[end].role != "assistant":
                excess -= size(kept[end])
                end += 1
        if end > 1:
            kept[:end] = [replace(kept[0], text=kept[0].text + GAP)]
        newest -= end - 1
    for level in range(len(LEVELS) + 1):
        excess = _shorten(kept, range(newest, len(kept)), level, excess)
    return tuple(kept)


def _shorten(kept: list[Message], places: range, level: int, excess: int) -> int:
    for place in places:
        if excess <= 0:
            break
        if kept[place].role == "tool":
            shorter = replace(kept[place], answers=tuple(_shorter(a, level) for a in kept[place].answers))
            saved = size(kept[place]) - size(shorter)
            if saved > 0:
                kept[place], excess = shorter, excess - saved
    return excess


def _shorter(answer: ToolAnswer, level: int) -> ToolAnswer:
    if level >= len(LEVELS):
        return replace(answer, content={"success": answer.content.get("success", True), "data": LEFT_OUT})
    data = answer.content.get("data")
    content: JsonObject = {**answer.content, "data": _cut(data, *LEVELS[level])}
    return replace(answer, content=content)


def _cut(value: Json, text: int, items: int) -> Json:
    if isinstance(value, str):
        return value if len(value) <= text + len(CUT) else value[:text] + CUT
    if isinstance(value, list):
        return [_cut(item, text, items) for item in value[:items]]
    if isinstance(value, dict):
        return {key: _cut(item, text, items) for key, item in value.items()}
    return value


def _length(value: Json) -> int:
    return len(compact_json(value, str).decode())
