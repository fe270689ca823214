"""Sparing a source: a breaker for one that is in trouble, a bucket for one that says how often it may be asked.

Both are the state of one process, shared by its threads; time is monotonic seconds from an injected clock.
"""

import logging
import threading
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

log = logging.getLogger(__name__)

Clock: TypeAlias = Callable[[], float]
BreakerState: TypeAlias = Literal["closed", "open", "half_open"]
FAILURES, OPEN_SECONDS, TRIALS = 5, 30.0, 3
MAX_HOLD = 3_600.0  # how long one Retry-After can keep everybody away


class Rate(NamedTuple):
    """Questions a second in the long run, and how many may follow each other at once."""

    per_second: float
    burst: int


class NotNow(Exception):
    """Nobody may ask now; ``retry_after`` is in how many seconds somebody may."""

    def __init__(self, message: str, retry_after: float) -> None:
        self.message, self.retry_after = message, retry_after
        super().__init__(message)


class Breaker:
    """Closed: everybody passes. After five failures in a row open: nobody does for 30 s. Then half open: three may try;
    a success closes it, a failure opens it again."""

    def __init__(self, name: str, clock: Clock) -> None:
        self._name, self._clock = name, clock
        self._lock = threading.Lock()
        self._failures = 0
        self._trying = 0
        self._opened_at: float | None = None
        self._round = 0  # a verdict of an earlier round says nothing about this one

    @property
    def state(self) -> BreakerState:
        with self._lock:
            return self._state()

    def enter(self) -> int:
        """A ticket to hand back with ``leave``.

        Raises:
            NotNow: nobody may ask now (or what ``refusal`` makes of it).
        """
        with self._lock:
            state = self._state()
            if state == "open" or (state == "half_open" and self._trying >= TRIALS):
                raise self.refusal(f"{self._name} failed repeatedly and is left alone for now.", self._wait())
            if state == "half_open":
                self._trying += 1
            return self._round

    def leave(self, ticket: int, *, ok: bool | None) -> None:
        """``ok`` None: the call said nothing about the source's health (a refused question, an exhausted quota)."""
        with self._lock:
            if ticket != self._round:
                return
            if self._opened_at is not None:
                self._trying -= 1
            if ok:
                self._close()
            elif ok is False:
                self._failures += 1
                if self._opened_at is not None or self._failures >= FAILURES:
                    self._open()

    def refusal(self, reason: str, wait: float) -> Exception:
        """What is raised; a room with faults of its own overrides this."""
        return NotNow(reason, wait)

    def _state(self) -> BreakerState:
        if self._opened_at is None:
            return "closed"
        return "open" if self._clock() - self._opened_at < OPEN_SECONDS else "half_open"

    def _wait(self) -> float:
        passed = self._clock() - (self._opened_at or 0.0)
        return max(0.0, OPEN_SECONDS - passed) or 1.0

    def _open(self) -> None:
        log.warning(
            "%s failed %d times in a row; left alone for %d s", self._name, self._failures, OPEN_SECONDS
        )
        self._opened_at, self._trying = self._clock(), 0
        self._round += 1

    def _close(self) -> None:
        self._failures = 0
        if self._opened_at is not None:
            self._opened_at, self._trying = None, 0
            self._round += 1


class Bucket:
    """Hands out moments: never more than ``burst`` at once and ``per_second`` in the long run (the generic cell rate
    algorithm, ITU-T I.371). A caller reserves its moment under the lock and sleeps outside it, so threads line up."""

    def __init__(self, name: str, rate: Rate, clock: Clock) -> None:
        self._name, self._clock = name, clock
        self._interval = 1 / rate.per_second
        self._tolerance = (rate.burst - 1) * self._interval
        self._lock = threading.Lock()
        self._due = self._not_before = float("-inf")

    def take(self, max_wait: float) -> float:
        """The seconds to wait before asking.

        Raises:
            NotNow: it would be more than ``max_wait``, and nothing was taken (or what ``refusal`` makes of it).
        """
        with self._lock:
            now = self._clock()
            start = max(now, self._not_before, self._due - self._tolerance)
            if start - now > max_wait:
                raise self.refusal(f"{self._name} is being asked as often as it allows.", start - now)
            self._due = max(start, self._due) + self._interval
            return start - now

    def hold(self, seconds: float) -> None:
        """Nobody asks for ``seconds``: one thread was told to wait, and it is meant for all."""
        with self._lock:
            self._not_before = max(self._not_before, self._clock() + min(seconds, MAX_HOLD))

    def refusal(self, reason: str, wait: float) -> Exception:
        """What is raised; a room with faults of its own overrides this."""
        return NotNow(reason, wait)
