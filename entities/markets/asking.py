"""Asking a market source: breaker, pace, deadline, tries; everything that goes wrong is a ``MarketFault``.

The state is that of one process and is shared by its threads: one breaker and one bucket a source.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any

from common.outside.deadline import may_try_again
from common.outside.exchange import Reply, Trouble, exchange, retry_after
from common.outside.limits import Breaker, Bucket, Clock, NotNow, Rate
from entities.markets.faults import FaultKind, MarketFault
from entities.markets.values import Json, parse

# What the plans without a contract allow.
RATES: Mapping[str, Rate] = {
    "helius": Rate(2, 2),
    "birdeye": Rate(1, 1),
    "rugcheck": Rate(1, 3),
    "x": Rate(0.5, 5),  # 450 in 15 minutes
    "jupiter": Rate(1, 3),
}
CALL_SECONDS = 60.0  # for one question of a tool, with all its exchanges, pauses and tries
ATTEMPT_SECONDS = 15.0
MAX_BODY = 5_000_000
TRIES = 3
BASE_PAUSE = 0.5
JITTER = (0.5, 1.5)
_TROUBLES: Mapping[str, FaultKind] = {
    "timeout": "timeout",
    "network": "network",
    "invalid": "bad_request",
    "too_large": "unreadable",
}
Refine = Callable[[Reply, Json], MarketFault | None]


class Manners:
    """The breakers and buckets. ``clock`` is monotonic seconds; tests inject all three."""

    def __init__(
        self,
        *,
        clock: Clock = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        uniform: Callable[[float, float], float] | None = None,
        rates: Mapping[str, Rate] = RATES,
    ) -> None:
        self.clock, self.sleep = clock, sleep
        self.uniform = uniform or SystemRandom().uniform
        self._rates = rates
        self._states: dict[str, tuple[Breaker, Bucket]] = {}
        self._lock = threading.Lock()

    def of(self, name: str) -> tuple[Breaker, Bucket]:
        with self._lock:
            if name not in self._states:
                bucket = Bucket(name, self._rates.get(name, Rate(1, 1)), self.clock)
                self._states[name] = (Breaker(name, self.clock), bucket)
            return self._states[name]


SHARED = Manners()


@dataclass(frozen=True)
class Source:
    """Where a source is and how it knows us. ``query`` may hold a key: no address is ever told or logged.

    ``refine`` may know a fault better than its HTTP status does.
    """

    name: str
    base_url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    refine: Refine | None = None

    @property
    def is_set_up(self) -> bool:
        return not self.missing


class Call:
    """What one question to the markets may take in all, whichever sources it goes through."""

    def __init__(self, manners: Manners = SHARED, seconds: float = CALL_SECONDS) -> None:
        self._manners = manners
        self._deadline = manners.clock() + seconds

    @property
    def left(self) -> float:
        return self._deadline - self._manners.clock()

    def ask(
        self,
        source: Source,
        path: str = "",
        query: Mapping[str, str | int] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Json:
        """The JSON with which the source answers: GET with ``query``, or POST with ``body``.

        Raises:
            MarketFault: in every other case.
        """
        if source.missing:
            needed = " and ".join(source.missing)
            raise MarketFault("not_set_up", f"{source.name} is not set up: set {needed}.")
        breaker, bucket = self._manners.of(source.name)
        try:
            ticket = breaker.enter()
        except NotNow as refusal:
            raise MarketFault("network", refusal.message, retry_after=refusal.retry_after) from None
        ok: bool | None = False
        try:
            answer = self._tries(source, bucket, path, query, body)
            ok = True
            return answer
        except MarketFault as fault:
            ok = False if fault.trips else None
            raise
        finally:
            breaker.leave(ticket, ok=ok)

    def _tries(
        self,
        source: Source,
        bucket: Bucket,
        path: str,
        query: Mapping[str, str | int] | None,
        body: Mapping[str, Any] | None,
    ) -> Json:
        for attempt in range(TRIES):
            self._wait_for(bucket)
            try:
                return self._attempt(source, path, query, body)
            except MarketFault as fault:
                if fault.retryable and fault.retry_after:
                    bucket.hold(fault.retry_after)
                pause = self._pause(fault, attempt)
                late = pause >= self.left or not may_try_again(pause)
                if attempt == TRIES - 1 or not fault.retryable or late:
                    raise  # its retry_after goes to whoever can wait that long
                self._manners.sleep(pause)
        raise AssertionError("unreachable")

    def _wait_for(self, bucket: Bucket) -> None:
        try:
            wait = bucket.take(max(0.0, self.left))
        except NotNow as refusal:
            raise MarketFault("rate_limit", refusal.message, retry_after=refusal.retry_after) from None
        if wait:
            self._manners.sleep(wait)

    def _pause(self, fault: MarketFault, attempt: int) -> float:
        """Exponential with jitter, but never less than the source asked for."""
        pause = BASE_PAUSE * 2.0**attempt * self._manners.uniform(*JITTER)
        return max(pause, fault.retry_after or 0.0)

    def _attempt(
        self,
        source: Source,
        path: str,
        query: Mapping[str, str | int] | None,
        body: Mapping[str, Any] | None,
    ) -> Json:
        if self.left <= 0:
            raise MarketFault("timeout", f"The time for asking {source.name} is used up.")
        try:
            reply = exchange(
                source.name,
                source.base_url.rstrip("/") + path,
                seconds=min(self.left, ATTEMPT_SECONDS),
                headers=source.headers,
                params={**source.query, **(query or {})},
                body=body,
                max_body=MAX_BODY,
            )
        except Trouble as trouble:
            raise MarketFault(_TROUBLES[trouble.kind], trouble.message) from None
        return read_reply(source, reply)


def read_reply(source: Source, reply: Reply) -> Json:
    """The JSON of a good answer.

    Raises:
        MarketFault: of any other answer, by the table of status codes or as the source's ``refine`` knows better.
    """
    try:
        document = parse(reply.body)
    except (ValueError, json.JSONDecodeError):
        document = None
    fault = source.refine(reply, document) if source.refine else None
    if fault:
        raise fault
    if reply.status != 200 and not (reply.status == 404 and document is None):
        raise fault_of(source.name, classify(reply.status), reply)
    if not isinstance(document, dict | list):  # also a 404 that a gateway gave: it says nothing about a token
        raise fault_of(source.name, "unreadable", reply)
    return document


def classify(status: int) -> FaultKind:
    """The class of an HTTP status that is not 200."""
    if status in {401, 403, 407}:
        return "auth"
    if status in {408, 504}:
        return "timeout"
    if status in {402, 429}:
        return "quota" if status == 402 else "rate_limit"
    if status == 404:
        return "not_listed"
    if status >= 500:
        return "server_error"
    return "bad_request" if 400 <= status < 500 else "unreadable"


SENTENCES: Mapping[FaultKind, str] = {
    "auth": "does not accept the key",
    "quota": "says that the quota of this key is used up",
    "rate_limit": "asks for fewer questions",
    "timeout": "did not answer in time",
    "server_error": "is in trouble",
    "bad_request": "refused the question",
    "not_listed": "does not list it",
    "unreadable": "gave an answer that cannot be read",
}


def fault_of(name: str, kind: FaultKind, reply: Reply, wait: float | None = None) -> MarketFault:
    """A fault told in a sentence of ours."""
    message = f"{name} {SENTENCES[kind]} (HTTP {reply.status})."
    asked = wait if wait is not None else retry_after(reply.headers)
    return MarketFault(kind, message, retry_after=asked, status=reply.status)
