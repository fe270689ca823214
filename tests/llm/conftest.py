"""The register researcher at work on a register, without an engine: what the loop does, and nothing else."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import research
from entities.gleif.register import Register, open_register
from research.jsontext import JsonObject, parse_json
from research.llm.interface import Message, ModelRequest, Task, ToolAnswer, ToolCall, ToolSpec, Turn
from research.macros.definition import MacroDefinition
from research.macros.loader import load_macro
from research.macros.parameters import check_parameters
from research.register_researcher.model import RegisterModel
from research.tools.tool import ToolContext, get_tools
from tests.tools.calls import call_tool

LIBRARY = Path(research.__file__).parent / "macros" / "library"
CallTool = Callable[[ToolCall], JsonObject]


@dataclass
class Research:
    """One conversation: every request that was made, and the turn that ended it."""

    definition: MacroDefinition
    requests: list[ModelRequest] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)

    @property
    def last(self) -> Turn:
        return self.turns[-1]

    @property
    def data(self) -> Any:
        assert self.last.stop == "end", self.last.text
        return parse_json(self.last.text)

    @property
    def refusal(self) -> JsonObject:
        assert self.last.stop == "refusal", self.last.text
        return self.last.detail

    def told(self, *path: str) -> str:
        """All sentences of one list of the document, as one text to look into."""
        part = self.data
        for key in path:
            part = part[key]
        return "\n".join(part)


def request_for(
    definition: MacroDefinition, params: JsonObject, messages: list[Message], feedback: str = ""
) -> ModelRequest:
    """What the loop would ask with."""
    return ModelRequest(
        system="",
        messages=tuple(messages),
        tools=[
            ToolSpec(tool.name, tool.description, tool.parameters) for tool in get_tools(definition.tools)
        ],
        schema=definition.schema,
        task=Task(definition.name, definition.schema_name, params, feedback),
    )


def converse(definition: MacroDefinition, params: JsonObject, call: CallTool, feedback: str = "") -> Research:
    """Let the model work until it ends."""
    done, messages = Research(definition), [Message("user", "go")]
    while not done.turns or done.last.stop == "tools":
        assert len(done.turns) < 20, "the researcher does not come to an end"
        request = request_for(definition, params, messages, feedback)
        turn = RegisterModel().complete(request)
        done.requests.append(request)
        done.turns.append(turn)
        done.calls += turn.tool_calls
        answers = tuple(ToolAnswer(one.id, one.name, call(one)) for one in turn.tool_calls)
        messages += [Message("assistant", turn.text, turn=turn), Message("tool", answers=answers)]
    return done


@pytest.fixture(scope="session")
def macro() -> Callable[[str], MacroDefinition]:
    def load(name: str) -> MacroDefinition:
        return load_macro((LIBRARY / f"{name}.yaml").read_text())

    return load


@pytest.fixture
def register() -> Register:
    return open_register("demo")


@pytest.fixture
def demo_tools(register: Register) -> CallTool:
    """Tools over the demo register; answers pass through JSON, as they do in the journal."""

    def call(one: ToolCall) -> JsonObject:
        answer = call_tool(one.name, one.arguments, ToolContext(register=register))
        answer.pop("sources", None)
        stored: JsonObject = json.loads(json.dumps(answer))
        return stored

    return call


@pytest.fixture
def study(macro: Callable[[str], MacroDefinition], demo_tools: CallTool) -> Callable[..., Research]:
    """``study("client-discovery", client_name=...)``; ``tools`` and ``feedback`` replace what is usual."""

    def work(name: str, /, tools: CallTool = demo_tools, feedback: str = "", **params: Any) -> Research:
        definition = macro(name)
        return converse(definition, check_parameters(definition, params), tools, feedback)

    return work
