"""What an examination is, what it finds, and how many of them are made at the same time."""

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from django.db import connections

from common.outside.deadline import within

log = logging.getLogger(__name__)

State: TypeAlias = Literal["ok", "warning", "broken", "skipped"]
GROUPS = ("Database", "Processes", "Machine", "Settings", "Models", "Search", "Registers", "Markets", "Law")
GRACE = 1.0  # seconds, for one that keeps to its own limit
LATE = "See whether the network, or a proxy in it, lets this machine through to it."


@dataclass(frozen=True, slots=True)
class Finding:
    """``seen`` is a sentence on how it is, ``todo`` one on what to do about it; ``seconds`` is how long it took to see.

    ``skipped`` is what is not set up, or was not asked: no fault.
    """

    state: State
    seen: str
    todo: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Examination:
    """One thing to look at. ``outside`` asks somebody, within ``limit`` seconds, and touches no database."""

    group: str
    name: str
    look: Callable[[], Finding]
    outside: bool = False
    limit: float = 10.0


Found: TypeAlias = tuple[Examination, Finding]


def examine(examinations: Sequence[Examination]) -> Iterator[Found]:
    """What each finds, as it comes: those that ask nobody one after the other, and meanwhile all others at once.

    Nothing an examination does ends the others: one that fails in a way that nobody foresaw is broken itself. One that
    does not end in time is left behind on its thread, which does not keep the process alive.
    """
    answers: queue.SimpleQueue[tuple[int, Finding]] = queue.SimpleQueue()
    waiting = {number: one for number, one in enumerate(examinations) if one.outside}
    started = time.monotonic()
    for number, one in waiting.items():
        threading.Thread(target=_answer, args=(number, one, answers), daemon=True).start()
    for one in examinations:
        if not one.outside:
            yield one, _look(one)
    while waiting:
        first = min(waiting, key=lambda number: waiting[number].limit)
        end = started + waiting[first].limit + GRACE
        try:
            number, finding = answers.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            said = f"No answer within {waiting[first].limit:.0f} seconds."
            number, finding = first, Finding("broken", said, LATE, time.monotonic() - started)
        if number in waiting:
            yield waiting.pop(number), finding


def _answer(number: int, one: Examination, answers: "queue.SimpleQueue[tuple[int, Finding]]") -> None:
    with within(one.limit, once=True):
        answers.put((number, _look(one)))
    connections.close_all()  # of this thread, if something did touch the database


def _look(one: Examination) -> Finding:
    started = time.monotonic()
    try:
        finding = one.look()
    except Exception as error:
        log.warning("%s: the examination failed", one.name, exc_info=True)
        said = f"The examination itself failed: {type(error).__name__}."
        finding = Finding("broken", said, "This is a fault of Dossier; the log says more. Please report it.")
    return replace(finding, seconds=time.monotonic() - started)


def worst(findings: Sequence[Finding]) -> State:
    """The state of them all: broken before warning before ok; nothing but skipped is skipped."""
    states = {finding.state for finding in findings}
    order: tuple[State, ...] = ("broken", "warning", "ok")
    return next((state for state in order if state in states), "skipped")
