"""One site is not asked faster than it should be, by all threads of a process together."""

import threading
import time
from collections.abc import Callable

from research.web.faults import FetchFault

MAX_HOLD = 3_600.0


class HostPacer:
    """Hands out, host by host, the moments at which a request may start; ``per_minute`` 0 means no limit.

    A caller reserves its moment under the lock and sleeps outside it. At most ``max_hosts`` hosts are remembered:
    those whose turn has passed are forgotten first.
    """

    def __init__(
        self,
        per_minute: int = 60,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        max_hosts: int = 10_000,
    ) -> None:
        self._interval = 60 / per_minute if per_minute else 0.0
        self._clock, self._sleep, self._max_hosts = clock, sleep, max_hosts
        self._free: dict[str, float] = {}
        self._lock = threading.Lock()

    def wait(self, host: str, *, at_most: float, interval: float = 0.0) -> None:
        """Return when the next request to ``host`` may start; ``interval`` is the host's own wish, in seconds.

        Raises:
            FetchFault: ``busy``, when that is more than ``at_most`` seconds away. No turn is taken then.
        """
        with self._lock:
            now = self._clock()
            start = max(now, self._free.get(host, now))
            if start - now > at_most:
                raise FetchFault(
                    "busy",
                    f"{host} has to be left alone for a while.",
                    retryable=True,
                    retry_after=start - now,
                )
            self._remember(host, start + max(self._interval, interval), now)
        if start > now:
            self._sleep(start - now)

    def hold(self, host: str, seconds: float) -> None:
        """Nobody asks ``host`` for ``seconds`` (an hour at most): it told one thread to wait, and it means all."""
        with self._lock:
            now = self._clock()
            until = now + min(max(seconds, 0.0), MAX_HOLD)
            self._remember(host, max(until, self._free.get(host, now)), now)

    def _remember(self, host: str, until: float, now: float) -> None:
        if len(self._free) >= self._max_hosts and host not in self._free:
            self._free = {name: at for name, at in self._free.items() if at > now}
            if len(self._free) >= self._max_hosts:
                del self._free[min(self._free, key=self._free.__getitem__)]
        self._free[host] = until
