"""Keeping to a rate limit: at most N requests in any rolling window, for all threads together."""

import threading
import time
from collections import deque
from collections.abc import Callable


class Pacer:
    """Hands out the moments at which a request may start; ``limit`` 0 means no limit.

    A caller reserves its moment under the lock and sleeps outside it, so waiting threads line up in order
    and none can slip past the limit.
    """

    def __init__(
        self,
        limit: int,
        window: float = 60.0,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._limit, self._window = limit, window
        self._clock, self._sleep = clock, sleep
        self._starts: deque[float] = deque(maxlen=limit or 1)
        self._not_before = float("-inf")
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Return when the next request may start."""
        with self._lock:
            now = self._clock()
            start = max(now, self._not_before, self._window_opens())
            self._starts.append(start)
        if start > now:
            self._sleep(start - now)

    def hold(self, seconds: float) -> None:
        """Nobody starts for ``seconds``: the register told one thread to wait, and it means all of them."""
        with self._lock:
            self._not_before = max(self._not_before, self._clock() + seconds)

    def _window_opens(self) -> float:
        if not self._limit or len(self._starts) < self._limit:
            return float("-inf")
        return self._starts[0] + self._window
