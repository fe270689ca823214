"""Messages are rebuilt from the journal, each time, on whichever machine."""

from collections.abc import Sequence
from dataclasses import dataclass

from research.jsontext import JsonObject
from research.llm.base import Message, ToolAnswer, ToolCall, Turn
from research.models import Step
from research.models.states import StepKind

RESUME = "resume"
CONFIRMED = "confirmed"


@dataclass(frozen=True)
class Conversation:
    """What the journal amounts to: the messages, the calls still to be answered, and the call that was in flight."""

    messages: tuple[Message, ...]
    pending: tuple[ToolCall, ...]
    last_turn: Turn | None
    in_flight: Step | None
    turns: int
    tool_calls: int


def live_steps(steps: Sequence[Step]) -> list[Step]:
    """The steps that count: a resume goes back to an earlier step and what came after that is history."""
    live: list[Step] = []
    for step in steps:
        if step.kind == StepKind.NOTE and step.name == RESUME and step.answer:
            live = [earlier for earlier in live if earlier.seq < int(step.answer["from_seq"])]
        else:
            live.append(step)
    return live


def is_confirmed(steps: Sequence[Step]) -> bool:
    """Whether a person has let the run go on; a tool that a model calls by that name does not count."""
    return any(step.kind == StepKind.NOTE and step.name == CONFIRMED for step in steps)


def resume_point(steps: Sequence[Step]) -> int:
    """Where to go on after a failure: the first tool call whose failure may pass, else the model's last word.

    What was answered well before that is not asked, and not paid, again.
    """
    live = live_steps(steps)
    for step in live:
        if step.kind == StepKind.TOOL and _may_pass(step.answer):
            return step.seq
    if live and live[-1].kind == StepKind.MODEL:
        return live[-1].seq
    return (steps[-1].seq if steps else 0) + 1


def rebuild(steps: Sequence[Step], prompt: str) -> Conversation:
    """The conversation after the last committed answer."""
    live = live_steps(steps)
    messages: list[Message] = [Message(role="user", text=prompt)]
    answers: list[ToolAnswer] = []
    turn: Turn | None = None
    for step in live:
        if step.answer is None:
            continue
        if step.kind == StepKind.MODEL:
            turn, answers = turn_from_json(step.answer, step.raw or {}), []
            messages.append(Message(role="assistant", text=turn.text, turn=turn))
        elif step.kind == StepKind.TOOL:
            answers.append(ToolAnswer(step.intent["id"], step.name, step.answer))
            if turn and len(answers) == len(turn.tool_calls):
                messages.append(Message(role="tool", answers=tuple(answers)))
    return Conversation(
        messages=tuple(messages),
        pending=turn.tool_calls[len(answers) :] if turn else (),  # calls are answered in their order
        last_turn=turn,
        in_flight=next(
            (s for s in live if s.answer is None and s.kind in (StepKind.MODEL, StepKind.TOOL)), None
        ),
        turns=sum(step.kind == StepKind.MODEL for step in live),
        tool_calls=sum(step.kind == StepKind.TOOL for step in live),
    )


def turn_as_json(turn: Turn) -> JsonObject:
    """How a turn lies in the journal; its raw blocks are stored beside it."""
    calls = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in turn.tool_calls]
    return {"text": turn.text, "stop": turn.stop, "tool_calls": calls, "detail": turn.detail}


def turn_from_json(answer: JsonObject, raw: JsonObject) -> Turn:
    """The turn as the model gave it."""
    calls = tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in answer["tool_calls"])
    return Turn(answer["text"], calls, answer["stop"], raw=raw, detail=answer["detail"])


def _may_pass(answer: JsonObject | None) -> bool:
    if not answer or answer.get("success", True):
        return False
    return bool(answer.get("error", {}).get("retryable"))
