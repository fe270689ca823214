"""Leaving a source alone that is in trouble. The state is that of one process and is shared by its threads."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from common.outside.faults import SourceFault

log = logging.getLogger(__name__)

BreakerState: TypeAlias = Literal["closed", "open", "half_open"]
FAILURES, OPEN_SECONDS, TRIALS = 5, 30.0, 3
RECENT, ENOUGH, DEGRADED_SHARE = 20, 5, 0.8


class Health(NamedTuple):
    """How a source fared: of its ``recent`` last questions ``failures`` failed; ``last`` is the last code."""

    breaker: BreakerState
    recent: int
    failures: int
    last: str

    @property
    def degraded(self) -> bool:
        return self.recent >= ENOUGH and self.failures > DEGRADED_SHARE * self.recent


class Breaker:
    """Closed: everybody passes. After five failures in a row open: nobody does for 30 s. Then half open: three may try;
    a success closes it, a failure opens it again. ``clock`` is monotonic seconds."""

    def __init__(self, name: str, clock: Callable[[], float]) -> None:
        self._name, self._clock = name, clock
        self._lock = threading.Lock()
        self._failures = 0
        self._trying = 0
        self._opened_at: float | None = None
        self._round = 0  # a verdict of an earlier round says nothing about this one
        self._outcomes: deque[str] = deque(maxlen=RECENT)  # "" for a success
        self._last = ""

    @property
    def health(self) -> Health:
        with self._lock:
            return self._health()

    def enter(self) -> int:
        """A ticket to hand back with ``leave``.

        Raises:
            SourceFault: ``left_alone``, nobody may ask now.
        """
        with self._lock:
            state = self._state()
            if state == "open" or (state == "half_open" and self._trying >= TRIALS):
                passed = self._clock() - (self._opened_at or 0.0)
                raise SourceFault(
                    self._name, "left_alone", retry_after=max(0.0, OPEN_SECONDS - passed) or 1.0
                )
            if state == "half_open":
                self._trying += 1
            return self._round

    def leave(self, ticket: int, *, ok: bool | None, fault: str = "") -> None:
        """``ok`` None: the question said nothing about the source's health (it was refused, a quota is exhausted).
        ``fault`` is the code of what went wrong, whether it counts or not."""
        with self._lock:
            self._record(ok, fault)
            if ticket != self._round:
                return
            if self._opened_at is not None:
                self._trying -= 1
            if ok:
                self._failures = 0
                if self._opened_at is not None:
                    self._opened_at, self._trying = None, 0
                    self._round += 1
            elif ok is False:
                self._failures += 1
                if self._opened_at is not None or self._failures >= FAILURES:
                    log.warning(
                        "%s failed %d times in a row; left alone for %d s",
                        self._name,
                        self._failures,
                        OPEN_SECONDS,
                    )
                    self._opened_at, self._trying = self._clock(), 0
                    self._round += 1

    def _record(self, ok: bool | None, fault: str) -> None:
        """Count the outcome, and log once when most of the recent questions have failed."""
        if not (ok or fault):
            return
        before = self._health().degraded
        self._outcomes.append(fault)
        self._last = fault or self._last
        now = self._health()
        if now.degraded and not before:
            log.warning(
                "%s: %d of the last %d questions failed (%s)", self._name, now.failures, now.recent, now.last
            )

    def _health(self) -> Health:
        return Health(self._state(), len(self._outcomes), sum(map(bool, self._outcomes)), self._last)

    def _state(self) -> BreakerState:
        if self._opened_at is None:
            return "closed"
        return "open" if self._clock() - self._opened_at < OPEN_SECONDS else "half_open"
