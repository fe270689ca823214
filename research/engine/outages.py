"""Models that are away, as all processes know it: a thousand runs need not find out one by one, again and again.

It is kept where workers leave their signs of life: in Redis, or in a folder of ``var/``. Where that cannot be read,
every run finds out for itself; nothing depends on it.
"""

import logging
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.core.cache import caches
from django.core.cache.backends.base import BaseCache

from research.jsontext import JsonObject

log = logging.getLogger(__name__)

FAILURES = 5  # in a row, of all runs together; then nobody asks for a while
FIRST_REST, LONGEST_REST = 2.0, 60.0  # seconds
FRESH = 1.0  # for how long a process believes what it has read
ALONE = 30.0  # for how long it does without what cannot be read
KEPT = 600  # seconds after which an outage that nobody tells of is forgotten
TRIAL = 15.0  # seconds in which one run asks whether the model is back, while the others wait


@dataclass(frozen=True)
class Outage:
    """``failures`` in a row, the first at ``since``; nobody asks before ``until``. ``error`` is the last one."""

    failures: int
    since: float
    until: float
    error: JsonObject


class Outages:
    """What one process knows of them. ``clock`` is seconds of time."""

    def __init__(self, clock: Callable[[], float] = time.time, rng: random.Random | None = None) -> None:
        self._clock, self._rng = clock, rng or random.Random()  # noqa: S311 - jitter
        self._lock = threading.Lock()
        self._read: dict[str, tuple[float, Outage | None]] = {}  # until when it is believed, and what
        self._alone_until = 0.0

    def rests_until(self, model: str, patience: timedelta) -> datetime | None:
        """When a model may be asked next; None is now. When it may, one asks first and the others wait a little more.

        After ``patience`` each run finds out for itself, so that none waits for ever.
        """
        outage, now = self.known(model), self._clock()
        if outage is None or outage.failures < FAILURES or now - outage.since > patience.total_seconds():
            return None
        if now >= outage.until:
            if self._try(lambda: _shared().add(_key(model, "trial"), 1, timeout=TRIAL)) is not False:
                return None
            return datetime.fromtimestamp(now + self._rng.uniform(1, TRIAL / 2), UTC)
        return datetime.fromtimestamp(outage.until + self._rng.uniform(0, FIRST_REST), UTC)

    def known(self, model: str) -> Outage | None:
        """The outage of a model, as it was read a moment ago."""
        now = self._clock()
        with self._lock:
            believed, outage = self._read.get(model, (0.0, None))
            if now < believed:
                return outage
            self._read[model] = now + FRESH, outage  # only one thread of a process reads
        read = self._try(lambda: _shared().get(_key(model)))
        outage = read if isinstance(read, Outage) else None
        self._believe(model, outage)
        return outage

    def failed(self, model: str, error: JsonObject) -> None:
        """A run could not reach it, or it had no room, and that cost nothing."""
        known = self.known(model)
        failures = known.failures + 1 if known else 1
        rest = (
            min(FIRST_REST * 2.0 ** max(failures - FAILURES, 0), LONGEST_REST) if failures >= FAILURES else 0
        )
        since = known.since if known else self._clock()
        outage = Outage(failures, since, self._clock() + rest, error)
        self._try(lambda: _shared().set(_key(model), outage, timeout=KEPT))
        self._try(lambda: _shared().delete(_key(model, "trial")))
        self._believe(model, outage)

    def answered(self, model: str) -> None:
        """It is back, for everybody."""
        if self._read.get(model, (0.0, None))[1] is not None:
            self._try(lambda: _shared().delete_many([_key(model), _key(model, "trial")]))
            self._believe(model, None)

    def _believe(self, model: str, outage: Outage | None) -> None:
        with self._lock:
            until, _ = self._read.get(model, (0.0, None))
            self._read[model] = max(until, self._clock() + FRESH), outage

    def _try(self, act: Callable[[], object]) -> object:
        """What the cache says; None when it says nothing. Nobody waits for one that is down again and again."""
        if self._clock() < self._alone_until:
            return None
        try:
            return act()
        except Exception as error:  # noqa: BLE001 - each kind of cache has its own words for being away
            log.warning("outages are not shared: %s", type(error).__name__)
            self._alone_until = self._clock() + ALONE
            return None


def _shared() -> BaseCache:
    return caches["signs"]


def _key(model: str, of: str = "outage") -> str:
    return f"{of}:{model.encode().hex()[:200]}"


OUTAGES = Outages()
