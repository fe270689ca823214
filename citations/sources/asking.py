"""Asking one source: breaker, pace, three tries with growing pauses; what goes wrong is ``SourceUnavailable``.

Breaker and pace are the state of one process and are shared by its threads, unless a bucket is given that more share.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from citations.sources.faults import RETRYABLE, TRIPPING, FaultCode, SourceUnavailable
from common.nesting import load_json
from common.outside.deadline import may_try_again
from common.outside.exchange import Reply, Trouble, exchange, retry_after
from common.outside.limits import Breaker, Bucket, NotNow, Rate

TRIES = 3
BASE_PAUSE, MAX_PAUSE = 1.0, 10.0
JITTER = (0.5, 1.5)
QUESTION_SECONDS = 60.0  # with all pauses and tries
_TROUBLES: Mapping[str, FaultCode] = {
    "timeout": "timeout",
    "network": "network",
    "invalid": "refused",
    "too_large": "unreadable",
}


@dataclass(frozen=True)
class Time:
    """The clock (monotonic seconds), sleep and chance; tests inject their own."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    uniform: Callable[[float, float], float] = SystemRandom().uniform


class Asker:
    """Asks one base URL; an empty one is a source that is not set up."""

    def __init__(
        self,
        name: str,
        base_url: str,
        *,
        rate: Rate,
        seconds: float = 15.0,
        max_body: int = 20_000_000,
        times: Time | None = None,
        bucket: Bucket | None = None,
    ) -> None:
        self.name, self.base_url = name, base_url.rstrip("/")
        self._seconds, self._max_body = seconds, max_body
        self._time = times or Time()
        self._breaker = Breaker(name, self._time.clock)
        self._bucket = bucket or Bucket(name, rate, self._time.clock)

    def json(self, path: str, **content: Any) -> dict[str, Any]:
        """The JSON object of a good answer. Raises SourceUnavailable."""
        document = self.document(path, **content)
        if not isinstance(document, dict):
            raise SourceUnavailable(
                self.name, "unreadable", f"{self.name} answered with JSON that is not its own."
            )
        return document

    def document(self, path: str, **content: Any) -> Any:
        """The JSON of a good answer, whatever it is. Raises SourceUnavailable."""
        reply = self.ask(path, **content)
        try:
            return load_json(reply.body)
        except ValueError:
            message = f"{self.name} answered with something that is not JSON."
            raise SourceUnavailable(self.name, "unreadable", message, status=reply.status) from None

    def ask(self, path: str, **content: Any) -> Reply:
        """A 200; ``content`` is ``params``, ``body`` (JSON), ``form`` or ``headers``.

        Raises:
            SourceUnavailable: in every other case, after the tries that may help.
        """
        if not self.base_url:
            raise SourceUnavailable(self.name, "not_set_up", f"{self.name} is not set up.")
        try:
            ticket = self._breaker.enter()
        except NotNow as refusal:
            raise SourceUnavailable(self.name, "left_alone", refusal.message, refusal.retry_after) from None
        ok: bool | None = False
        try:
            reply = self._tries(path, content)
            ok = True
            return reply
        except SourceUnavailable as fault:
            ok = False if fault.code in TRIPPING else None
            raise
        finally:
            self._breaker.leave(ticket, ok=ok)

    def _tries(self, path: str, content: Mapping[str, Any]) -> Reply:
        end = self._time.clock() + QUESTION_SECONDS
        for attempt in range(TRIES):
            self._wait(end)
            try:
                return self._once(path, content, end)
            except SourceUnavailable as fault:
                pause = self._pause(fault, attempt)
                if fault.retry_after:
                    self._bucket.hold(fault.retry_after)
                late = self._time.clock() + pause >= end or not may_try_again(pause)
                if attempt == TRIES - 1 or fault.code not in RETRYABLE or late:
                    raise  # its retry_after goes to whoever can wait that long
                self._time.sleep(pause)
        raise AssertionError("unreachable")

    def _wait(self, end: float) -> None:
        try:
            wait = self._bucket.take(max(0.0, end - self._time.clock()))
        except NotNow as refusal:
            raise SourceUnavailable(self.name, "rate_limited", refusal.message, refusal.retry_after) from None
        if wait:
            self._time.sleep(wait)

    def _pause(self, fault: SourceUnavailable, attempt: int) -> float:
        pause = min(BASE_PAUSE * 2.0**attempt * self._time.uniform(*JITTER), MAX_PAUSE)
        return max(pause, fault.retry_after or 0.0)

    def _once(self, path: str, content: Mapping[str, Any], end: float) -> Reply:
        seconds = max(0.1, min(self._seconds, end - self._time.clock()))
        url = f"{self.base_url}/{path.lstrip('/')}" if path else self.base_url
        try:
            reply = exchange(self.name, url, seconds=seconds, max_body=self._max_body, **content)
        except Trouble as trouble:
            raise SourceUnavailable(self.name, _TROUBLES[trouble.kind], trouble.message) from None
        if reply.status != 200:
            raise self._refusal(reply)
        return reply

    def _refusal(self, reply: Reply) -> SourceUnavailable:
        code, said = _meaning(reply.status)
        message = f"{self.name} {said} (HTTP {reply.status})."
        return SourceUnavailable(self.name, code, message, retry_after(reply.headers), status=reply.status)


def _meaning(status: int) -> tuple[FaultCode, str]:
    if status in (401, 403, 407):
        return "denied", "keeps us out"
    if status in (408, 504):
        return "timeout", "did not answer in time"
    if status == 429:
        return "rate_limited", "asks for fewer questions"
    if status >= 500:
        return "server_error", "is in trouble"
    return (
        ("refused", "refused the question") if status >= 400 else ("unreadable", "gave an unexpected answer")
    )
