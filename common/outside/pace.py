"""Asking a source no more often than it allows.

A caller reserves its moment first and waits for it afterwards, so callers line up in order and none can slip past the
limit. Each moment takes one of ``limit`` places and gives it back later: in a rolling window after its whole length,
else one place after the other (the generic cell rate algorithm, ITU-T I.371).
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from common.outside.faults import SourceFault

if TYPE_CHECKING:
    from redis.commands.core import Script

log = logging.getLogger(__name__)

MAX_HOLD = 3_600.0  # how long one Retry-After can keep everybody away
LONGEST = 1e6  # seconds; stands for a wait without bound in Redis
ALONE = 30.0  # how long a process does without Redis after it did not answer

# The first key lists the moments at which the last places are free again, the newest first; the second key lives
# as long as a hold.
_TAKE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local limit, interval = tonumber(ARGV[1]), tonumber(ARGV[2])
local start = now + math.max(0, redis.call('PTTL', KEYS[2]))
start = math.max(start, tonumber(redis.call('LINDEX', KEYS[1], limit - 1) or 0))
if start - now <= tonumber(ARGV[3]) then
  local free = start
  if ARGV[4] == '0' then free = math.max(start, tonumber(redis.call('LINDEX', KEYS[1], 0) or 0)) end
  redis.call('LPUSH', KEYS[1], free + interval)
  redis.call('LTRIM', KEYS[1], 0, limit - 1)
  redis.call('PEXPIRE', KEYS[1], free + interval - now)
end
return start - now
"""
_HOLD = """
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) end
"""


class Rate(NamedTuple):
    """``limit`` questions at once and in ``seconds`` on average; a limit of 0 is none.

    With ``rolling`` never more than ``limit`` in any ``seconds``, for registers that shut out whoever asks more.
    """

    limit: int
    seconds: float
    rolling: bool = False

    @property
    def interval(self) -> float:
        """After how many seconds a place is free again."""
        return self.seconds if self.rolling else self.seconds / (self.limit or 1)


class Pace:
    """The pace of one process, shared by its threads. ``clock`` is monotonic seconds."""

    def __init__(self, name: str, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._name, self.rate, self._clock = name, rate, clock
        self._free: deque[float] = deque(maxlen=rate.limit)  # when each of the last places is free again
        self._not_before = float("-inf")
        self._lock = threading.Lock()

    def take(self, max_wait: float = float("inf"), *, interval: float = 0.0) -> float:
        """The seconds to wait before asking. ``interval`` may lengthen that of the rate for this question.

        Raises:
            SourceFault: ``rate_limited``, it would be more than ``max_wait`` seconds; nothing was reserved.
        """
        with self._lock:
            now = self._clock()
            full = bool(self.rate.limit) and len(self._free) == self.rate.limit
            start = max(now, self._not_before, self._free[0] if full else now)
            if start - now > max_wait:
                raise self._refusal(start - now)
            before = start if self.rate.rolling or not self._free else max(start, self._free[-1])
            self._free.append(before + max(self.rate.interval, interval))
            return start - now

    def hold(self, seconds: float) -> None:
        """Nobody asks for ``seconds``, an hour at most: one caller was told to wait, and it is meant for all."""
        with self._lock:
            self._not_before = max(self._not_before, self._clock() + min(seconds, MAX_HOLD))

    @property
    def idle(self) -> bool:
        """Whether the next caller need not wait, however much it has been asked so far."""
        with self._lock:
            return self._clock() >= max((self._not_before, *self._free))

    def _refusal(self, wait: float) -> SourceFault:
        return SourceFault(
            self._name, "rate_limited", "is being asked as often as it allows", retry_after=wait
        )


class SharedPace(Pace):
    """The pace of all processes that share a Redis, by the clock of that Redis. When it cannot be asked each process
    keeps its own pace."""

    def __init__(self, name: str, rate: Rate, clock: Callable[[], float], url: str, key: str = "") -> None:
        super().__init__(name, rate, clock)
        self._url, self._keys = url, (f"dossier:pace:{key or name}", f"dossier:pace:{key or name}:hold")
        self._alone_until = float("-inf")

    def take(self, max_wait: float = float("inf"), *, interval: float = 0.0) -> float:
        length = round(1_000 * max(self.rate.interval, interval))
        longest = int(1_000 * min(max_wait, LONGEST))
        args = (self.rate.limit, length, longest, int(self.rate.rolling))
        answer = self._ask(_TAKE, self._keys, args) if self.rate.limit else None
        if answer is None:
            return super().take(max_wait, interval=interval)
        if answer / 1_000 > max_wait:
            raise self._refusal(answer / 1_000)
        super().take(interval=interval)  # in step, for when Redis does not answer
        return float(answer / 1_000)

    def hold(self, seconds: float) -> None:
        super().hold(seconds)
        self._ask(_HOLD, self._keys[1:], (max(1, round(1_000 * min(seconds, MAX_HOLD))),))

    def _ask(self, script: str, keys: tuple[str, ...], args: tuple[Any, ...]) -> Any:
        """What a script answers; None when Redis cannot be asked."""
        from redis.exceptions import RedisError

        if self._clock() < self._alone_until:
            return None
        try:
            return _script(self._url, script)(keys, args)
        except (RedisError, OSError):
            log.warning("Redis did not answer; %s is asked at the pace of this process alone", self._name)
            self._alone_until = self._clock() + ALONE
            return None


@cache
def _script(url: str, text: str) -> "Script":
    from redis import Redis  # 20 MB, for nothing without it

    client = Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1)
    return client.register_script(text)
