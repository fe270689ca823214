"""Tool calls without a model. Each call is a normal step of the journal, made once."""

from collections.abc import Mapping, Sequence

from research.engine.conversation import ASK
from research.engine.journal import Entry, Journal
from research.engine.sources import Ledger
from research.engine.tool_calls import ToolCalls, interrupted_too_often
from research.jsontext import JsonObject
from research.models import Step
from research.models.states import StepKind
from research.tools.tool import Tool, argument_fault, failure

NO_TIME = "The time of the run was over before it was asked."


class ScriptedCalls:
    """The calls of one name. A worker that takes over makes only those without an answer."""

    def __init__(
        self, journal: Journal, calling: ToolCalls, ledger: Ledger, tools: Mapping[str, Tool]
    ) -> None:
        self.journal, self.calling, self.ledger, self.tools = journal, calling, ledger, tools

    def gather(self, name: str, wanted: Sequence[tuple[str, JsonObject]]) -> list[JsonObject]:
        """The answers in the order of the calls, requested in parallel.

        Raises:
            OverBudget: the remaining calls exceed the budget.
        """
        known = self._steps(name)
        ids = [f"{name}.{number}" for number in range(1, len(wanted) + 1)]
        again = [step for step in known.values() if step.answer is None and step.fence != self.journal.fence]
        if again:
            self.journal.again(
                *((step, self.tools[step.name].cost(step.intent["arguments"])) for step in again)
            )
        new = [
            self._entry(name, key, *call) for key, call in zip(ids, wanted, strict=True) if key not in known
        ]
        if new:
            self.journal.intend(*new)
        self._answer(list(self._steps(name).values()))
        steps = self._steps(name)
        return [self.ledger.hydrate(steps[key].answer or {}) for key in ids]

    def so_far(self, name: str, wanted: Sequence[tuple[str, JsonObject]]) -> list[JsonObject]:
        """The answers in the journal. Makes no calls."""
        steps = self._steps(name)
        asked = [steps.get(f"{name}.{number}") for number in range(1, len(wanted) + 1)]
        return [
            self.ledger.hydrate(step.answer) if step and step.answer else failure("deadline", NO_TIME)
            for step in asked
        ]

    def _answer(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if step.answer is None and (content := interrupted_too_often(step)):
                self.journal.answer(step, content)
        work = [(step, self.tools[step.name]) for step in steps if step.answer is None]
        self.calling.run(work)
        self.journal.flush()

    def _steps(self, name: str) -> dict[str, Step]:
        tools = (step for step in self.journal.live if step.kind == StepKind.TOOL)
        return {step.intent["id"]: step for step in tools if step.intent.get(ASK) == name}

    def _entry(self, name: str, key: str, tool: str, arguments: JsonObject) -> Entry:
        fault = argument_fault(self.tools[tool], arguments)
        answer = failure("bad_arguments", fault) if fault else None
        reserve = self.tools[tool].cost(arguments)
        intent = {ASK: name, "id": key, "arguments": arguments}
        if answer:
            return Entry(StepKind.TOOL, tool, intent, answer)
        return Entry(StepKind.TOOL, tool, intent, reserve=reserve)
