"""A conversation with tools: ask the model and run its calls until it gives its final answer.

``decide`` says what comes next from what has been said; it knows no database and no clock.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from django.conf import settings

from research.engine.answer import NoDocument, faults_of, read_turn
from research.engine.conversation import ASK, REPEATED, SAID, Conversation, rebuild
from research.engine.evidence import with_evidence
from research.engine.journal import Entry, Journal
from research.engine.model_calls import ModelCalls
from research.engine.pauses import wait_for_budget
from research.engine.sources import Ledger
from research.engine.stops import Ended, OutOfTime, OverBudget
from research.engine.tool_calls import MAX_SAME, ToolCalls, interrupted_too_often, plan
from research.jsontext import JsonObject
from research.llm.interface import Message, ModelRequest, Task, ToolSpec, Turn
from research.models import Run, Step
from research.models.states import StepKind
from research.tools.tool import Tool

MAX_PARSE_FAILURES = 3
MAX_CONTEXT_STOPS = 2
MAX_WASTED_TURNS = 3  # turns that only repeat answered calls; after that the model is asked for its answer
MAX_STRAY_TURNS = 3  # turns with calls after the model was told to answer
PARTIAL, COMPLETED, REPAIR, PROSE, UNREADABLE = "partial", "completed", "repair", "prose", "unreadable"
FINISH = (
    "Call no more tools. Answer now, from what you have found, in the form that was asked for, and say what is "
    "missing."
)


@dataclass(frozen=True)
class Brief:
    """The task of a conversation, and its limits.

    ``schema`` None: the last word is prose, and ``research_complete`` ends the conversation without another turn. With
    ``evidence`` the quotes behind the claims are asked for too. ``repairs`` is how often a document that does not fit
    is given back to be mended.
    """

    system: str
    prompt: str
    tools: Mapping[str, Tool]
    schema: JsonObject | None
    max_turns: int
    max_tool_calls: int
    evidence: bool = False
    repairs: int | None = None
    max_tokens: int | None = None


@dataclass(frozen=True)
class Talk:
    """A finished conversation. ``partial`` names the budget that ended it; ``summary`` is the model's own."""

    last_turn: Turn
    messages: tuple[Message, ...] = ()
    tool_calls: int = 0
    partial: str = ""
    summary: str = ""
    parse_failures: int = 0


@dataclass(frozen=True)
class Ask:
    """Ask the model next: with or without tools, and with a message first."""

    tools: bool = True
    told: JsonObject | None = None


Move: TypeAlias = Ask | Talk


