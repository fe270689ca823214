"""Fetching a page: each hop checked, asked of robots.txt, paced, and read within bounds.

Nothing here follows an environment variable: no proxy, no credentials, no certificate store but the given one.
Failure is a ``FetchFault``; there is no retry here, because whether to ask again is the caller's decision.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import urljoin

from django.conf import settings

from common.outside.exchange import retry_after
from common.outside.trust import trust_store
from research.web import mime as media
from research.web.decoding import ACCEPTED
from research.web.faults import FetchFault
from research.web.guard import DEFAULT_PORTS, Policy, Resolver, allow_list, check_url, resolve_checked
from research.web.pacing import HostPacer
from research.web.robots import MAX_BYTES as ROBOTS_BYTES
from research.web.robots import Robots
from research.web.urls import PORTS, Address, canonical_url
from research.web.wire import Answer, Deadline, Route, exchange

__all__ = ["FetchFault", "Fetched", "Fetcher", "Limits", "open_fetcher"]

KEPT_HEADERS = ("content-type", "content-length", "last-modified", "etag", "cache-control")
MAX_HEADER = 300
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Limits:
    """Bounds of one fetch: seconds in all and for one connection, bytes of the unpacked body, redirects."""

    seconds: float = 30.0
    connect_seconds: float = 10.0
    max_bytes: int = 10_000_000
    redirects: int = 5
    turn_seconds: float = 10.0  # how long a site's turn is waited for


@dataclass(frozen=True)
class Fetched:
    """An answer with status 200, or 304 with an empty body when the page is as the caller knows it.

    ``url`` and ``final_url`` are canonical, before and after redirects. ``mime`` is what the body is, ``charset`` what
    the header says. ``headers`` are the few worth keeping.
    """

    url: str
    final_url: str
    status: int
    mime: str
    charset: str
    body: bytes
    etag: str = ""
    last_modified: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    redirects: tuple[str, ...] = ()

    @property
    def unchanged(self) -> bool:
        return self.status == HTTPStatus.NOT_MODIFIED


@dataclass(frozen=True)
class _Wanted:
    """What is asked for at the end of a chain of redirects."""

    deadline: Deadline
    validators: Mapping[str, str]  # headers of a conditional request ...
    known_at: str  # ... and the one canonical URL they are about
    limit: int
    page: bool = True  # False: robots.txt itself, of any media type, cut at the limit


class Fetcher:
    """Fetches pages; safe to share between threads. ``policy`` says what may be read besides the public web."""

    def __init__(
        self,
        *,
        policy: Policy | None = None,
        user_agent: str = "Dossier/0.1",
        limits: Limits | None = None,
        pacer: HostPacer | None = None,
        trusted: str = "",
        resolver: Resolver | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._policy, self._limits = policy or Policy(), limits or Limits()
        self._agent, self._trusted = user_agent, trusted
        self._pacer = pacer or HostPacer()
        self._resolver, self._clock = resolver, clock
        self._robots = Robots(user_agent, clock=clock)

    def fetch(
        self, url: str, *, etag: str = "", last_modified: str = "", known_at: str = "", max_bytes: int = 0
    ) -> Fetched:
        """One page. ``etag`` and ``last_modified`` make the request conditional; they are sent to ``known_at`` only,
        the final URL of the earlier answer (by default the page's own). ``max_bytes`` lowers the limit of the size.

        Raises:
            FetchFault: whatever kept the page from being read.
        """
        deadline = Deadline(self._limits.seconds, self._clock)
        validators = {"If-None-Match": _header(etag), "If-Modified-Since": _header(last_modified)}
        kept = {name: value for name, value in validators.items() if value}
        known = canonical_url(check_url(known_at or url, self._policy).url) if kept else ""
        limit = min(max_bytes or self._limits.max_bytes, self._limits.max_bytes)
        return self._follow(url, _Wanted(deadline, kept, known, limit))

    def take_turn(self, url: str) -> None:
        """Wait for the site's turn, for somebody who asks it by other means (a browser).

        Raises:
            FetchFault: the page may not be read, or not now.
        """
        deadline = Deadline(self._limits.seconds, self._clock)
        address = check_url(url, self._policy)
        delay = self._robots.check(address, lambda robots: self._read_robots(robots, deadline))
        self._pacer.wait(
            _site(address), at_most=min(self._limits.turn_seconds, deadline.left()), interval=delay
        )

    def _follow(self, url: str, wanted: _Wanted) -> Fetched:
        passed: list[str] = []
        while True:
            address = check_url(url, self._policy)
            if address.url in passed:
                raise FetchFault("redirect_loop", "The page leads back to itself.")
            if len(passed) > self._limits.redirects:
                raise FetchFault("redirect_loop", f"More than {self._limits.redirects} redirects.")
            passed.append(address.url)
            answer = self._hop(address, wanted)
            if isinstance(answer, _Found):
                return answer.fetched(passed)
            url = answer

    def _hop(self, address: Address, wanted: _Wanted) -> "_Found | str":
        """Ask one address: what it holds, or the URL it leads to."""
        if wanted.page:
            delay = self._robots.check(address, lambda url: self._read_robots(url, wanted.deadline))
            self._pacer.wait(_site(address), at_most=self._patience(wanted), interval=delay)
        with exchange(
            self._route(address), self._headers(address, wanted), wanted.deadline, wire_limit=2 * wanted.limit
        ) as answer:
            status, headers = answer.head.status, answer.head.headers
            if status in _REDIRECTS and headers.get("location"):
                return _target(address, headers["location"])
            if status == HTTPStatus.NOT_MODIFIED and wanted.validators:
                return _Found(304, headers, *media.declared(headers.get("content-type", "")), b"")
            if status != HTTPStatus.OK:
                raise self._refusal(address, status, headers)
            return _read(answer, wanted)

    def _patience(self, wanted: _Wanted) -> float:
        return min(self._limits.turn_seconds, wanted.deadline.left())

    def _route(self, address: Address) -> Route:
        addresses = resolve_checked(address.host, address.port, policy=self._policy, resolver=self._resolver)
        return Route(address, addresses, trust_store(self._trusted), self._limits.connect_seconds)

    def _headers(self, address: Address, wanted: _Wanted) -> dict[str, str]:
        headers = {
            "User-Agent": self._agent,
            "Accept": "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,*/*;q=0.5",
            "Accept-Encoding": ACCEPTED,
            "Connection": "close",
        }
        known = bool(wanted.validators) and canonical_url(address.url) == wanted.known_at
        return {**headers, **wanted.validators} if known else headers

    def _refusal(self, address: Address, status: int, headers: Mapping[str, str]) -> FetchFault:
        wait = retry_after(headers.get("retry-after", ""))
        if status in {429, 503} and wait:
            self._pacer.hold(_site(address), wait)
        message = f"{address.host} answers {status}{_phrase(status)}."
        return FetchFault("status", message, retryable=status in _PASSING, status=status, retry_after=wait)

    def _read_robots(self, url: str, deadline: Deadline) -> str:
        found = self._follow(url, _Wanted(deadline, {}, "", ROBOTS_BYTES, page=False))
        return found.body.decode("utf-8", "replace")


@dataclass(frozen=True)
class _Found:
    status: int
    headers: Mapping[str, str]
    mime: str
    charset: str
    body: bytes

    def fetched(self, passed: list[str]) -> Fetched:
        kept = {name: self.headers[name][:MAX_HEADER] for name in KEPT_HEADERS if name in self.headers}
        return Fetched(
            url=canonical_url(passed[0]),
            final_url=canonical_url(passed[-1]),
            status=self.status,
            mime=self.mime,
            charset=self.charset,
            body=self.body,
            etag=_header(self.headers.get("etag", "")),
            last_modified=_header(self.headers.get("last-modified", ""))[:100],
            headers=kept,
            redirects=tuple(passed[1:]),
        )


def _site(address: Address) -> str:
    """What has one pace: a host, with the port where it is not one of the web's own."""
    return address.host if address.port in PORTS.values() else f"{address.host}:{address.port}"


def open_fetcher() -> Fetcher:
    """The fetcher of this process as the settings describe it: all threads share its pace and its robots.txt."""
    return _shared_fetcher(
        allow=tuple(settings.DOSSIER_FETCH_ALLOW),
        ports=tuple(settings.DOSSIER_FETCH_PORTS),
        agent=settings.DOSSIER_USER_AGENT,
        seconds=settings.DOSSIER_FETCH_SECONDS,
        max_bytes=settings.DOSSIER_FETCH_MAX_BYTES,
        per_minute=settings.DOSSIER_FETCH_PER_MINUTE,
        trusted=settings.DOSSIER_FETCH_CA,
        redis=settings.REDIS_URL,
    )


@lru_cache(maxsize=4)
def _shared_fetcher(
    *,
    allow: tuple[str, ...],
    ports: tuple[str, ...],
    agent: str,
    seconds: int,
    max_bytes: int,
    per_minute: int,
    trusted: str,
    redis: str,
) -> Fetcher:
    open_ports = frozenset(map(int, ports)) or DEFAULT_PORTS
    return Fetcher(
        policy=Policy(allow_list(allow), open_ports),
        user_agent=agent,
        limits=Limits(seconds=seconds, max_bytes=max_bytes),
        pacer=HostPacer(per_minute, redis=redis),
        trusted=trusted,
    )


def _read(answer: Answer, wanted: _Wanted) -> _Found:
    headers = answer.head.headers
    mime, charset = media.declared(headers.get("content-type", ""))
    if wanted.page and not media.may_be_read(mime):
        raise _unreadable(mime)
    body = answer.body(wanted.limit, cut=not wanted.page)
    if wanted.page and not (mime := media.actual(mime, body)):
        raise _unreadable(headers.get("content-type", ""))
    return _Found(200, headers, mime, charset, body)


def _unreadable(mime: str) -> FetchFault:
    return FetchFault("mime", f"Documents of the type {mime[:80] or 'unknown'!r} are not read.")


def _target(address: Address, location: str) -> str:
    """The URL a redirect names, relative to where we are. Raw bytes of the header are UTF-8 as browsers read them."""
    try:
        text = location.encode("latin-1").decode("utf-8", "replace")
        return urljoin(address.url, text.strip())
    except ValueError:
        raise FetchFault("blocked", "The page redirects to something that is no address.") from None


def _header(value: str) -> str:
    """A header's value if it can be sent back as it is, else ""."""
    return value if value.isascii() and value.isprintable() and len(value) <= MAX_HEADER else ""


def _phrase(status: int) -> str:
    try:
        return f" ({HTTPStatus(status).phrase.lower()})"
    except ValueError:
        return ""
