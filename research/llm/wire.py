"""Helpers of adapters: the system text, ids, names and arguments on the wire, usage, schema modes."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping

from research.jsontext import (
    Json,
    JsonObject,
    JsonTextError,
    canonical_json,
    canonical_once,
    check_json,
    compact_json,
    parse_json,
    storable_json,
)
from research.llm.interface import Abilities, Citation, ModelRequest, ToolCall, Turn

TEXT_PROTOCOL = "text_protocol"  # key of ``raw``: the calls of this turn are in its text
SEARCH_NAME = "web_search"  # both vendors use this name for their own search, so ours is renamed
OUR_SEARCH_NAME = "dossier_web_search"
SCHEMA_TEXT = "The final answer is one JSON document that fits this JSON Schema:\n"
_PLAIN = re.compile("[a-zA-Z0-9_-]+")
MAX_SEARCHES = 5  # searches of the provider in one turn

REASONS: Mapping[str, str] = {
    "refusal": "The model refused to answer.",
    "max_tokens": "The answer was cut: it is longer than one answer may be.",
    "context": "The answer was cut: the conversation is longer than the model can read.",
    "content_filter": "The answer was withheld by the provider's content filter.",
    "error": "The model stopped for a reason that Dossier does not know.",
}


def system_text(request: ModelRequest) -> str:
    """The instructions with the schema, because some servers do not show it to the model."""
    wanted = "" if request.schema is None else SCHEMA_TEXT + canonical_once(request.schema)
    return "\n\n".join(part for part in (request.system, wanted) if part)


def schema_name(request: ModelRequest) -> str:
    return re.sub(r"[^a-zA-Z0-9_-]", "_", request.task.schema_name)[:64] or "answer"


def cache_key(request: ModelRequest) -> str:
    """The same key for every turn of a conversation, and for runs with the same start."""
    begin = [request.system, request.schema, [tool.name for tool in request.tools]]
    return hashlib.sha256(canonical_json(begin).encode()).hexdigest()[:32]


def searches_itself(request: ModelRequest, abilities: Abilities) -> bool:
    return request.server_search and abilities.server_search


def wire_name(name: str, server_search: bool) -> str:
    return OUR_SEARCH_NAME if server_search and name == SEARCH_NAME else name


def our_name(name: str) -> str:
    return SEARCH_NAME if name == OUR_SEARCH_NAME else name


def native(turn: Turn | None, protocol: str) -> Json:
    """The turn's own blocks if it came from this protocol. None: rebuild it from text and calls."""
    if turn is None or turn.raw.get(TEXT_PROTOCOL):
        return None
    return turn.raw.get(protocol)


class Ids:
    """The ids of calls in a conversation: the provider's own, or valid replacements."""

    def __init__(self, request: ModelRequest, protocol: str, longest: int) -> None:
        self.longest = longest
        turns = [message.turn for message in request.messages if message.turn]
        self.given = {
            call.id for turn in turns if native(turn, protocol) is not None for call in turn.tool_calls
        }
        self.answered = {answer.call_id for message in request.messages for answer in message.answers}

    def fit(self, call_id: str) -> str:
        if call_id in self.given or (_PLAIN.fullmatch(call_id) and len(call_id) <= self.longest):
            return call_id
        return f"call_{hashlib.sha256(call_id.encode()).hexdigest()[:24]}"


class Namer:
    """Ids for the calls of one answer: some servers give none, or repeat an earlier one.

    Two calls with one id are refused when they are sent back. A request that is not at hand is None.
    """

    def __init__(self, request: ModelRequest | None = None) -> None:
        turns = [message.turn for message in request.messages if message.turn] if request else []
        self.taken = {call.id for turn in turns for call in turn.tool_calls}

    def name(self, given: Json) -> str:
        """The id as given, or a replacement if it is invalid."""
        name = given if isinstance(given, str) else ""
        if not name or name in self.taken:
            free = (f"call_{len(self.taken) + n}" for n in range(10_000))
            name = next(one for one in free if one not in self.taken)
        self.taken.add(name)
        return name


def as_called(blocks: Iterable[JsonObject], turn: Turn, type_: str, key: str) -> Iterator[JsonObject]:
    """A turn's own blocks with the ids of its answered calls, without unanswered ones."""
    calls = iter(turn.tool_calls)
    for block in blocks:
        if block.get("type") != type_:
            yield block
        elif call := next(calls, None):
            yield block if block.get(key) == call.id else {**block, key: call.id}


def read_call(call_id: str, name: str, text: Json) -> ToolCall:
    """A call with JSON arguments. A fault if they are not an object."""
    name = our_name(name)
    try:
        if isinstance(text, dict):
            arguments = storable_json(text)
            check_json(arguments)
            return ToolCall(call_id, name, arguments)
        arguments = parse_json(text) if isinstance(text, str) and text.strip() else {}
    except JsonTextError as error:
        return ToolCall(call_id, name, {}, f"The arguments are not JSON: {error}")
    if not isinstance(arguments, dict):
        return ToolCall(call_id, name, {}, "The arguments are not a JSON object.")
    written = "" if text == arguments_text(arguments) else str(text or "")
    return ToolCall(call_id, name, arguments, text=written)


def arguments_text(arguments: JsonObject) -> str:
    """The same text for the same arguments, because a database may reorder keys."""
    return compact_json(arguments, sort_keys=True).decode()


def count(value: Json) -> int | None:
    """A number of tokens, or None if the provider gave no number."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def at(value: Json, *path: str) -> Json:
    """The value at ``path`` in nested objects, or None."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def objects(value: Json) -> Iterator[JsonObject]:
    """The objects of a list. Other items are ignored."""
    return (item for item in value if isinstance(item, dict)) if isinstance(value, list) else iter(())


def distinct(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    """Without duplicates. A source with a quote or a title is not repeated without."""
    found = dict.fromkeys(citations)
    quoted = {one.url for one in found if one.quote}
    titled = {one.url for one in found if one.title}
    return tuple(
        one
        for one in found
        if one.url and (one.quote or (one.url not in quoted and (one.title or one.url not in titled)))
    )


def reason_of(stop: str) -> JsonObject:
    return {"reason": REASONS[stop]} if stop in REASONS else {}
