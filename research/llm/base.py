"""The one interface between the engine and whatever thinks: a language model or the keyless register researcher.

The conversation is provider-neutral; an adapter translates it. A model is stateless: everything it may know is in the
request, so a run can be continued on another machine, or by another model, from the journal alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from research.jsontext import JsonObject

Stop: TypeAlias = Literal["end", "tools", "refusal", "max_tokens", "error"]


@dataclass(frozen=True)
class ToolSpec:
    """A tool as offered to a model: ``parameters`` is the JSON Schema of its arguments object."""

    name: str
    description: str
    parameters: JsonObject


@dataclass(frozen=True)
class ToolCall:
    """One call that the model asks for; ``id`` is unique within the conversation."""

    id: str
    name: str
    arguments: JsonObject


@dataclass(frozen=True)
class ToolAnswer:
    """The value a tool gave, ``{"success": true, "data": ...}`` or ``{"success": false, "error": {...}}``."""

    call_id: str
    name: str
    content: JsonObject


@dataclass(frozen=True)
class Turn:
    """One answer of a model.

    ``stop`` is "tools" when ``tool_calls`` must be answered, "end" when ``text`` is the final JSON document,
    "refusal" when the model ends without one (``text`` says why; ``detail`` may hold ``code``, ``retryable`` and more).
    ``raw`` are the provider's blocks verbatim, ``usage`` its token counts.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    stop: Stop = "end"
    raw: JsonObject = field(default_factory=dict)
    usage: JsonObject = field(default_factory=dict)
    detail: JsonObject = field(default_factory=dict)


@dataclass(frozen=True)
class Message:
    """One entry of the conversation: the person's request, a turn of the model, or the answers to its calls."""

    role: Literal["user", "assistant", "tool"]
    text: str = ""
    turn: Turn | None = None
    answers: tuple[ToolAnswer, ...] = ()


@dataclass(frozen=True)
class Task:
    """What is asked, in structured form: for rule-based researchers, and for logs. Language models read the prompt."""

    macro: str
    schema_name: str
    params: JsonObject
    feedback: str = ""


@dataclass(frozen=True)
class ModelRequest:
    """Everything a model may know: instructions, conversation so far, tools on offer, wanted shape, and the task."""

    system: str
    messages: Sequence[Message]
    tools: Sequence[ToolSpec]
    schema: JsonObject
    task: Task


class ModelUnavailable(Exception):
    """The model could not be asked (transport, overload); the run can be resumed."""


class Model(Protocol):
    """A researcher. ``complete`` raises ModelUnavailable when it could not be asked at all."""

    @property
    def name(self) -> str: ...

    def complete(self, request: ModelRequest) -> Turn: ...