@dataclass
class Talking:
    """Everything a conversation needs."""

    run: Run
    journal: Journal
    asking: ModelCalls
    calling: ToolCalls
    ledger: Ledger
    task: Task
    brief: Brief
    talk: Conversation = field(init=False)

    def __post_init__(self) -> None:
        self.talk = self._rebuilt()
        if self.talk.told(PARTIAL):
            self.journal.give_grace()

    def to_the_end(self) -> Talk:
        """Continue the conversation from the journal."""
        while True:
            try:
                if self.talk.pending:
                    steps = self._begun() or self._begin()
                    work = [(step, self.brief.tools[step.name]) for step in steps if step.answer is None]
                    self.calling.run(work)
                    self.talk.take_answers(steps)
                    continue
                move = decide(self.talk, self.brief, language=self._language)
                if isinstance(move, Talk):
                    return move
                self._ask(move)
            except OutOfTime:
                if kept := self._last_turn_after_time():
                    return kept

    @property
    def _language(self) -> bool:
        return self.asking.first.abilities.language

    def _last_turn_after_time(self) -> Talk | None:
        """Allow one last turn after the deadline, if there is something to report. Otherwise use the last document."""
        self.talk = self._rebuilt()
        if self.journal.grace or not self._language or not self.talk.tool_calls:
            if kept := _document_in(self.talk, self.brief):
                return replace(_over(self.talk, kept), partial="time")
            raise OutOfTime
        refused = [one.entry for one in plan(self.talk, {}, 0)]  # every call needs an answer
        told = Entry(StepKind.NOTE, SAID, answer=_partial("time", "The time for this research is over."))
        self.journal.give_grace()
        self.journal.intend(*refused, told)
        self.talk = self._rebuilt()
        return None

    def _rebuilt(self) -> Conversation:
        return rebuild(self.journal.live, self.brief.prompt, self.ledger.hydrate)

    def _ask(self, move: Ask) -> None:
        brief, talk = self.brief, self.talk
        said = [Entry(StepKind.NOTE, SAID, answer=move.told)] if move.told else []
        told = [Message(role="user", text=move.told["text"])] if move.told else []
        offered = brief.tools.values() if move.tools else ()
        schema = brief.schema
        request = ModelRequest(
            system=brief.system,
            messages=[*talk.messages, *told],
            tools=[ToolSpec(tool.name, tool.description, tool.parameters) for tool in offered],
            schema=with_evidence(schema) if schema is not None and brief.evidence else schema,
            task=self.task,
            max_tokens=brief.max_tokens or settings.DOSSIER_MAX_TOKENS,
            server_search=move.tools and settings.DOSSIER_SERVER_SEARCH and "web_search" in brief.tools,
        )
        known = {step.seq for step in self.journal.live if step.answer is not None}
        self.asking.talk(request, said, shrinks=talk.context_stops)
        for step in self.journal.live:  # a call in the background is answered in a step that existed before
            if step.seq not in known:
                talk.take(step)

    def _begin(self) -> list[Step]:
        closed = is_closing(self.talk)
        tools = {} if closed else self.brief.tools
        same = MAX_SAME if self._language else math.inf  # rules may repeat calls
        planned = plan(self.talk, tools, self.brief.max_tool_calls, max_same=same)
        try:
            return self.journal.intend(*(one.entry for one in planned))
        except OverBudget as refused:
            wait_for_budget(self.run, self.journal, refused)

    def _begun(self) -> list[Step]:
        steps: list[Step] = []
        for step in self.journal.live:
            if step.kind == StepKind.MODEL and ASK not in step.intent and step.answer is not None:
                steps = steps if not step.answer.get("success", True) else []
            elif step.kind == StepKind.TOOL:
                steps.append(step)
        steps = steps[len(self.talk.answers) :]
        self._again([step for step in steps if step.answer is None and step.fence != self.journal.fence])
        return steps

    def _again(self, left: Sequence[Step]) -> None:
        """Repeat calls that another worker left in flight, a limited number of times."""
        if not left:
            return
        costs = [self.brief.tools[step.name].cost(step.intent["arguments"]) for step in left]
        try:
            self.journal.again(*zip(left, costs, strict=True))
        except OverBudget as refused:
            wait_for_budget(self.run, self.journal, refused)
        for step in left:
            if content := interrupted_too_often(step):
                self.journal.answer(step, content)


def decide(talk: Conversation, brief: Brief, *, language: bool) -> Move:
    """The model's next turn, or the end. Raises Ended if a limit leaves nothing to report."""
    turn = talk.last_turn
    if not language:
        # A researcher that replays its rules gets no instructions, and gives its document once.
        if turn is not None and turn.stop != "tools":
            return _over(talk, turn)
        if talk.turns >= brief.max_turns:
            raise Ended("budget", f"The budget of {brief.max_turns} model turns is spent.")
        return Ask()
    if talk.waits:  # the model was told what comes next, but a worker stopped before it answered
        return Ask(tools=not is_closing(talk))
    if turn is None or turn.stop in ("tools", "paused"):
        return _go_on(talk, brief, turn)
    return _ask_again(talk, brief, turn) or _over(talk, _document_in(talk, brief) or turn)


def _document_in(talk: Conversation, brief: Brief) -> Turn | None:
    """The last answer that is a document. A failed repair does not discard the document it was to repair."""
    said = (message.turn for message in reversed(talk.messages) if message.turn and brief.schema is not None)
    return next((turn for turn in said if turn.stop == "end" and _is_readable(turn, brief)), None)


def _is_readable(turn: Turn, brief: Brief) -> bool:
    try:
        read_turn(turn, brief.schema or {})
    except NoDocument:
        return False
    return True


