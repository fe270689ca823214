"""A researcher that plays a script, so that the loop can be tested apart from any model."""

import json
from collections.abc import Callable

import pytest

from research.llm.base import ModelRequest, ToolCall, Turn

ALLIANZ = "529900K9B0N5BT694847"
FINAL = {"name": "Allianz SE", "lei": ALLIANZ, "jurisdiction": "DE", "confidence": "high"}


def asks(*calls: tuple[str, dict[str, object]]) -> Turn:
    """A turn that calls tools."""
    return Turn(
        tool_calls=tuple(ToolCall(f"{name}-{n}", name, args) for n, (name, args) in enumerate(calls)),
        stop="tools",
    )


def answers(data: object = FINAL) -> Turn:
    """A turn that gives the final document."""
    return Turn(text=data if isinstance(data, str) else json.dumps(data))


class Script:
    """Plays its turns in order, by how many turns the conversation already has; counts how often it is asked."""

    name = "script"

    def __init__(self, *turns: Turn | Callable[[ModelRequest], Turn] | Exception) -> None:
        self.turns = turns
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> Turn:
        self.requests.append(request)
        turn = self.turns[sum(message.role == "assistant" for message in request.messages)]
        if isinstance(turn, Exception):
            raise turn
        return turn if isinstance(turn, Turn) else turn(request)


@pytest.fixture
def play(monkeypatch) -> Callable[..., Script]:
    """``play(turn, turn, ...)`` makes the next runs use that script."""

    def install(*turns: Turn | Callable[[ModelRequest], Turn] | Exception) -> Script:
        script = Script(*turns)
        monkeypatch.setattr("research.engine.loop.open_model", lambda name: script)
        return script

    return install
