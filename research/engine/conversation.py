"""The conversation in the journal: rebuilt when a worker takes the run, then continued in memory."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from research.jsontext import Json, JsonObject, canonical_json
from research.llm.interface import Citation, Message, ToolAnswer, ToolCall, Turn
from research.models import Step
from research.models.states import StepKind

RESUME = "resume"
CONFIRMED = "confirmed"
SAID = "said"  # what the engine tells the model between two turns
ASK = "ask"  # key of a model step's intent: the name under which a workflow asked
REFLECTION, REPEATED, BUDGET = (
    "reflection_required",
    "repeated",
    "budget",
)  # error codes of calls that were not made
Hydrate = Callable[[JsonObject], JsonObject]


@dataclass
class Conversation:
    """Pass the answered steps to ``take`` in order.

    ``hydrate`` gives the answer of a tool as the model sees it, for one as the journal keeps it.
    """

    prompt: str
    hydrate: Hydrate = lambda content: content
    messages: list[Message] = field(default_factory=list)
    last_turn: Turn | None = None
    turns: int = 0
    tool_calls: int = 0
    parse_failures: int = 0
    context_stops: int = 0
    must_reflect: bool = False
    completed: str | None = None  # the summary with which the model declared its research complete
    over_budget: bool = False
    made: Counter[str] = field(default_factory=Counter)  # number of times each call was made, by ``call_key``
    wasted_turns: int = 0  # turns that only repeated answered calls
    stray_turns: int = 0  # turns with calls since the model was last told something
    said: list[JsonObject] = field(default_factory=list)
    answers: list[ToolAnswer] = field(default_factory=list)
    _later: list[Message] = field(default_factory=list)  # said while calls were open
    _gap: bool = False
    _thought: bool = False
    _searched: bool = False
    _repeated: bool = False
    _fresh: bool = False

    def __post_init__(self) -> None:
        self.messages.append(Message(role="user", text=self.prompt))

    @property
    def pending(self) -> tuple[ToolCall, ...]:
        """Calls of the last turn without an answer. They are answered in order."""
        return self.last_turn.tool_calls[len(self.answers) :] if self.last_turn else ()

    @property
    def waits(self) -> bool:
        """Whether the model has not yet answered what it was told last."""
        return len(self.messages) > 1 and self.messages[-1].role == "user"

    def take(self, step: Step) -> None:
        """Apply one step. Steps outside the conversation are ignored.

        Answers count in the order of their calls: what came after one that is still missing waits for it.
        """
        if ASK in step.intent:
            return
        if step.answer is None:
            self._gap |= step.kind == StepKind.TOOL
        elif step.kind == StepKind.MODEL and step.answer.get("success", True):
            turn = turn_from_json(step.answer, step.raw or {})
            self.last_turn, self.answers, self._gap = turn, [], False
            self.turns += 1
            self.stray_turns += turn.stop == "tools"
            self.parse_failures += "parse_failure" in turn.detail
            self.context_stops += turn.stop == "context"
            self.messages.append(Message(role="assistant", text=turn.text, turn=turn))
        elif step.kind == StepKind.TOOL and not self._gap:
            self._answer(step, step.answer)
        elif step.kind == StepKind.NOTE and step.name == SAID:
            self.said.append(step.answer)
            self.stray_turns = 0
            where = self._later if self.pending else self.messages
            where.append(Message(role="user", text=step.answer["text"]))

    def _answer(self, step: Step, content: JsonObject) -> None:
        self.tool_calls += step.intent.get("calls", 1)
        code = content.get("error", {}).get("code")
        self.over_budget |= code == BUDGET
        self._repeated |= code == REPEATED
        self._fresh |= code != REPEATED and "thinks" not in step.intent
        key = call_key(step.name, step.intent["arguments"])
        if "writes" in step.intent:
            self.made = Counter({key: self.made[key]})
        if code not in (REFLECTION, BUDGET):
            self.made[key] += 1
        self._thought |= "thinks" in step.intent
        self._searched |= "reflects" in step.intent
        if "completes" in step.intent:
            self.completed = step.intent["arguments"].get("summary", "")
        self.answers.append(ToolAnswer(step.intent["id"], step.name, self.hydrate(content)))
        if not self.pending:
            self.messages += [Message(role="tool", answers=tuple(self.answers)), *self._later]
            self._later = []
            # whatever the order of the calls, thinking counts first and searching then
            self.must_reflect = self._searched or (self.must_reflect and not self._thought)
            self.wasted_turns += self._repeated and not self._fresh
            self._thought = self._searched = self._repeated = self._fresh = False

    def take_answers(self, steps: Iterable[Step]) -> None:
        """Apply the missing answers, and those that waited for them."""
        self._gap = False
        for step in steps:
            self.take(step)

    def told(self, about: str) -> int:
        """How often the engine has sent a message of this kind."""
        return sum(note.get("about") == about for note in self.said)


def call_key(name: str, arguments: JsonObject) -> str:
    """The same key for equivalent calls: case, blanks and empty arguments are ignored."""
    return f"{name} {canonical_json(_normal(arguments))}"


def _normal(value: Json) -> Json:
    if isinstance(value, str):
        text = " ".join(value.split())
        return text if "://" in text else text.casefold()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_normal(item) for item in value]
    if isinstance(value, dict):
        return {key: _normal(item) for key, item in value.items() if item not in (None, "", [], {})}
    return value


def rebuild(steps: Iterable[Step], prompt: str, hydrate: Hydrate | None = None) -> Conversation:
    """The conversation up to the last committed answer."""
    talk = Conversation(prompt, hydrate) if hydrate else Conversation(prompt)
    for step in steps:
        talk.take(step)
    return talk


def live_steps(steps: Sequence[Step]) -> list[Step]:
    """The steps that count. A resume goes back to an earlier step and makes the later ones history.

    So are the attempts before it that failed: it may be because of them that somebody mended something and resumed.
    """
    live: list[Step] = []
    for step in steps:
        if step.kind == StepKind.NOTE and step.name == RESUME and step.answer:
            gone = {*step.answer.get("failed", ())}
            first = int(step.answer["from_seq"])
            live = [earlier for earlier in live if earlier.seq < first and earlier.seq not in gone]
        else:
            live.append(step)
    return live


def wants_finish(steps: Iterable[Step]) -> JsonObject:
    """The note of a person who said to make do with what there is, ``{by, ended: what the run had failed of}``."""
    said = (step.answer or {} for step in steps if step.kind == StepKind.NOTE and step.name == CONFIRMED)
    return next((one for one in said if (one.get("answer") or {}).get("finish")), {})


def find_step(steps: Iterable[Step], kind: StepKind, name: str) -> Step | None:
    """The first answered step of a kind and name."""
    named = (step for step in steps if step.kind == kind and step.name == name)
    return next((step for step in named if step.answer is not None), None)


def last_words(steps: Sequence[Step]) -> str:
    """The last text of a model. Empty if there is none."""
    said = (
        (step.answer or {}).get("text", "").strip() for step in reversed(steps) if step.kind == StepKind.MODEL
    )
    return next(filter(None, said), "")


def person_said(steps: Sequence[Step], phase: str) -> JsonObject | None:
    """A person's last answer in a phase. A tool call of the same name does not count."""
    for step in reversed(steps):
        confirmed = step.kind == StepKind.NOTE and step.name == CONFIRMED and step.answer
        if confirmed and confirmed.get("phase", "plan") == phase:
            return dict(confirmed)
    return None


