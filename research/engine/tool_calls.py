"""Run the tool calls of a turn: first decide which may run, then run them in parallel.

Whatever is wrong with a call goes back to the model as a value. Each answer is committed as it arrives, under the step
that stands in the order of the calls.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias, TypedDict

from django.conf import settings
from django.db import connection

from common.connection import give_connection_back
from research.engine.conversation import BUDGET, REFLECTION, REPEATED, Conversation, call_key
from research.engine.journal import ZERO, Entry, Journal
from research.engine.sources import Ledger
from research.jsontext import JsonObject
from research.llm.interface import ToolCall
from research.models import Step
from research.models.states import StepKind
from research.tools.tool import (
    ALIASES,
    COMPLETE,
    NOTHING,
    THINK,
    Paid,
    Tool,
    ToolContext,
    argument_fault,
    failure,
    run_paid,
)

Work: TypeAlias = tuple[Step, Tool]


class Booked(TypedDict):
    """What the journal books with an answer."""

    usage: JsonObject | None
    cost: Decimal
    lost: Decimal


MAX_INTERRUPTIONS = 5
MAX_SAME = 2  # limit on repeating one call


@dataclass(frozen=True)
class Planned:
    """A call to make. With ``content`` it is already answered."""

    call: ToolCall
    name: str
    arguments: JsonObject
    tool: Tool | None = None
    content: JsonObject | None = None
    calls: int = 0

    @property
    def entry(self) -> Entry:
        intent: JsonObject = {"id": self.call.id, "arguments": self.arguments}
        if self.calls != 1:
            intent["calls"] = self.calls
        if self.tool and self.tool.reflects and self.content is None:
            intent["reflects"] = True
        if self.tool and self.tool.effect == "write" and self.content is None:
            intent["writes"] = True
        if self.content and self.content["success"] and self.name in (THINK, COMPLETE):
            intent[{THINK: "thinks", COMPLETE: "completes"}[self.name]] = True
        return Entry(StepKind.TOOL, self.name or "?", intent, self.content, self.cost)

    @property
    def cost(self) -> Decimal:
        return self.tool.cost(self.arguments) if self.tool and self.content is None else ZERO


def plan(
    talk: Conversation, tools: Mapping[str, Tool], budget: int, *, max_same: float = MAX_SAME
) -> list[Planned]:
    """What happens to each pending call, in order. ``think`` counts before the other calls of its turn.

    A call that was made ``max_same`` times is not made again.
    """
    calls = talk.pending
    names = [(call.name if call.name in tools else ALIASES.get(call.name, call.name)) for call in calls]
    steers = THINK in tools
    may_reflect = not (steers and talk.must_reflect) or any(
        name == THINK and not _fault(call, tools[THINK]) for call, name in zip(calls, names, strict=True)
    )
    left = budget - talk.tool_calls
    planned = []
    made = talk.made.copy()
    for call, name in zip(calls, names, strict=True):
        one = _planned(call, name, tools, left, may_reflect=may_reflect, budget=budget)
        key = call_key(name, call.arguments)
        moves = name in tools and tools[name].moves
        if made[key] >= max_same and name != COMPLETE and not (call.fault or moves):
            fault = (one.content or {}).get("error", {}).get("message", "")
            already = f"You have already made this call {made[key]} times; its answer is above."
            text = f"Not called. {already} {fault}".strip()
            one = Planned(
                call,
                name,
                call.arguments,
                tools.get(name),
                failure(REPEATED, f"{text} Ask for something else, or give your answer from what you have."),
            )
        made[key] += 1
        left -= one.calls
        planned.append(one)
    return planned


class ToolCalls:
    """Run planned calls and commit their answers."""

    def __init__(self, journal: Journal, ledger: Ledger, context: ToolContext) -> None:
        self.journal, self.ledger, self.context = journal, ledger, context

    def run(self, work: Sequence[Work]) -> None:
        """Run the calls without an answer. The last answer is held back for the next write, which must follow."""
        left = len(work)
        for step, content, paid in self._contents(work):
            left -= 1
            self._commit(step, content, paid, hold_back=not left)

    def _contents(self, work: Sequence[Work]) -> Iterator[tuple[Step, JsonObject, Paid]]:
        give_connection_back()
        if (
            len(work) < 2 or connection.in_atomic_block
        ):  # other threads do not see uncommitted writes of this one
            for step, tool in work:
                yield step, *call(tool, step.intent["arguments"], self.context)
            return
        size = min(len(work), settings.DOSSIER_PARALLEL_CALLS)
        with ThreadPoolExecutor(size, thread_name_prefix="tool") as pool:
            futures = {pool.submit(_in_thread, step, tool, self.context): step for step, tool in work}
            for future in as_completed(futures):
                yield futures[future], *future.result()

    def _commit(self, step: Step, content: JsonObject, paid: Paid, *, hold_back: bool) -> None:
        # at most the reserved amount may have been paid
        lost = min(paid.maybe, max(step.reserved_usd - paid.cost, ZERO))
        booked: Booked = {"usage": _usage(paid), "cost": paid.cost, "lost": lost}
        found = self.ledger.prepare(content.pop("sources", []))
        if not found:
            self.journal.answer(step, content, **booked, hold_back=hold_back)
            return
        content = self.ledger.dehydrate(content, found)

        def enter() -> None:
            step.answer = {**content, "sources": self.ledger.enter(found)}

        self.journal.answer(step, content, **booked, before=enter)
        self.ledger.entered()


def call(tool: Tool, arguments: JsonObject, context: ToolContext) -> tuple[JsonObject, Paid]:
    """The value and cost of one call. No database connection is held meanwhile."""
    refused = context.reach.refusal(tool, arguments)
    give_connection_back()
    if refused:
        return refused, NOTHING
    return run_paid(tool, arguments, context)


def _usage(paid: Paid) -> JsonObject | None:
    if paid == NOTHING:
        return None
    return {"searches": dict(paid.searches), "cost": "unknown" if paid.unknown else "known"}


def interrupted_too_often(step: Step) -> JsonObject | None:
    """The answer for a call that has stopped every worker so far."""
    if step.attempt <= MAX_INTERRUPTIONS:
        return None
    return failure("interrupted", "This call stopped the worker again and again; it is not made any more.")


def _in_thread(step: Step, tool: Tool, context: ToolContext) -> tuple[JsonObject, Paid]:
    try:
        return call(tool, step.intent["arguments"], context)
    finally:
        connection.close()


def _fault(call: ToolCall, tool: Tool) -> str:
    return call.fault or argument_fault(tool, call.arguments)


def _planned(
    call: ToolCall, name: str, tools: Mapping[str, Tool], left: int, *, may_reflect: bool, budget: int
) -> Planned:
    refusal = _refusal(call, name, tools, may_reflect=may_reflect)
    if refusal:
        return Planned(call, name, call.arguments, tools.get(name), refusal)
    tool = tools[name]
    if name in (THINK, COMPLETE):
        return Planned(
            call,
            name,
            call.arguments,
            tool,
            {"success": True, "data": {"noted": True, "tool_calls_left": f"{max(left, 0)} of {budget}"}},
        )
    wanted, arguments = tool.calls(call.arguments), call.arguments
    if wanted > left > 0 and tool.cut is not None:
        arguments = tool.cut(arguments, left)
        wanted = tool.calls(arguments)
    if wanted > max(left, 0):
        spent = f"The budget of {budget} tool calls is spent. Report what you have found."
        return Planned(call, name, arguments, tool, failure(BUDGET, spent))
    return Planned(call, name, arguments, tool, None, wanted)


def _refusal(call: ToolCall, name: str, tools: Mapping[str, Tool], *, may_reflect: bool) -> JsonObject | None:
    if name not in tools:
        offered = ", ".join(tools) or "none any more"
        return failure("unknown_tool", f"{name[:100]!r} is not on offer; there are: {offered}.")
    if fault := _fault(call, tools[name]):
        return failure("bad_arguments", fault)
    if tools[name].reflects and not may_reflect:
        text = f"Not searched. Call {THINK} first: say what the last search showed and what is still missing."
        return failure(REFLECTION, text)
    return None
