"""robots.txt (RFC 9309): what a site lets us read, and how slowly.

A file that is not there (4xx) forbids nothing. One that cannot be had now (5xx, time-outs) forbids everything for now:
that is a fault which may pass, never a permission.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from research.web.faults import FetchFault
from research.web.urls import Address

if TYPE_CHECKING:
    from protego import Protego

TTL = 86_400.0  # RFC 9309, 2.4: a copy should not be used longer
RETRY = 60.0  # how long a failure is remembered
MAX_BYTES = 512_000  # RFC 9309, 2.5: at least 500 KiB are read
MAX_DELAY = 10.0
_AGENT_LINES = ("user-agent", "useragent", "user agent")


@dataclass(frozen=True)
class _Rules:
    parsed: "Protego | None"  # None: everything is allowed
    fault: FetchFault | None
    until: float


class Robots:
    """Remembers the rules of at most ``max_hosts`` origins. ``read(url)`` gives the text of a robots.txt."""

    def __init__(
        self,
        agent: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        max_hosts: int = 2_000,
    ) -> None:
        self._agent = agent.partition("/")[0].strip().lower() or "dossier"
        self._clock, self._max_hosts = clock, max_hosts
        self._known: dict[str, _Rules] = {}
        self._lock = threading.Lock()

    def check(self, address: Address, read: Callable[[str], str]) -> float:
        """How many seconds the site wants between two requests (10 at most), if we may read this page.

        Raises:
            FetchFault: ``robots``, retryable when the file could not be had; or what went wrong on the way to it.
        """
        rules = self._rules(address.origin, read)
        if rules.fault:
            raise rules.fault.again()
        if rules.parsed is None:
            return 0.0
        if not rules.parsed.can_fetch(address.url, self._agent):
            raise FetchFault("robots", f"{address.host} asks not to read this page (robots.txt).")
        return min(rules.parsed.crawl_delay(self._agent) or 0.0, MAX_DELAY)

    def _rules(self, origin: str, read: Callable[[str], str]) -> _Rules:
        with self._lock:
            known = self._known.get(origin)
        if known and known.until > self._clock():
            return known
        rules = self._ask(origin, read)
        with self._lock:
            self._known.pop(origin, None)
            while len(self._known) >= self._max_hosts:
                del self._known[next(iter(self._known))]
            self._known[origin] = rules
        return rules

    def _ask(self, origin: str, read: Callable[[str], str]) -> _Rules:
        from protego import Protego

        try:
            text = read(f"{origin}/robots.txt")
        except FetchFault as fault:
            if 400 <= fault.status < 500 and fault.status != 429:
                return _Rules(None, None, self._clock() + TTL)
            return _Rules(None, _not_now(fault), self._clock() + RETRY)
        return _Rules(Protego.parse(_ours(text, self._agent)), None, self._clock() + TTL)


def _not_now(fault: FetchFault) -> FetchFault:
    if fault.code in {"blocked", "dns", "connection", "tls"}:  # the page itself would fare no better
        return fault
    message = f"The site's robots.txt cannot be read now: {fault.message}"
    return FetchFault("robots", message, retryable=True, status=fault.status, retry_after=fault.retry_after)


def _ours(text: str, agent: str) -> str:
    """The file with the names of other robots folded into one: thousands of them times thousands of rules is a trap."""
    kept: list[str] = []
    for line in text[:MAX_BYTES].splitlines():
        start = line.strip().lower()
        if start.startswith(_AGENT_LINES) and "*" not in start and agent not in start:
            line = "User-agent: another-robot"  # noqa: PLW2901 - the rules below it stay theirs
            if kept and kept[-1] == line:
                continue
        kept.append(line)
    return "\n".join(kept)
