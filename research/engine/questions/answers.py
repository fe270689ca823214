"""Ask questions through the journal, and ask again if an answer is invalid."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from django.conf import settings

from research.engine.answer import no_answer
from research.engine.conversation import answered_ask, turn_from_json
from research.engine.questions.question import BadAnswer, Question, read_answer
from research.engine.stops import Ended
from research.engine.worker import Worker
from research.llm.interface import Message, ModelRequest, Turn
from research.models import Step

T = TypeVar("T")


def put(worker: Worker, question: Question[T]) -> T:
    """The model's answer, repaired up to ``DOSSIER_REPAIR_TURNS`` times. Raises Ended if it stays invalid."""
    messages: tuple[Message, ...] = (Message(role="user", text=question.prompt),)
    fault = ""
    for attempt in range(settings.DOSSIER_REPAIR_TURNS + 1):
        turn = worker.ask(_try(question, attempt), _request(worker, question, messages))
        try:
            return _read(question, turn)
        except BadAnswer as error:
            fault = str(error)
        again = f"That cannot be used: {fault} Give the whole answer again."
        messages += (Message("assistant", turn.text, turn), Message("user", again))
    raise Ended("invalid_answer", f"No usable answer to {question.name}: {fault}", retryable=True)


def answered(steps: Sequence[Step], question: Question[T]) -> T | None:
    """The valid answer that is in the journal already. Asks nobody."""
    for attempt in range(settings.DOSSIER_REPAIR_TURNS + 1):
        step = answered_ask(steps, _try(question, attempt))
        if step is None or step.answer is None:
            break
        with suppress(BadAnswer, Ended):
            return _read(question, turn_from_json(step.answer, step.raw or {}))
    return None


def put_all(worker: Worker, questions: Sequence[Question[T]]) -> Mapping[str, T | str]:
    """The answers by name, asked in parallel. A failed question gives a sentence instead."""
    requests = {
        one.name: _request(worker, one, (Message(role="user", text=one.prompt),)) for one in questions
    }
    trouble = "The model gave no answer."
    try:
        worker.ask_all(requests)
    except Ended as error:
        trouble = str(error)
    settled: dict[str, T | str] = {}
    for one in questions:
        answer = _settled(worker, one, trouble)
        settled[one.name] = answer
    return settled


def _settled(worker: Worker, question: Question[T], trouble: str) -> T | str:
    """The answer if the first attempt succeeded, repaired if necessary."""
    step = answered_ask(worker.journal.live, question.name)
    if step is None or step.answer is None:
        return trouble
    try:
        return put(worker, question)
    except Ended as error:
        return str(error)


def _try(question: Question[T], attempt: int) -> str:
    """The name in the journal."""
    return question.name if attempt == 0 else f"{question.name}.repair.{attempt}"


def _request(worker: Worker, question: Question[T], messages: tuple[Message, ...]) -> ModelRequest:
    return ModelRequest(
        question.system, messages, (), question.schema, worker.task, max_tokens=question.max_tokens
    )


def _read(question: Question[T], turn: Turn) -> T:
    if turn.stop in ("max_tokens", "context"):
        raise BadAnswer("the answer was cut off because it is too long; be briefer.")
    if turn.stop in ("tools", "paused"):
        raise BadAnswer("there is no tool to call and nothing to wait for; answer from what you were given.")
    if turn.stop != "end":
        raise no_answer(turn)
    return read_answer(question, turn.text)
