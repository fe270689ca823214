"""Tools: their interface, the registry, and the one way to call them.

A tool never raises towards the engine. Whatever happens is a value that the model, the journal and a person can read:
``{"success": true, "data": ..., "sources": [...]}`` or ``{"success": false, "error": {code, message, retryable}}``.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Literal, TypeAlias
from uuid import UUID

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from entities.gleif.errors import GleifBadRequest, GleifError, GleifNotFound, GleifRateLimited
from entities.gleif.register import Register
from entities.registers.errors import RegisterError, RegisterRateLimited
from research.browsing.walks import Owner
from research.jsontext import Json, JsonObject, JsonTextError, canonical_json, check_json, storable_json

log = logging.getLogger(__name__)

Effect: TypeAlias = Literal["read", "write"]
MAX_MESSAGE = 500


class Reach:
    """What a caller may fetch and send. This default is for a person, who may request anything."""

    def address(self, url: str) -> str:
        """How a page may be fetched. Raises FetchFault if it may not be."""
        return url

    def refusal(self, known: "Tool", arguments: JsonObject) -> JsonObject | None:
        """The refusal of a call that would send out confidential text."""
        return None


@dataclass(frozen=True)
class ToolContext:
    """What a tool receives besides its arguments. ``root_id`` is the run that keeps the family's sources, ``owner``
    whose walks through sites go on."""

    register: Register
    root_id: UUID | None = None
    reach: Reach = field(default_factory=Reach)
    owner: Owner = field(default_factory=Owner)


@dataclass(frozen=True)
class Paid:
    """US dollars that a call has cost, and may have cost in addition. ``unknown`` if a price is missing.

    ``searches`` counts the paid searches of each provider.
    """

    cost: Decimal = Decimal(0)
    maybe: Decimal = Decimal(0)
    unknown: bool = False
    searches: Mapping[str, int] = field(default_factory=dict)


NOTHING = Paid()


@dataclass(frozen=True)
class Answer:
    """The result of a tool and its sources: ``{url, title, snippet, kind, key, text, as_of}`` each."""

    data: JsonObject
    sources: tuple[JsonObject, ...] = ()
    paid: Paid = NOTHING


Cost: TypeAlias = Callable[[JsonObject], Decimal]
Run: TypeAlias = Callable[[JsonObject, ToolContext], Answer]
Count: TypeAlias = Callable[[JsonObject], int]
Available: TypeAlias = Callable[[], bool]
Cut: TypeAlias = Callable[[JsonObject, int], JsonObject]
Found: TypeAlias = Callable[[JsonObject], Sequence[Json]]


def one_call(arguments: JsonObject) -> int:
    """Most tools take one call of the budget."""
    return 1


def always() -> bool:
    """Most tools need no setting."""
    return True


def under(*names: str) -> Found:
    """Evidence is only what stands under these names of the answer."""
    return lambda data: [data[name] for name in names if data.get(name)]


def whole(data: JsonObject) -> Sequence[Json]:
    """The whole answer is evidence: without a result the call would have failed."""
    return [data]


def free(arguments: JsonObject) -> Decimal:
    """Most tools are free."""
    return Decimal(0)


@dataclass(frozen=True)
class Tool:
    """``parameters`` is the JSON Schema of the arguments.

    ``calls`` says what a call takes from the budget of tool calls: 0 is free, a batch takes one for each of its
    queries, and ``cut`` gives the arguments that fit into what remains. ``cost`` is the most US dollars that a call can
    cost: so much is reserved before it, and its answer says what was paid. A ``web`` tool makes ``think`` and
    ``research_complete`` be offered beside it; after a tool that ``reflects`` the model must think before the next
    such call. ``available`` says whether it can work as this installation is set up; one that cannot is not offered.

    ``found`` gives the parts of an answer that were found: what the call itself said counts as evidence only there
    (``research.checks.provenance``). A tool without it vouches for no word of its own question. ``hits`` of a tool
    that searches are what it was to find: where there are none the result says so. A tool that ``moves`` answers the
    same words differently each time, so that it may be called again with them.
    """

    name: str
    description: str
    parameters: JsonObject
    effect: Effect
    cost: Cost
    run: Run
    calls: Count = one_call
    cut: Cut | None = None
    web: bool = False
    reflects: bool = False
    available: Available = always
    found: Found | None = None
    hits: Found | None = None
    moves: bool = False

    @cached_property
    def validator(self) -> Draft202012Validator:
        return Draft202012Validator(self.parameters)


class ToolError(Exception):
    """A refusal by the tool, in words for the model. The call may have cost money."""

    paid = NOTHING

    def __init__(self, code: str, message: str, *, retryable: bool = False, **detail: Json) -> None:
        self.code, self.message, self.retryable, self.detail = code, message, retryable, detail
        super().__init__(message)


REGISTRY: dict[str, Tool] = {}
THINK, COMPLETE = "think", "research_complete"
ALIASES = {
    "WebSearch": "web_search",
    "ExtractContent": "extract_content",
    "Think": THINK,
    "ResearchComplete": COMPLETE,
}


def tool(
    name: str,
    description: str,
    parameters: JsonObject,
    *,
    effect: Effect = "read",
    cost: Cost = free,
    calls: Count = one_call,
    cut: Cut | None = None,
    web: bool = False,
    reflects: bool = False,
    available: Available = always,
    found: Found | None = None,
    hits: Found | None = None,
    moves: bool = False,
) -> Callable[[Run], Run]:
    """Register a function as a tool. Unknown arguments are refused."""
    schema = {"type": "object", "additionalProperties": False, **parameters}
    Draft202012Validator.check_schema(schema)

    def enter(run: Run) -> Run:
        REGISTRY[name] = Tool(
            name,
            description,
            schema,
            effect,
            cost,
            run,
            calls=calls,
            cut=cut,
            web=web,
            reflects=reflects,
            available=available,
            found=found,
            hits=hits,
            moves=moves,
        )
        return run

    return enter


def get_tools(names: Iterable[str], writes: Iterable[str] = ()) -> list[Tool]:
    """The tools to offer to a model, in the macro's order. Tools that write must be listed in ``writes``.

    Names that are not known here (a macro written for another system may list some) are left out and logged.
    """
    offered: list[Tool] = []
    allowed = frozenset(writes)
    for name in dict.fromkeys(names):
        known = REGISTRY.get(name)
        if known and (known.effect == "read" or name in allowed):
            offered += [known] if known.available() else []
        else:
            log.warning("tool %.100r is not offered: %s", name, "it writes" if known else "it is not known")
    return offered


def argument_fault(known: Tool, arguments: Json) -> str:
    """The first fault of the arguments, as a sentence for the model. Empty if there is none."""
    try:
        check_json(arguments)
    except JsonTextError as error:
        return str(error)
    fault = best_match(known.validator.iter_errors(arguments))
    return _sentence(fault) if fault else ""


def run_tool(known: Tool, arguments: JsonObject, context: ToolContext) -> JsonObject:
    """Call a tool with valid arguments."""
    return run_paid(known, arguments, context)[0]


def run_paid(known: Tool, arguments: JsonObject, context: ToolContext) -> tuple[JsonObject, Paid]:
    """Like ``run_tool``, and return the cost as well."""
    try:
        answer = known.run(arguments, context)
    except ToolError as error:
        return _failure_of(known, error), error.paid
    except Exception as error:  # noqa: BLE001 - failure is a value; what is unforeseen is logged with its traceback
        return _failure_of(known, error), NOTHING
    found: JsonObject = {"success": True, "data": storable_json(answer.data)}
    if answer.sources:
        found["sources"] = storable_json(list(answer.sources))
    return found, answer.paid


def failure(code: str, message: str, *, retryable: bool = False, **detail: Json) -> JsonObject:
    """The value of a failed call."""
    error = {**detail, "code": code, "message": message[:MAX_MESSAGE], "retryable": retryable}
    return {"success": False, "error": error}


def _sentence(error: ValidationError) -> str:
    where = ".".join(map(str, error.absolute_path)) or "arguments"
    return f"{where}: {error.message}"


def _failure_of(known: Tool, error: Exception) -> JsonObject:
    if isinstance(error, ToolError):
        return failure(error.code, error.message, retryable=error.retryable, **error.detail)
    if isinstance(error, GleifRateLimited):
        return failure("rate_limited", str(error), retryable=True, retry_after=error.retry_after)
    if isinstance(error, GleifError):
        if isinstance(error, GleifNotFound | GleifBadRequest):
            return failure("not_found" if isinstance(error, GleifNotFound) else "bad_request", str(error))
        return failure("register_unavailable", str(error), retryable=True)
    if isinstance(error, RegisterError):
        wait = {"retry_after": error.retry_after} if isinstance(error, RegisterRateLimited) else {}
        return failure(error.code, str(error), retryable=error.retryable, **wait)
    log.error("tool %s failed", known.name, exc_info=error)
    return failure("internal", f"{known.name} failed ({type(error).__name__}).")


def register_source(*, key: str, url: str, title: str, snippet: str, seen: Json, as_of: str) -> JsonObject:
    """A record or list of the register as a source: ``text`` is its canonical JSON."""
    return {
        "kind": "register",
        "key": key,
        "url": url,
        "title": title,
        "snippet": snippet,
        "as_of": as_of,
        "text": canonical_json(storable_json(seen)),
    }
