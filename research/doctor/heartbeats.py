"""Signs of life of workers and beat, in the cache that lies where the broker is: in Redis, or in a folder of ``var/``.

A sign is written by the process itself every ten seconds. That a worker gives signs does not prove that it takes tasks:
the moment of its last one is kept too.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from django.core.cache import caches

EVERY = 10.0  # seconds between two signs of one process
STALE = 60.0  # without a sign for so long it is taken for dead
KEPT = 3_600  # seconds after which a dead one is forgotten

Kind: TypeAlias = str  # "worker" or "beat"


@dataclass(frozen=True, slots=True)
class Sign:
    """Of one process: when it last gave a sign, and when it last had something to do (0: never), in seconds of time."""

    name: str
    at: float
    worked: float

    def is_stale(self, now: float) -> bool:
        return now - self.at > STALE


class Heart:
    """Of one process, which is called ``name`` among those of its kind."""

    def __init__(self, kind: Kind, name: str, clock: Callable[[], float] = time.time) -> None:
        self._kind, self._name, self._clock = kind, name, clock
        self._at = self._worked = 0.0

    def work(self) -> None:
        """There was something to do; told with the next sign."""
        self._worked = self._clock()

    def beat(self) -> None:
        """Give a sign, unless that was only just done."""
        now = self._clock()
        if now - self._at >= EVERY:
            self._at = now
            _change(self._kind, self._name, (now, self._worked), now)

    def end(self) -> None:
        """It ends as it should, and nobody needs to miss it."""
        _change(self._kind, self._name, None, self._clock())


def signs(kind: Kind) -> list[Sign]:
    """The last sign of each process of a kind, the newest first."""
    kept = caches["signs"].get(kind) or {}
    found = [Sign(name, at, worked) for name, (at, worked) in kept.items()]
    return sorted(found, key=lambda sign: -sign.at)


def _change(kind: Kind, name: str, sign: tuple[float, float] | None, now: float) -> None:
    """Two that write at the same moment lose one sign, and the next one makes that good."""
    kept = caches["signs"].get(kind) or {}
    kept = {other: (at, worked) for other, (at, worked) in kept.items() if other != name and now - at < KEPT}
    caches["signs"].set(kind, {**kept, name: sign} if sign else kept, timeout=KEPT)
