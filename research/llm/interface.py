"""The interface between the engine and a researcher: a language model or the keyless register researcher.

The conversation is provider-neutral; an adapter translates it. A model is stateless: everything it may know is in the
request, so a run can be continued on another machine, or by another model, from the journal alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from research.jsontext import JsonObject

Stop: TypeAlias = Literal[
    "end", "tools", "paused", "refusal", "max_tokens", "context", "content_filter", "error"
]
FaultKind: TypeAlias = Literal[
    "rate_limit",
    "overloaded",
    "server",
    "timeout",
    "network",
    "truncated",  # temporary: retried
    "quota",
    "auth",
    "invalid",
    "unsupported",
    "context",  # permanent
]
THINKING = ("off", "low", "medium", "high")  # values of DOSSIER_THINKING
PASSING: frozenset[str] = frozenset({"rate_limit", "overloaded", "server", "timeout", "network", "truncated"})


@dataclass(frozen=True)
class ToolSpec:
    """A tool as offered to a model: ``parameters`` is the JSON Schema of its arguments object."""

    name: str
    description: str
    parameters: JsonObject


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that the model asks for; ``id`` is unique within the conversation.

    ``fault`` is a sentence when the arguments could not be read (``arguments`` is then empty): the call is answered
    with that as an error, and the tool is not run. ``text`` are the arguments as they were written, where Dossier would
    write them otherwise: what is sent back is to be the same.
    """

    id: str
    name: str
    arguments: JsonObject
    fault: str = ""
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The value a tool gave, ``{"success": true, "data": ...}`` or ``{"success": false, "error": {...}}``."""

    call_id: str
    name: str
    content: JsonObject
    shown: list[str] = field(default_factory=list, init=False, repr=False, compare=False)  # see tool_answers


@dataclass(frozen=True)
class Usage:
    """The usage of a call, as the provider counts it. ``known`` is False if it reported nothing.

    ``input_tokens`` are those read neither from nor into the cache; the three inputs add up to all of the input.
    """

    input_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    output_tokens: int = 0
    searches: int = 0
    known: bool = True


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation of the provider's own search. ``quote`` is the cited text, if given."""

    url: str
    title: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of a model.

    ``stop`` is "tools" when ``tool_calls`` must be answered, "end" when ``text`` is the final JSON document, "paused"
    when the provider wants the conversation sent back to go on, "refusal" when the model ends without an answer
    (``text`` says why; ``detail`` may hold ``code``, ``retryable`` and more), "max_tokens", "context" and
    "content_filter" when the answer was cut: never a document. ``raw`` are the provider's blocks verbatim, under the
    key of their protocol; ``model`` is who answered according to the provider.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    stop: Stop = "end"
    raw: JsonObject = field(default_factory=dict)
    usage: Usage | None = None
    detail: JsonObject = field(default_factory=dict)
    citations: tuple[Citation, ...] = ()
    model: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of the conversation: the person's request, a turn of the model, or the answers to its calls."""

    role: Literal["user", "assistant", "tool"]
    text: str = ""
    turn: Turn | None = None
    answers: tuple[ToolAnswer, ...] = ()
    measured: int = field(default_factory=int, init=False, repr=False, compare=False)  # see engine/history


@dataclass(frozen=True)
class Task:
    """The question in structured form, for rule-based researchers and logs. Language models read the prompt."""

    macro: str
    schema_name: str
    params: JsonObject
    feedback: str = ""


@dataclass(frozen=True)
class ModelRequest:
    """The whole input of a model: instructions, conversation, tools, schema and task.

    ``schema`` is the JSON Schema of the final document, or None when prose is wanted. With ``tools`` empty the model
    must answer now. ``max_tokens`` bounds one answer; ``server_search`` asks for the provider's own web search too.
    """

    system: str
    messages: Sequence[Message]
    tools: Sequence[ToolSpec]
    schema: JsonObject | None
    task: Task
    max_tokens: int = 8_000
    server_search: bool = False


Feature: TypeAlias = Literal["", "tools", "schema", "server_search", "thinking"]


class ModelFault(Exception):
    """A failed attempt. ``retry_after`` is in seconds, as requested by the provider.

    ``billed`` says whether the provider may have worked and charged although nothing arrived (a timeout, a cut stream).
    ``feature`` is what an "unsupported" server refused: ``models.without`` gives a model that does not ask for it.
    ``should_retry`` is False when the provider itself said that asking again is of no use.
    ``message`` never holds a key.
    """

    def __init__(
        self,
        kind: FaultKind,
        message: str,
        *,
        status: int = 0,
        retry_after: float | None = None,
        billed: bool = False,
        feature: Feature = "",
        should_retry: bool = True,
    ) -> None:
        self.kind, self.message, self.status = kind, message, status
        self.retry_after, self.billed = retry_after, billed
        self.feature, self.should_retry = feature, should_retry
        super().__init__(message)

    @property
    def passing(self) -> bool:
        """Whether a retry may help."""
        return self.kind in PASSING and self.should_retry


class LookFailed(ModelFault):
    """Only the poll for an answer in the background failed. The provider still works on the answer."""


@dataclass(frozen=True)
class Abilities:
    """What a model can do, as far as known in advance.

    Without ``tools`` it calls them in text (``text_protocol``), which makes no difference to the loop. What has no
    ``language`` reads the task and not the prompt: it is not asked for evidence, to think, or to mend its answer.
    """

    tools: bool = True
    schema: bool = True
    server_search: bool = False
    thinking: bool = True  # whether the thinking level can be set
    background: bool = False
    context_tokens: int = 128_000
    language: bool = True


class Model(Protocol):
    """A researcher. One call of ``complete`` is one attempt: it raises ModelFault and never retries."""

    @property
    def name(self) -> str:
        """The name as in DOSSIER_MODEL, for example ``anthropic:MODEL``."""

    @property
    def abilities(self) -> Abilities: ...

    def complete(self, request: ModelRequest) -> Turn: ...


class BackgroundModel(Model, Protocol):
    """A model whose calls run at the provider: after a crash the answer is fetched instead of paid for again."""

    def start(self, request: ModelRequest) -> str:
        """Send the request. Returns the provider's id of the pending answer."""

    def collect(self, ticket: str) -> Turn | None:
        """The answer, or None if it is pending. Raises LookFailed if another poll may help."""

    def cancel(self, ticket: str) -> None: ...
