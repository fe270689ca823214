"""One worker's hold on one run, and the primitives a workflow is written with.

A workflow (``research/engine/workflows``) is plain code that starts at its first line whenever a worker takes the run
up. Every primitive is answered from the journal if it was answered before, so the code comes to the place where the
last worker stopped without paying, asking or creating anything twice:

    worker.enter("brief")                          # run.phase, for people who look; stored with the next step
    request = worker.request(SYSTEM, prompt, schema)       # schema None: prose is wanted
    turn = worker.ask("brief", request)            # one answer of the model, with the retries that the settings allow
    data = put(worker, question)                   # the same, read as JSON and mended; see questions/answers.py
    turns = worker.ask_all({"check.1": r1, "check.2": r2})  # several in parallel, each its own step
    notes = worker.once("sources", fn)             # fn() gives a JSON object, without effects elsewhere; stored
    worker.spawn("round.1", [Child("dir-1", params)])       # child runs, one transaction with the step that lists them
    outcomes = worker.wait_for_children("round.1") # parks until all of them are over; then how each ended
    said = worker.ask_person("brief", {"brief": data})      # parks in awaiting_confirmation; what the person answered
    answers = worker.gather("prices", [(tool, args)])       # tools that no model chose, each its own step
    talk = worker.converse(Brief(...))             # a conversation with tools, to the model's last word
    worker.conclude(talk)                          # document, evidence, checks, ResearchResult; the run succeeded
    worker.conclude_data(data, extras)             # the same for a document that code put together
    worker.end({"findings": ...})                  # a child: the run succeeded with this output and without a result

Rules: names are unique within a run ("round.2", not "round" twice); between primitives compute only from parameters
and earlier answers, never from the clock or chance (``once`` stores those); never catch Exception around a primitive:
Parked, Cancelled, Ended and LeaseLost pass through it. ``raise Ended(code, message)`` fails the run, resumably. There
is one ``converse`` per run, ``worker.run`` is the row as claimed, ``worker.root_id`` is the family's head, on which
money and sources are kept.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from django.utils import timezone

from entities.gleif.register import Register, open_register
from research.browsing.walks import Owner
from research.checks.addresses import Known, check_addresses, without_unread
from research.checks.grounds import known_addresses
from research.engine import children
from research.engine.agent_loop import Brief, Talk, Talking
from research.engine.answer import FinalDocument, NoDocument, no_answer, read_turn
from research.engine.children import Child, Outcome
from research.engine.conversation import find_step, last_words, person_said
from research.engine.journal import Journal
from research.engine.lease_renewal import Held
from research.engine.limits import kept_for_report
from research.engine.model_calls import ModelCalls
from research.engine.pauses import leave, wait_for_budget, wait_for_person
from research.engine.reach import Horizoned
from research.engine.results import Extras, early, finish_run
from research.engine.scripted_calls import ScriptedCalls
from research.engine.sources import Ledger, unread_pages
from research.engine.stops import Ended, OutOfTime, OverBudget, Parked
from research.engine.tool_calls import ToolCalls
from research.jsontext import Json, JsonObject, canonical_json, storable_json
from research.llm.interface import Message, ModelRequest, Task, ToolSpec, Turn
from research.macros.definition import MacroDefinition
from research.macros.loader import load_macro
from research.macros.templates import render_prompt
from research.models import ResearchResult, Run, Step
from research.models.states import RunState, StepKind
from research.tools.tool import COMPLETE, THINK, Reach, Tool, ToolContext, get_tools

MAX_MESSAGE = 2_000
OUTPUT = "output"
READ, MAX_READ = "extract_content", 20
OnStep = Callable[[Step], None]

__all__ = ["Brief", "Child", "Outcome", "Talk", "Worker"]


class Worker:
    """See the module for usage."""

    def __init__(self, run: Run, held: Held, on_step: OnStep | None = None) -> None:
        self.run, self.held = run, held
        self.journal = Journal(self.run, held.fence, on_step)
        self.root_id = self.journal.root_id
        self.ledger = Ledger(self.root_id)

    @cached_property
    def definition(self) -> MacroDefinition:
        return load_macro(self.run.macro.text)

    @cached_property
    def register(self) -> Register:
        return open_register(self.run.register)

    @cached_property
    def tools(self) -> dict[str, Tool]:
        """The macro's tools that may be offered. A macro with web search also gets think and research_complete."""
        tools = get_tools(self.definition.tools, self.definition.writes)
        if self._speaks and any(tool.web for tool in tools):
            tools += get_tools([THINK, COMPLETE])
        return {tool.name: tool for tool in tools}

    @cached_property
    def prompt(self) -> str:
        """The macro's prompt with the run's parameters, and a reviewer's request."""
        prompt = render_prompt(self.definition, self.run.params)
        if self.run.feedback:
            prompt += f"\n\nA reviewer asked for this change to your earlier answer:\n{self.run.feedback}"
        return prompt

    @cached_property
    def task(self) -> Task:
        return Task(self.definition.name, self.definition.schema_name, self.run.params, self.run.feedback)

    @cached_property
    def asking(self) -> ModelCalls:
        return ModelCalls(self.run, self.journal, self.ledger, self.held)

    @cached_property
    def calling(self) -> ToolCalls:
        context = ToolContext(self.register, self.root_id, self.reach, Owner(run_id=self.run.pk))
        return ToolCalls(self.journal, self.ledger, context)

    @cached_property
    def reach(self) -> Reach:
        """What the run may request outside."""
        opened = self.definition.reach == "open"
        return Reach() if opened else Horizoned(self.run, self.root_id, self.definition.prompt)

    def request(
        self,
        system: str,
        prompt: str,
        schema: JsonObject | None = None,
        *,
        tools: Sequence[ToolSpec] = (),
        max_tokens: int = 8_000,
    ) -> ModelRequest:
        """A request with one message."""
        messages = (Message(role="user", text=prompt),)
        return ModelRequest(system, messages, tools, schema, self.task, max_tokens)

    def enter(self, phase: str) -> None:
        """Show the phase of the run. Stored with the next step."""
        self.journal.phase = phase[:30]

    def ask(self, name: str, request: ModelRequest) -> Turn:
        """One answer of the model, from the journal or a new call."""
        return self.asking.ask(name, request)

    def ask_all(self, requests: Mapping[str, ModelRequest]) -> dict[str, Turn]:
        """Several answers by name, in the order of the requests."""
        turns = self.asking.ask_all(requests)
        return {name: turns[name] for name in requests}

    def once(self, name: str, fn: Callable[[], JsonObject]) -> JsonObject:
        """The result of the first call of ``fn``."""
        step = find_step(self.journal.live, StepKind.NOTE, name)
        if step is None:
            step = self.journal.note(StepKind.NOTE, name, fn())
        return dict(step.answer or {})

    def time_for_research(self) -> bool:
        """Whether there is time besides that kept for the report. Depends on the clock: store it with ``once``."""
        return not self.journal.is_late(kept_for_report(self.run.depth))

    def converse(self, brief: Brief) -> Talk:
        """A conversation with tools up to the model's final answer."""
        if isinstance(self.reach, Horizoned):
            self.reach.hear(brief.system)
        return Talking(
            self.run, self.journal, self.asking, self.calling, self.ledger, self.task, brief
        ).to_the_end()

    def gather(self, name: str, wanted: Sequence[tuple[str, JsonObject]]) -> list[JsonObject]:
        """The answers of tools without a model, ``[(tool, arguments)]``, in parallel, each its own step."""
        try:
            return self._gathering.gather(name, wanted)
        except OverBudget as refused:
            wait_for_budget(self.run, self.journal, refused)

    def gathered(self, name: str, wanted: Sequence[tuple[str, JsonObject]]) -> list[JsonObject]:
        """The answers of ``gather`` so far, with a failure for each missing one."""
        return self._gathering.so_far(name, wanted)

    @property
    def _gathering(self) -> ScriptedCalls:
        return ScriptedCalls(self.journal, self.calling, self.ledger, self.tools)

    def read_quoted(self, name: str, numbers: Iterable[int]) -> None:
        """Fetch the pages that a document relies on but that were only seen as search hits, if time permits.

        What cannot be read is a failed call like any other, and a limitation of the result.
        """
        urls = unread_pages(self.root_id, numbers)[:MAX_READ] if READ in self.tools else []
        if urls:
            with suppress(OutOfTime):
                self.gather(name, [(READ, {"urls": [url]}) for url in urls])

    @property
    def _speaks(self) -> bool:
        return self.asking.first.abilities.language

    @property
    def known_address(self) -> Known:
        """Whether the run has read this address so far, or was asked about it."""
        return known_addresses(self.root_id, canonical_json(self.run.params), self.run.feedback)

    def without_unread(self, value: Json, language: str = "en") -> Json:
        """A model's text with a mark in place of each address that no source has."""
        return without_unread(value, self.known_address, language)

    def ask_person(self, phase: str, what: JsonObject) -> JsonObject:
        """A person's answer to ``what``: ``{by, phase, params?, answer?}``. Parks until then."""
        said = person_said(self.journal.live, phase)
        if said is not None:
            return said
        shown = find_step(self.journal.live, StepKind.PHASE, phase)
        return wait_for_person(self.run, self.journal, phase, None if shown else what)

    def spawn(self, name: str, wanted: Sequence[Child]) -> None:
        """Create child runs, once."""
        if find_step(self.journal.live, StepKind.PHASE, name) is None:
            children.spawn(self.run, self.journal, name, wanted)

    def wait_for_children(self, name: str) -> list[Outcome]:
        """The outcomes of the children of ``spawn(name)``, in order. Parks while any is open."""
        step = find_step(self.journal.live, StepKind.PHASE, name)
        listed = (step.answer or {}).get("children", []) if step else []
        self.journal.flush()
        if children.park(self.run, self.journal.fence, listed):
            raise Parked
        return children.outcomes(listed, OUTPUT)

    def conclude(self, talk: Talk) -> ResearchResult:
        """Turn the final answer of a conversation into a checked result. The run succeeds."""
        return self.conclude_with(
            talk.last_turn, Extras(partial=bool(talk.partial), limitations=early(talk.partial))
        )

    def conclude_with(self, turn: Turn, extras: Extras | None = None) -> ResearchResult:
        """Like ``conclude`` for any turn with the final document. Its evidence is split off."""
        document = self._document(turn, self.definition.schema)
        self.read_quoted("quoted", (one["source"] for one in document.evidence))
        extras = extras or Extras()
        unread = check_addresses(document.data, self.known_address) if self._speaks else []
        extras = replace(extras, evidence=document.evidence, verdicts=[*extras.verdicts, *unread])
        return finish_run(self.run, self.definition, document, self.journal, self.register, extras)

    def conclude_data(self, data: JsonObject, extras: Extras) -> ResearchResult:
        """Like ``conclude`` for a document made by code."""
        document = FinalDocument(data, repaired=False)
        return finish_run(self.run, self.definition, document, self.journal, self.register, extras)

    def end(self, output: JsonObject) -> None:
        """End the run with ``output`` and without a result to review."""
        if find_step(self.journal.live, StepKind.PHASE, OUTPUT) is None:
            self.journal.note(StepKind.PHASE, OUTPUT, output)
        self.leave(RunState.SUCCEEDED, "run.succeeded", phase="done", error=None, finished_at=timezone.now())

    def fail(self, error: JsonObject) -> None:
        """Fail the run. ``said`` is the model's last text, bounded and cleaned for the database."""
        message = str(error["message"])[:MAX_MESSAGE]
        if (said := last_words(self.journal.live)) and said not in message:
            error = {**error, "said": said[:MAX_MESSAGE]}
        error = storable_json({**error, "message": message})
        self.leave(RunState.FAILED, "run.failed", error=error, finished_at=timezone.now())

    def leave(self, state: RunState, action: str, **fields: object) -> None:
        """Release the run in ``state``."""
        leave(self.run, self.journal, state, action, **fields)

    def _document(self, turn: Turn, schema: JsonObject) -> FinalDocument:
        if turn.stop not in ("end", "max_tokens"):
            raise no_answer(turn)
        try:
            return read_turn(turn, schema)
        except NoDocument as error:
            code = "invalid_json" if turn.stop == "end" else turn.stop
            raise Ended(code, f"The final answer cannot be read: {error}", retryable=True) from error
