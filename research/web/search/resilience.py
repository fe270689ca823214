"""Asking a provider so that neither it nor we suffer: breaker, token bucket, time budget, retry, record; in this order.

The state is that of one process and is shared by its threads. Its size is bounded: one entry a provider, twenty
outcomes each.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import SystemRandom

from common.outside import limits
from common.outside.limits import BreakerState, Clock, Rate
from research.web.search.base import FaultKind, Hit, Provider, SearchFault

log = logging.getLogger(__name__)


RATES: Mapping[str, Rate] = {
    "tavily": Rate(1, 3),
    "brave": Rate(1, 1),  # the plan without a contract
    "google": Rate(1, 3),
    "perplexity": Rate(1, 3),
    "searxng": Rate(1, 3),  # the engines behind it count too
    "semantic_scholar": Rate(0.9, 2),
    "openalex": Rate(50, 10),
    "crossref": Rate(3, 3),  # lists are held to less than single works
    "archive": Rate(1_000, 1_000),
}
DEFAULT_RATE = Rate(1, 3)
MAX_WAIT = 5.0  # for the bucket
TRIES = 3
BASE_PAUSE, MAX_PAUSE = 1.0, 60.0
JITTER = (0.5, 1.5)
CALL_SECONDS = 30.0
ATTEMPT_SECONDS = 15.0
RECENT, ENOUGH, DEGRADED_SHARE = 20, 5, 0.8


class Breaker(limits.Breaker):
    """One whose refusal is a fault of the search."""

    def refusal(self, reason: str, wait: float) -> Exception:
        return SearchFault("network", reason, wait)


class Bucket(limits.Bucket):
    """One whose refusal is a fault of the search."""

    def refusal(self, reason: str, wait: float) -> Exception:
        return SearchFault("rate_limit", reason, wait)


@dataclass(frozen=True)
class Health:
    """How a provider has fared in this process: of ``recent`` calls ``failures`` failed; ``last`` is the last fault."""

    breaker: BreakerState
    recent: int
    failures: int
    last: str

    @property
    def degraded(self) -> bool:
        return self.recent >= ENOUGH and self.failures > DEGRADED_SHARE * self.recent


@dataclass
class _State:
    breaker: Breaker
    bucket: Bucket
    outcomes: deque[bool] = field(default_factory=lambda: deque(maxlen=RECENT))
    last: str = ""


class Resilience:
    """Calls providers by the rules of this module. ``clock`` is monotonic seconds; tests inject all three."""

    def __init__(
        self,
        *,
        clock: Clock = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        uniform: Callable[[float, float], float] | None = None,
        rates: Mapping[str, Rate] = RATES,
    ) -> None:
        self.clock = clock
        self._sleep, self._rates = sleep, rates
        self._uniform = uniform or SystemRandom().uniform
        self._states: dict[str, _State] = {}
        self._lock = threading.Lock()

    def call(
        self, provider: Provider, query: str, max_results: int, *, seconds: float = CALL_SECONDS
    ) -> list[Hit]:
        """What the provider finds, within ``seconds`` including all waiting.

        Raises:
            SearchFault: of the last try, or because waiting would take longer than there is time.
        """
        state = self._state(provider.name)
        ticket = state.breaker.enter()
        ok: bool | None = None
        try:
            hits = self._tries(state, provider, query, max_results, self.clock() + seconds)
            ok = True
            return hits
        except SearchFault as fault:
            ok = False if fault.trips else None
            self._record(provider.name, state, fault.kind)
            raise
        except Exception as error:
            ok = False
            self._record(provider.name, state, "unknown")
            reason = f"{provider.name} gave an answer that cannot be read ({type(error).__name__})."
            raise SearchFault("unknown", reason) from error
        finally:
            state.breaker.leave(ticket, ok=ok)
            if ok:
                self._record(provider.name, state, None)

    def health(self) -> dict[str, Health]:
        """Of the providers that were asked."""
        with self._lock:
            return {name: _health(state) for name, state in self._states.items()}

    def _tries(
        self, state: _State, provider: Provider, query: str, max_results: int, deadline: float
    ) -> list[Hit]:
        for attempt in range(TRIES):
            self._pace(state, deadline)
            left = deadline - self.clock()
            if left <= 0:
                raise SearchFault("timeout", "The time for this search is used up.")
            try:
                return provider.search(query, max_results, seconds=min(left, ATTEMPT_SECONDS))
            except SearchFault as fault:
                if fault.retry_after and fault.retryable:
                    state.bucket.hold(fault.retry_after)
                if attempt == TRIES - 1 or not _worth_another(fault):
                    raise
                pause = self._pause(fault, attempt)
                if self.clock() + pause >= deadline:
                    raise  # its Retry-After goes to whoever can wait that long
                self._sleep(pause)
        raise AssertionError("unreachable")

    def _pace(self, state: _State, deadline: float) -> None:
        wait = state.bucket.take(min(MAX_WAIT, max(0.0, deadline - self.clock())))
        if wait:
            self._sleep(wait)

    def _pause(self, fault: SearchFault, attempt: int) -> float:
        """Exponential with jitter, but never less than the provider asked for."""
        pause = min(MAX_PAUSE, BASE_PAUSE * 2.0**attempt) * self._uniform(*JITTER)
        return max(pause, fault.retry_after or 0.0)

    def _state(self, name: str) -> _State:
        with self._lock:
            if name not in self._states:
                rate = self._rates.get(name, DEFAULT_RATE)
                self._states[name] = _State(Breaker(name, self.clock), Bucket(name, rate, self.clock))
            return self._states[name]

    def _record(self, name: str, state: _State, fault: FaultKind | None) -> None:
        with self._lock:
            before = _health(state).degraded
            state.outcomes.append(fault is None)
            state.last = fault or state.last
            now = _health(state)
        if now.degraded and not before:
            log.warning(
                "%s: %d of its last %d searches failed (%s)", name, now.failures, now.recent, now.last
            )


def _health(state: _State) -> Health:
    outcomes = state.outcomes
    return Health(state.breaker.state, len(outcomes), outcomes.count(False), state.last)


def _worth_another(fault: SearchFault) -> bool:
    """A quota does not come back within seconds, unless the provider says that it does."""
    return fault.retryable and (fault.kind != "quota" or fault.retry_after is not None)


SHARED = Resilience()
