"""A conversation with a model, as the loop holds it and nothing more."""

from itertools import cycle
from typing import Any

from research.jsontext import JsonObject
from research.llm.interface import Message, ModelRequest, Task, ToolAnswer, ToolSpec, Turn
from research.llm.models import open_model
from tests.llm.doubles.server import Double

MODELS = ("anthropic:m", "openai:m", "openai-chat:m")
KEY = "sk-test-0123456789abcdef"
SEARCH = ToolSpec(
    "web_search",
    "Search the web.",
    {
        "type": "object",
        "additionalProperties": False,
        "properties": {"query": {"type": "string"}, "max_results": {"type": "integer"}},
        "required": ["query"],
    },
)
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"entity": {"type": "string", "minLength": 1}, "sources": {"type": "integer"}},
    "required": ["entity"],
}


def point_at(settings: Any, double: Double, stream: str = "off") -> None:
    """Every provider is the double."""
    settings.DOSSIER_MODEL_STREAM = stream
    settings.ANTHROPIC_API_KEY = settings.OPENAI_API_KEY = settings.OPENAI_CHAT_API_KEY = KEY
    settings.ANTHROPIC_BASE_URL = double.url
    settings.OPENAI_BASE_URL = settings.OPENAI_CHAT_BASE_URL = f"{double.url}/v1"


def request(
    messages: list[Message] | None = None,
    *,
    tools: bool = True,
    schema: JsonObject | None = SCHEMA,
    server_search: bool = False,
    max_tokens: int = 8_000,
) -> ModelRequest:
    return ModelRequest(
        system="You research.",
        messages=tuple(messages or [Message("user", "Who is Example AG?")]),
        tools=[SEARCH] if tools else [],
        schema=schema,
        task=Task("example", "example-result", {}),
        max_tokens=max_tokens,
        server_search=server_search,
    )


def talk(*names: str, server_search: bool = False, then: str = "") -> list[Turn]:
    """Until the end; with several names they take turns. ``then`` is said after the first end, once."""
    messages = [Message("user", "Who is Example AG?")]
    turns: list[Turn] = []
    models = cycle([open_model(name) for name in names])
    while not turns or turns[-1].stop in ("tools", "paused") or then:
        if turns and turns[-1].stop == "end":
            messages.append(Message("user", then))
            then = ""
        assert len(turns) < 20
        turn = next(models).complete(request(messages, server_search=server_search))
        turns.append(turn)
        messages.append(Message("assistant", turn.text, turn=turn))
        if turn.tool_calls:
            found = {"success": True, "data": {"found": "a page"}}
            messages.append(
                Message("tool", answers=tuple(ToolAnswer(c.id, c.name, found) for c in turn.tool_calls))
            )
    return turns
