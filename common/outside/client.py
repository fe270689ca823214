"""Asking a source so that neither it nor we suffer: breaker, pace, deadline, tries; in this order.

Every source outside has a ``Client``, which holds what is particular to it: how it knows us, how often it may be asked,
what its refusals mean. Two rooms ask in ways of their own: pages that the web chose go through the guard of
``research.web``, and language models are streamed and asked again by the engine, which journals every try.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any, TypeVar

from django.conf import settings

from common.bounded_json import load_json
from common.outside.breaker import Breaker, Health
from common.outside.deadline import left, may_try_again, within
from common.outside.exchange import Reply, exchange, retry_after
from common.outside.faults import RULES, FaultCode, SourceFault, code_of
from common.outside.pace import Pace, Rate, SharedPace

log = logging.getLogger(__name__)

T = TypeVar("T")
POLITE = Rate(3, 3)  # for a source that does not say how often it may be asked
JITTER = (0.5, 1.5)
AGAIN: frozenset[FaultCode] = frozenset(
    ("rate_limited", "quota", "server_error", "timeout", "network", "incomplete")
)
TRIPS: frozenset[FaultCode] = frozenset(code for code, rule in RULES.items() if rule.trips)


@dataclass(frozen=True)
class Patience:
    """How long and how often a source is asked one question, in seconds.

    ``seconds`` bounds the whole question with its waits and tries, ``attempt`` one try, ``queue`` the wait for its
    turn. ``pause`` and, when the source is asked too often and does not say how long to wait, ``throttled`` come before
    the second try and double with each. ``again`` are the faults after which the question is repeated, ``trips`` those
    that count against the breaker.
    """

    seconds: float = 60.0
    attempt: float = 15.0
    queue: float = float("inf")
    tries: int = 3
    pause: float = 1.0
    throttled: float = 5.0
    again: frozenset[FaultCode] = AGAIN
    trips: frozenset[FaultCode] = TRIPS


class Traffic:
    """What is known of the sources that are asked: a breaker and a pace for each. Safe to share between threads.

    ``clock`` is monotonic seconds; ``uniform`` chooses between two bounds; ``rates`` replace those of the clients.
    ``shared`` keeps the pace together with other processes where there is a Redis.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        uniform: Callable[[float, float], float] | None = None,
        rates: Mapping[str, Rate] | None = None,
        shared: bool = False,
    ) -> None:
        self.clock, self.sleep = clock, sleep
        self._uniform = uniform or SystemRandom().uniform
        self._rates, self._shared = rates or {}, shared
        self._states: dict[str, tuple[Breaker, Pace]] = {}
        self._lock = threading.Lock()

    def call(
        self,
        name: str,
        once: Callable[[float], T],
        *,
        rate: Rate,
        patience: Patience,
        address: str = "",
    ) -> T:
        """What ``once`` returns, which asks the source one time within the seconds that it is given.

        Raises:
            SourceFault: of the last try, or because waiting would take longer than there is time. Any other exception
                of ``once`` is an answer that nobody foresaw: ``unreadable``.
        """
        breaker, pace = self.of(name, rate, address)
        ticket = breaker.enter()
        ok: bool | None = None
        code = ""
        try:
            with within(patience.seconds, clock=self.clock):
                answer = self._tries(name, once, pace, patience)
            ok = True
            return answer
        except TimeoutError:
            raise SourceFault(name, "timeout", "was not asked: the time for it is used up") from None
        except SourceFault as fault:
            ok, code = False if fault.code in patience.trips else None, fault.code
            raise
        except Exception as error:
            ok, code = False, "unreadable"
            log.exception("%s: an answer cannot be read", name)
            said = f"gave an answer that cannot be read ({type(error).__name__})"
            raise SourceFault(name, "unreadable", said) from error
        finally:
            breaker.leave(ticket, ok=ok, fault=code)

    def of(self, name: str, rate: Rate, address: str = "") -> tuple[Breaker, Pace]:
        """The breaker and the pace of a source at an address."""
        key = f"{name} {address}".strip()
        with self._lock:
            if key not in self._states:
                rate = self._rates.get(name, rate)
                url = settings.REDIS_URL if self._shared else ""
                pace = SharedPace(name, rate, self.clock, url, key) if url else Pace(name, rate, self.clock)
                self._states[key] = Breaker(name, self.clock), pace
            return self._states[key]

    def health(self) -> dict[str, Health]:
        """Of the sources that were asked, by name and, where they have one, address."""
        with self._lock:
            return {key: breaker.health for key, (breaker, _) in self._states.items()}

    def forget(self) -> None:
        """Breakers and paces; for tests."""
        with self._lock:
            self._states.clear()

    def _tries(self, name: str, once: Callable[[float], T], pace: Pace, patience: Patience) -> T:
        for attempt in range(patience.tries):
            wait = pace.take(left(patience.queue))
            if wait:
                self.sleep(wait)
            seconds = left(patience.attempt)
            try:
                return once(seconds)
            except SourceFault as fault:
                if fault.retry_after and fault.retryable:
                    pace.hold(fault.retry_after)
                spent = fault.code == "quota" and fault.retry_after is None
                if attempt + 1 == patience.tries or fault.code not in patience.again or spent:
                    raise
                throttled = fault.code == "rate_limited" and fault.retry_after is None
                pause = (patience.throttled if throttled else patience.pause) * 2.0**attempt
                pause = max(pause * self._uniform(*JITTER), fault.retry_after or 0.0)
                if not may_try_again(pause):
                    raise  # its retry_after goes to whoever can wait that long
                self.sleep(pause)
        raise AssertionError("unreachable")


