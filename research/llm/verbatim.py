"""Which of a provider's own blocks are stored in addition to the turn.

Blocks are sent back as they came, and kept for that. Many say no more than the turn does: a text, and calls. These are
told again from the turn, and not stored a second time: a long document would be there twice.
"""

from collections.abc import Callable, Mapping, Sequence

from research.jsontext import Json, JsonObject
from research.llm import anthropic, chat
from research.llm.interface import ToolCall, Turn
from research.llm.wire import arguments_text, our_name, read_call

_CALL, _FUNCTION, _USE = {"id", "type", "function"}, {"name", "arguments"}, {"id", "type", "name", "input"}


def kept(turn: Turn) -> JsonObject:
    """``turn.raw`` without the blocks that can be rebuilt from the turn."""
    if len(turn.raw) != 1 or any(call.fault for call in turn.tool_calls):
        return turn.raw
    ((protocol, blocks),) = turn.raw.items()
    says_the_same = _SAYS_THE_SAME.get(protocol)
    return {} if says_the_same and says_the_same(blocks, turn) else turn.raw


def _message_says_the_same(message: Json, turn: Turn) -> bool:
    """A message of Chat Completions."""
    said = {key: value for key, value in message.items() if value not in (None, "", [], {})}
    calls = said.pop("tool_calls", [])
    plain = {"role": "assistant", **({"content": turn.text} if turn.text else {})}
    if said != plain or not isinstance(calls, list) or len(calls) != len(turn.tool_calls):
        return False
    if any(set(call) != _CALL or not _is_function(call["function"]) for call in calls):
        return False
    return all(_is_told(call, told) for call, told in zip(calls, turn.tool_calls, strict=True))


def _is_function(function: Json) -> bool:
    return isinstance(function, dict) and set(function) == _FUNCTION


def _is_told(call: JsonObject, told: ToolCall) -> bool:
    function = call["function"]
    text = told.text or arguments_text(told.arguments)
    return (call["id"], our_name(function["name"]), function["arguments"]) == (told.id, told.name, text)


def _blocks_say_the_same(blocks: Json, turn: Turn) -> bool:
    """The content of an Anthropic message: a text and calls, in this order."""
    text: Sequence[JsonObject] = [{"type": "text", "text": turn.text}] if turn.text else []
    calls = blocks[len(text) :]
    if list(blocks[: len(text)]) != list(text) or any(set(call) != _USE for call in calls):
        return False
    return [read_call(call["id"], call["name"], call["input"]) for call in calls] == list(turn.tool_calls)


_SAYS_THE_SAME: Mapping[str, Callable[[Json, Turn], bool]] = {
    chat.PROTOCOL: _message_says_the_same,
    anthropic.PROTOCOL: _blocks_say_the_same,
}