def _ask_again(talk: Conversation, brief: Brief, turn: Turn) -> Ask | None:
    """The next question if the last answer cannot be used."""
    if turn.stop == "context" and talk.context_stops <= MAX_CONTEXT_STOPS:
        return Ask(tools=not is_closing(talk))
    if "parse_failure" in turn.detail and talk.parse_failures <= MAX_PARSE_FAILURES:
        text = f"{turn.detail['parse_failure']} Answer again, in the form that was asked for and with nothing else."
        return Ask(tools=not is_closing(talk), told={"about": UNREADABLE, "text": text})
    if brief.schema is not None and turn.stop in ("end", "max_tokens"):
        faults = faults_of(turn, brief.schema)
        repairs = settings.DOSSIER_REPAIR_TURNS if brief.repairs is None else brief.repairs
        if faults and talk.told(REPAIR) + talk.told(PROSE) < repairs:
            if _is_first_prose(talk, brief, turn):
                return Ask(told={"about": PROSE, "text": repair_text(faults, tools=brief.tools)})
            return Ask(tools=False, told={"about": REPAIR, "text": repair_text(faults)})
    return None


def _is_first_prose(talk: Conversation, brief: Brief, turn: Turn) -> bool:
    """Whether a model still at its research answered in prose: it may not be done."""
    over = is_closing(talk) or talk.told(PROSE) or turn.stop != "end"
    return not over and not _is_readable(turn, brief)


def is_closing(talk: Conversation) -> bool:
    """Whether research is over and only the report is left to write."""
    return any(note.get("about") in (PARTIAL, COMPLETED, REPAIR) for note in talk.said)


def _go_on(talk: Conversation, brief: Brief, turn: Turn | None) -> Move:
    if is_closing(talk):
        return _close(talk, brief)
    if turn is not None and talk.completed is not None:
        if brief.schema is None:
            return _over(talk, turn)
        return Ask(tools=False, told={"about": COMPLETED, "text": f"The research is complete. {FINISH}"})
    told = _enough(talk, brief)
    return Ask(tools=not told, told=told)


def _enough(talk: Conversation, brief: Brief) -> JsonObject | None:
    """What the model is told when a research limit is reached."""
    if talk.over_budget:
        return _partial("tool_calls", "The budget of tool calls is spent.")
    if talk.wasted_turns >= MAX_WASTED_TURNS:
        return _partial(REPEATED, "You keep making calls that were already answered.")
    if talk.turns >= brief.max_turns:
        return _partial("turns", "This is your last turn.")
    return None


def _close(talk: Conversation, brief: Brief) -> Move:
    """Ask only for the answer, a limited number of times if the model keeps calling tools."""
    if talk.turns > brief.max_turns:
        raise Ended("budget", f"The budget of {brief.max_turns} model turns is spent, and the last one too.")
    if talk.stray_turns < MAX_STRAY_TURNS:
        return Ask(tools=False)
    if kept := _document_in(talk, brief):
        return _over(talk, kept)
    raise Ended("no_answer", "The model was asked for its answer and went on calling tools.", retryable=True)


def _over(talk: Conversation, turn: Turn) -> Talk:
    partial = next((str(note["budget"]) for note in talk.said if note.get("about") == PARTIAL), "")
    return Talk(
        last_turn=turn,
        messages=tuple(talk.messages),
        tool_calls=talk.tool_calls,
        partial=partial,
        summary=talk.completed or "",
        parse_failures=talk.parse_failures,
    )


def _partial(budget: str, sentence: str) -> JsonObject:
    return {"about": PARTIAL, "budget": budget, "text": f"{sentence} {FINISH}"}


def repair_text(faults: Sequence[str], *, tools: Collection[str] = ()) -> str:
    """The message that asks a model to repair its answer. Names the ``tools`` that it may still call."""
    listed = "\n".join(f"- {fault}" for fault in faults)
    more = (
        f"You may still call the tools ({', '.join(tools)}) to find out what is missing. Then give the whole document "
        "and nothing else. State in the document what you could not find."
    )
    again = more if tools else "Give the whole corrected document again and nothing else."
    return f"Your answer cannot be used yet:\n{listed}\n{again}"