TRAFFIC = Traffic(shared=True)


Exchange = Callable[..., Reply]  # ``exchange`` of this room, or what stands in for it
Refine = Callable[[Reply], SourceFault | None]


@dataclass(frozen=True)
class Client:
    """One source at its address. Cheap: its state is in ``traffic``, so that any number of clients keep one pace.

    ``headers`` and ``query`` go with every question and may hold a key: no address is ever told or logged. ``missing``
    are the settings that the source still needs. ``refine`` may know better than the HTTP status what went wrong.
    """

    name: str
    base_url: str
    rate: Rate = POLITE
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str | int] = field(default_factory=dict, repr=False)
    missing: tuple[str, ...] = ()
    refine: Refine | None = None
    patience: Patience = Patience()
    max_body: int = 20_000_000
    traffic: Traffic = TRAFFIC
    exchange: Exchange = exchange
    proxied: bool = False

    def ask(self, path: str = "", *, read: Callable[[Reply], T], **content: Any) -> T:
        """What ``read`` makes of a good answer to GET with ``params``, or POST with ``body`` (JSON) or ``form``; either
        with more ``headers``. ``read`` raises ValueError for an answer that is not the source's.

        Raises:
            SourceFault: in every other case, after the tries that may help.
        """
        if self.missing:
            needed = " and ".join(self.missing)
            raise SourceFault(self.name, "not_set_up", f"is not set up: set {needed}")
        return self.traffic.call(
            self.name,
            lambda seconds: self.once(path, seconds=seconds, read=read, **content),
            rate=self.rate,
            patience=self.patience,
            address=self.base_url,
        )

    def reply(self, path: str = "", **content: Any) -> Reply:
        """A good answer as it came. Raises SourceFault."""
        return self.ask(path, read=lambda reply: reply, **content)

    def json(self, path: str = "", **content: Any) -> Any:
        """The JSON of a good answer, whatever it is. Raises SourceFault."""
        return self.ask(path, read=lambda reply: load_json(reply.body), **content)

    def object(self, path: str = "", **content: Any) -> dict[str, Any]:
        """The JSON object of a good answer. Raises SourceFault."""
        return self.ask(path, read=json_object, **content)

    def once(
        self,
        path: str = "",
        *,
        seconds: float,
        read: Callable[[Reply], T],
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str | int] | None = None,
        **content: Any,
    ) -> T:
        """One try: no waiting, no breaker. Raises SourceFault."""
        reply = self.exchange(
            self.name,
            f"{self.base_url.rstrip('/')}/{path.lstrip('/')}" if path else self.base_url,
            seconds=seconds,
            headers={**self.headers, **(headers or {})},
            params={**self.query, **(params or {})},
            max_body=self.max_body,
            proxied=self.proxied,
            **content,
        )
        fault = self.refine(reply) if self.refine else None
        if fault is None and reply.status != 200:
            fault = fault_of(self.name, code_of(reply.status), reply)
        if fault:
            raise fault
        try:
            return read(reply)
        except ValueError:
            raise fault_of(self.name, "unreadable", reply) from None


def fault_of(name: str, code: FaultCode, reply: Reply, wait: float | None = None) -> SourceFault:
    """A fault of an answer, with the wait that it asks for unless ``wait`` is known better."""
    asked = retry_after(reply.headers.get("Retry-After", "")) if wait is None else wait
    return SourceFault(name, code, retry_after=asked, status=reply.status)


def json_object(reply: Reply) -> dict[str, Any]:
    """The JSON object of an answer. Raises ValueError."""
    document = load_json(reply.body)
    if not isinstance(document, dict):
        raise ValueError("no object")
    return document


def json_or_none(reply: Reply) -> Any:
    """The JSON of an answer that may be anything."""
    with suppress(ValueError):
        return load_json(reply.body)
    return None
