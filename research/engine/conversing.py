"""A conversation with tools: ask the model, run what it calls, until it has had its last word.

``decide`` says what comes next from what has been said; it knows no database and no clock.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from django.conf import settings

from research.engine.answer import NoDocument, faults_of, read_turn
from research.engine.asking import Asking
from research.engine.calling import MAX_SAME, Calling, interrupted_too_often, plan
from research.engine.conversation import ASK, REPEATED, SAID, Conversation, rebuild
from research.engine.ending import Ended, OutOfTime, OverBudget
from research.engine.evidence import with_evidence
from research.engine.journal import Entry, Journal
from research.engine.sources import Ledger
from research.engine.waiting import wait_for_budget
from research.jsontext import JsonObject
from research.llm.base import Message, ModelRequest, Task, ToolSpec, Turn
from research.models import Run, Step
from research.models.states import StepKind
from research.tools.base import Tool

MAX_PARSE_FAILURES = 3
MAX_CONTEXT_STOPS = 2
MAX_WASTED_TURNS = 3  # that repeat what was answered already; then the model is asked for its answer
MAX_STRAY_TURNS = 3  # with calls when only the answer is wanted
PARTIAL, COMPLETED, REPAIR, PROSE, UNREADABLE = "partial", "completed", "repair", "prose", "unreadable"
FINISH = (
    "Call no more tools. Answer now, from what you have found, in the form that was asked for, and say what is "
    "missing."
)


@dataclass(frozen=True)
class Brief:
    """What a conversation is about and how far it may go.

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
    """A conversation that is over: ``partial`` is the budget that ended it, ``summary`` the model's own."""

    last_turn: Turn
    messages: tuple[Message, ...] = ()
    tool_calls: int = 0
    partial: str = ""
    summary: str = ""
    parse_failures: int = 0


@dataclass(frozen=True)
class Ask:
    """The model's turn: with tools or without, and what it is told first."""

    tools: bool = True
    told: JsonObject | None = None


Move: TypeAlias = Ask | Talk


@dataclass
class Talking:
    """What a conversation needs."""

    run: Run
    journal: Journal
    asking: Asking
    calling: Calling
    ledger: Ledger
    task: Task
    brief: Brief
    talk: Conversation = field(init=False)

    def __post_init__(self) -> None:
        self.talk = self._rebuilt()
        if self.talk.told(PARTIAL):
            self.journal.give_grace()

    def to_the_end(self) -> Talk:
        """Go on with the conversation as the journal has it."""
        while True:
            try:
                if self.talk.pending:
                    self._answer_calls()
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
        """Only when there is something to report, and only once; else a document that was to be mended is it."""
        self.talk = self._rebuilt()
        if self.journal.grace or not self._language or not self.talk.tool_calls:
            if kept := _document_in(self.talk, self.brief):
                return replace(_over(self.talk, kept), partial="time")
            raise OutOfTime
        refused = [one.entry for one in plan(self.talk, {}, 0)]  # no call stays without its answer
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
        for step in (
            self.journal.live
        ):  # a call left in the background has its answer in a step that was there before
            if step.seq not in known:
                talk.take(step)

    def _answer_calls(self) -> None:
        """Answer every call of the last turn; those that have steps already were in flight when a worker died."""
        steps = self._begun() or self._begin()
        work = [(step, self.brief.tools[step.name]) for step in steps if step.answer is None]
        self.calling.run(work)
        self.talk.take_answers(steps)

    def _begin(self) -> list[Step]:
        closed = is_closing(self.talk)
        tools = {} if closed else self.brief.tools
        same = MAX_SAME if self._language else math.inf  # rules know what they repeat
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
        """Calls that another worker left in flight are made again, but not for ever."""
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
    """The model's turn, or the end. Raises Ended when a bound is reached that leaves nothing to report."""
    turn = talk.last_turn
    if not language:
        return _decide_by_rules(talk, brief)
    if talk.waits:  # it was told what comes next, and a worker stopped before it could answer
        return Ask(tools=not is_closing(talk))
    if turn is None or turn.stop in ("tools", "paused"):
        return _go_on(talk, brief, turn)
    return _ask_again(talk, brief, turn) or _over(talk, _document_in(talk, brief) or turn)


