"""One HTTP question to one register: paced, bounded in size and time, with patience and typed errors.

Keys go into headers only, because addresses reach logs and messages.
"""

import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from common.nesting import load_json
from common.outside.deadline import may_try_again
from common.outside.exchange import Reply, Trouble, exchange, retry_after
from entities.gleif.pacing import Pacer
from entities.registers.errors import (
    RegisterBadAnswer,
    RegisterBadRequest,
    RegisterDenied,
    RegisterError,
    RegisterNotFound,
    RegisterRateLimited,
    RegisterUnavailable,
)

MAX_BODY = 20_000_000
PAUSES = (0.5, 2.0)
THROTTLED_PAUSES = (5.0, 15.0)


@dataclass(frozen=True, slots=True)
class Answer:
    """The body of a 200, and when the register says it was last changed (ISO day; "" when it does not)."""

    body: bytes
    modified: str = ""

    def json(self) -> Any:
        """The body as JSON. Raises RegisterBadAnswer for anything else, HTML above all."""
        try:
            return load_json(self.body)
        except ValueError as error:
            raise RegisterBadAnswer("The register answered with something that is not JSON.") from error

    def object(self) -> dict[str, Any]:
        """The body as a JSON object. Raises RegisterBadAnswer."""
        document = self.json()
        if not isinstance(document, dict):
            raise RegisterBadAnswer("The register answered with JSON that is not its own.")
        return document


class RegisterHttp:
    """Asks one base URL; safe to share between threads, which keep one pace.

    ``limit`` questions in any ``window`` seconds, 0 for no limit; one question may take ``seconds`` in all;
    ``max_wait`` caps what a Retry-After can ask of us.
    """

    def __init__(
        self,
        label: str,
        base_url: str,
        *,
        headers: Mapping[str, str] | None = None,
        auth: tuple[str, str] | None = None,
        limit: int = 60,
        window: float = 60.0,
        seconds: float = 30.0,
        retries: int = 2,
        max_wait: float = 30.0,
        max_body: int = MAX_BODY,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.label, self.base_url = label, base_url.rstrip("/")
        self._headers = {**({"Authorization": _basic(auth)} if auth else {}), **(headers or {})}
        self._seconds, self._retries = seconds, retries
        self._max_wait, self._max_body = max_wait, max_body
        self._pacer = Pacer(limit, window, clock=clock, sleep=sleep)

    def get(self, path: str, query: Mapping[str, str] | None = None) -> Answer:
        """GET below the base URL. Raises as ``ask`` does."""
        return self.ask(path, params=_sendable(query or {}))

    def ask(self, path: str, **content: Any) -> Answer:
        """One question, repeated when that may help; ``content`` is ``params``, ``body`` (JSON) or ``form``.

        Raises:
            RegisterNotFound: 404.
            RegisterDenied: 401 or 403.
            RegisterBadRequest: any other 4xx but 429, and what cannot be sent at all.
            RegisterRateLimited: still 429 after the retries.
            RegisterUnavailable: no connection, time-out or 5xx, after the retries; RegisterBadAnswer for a body that is
                too large.
        """
        for attempt in range(self._retries + 1):
            self._pacer.wait()
            try:
                return self._once(f"{self.base_url}/{path.lstrip('/')}", content)
            except RegisterBadAnswer:
                raise
            except (RegisterRateLimited, RegisterUnavailable) as error:
                pause = self._pause(error, attempt)
                if attempt == self._retries or not may_try_again(pause):
                    raise
                self._pacer.hold(pause)
        raise AssertionError("unreachable")

    def _once(self, url: str, content: Mapping[str, Any]) -> Answer:
        try:
            reply = exchange(
                self.label,
                url,
                seconds=self._seconds,
                headers=self._headers,
                max_body=self._max_body,
                **content,
            )
        except Trouble as trouble:
            raise _told(trouble) from None
        self._refuse_status(reply)
        return Answer(reply.body, _modified(reply))

    def _refuse_status(self, reply: Reply) -> None:
        status = reply.status
        if status == 200:
            return
        if status == 404:
            raise RegisterNotFound(f"{self.label} has no such record.")
        if status in (401, 403):
            raise RegisterDenied(f"{self.label} refused our key or address (HTTP {status}).")
        if status == 429:
            message = f"The rate limit of {self.label} is exhausted."
            raise RegisterRateLimited(message, retry_after(reply.headers))
        if status == 408 or status >= 500:
            raise RegisterUnavailable(f"{self.label} is in trouble (HTTP {status}).")
        if 400 <= status < 500:
            raise RegisterBadRequest(f"{self.label} refused the question (HTTP {status}).")
        raise RegisterBadAnswer(f"{self.label} answered with an unexpected HTTP {status}.")

    def _pause(self, error: RegisterError, attempt: int) -> float:
        if not isinstance(error, RegisterRateLimited):
            return PAUSES[min(attempt, len(PAUSES) - 1)]
        asked = error.retry_after
        pause = THROTTLED_PAUSES[min(attempt, len(THROTTLED_PAUSES) - 1)] if asked is None else asked
        return min(max(pause, 0.0), self._max_wait)


def _told(trouble: Trouble) -> RegisterError:
    if trouble.kind == "invalid":
        return RegisterBadRequest(trouble.message)
    if trouble.kind == "too_large":
        return RegisterBadAnswer(trouble.message)
    return RegisterUnavailable(trouble.message)


def _basic(auth: tuple[str, str]) -> str:
    return "Basic " + b64encode(":".join(auth).encode()).decode()


def _sendable(query: Mapping[str, str]) -> dict[str, str]:
    """Text that a URL can hold: no lone surrogates."""
    return {key: value.encode("utf-8", "replace").decode() for key, value in query.items()}


def _modified(reply: Reply) -> str:
    try:
        return parsedate_to_datetime(reply.headers["Last-Modified"]).date().isoformat()
    except (LookupError, ValueError, TypeError):
        return ""
