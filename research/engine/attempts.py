"""Which model is asked next, when, and how: decided only from failed attempts in the journal.

So a worker that takes a run over decides as the first one would have. A model that was given up is not gone back to:
the comma list of DOSSIER_MODEL is walked once, from the first to the last. Where nobody is left to ask instead, trouble
that costs nothing is waited out, for as long as the run's depth has time.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from research.engine.conversation import ASK
from research.engine.journal import INTERRUPTED
from research.jsontext import JsonObject
from research.llm.interface import ModelFault
from research.models import Step
from research.models.states import StepKind

FIRST_PAUSE, FACTOR, LONGEST_PAUSE = 0.5, 2.0, 120.0  # seconds
MAX_PARK = timedelta(days=1)  # fail rather than wait longer than this
MAX_INTERRUPTIONS = 10  # attempts of one question, in case it crashes every worker
MAX_SHRINKS = 2
MODEL = "model"  # key of a model step's intent: the model that was asked


@dataclass
class Choice:
    """``model`` is the place in the list, None when nobody is left; ``ready_at`` None is now.

    ``refused`` are the faults in which its server refused a feature; the history is cut to ``1 / 2 ** shrinks``.
    """

    model: int | None
    ready_at: datetime | None = None
    refused: list[JsonObject] = field(default_factory=list)
    shrinks: int = 0
    last_error: JsonObject = field(default_factory=dict)


@dataclass
class _Record:
    """Failures of one model in one slot since its last good answer there."""

    passing: int = 0
    paid: int = 0  # of these, the ones that may have cost something
    interrupted: int = 0
    context: int = 0
    since: datetime | None = None  # when the first of these attempts was begun
    last: Step | None = None

    @property
    def lasted(self) -> timedelta:
        """For how long this model has given no answer."""
        end = self.last.answered_at if self.last else None
        return end - self.since if end and self.since else timedelta(0)


def choose(
    steps: Iterable[Step], slot: str, names: Sequence[str], *, attempts: int, patience: timedelta
) -> Choice:
    """The next attempt in ``slot``: the name under which a workflow asks, or "" in the conversation.

    After ``attempts`` the next model is asked. The last one is waited for, until it was away for ``patience``.
    """
    given_up: set[str] = set()
    refused: dict[str, list[JsonObject]] = {}
    records: dict[tuple[str, str], _Record] = {}
    last_error: JsonObject = {}
    for step in steps:
        if step.kind != StepKind.MODEL or step.answer is None:
            continue
        place, name = step.intent.get(ASK, ""), asked_model(step)
        if step.answer.get("success", True):
            records = {key: record for key, record in records.items() if key[0] != place}
            continue
        record = records.setdefault((place, name), _Record())
        last_error = _count(record, step, refused.setdefault(name, []))
        waits = patience if names and name == names[-1] else None
        if _is_given_up(record, last_error, attempts, waits) or _is_refused_again(last_error, refused[name]):
            given_up.add(name)
    model = next((place for place, name in enumerate(names) if name not in given_up), None)
    if model is None:
        return Choice(None, last_error=last_error)
    record = records.get((slot, names[model]), _Record())
    return Choice(model, _ready_at(record.last), refused.get(names[model], []), record.context, last_error)


def asked_model(step: Step) -> str:
    """The name of the asked model, as in the settings."""
    return str(step.intent.get(MODEL, step.name))


def failure_of(fault: ModelFault, failures: int, rng: random.Random) -> JsonObject:
    """The answer of a failed attempt. ``wait`` is the number of seconds before the next one."""
    error: JsonObject = {"code": fault.kind, "message": fault.message, "retryable": fault.passing}
    if fault.status:
        error["status"] = fault.status
    if fault.feature:
        error["feature"] = fault.feature
    if fault.billed:
        error["billed"] = True
    if fault.passing:
        # a wait in the past (a date, and clocks that differ) would use up all attempts at once
        error["wait"] = round(fault.retry_after or pause(failures, rng), 3)
    return {"success": False, "error": error}


def pause(failures: int, rng: random.Random) -> float:
    """Seconds after the nth failure in a row: doubled each time up to a limit, minus up to half at random."""
    longest = min(FIRST_PAUSE * FACTOR**failures, LONGEST_PAUSE)
    return longest * (1 - rng.random() / 2)


def failures_in(steps: Sequence[Step], slot: str) -> int:
    """Number of consecutive failed attempts in a slot."""
    count = 0
    for step in reversed(steps):
        if step.kind == StepKind.MODEL and step.intent.get(ASK, "") == slot and step.answer is not None:
            if step.answer.get("success", True):
                break
            count += 1
    return count


def _count(record: _Record, step: Step, refused: list[JsonObject]) -> JsonObject:
    error = (step.answer or {}).get("error", {})
    code = error.get("code")
    if code == INTERRUPTED:
        record.interrupted += 1
    elif code == "context":
        record.context += 1
    elif code == "unsupported" and error.get("feature"):
        refused.append(error)
    elif error.get("retryable"):
        record.passing += 1
        record.paid += bool(error.get("billed"))
    record.since = record.since or step.started_at
    record.last = step
    return dict(error)


def _is_given_up(record: _Record, error: JsonObject, attempts: int, patience: timedelta | None) -> bool:
    """``patience`` is None where another model can be asked instead."""
    code = error.get("code")
    if code == INTERRUPTED:
        return record.interrupted >= MAX_INTERRUPTIONS
    if code == "context":
        return record.context > MAX_SHRINKS
    if code == "unsupported" and error.get("feature"):
        return False
    if not error.get("retryable") or float(error.get("wait", 0)) > MAX_PARK.total_seconds():
        return True
    if patience is None:
        return record.passing >= attempts
    return record.paid >= attempts or (record.passing >= attempts and record.lasted >= patience)


def _is_refused_again(error: JsonObject, refused: Sequence[JsonObject]) -> bool:
    """Whether the server refuses a feature that was no longer requested."""
    feature = error.get("feature")
    return bool(feature) and sum(one["feature"] == feature for one in refused) > 1


def _ready_at(last: Step | None) -> datetime | None:
    if last is None or last.answered_at is None or last.answer is None:
        return None
    seconds = float(last.answer["error"].get("wait", 0))
    return last.answered_at + timedelta(seconds=seconds) if seconds else None