def _decide_by_rules(talk: Conversation, brief: Brief) -> Move:
    """What replays its rules is told nothing, and gives its document once."""
    turn = talk.last_turn
    if turn is not None and turn.stop != "tools":
        return _over(talk, turn)
    if talk.turns >= brief.max_turns:
        raise Ended("budget", f"The budget of {brief.max_turns} model turns is spent.")
    return Ask()


def _document_in(talk: Conversation, brief: Brief) -> Turn | None:
    """The last answer that is a document: a repair that came to nothing does not take away what it was to mend."""
    said = (message.turn for message in reversed(talk.messages) if message.turn and brief.schema is not None)
    return next((turn for turn in said if turn.stop == "end" and _is_readable(turn, brief)), None)


def _is_readable(turn: Turn, brief: Brief) -> bool:
    try:
        read_turn(turn, brief.schema or {})
    except NoDocument:
        return False
    return True


def _ask_again(talk: Conversation, brief: Brief, turn: Turn) -> Ask | None:
    """When the last word cannot be taken as it is."""
    if turn.stop == "context" and talk.context_stops <= MAX_CONTEXT_STOPS:
        return Ask(tools=not is_closing(talk))
    if "parse_failure" in turn.detail and talk.parse_failures <= MAX_PARSE_FAILURES:
        return Ask(tools=not is_closing(talk), told=_unreadable(turn))
    if brief.schema is not None and turn.stop in ("end", "max_tokens"):
        faults = faults_of(turn, brief.schema)
        repairs = settings.DOSSIER_REPAIR_TURNS if brief.repairs is None else brief.repairs
        if faults and talk.told(REPAIR) + talk.told(PROSE) < repairs:
            if _is_first_prose(talk, brief, turn):
                return Ask(told={"about": PROSE, "text": repair_text(faults, tools=brief.tools)})
            return Ask(tools=False, told={"about": REPAIR, "text": repair_text(faults)})
    return None


def _is_first_prose(talk: Conversation, brief: Brief, turn: Turn) -> bool:
    """Whether a model that is still at its research said something that is no document: it may not be done."""
    over = is_closing(talk) or talk.told(PROSE) or turn.stop != "end"
    return not over and not _is_readable(turn, brief)


def is_closing(talk: Conversation) -> bool:
    """Whether the research is over and only the report is wanted."""
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
    """What the model is told when it has researched as much as it may."""
    if talk.over_budget:
        return _partial("tool_calls", "The budget of tool calls is spent.")
    if talk.wasted_turns >= MAX_WASTED_TURNS:
        return _partial(REPEATED, "You go on making calls that were answered already.")
    if talk.turns >= brief.max_turns:
        return _partial("turns", "This is your last turn.")
    return None


def _close(talk: Conversation, brief: Brief) -> Move:
    """Only the answer is wanted any more; who goes on calling tools is not asked for ever."""
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


def _unreadable(turn: Turn) -> JsonObject:
    text = (
        f"{turn.detail['parse_failure']} Answer again, in the form that was asked for and with nothing else."
    )
    return {"about": UNREADABLE, "text": text}


def repair_text(faults: Sequence[str], *, tools: Collection[str] = ()) -> str:
    """How a model is told what to mend; one that may still call ``tools`` is told so."""
    listed = "\n".join(f"- {fault}" for fault in faults)
    more = (
        f"You may still call the tools ({', '.join(tools)}) to find out what is missing. Then give the whole document "
        "and nothing else; what you could not find, say in the document."
    )
    again = more if tools else "Give the whole document again, mended, and nothing else."
    return f"Your answer cannot be used yet:\n{listed}\n{again}"
