"""Questions to one register over HTTP, with typed errors.

Keys go into headers only, because addresses reach logs and messages.
"""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from common.bounded_json import load_json
from common.outside.client import TRAFFIC, Client, Patience, Traffic, fault_of
from common.outside.exchange import Reply, sendable
from common.outside.faults import FaultCode, SourceFault
from common.outside.pace import Rate
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
PATIENCE = Patience(seconds=120.0, attempt=30.0)
_ERRORS: Mapping[FaultCode, type[RegisterError]] = {
    "denied": RegisterDenied,
    "quota": RegisterDenied,
    "refused": RegisterBadRequest,
    "not_found": RegisterNotFound,
    "unreadable": RegisterBadAnswer,
}


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
    """Asks one base URL, ``limit`` times in any ``window`` seconds, 0 for no limit; safe to share between threads."""

    def __init__(
        self,
        label: str,
        base_url: str,
        *,
        headers: Mapping[str, str] | None = None,
        auth: tuple[str, str] | None = None,
        limit: int = 60,
        window: float = 60.0,
        patience: Patience = PATIENCE,
        max_body: int = MAX_BODY,
        traffic: Traffic = TRAFFIC,
    ) -> None:
        basic = f"Basic {b64encode(':'.join(auth or ()).encode()).decode()}"
        self._client = Client(
            label,
            base_url,
            Rate(limit, window, rolling=True),
            headers={**({"Authorization": basic} if auth else {}), **(headers or {})},
            refine=lambda reply: fault_of(label, "not_found", reply) if reply.status == 404 else None,
            patience=patience,
            max_body=max_body,
            traffic=traffic,
        )

    def get(self, path: str, query: Mapping[str, str] | None = None) -> Answer:
        """GET below the base URL. Raises as ``ask`` does."""
        return self.ask(path, params=sendable(query or {}))

    def ask(self, path: str, **content: Any) -> Answer:
        """One question, repeated when that may help; ``content`` is ``params``, ``body`` (JSON) or ``form``.

        Raises:
            RegisterNotFound: 404.
            RegisterDenied: 401, 403 or a quota that is used up.
            RegisterBadRequest: any other 4xx but 429, and what cannot be sent at all.
            RegisterRateLimited: still 429 after the tries, or it asks for a longer pause than a question lasts.
            RegisterUnavailable: no connection, time-out or 5xx after the tries, or it failed repeatedly and is left
                alone; RegisterBadAnswer for a body that is too large.
        """
        try:
            reply = self._client.reply(path, **content)
        except SourceFault as fault:
            if fault.code == "rate_limited":
                raise RegisterRateLimited(fault.message, fault.retry_after) from None
            raise _ERRORS.get(fault.code, RegisterUnavailable)(fault.message) from None
        return Answer(reply.body, _modified(reply))


def _modified(reply: Reply) -> str:
    try:
        return parsedate_to_datetime(reply.headers["Last-Modified"]).date().isoformat()
    except (LookupError, ValueError, TypeError):
        return ""