def answered_ask(steps: Iterable[Step], name: str) -> Step | None:
    """The successful answer to what a workflow asked under ``name``."""
    asked = (step for step in steps if step.kind == StepKind.MODEL and step.intent.get(ASK) == name)
    return next((step for step in asked if step.answer and step.answer.get("success", True)), None)


def resume_point(steps: Sequence[Step], *, replays: bool = True) -> JsonObject:
    """Where to go on after a failure: ``from_seq``, and the attempts before it that ``failed``, which are made again.

    That is the first tool call whose failure may pass; where a model was to blame, its last word; where none answered,
    the end. What was answered well before is not asked, and not paid, again. Only a researcher that ``replays`` for
    nothing is taken back to a tool call; a paid one had the failure in its conversation and went on from it.
    """
    live = live_steps(steps)
    for step in live:
        if replays and step.kind == StepKind.TOOL and _may_pass(step.answer):
            return {"from_seq": step.seq}
    failed = [step.seq for step in live if _is_failed_attempt(step)]
    good = [step for step in live if step.seq not in failed]
    end = (steps[-1].seq if steps else 0) + 1
    last_word = bool(good) and good[-1].kind == StepKind.MODEL and not _unanswered(live)
    return {"from_seq": good[-1].seq if last_word else end, "failed": failed}


def _unanswered(live: Sequence[Step]) -> bool:
    """Whether all attempts at any question have failed since its last answer."""
    asked = {step.intent.get(ASK): step for step in live if step.kind == StepKind.MODEL}
    return any(_is_failed_attempt(last) for last in asked.values())


def turn_as_json(turn: Turn) -> JsonObject:
    """A turn for the journal, without empty fields. Its raw blocks are stored separately."""
    calls = [_call_as_json(call) for call in turn.tool_calls]
    citations = [{"url": one.url, "title": one.title, "quote": one.quote} for one in turn.citations]
    rest = {
        "text": turn.text,
        "tool_calls": calls,
        "detail": turn.detail,
        "model": turn.model,
        "citations": citations,
    }
    return {"stop": turn.stop, **{key: value for key, value in rest.items() if value}}


def turn_from_json(answer: JsonObject, raw: JsonObject) -> Turn:
    """The turn from the journal."""
    calls = (
        ToolCall(call["id"], call["name"], call["arguments"], call.get("fault", ""), call.get("text", ""))
        for call in answer.get("tool_calls", ())
    )
    citations = (Citation(one["url"], one["title"], one["quote"]) for one in answer.get("citations", ()))
    return Turn(
        text=answer.get("text", ""),
        tool_calls=tuple(calls),
        stop=answer["stop"],
        raw=raw,
        detail=answer.get("detail", {}),
        citations=tuple(citations),
        model=answer.get("model", ""),
    )


def _call_as_json(call: ToolCall) -> JsonObject:
    rest = {"fault": call.fault, "text": call.text}
    known = {"id": call.id, "name": call.name, "arguments": call.arguments}
    return known | {key: value for key, value in rest.items() if value}


def _is_failed_attempt(step: Step) -> bool:
    return step.kind == StepKind.MODEL and not (step.answer or {"success": False}).get("success", True)


def _may_pass(answer: JsonObject | None) -> bool:
    if not answer or answer.get("success", True):
        return False
    return bool(answer.get("error", {}).get("retryable"))
