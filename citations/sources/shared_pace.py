"""A pace that processes keep together: each reserves its moment in the cache that they share, besides its own bucket.

It is the same algorithm as the bucket's, with the due time counted up in the cache by one atomic step. When the cache
cannot be asked each process keeps to its own pace.
"""

import logging
import time
from collections.abc import Callable
from typing import Protocol

from redis.exceptions import RedisError

from common.outside.limits import MAX_HOLD, Bucket, Clock, Rate

log = logging.getLogger(__name__)
KEPT = 3_600  # seconds
TROUBLE = (RedisError, OSError, ValueError)  # the last for a time that expired just now


class Counter(Protocol):
    """What a cache can do."""

    def add(self, key: str, value: int, timeout: int) -> bool: ...
    def get(self, key: str, default: int) -> int: ...
    def set(self, key: str, value: int, timeout: int) -> None: ...
    def incr(self, key: str, delta: int) -> int: ...


class SharedBucket(Bucket):
    """See the module; ``wall`` is the time of day in seconds, which all machines know."""

    def __init__(
        self, name: str, rate: Rate, clock: Clock, cache: Counter, wall: Callable[[], float] = time.time
    ) -> None:
        super().__init__(name, rate, clock)
        self._cache, self._wall, self._key = cache, wall, f"pace:{name}"
        self._step = round(1_000 / rate.per_second)
        self._slack = (rate.burst - 1) * self._step

    def take(self, max_wait: float) -> float:
        own = super().take(max_wait)
        try:
            shared = self._reserve()
        except TROUBLE:
            log.warning("the cache did not answer; %s is asked at the pace of this process alone", self._name)
            return own
        if shared > max_wait:
            self._give_back()
            raise self.refusal(f"{self._name} is being asked as often as it allows.", shared)
        return max(own, shared)

    def hold(self, seconds: float) -> None:
        super().hold(seconds)
        until, key = round(1_000 * (self._wall() + min(seconds, MAX_HOLD))), f"{self._key}:hold"
        try:
            self._cache.set(key, max(until, self._cache.get(key, 0)), timeout=KEPT)
        except TROUBLE:
            log.warning("the cache did not answer; only this process leaves %s alone", self._name)

    def _reserve(self) -> float:
        """The seconds until the moment that was reserved. A due time in the past begins anew."""
        now = round(1_000 * self._wall())
        self._cache.add(self._key, now, timeout=KEPT)
        due = self._cache.incr(self._key, self._step)
        if due < now + self._step:
            self._cache.set(self._key, now + self._step, timeout=KEPT)
            due = now + self._step
        start = max(now, self._cache.get(f"{self._key}:hold", 0), due - self._step - self._slack)
        return (start - now) / 1_000

    def _give_back(self) -> None:
        try:
            self._cache.incr(self._key, -self._step)
        except TROUBLE:
            log.warning("the cache did not answer; a moment of %s stays reserved", self._name)
