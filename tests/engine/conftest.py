"""A researcher that plays a script, so that the loop can be tested apart from any model."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine.journal import Journal
from research.llm.interface import Abilities, ModelRequest, ToolCall, Turn

ALLIANZ = "529900K9B0N5BT694847"
OTHERS = (
    "OJ2TIQSVQND4IZYYK658",
    "529900FAHFDMSXCPII15",
    "254900PKUZU0PVS5TA11",
    "391200YC6MPAB9UCR633",
    "5299005ORQPYGM8ESL85",
)
SIX = (ALLIANZ, *OTHERS)  # the same call again and again is not made
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
    """Plays its turns in order, by how many turns the conversation already has, the last one over and over.

    ``requests`` are those it was asked. ``faults`` are raised first, one at each attempt.
    """

    name = "script"
    abilities = Abilities()

    def __init__(self, *turns: Turn | Callable[[ModelRequest], Turn] | BaseException) -> None:
        self.turns = turns
        self.requests: list[ModelRequest] = []
        self.faults: list[Exception] = []

    def complete(self, request: ModelRequest) -> Turn:
        self.requests.append(request)
        if self.faults:
            raise self.faults.pop(0)
        place = sum(message.role == "assistant" for message in request.messages)
        turn = self.turns[min(place, len(self.turns) - 1)]
        if isinstance(turn, BaseException):
            raise turn
        return turn if isinstance(turn, Turn) else turn(request)


@pytest.fixture
def play(monkeypatch) -> Callable[..., Script]:
    """``play(turn, turn, ...)`` makes the next runs use that script."""

    def install(*turns: Turn | Callable[[ModelRequest], Turn] | BaseException) -> Script:
        script = Script(*turns)
        monkeypatch.setattr("research.engine.model_calls.open_model", lambda name: script)
        return script

    return install


@pytest.fixture
def no_pauses(monkeypatch) -> list[float]:
    """Waits in place take no time; the list says how long they would have been."""
    pauses: list[float] = []
    monkeypatch.setattr("research.engine.model_calls.ModelCalls.pause", staticmethod(pauses.append))
    return pauses


@pytest.fixture
def end_the_time(monkeypatch):
    """Call it, and the deadline of the run that is worked on has passed."""
    journals, begin = [], Journal.__init__

    def remember(self, *args, **kwargs):
        begin(self, *args, **kwargs)
        journals.append(self)

    def end():
        journals[-1].deadline = timezone.now() - timedelta(seconds=1)

    monkeypatch.setattr(Journal, "__init__", remember)
    return end
