"""No site is asked faster than it should be by the threads of a process or, with a Redis, by all processes together."""

import threading
import time
from collections.abc import Callable

from common.outside.faults import SourceFault
from common.outside.pace import Pace, Rate, SharedPace
from research.web.faults import FetchFault


class HostPacer:
    """A pace for each host; ``per_minute`` 0 means no limit. ``redis`` is the address of the one that processes share.

    At most ``max_hosts`` hosts are remembered: those whose turn has passed are forgotten first.
    """

    def __init__(
        self,
        per_minute: int = 60,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        max_hosts: int = 10_000,
        redis: str = "",
    ) -> None:
        self._rate = Rate(1, 60 / per_minute if per_minute else 0.0)
        self._clock, self._sleep, self._max_hosts, self._redis = clock, sleep, max_hosts, redis
        self._paces: dict[str, Pace] = {}
        self._lock = threading.Lock()

    def wait(self, host: str, *, at_most: float, interval: float = 0.0) -> None:
        """Return when the next request to ``host`` may start; ``interval`` is the host's own wish, in seconds.

        Raises:
            FetchFault: ``busy``, when that is more than ``at_most`` seconds away. No turn is taken then.
        """
        try:
            seconds = self._pace(host).take(at_most, interval=interval)
        except SourceFault as fault:
            message = f"{host} has to be left alone for a while."
            raise FetchFault("busy", message, retryable=True, retry_after=fault.retry_after) from None
        if seconds:
            self._sleep(seconds)

    def hold(self, host: str, seconds: float) -> None:
        """Nobody asks ``host`` for ``seconds`` (an hour at most): it told one thread to wait, and it means all."""
        self._pace(host).hold(seconds)

    def _pace(self, host: str) -> Pace:
        with self._lock:
            if len(self._paces) >= self._max_hosts and host not in self._paces:
                self._paces = {name: pace for name, pace in self._paces.items() if not pace.idle}
                if len(self._paces) >= self._max_hosts:
                    del self._paces[next(iter(self._paces))]
            if host not in self._paces:
                self._paces[host] = (
                    SharedPace(host, self._rate, self._clock, self._redis, f"site:{host}")
                    if self._redis
                    else Pace(host, self._rate, self._clock)
                )
            return self._paces[host]
