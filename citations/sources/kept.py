"""Answers kept for a while in the memory of one process: no more than so many, the oldest go first."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """``seconds`` is how long an answer is good, ``clock`` monotonic seconds."""

    def __init__(self, seconds: float, most: int, clock: Callable[[], float]) -> None:
        self._seconds, self._most, self._clock = seconds, most, clock
        self._items: OrderedDict[Hashable, tuple[float, T]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, ask: Callable[[], T]) -> T:
        """The kept answer, or what ``ask`` gives now; what it raises is not kept."""
        with self._lock:
            kept = self._items.get(key)
            if kept is not None and self._clock() < kept[0]:
                return kept[1]
        answer = ask()
        with self._lock:
            self._items[key] = (self._clock() + self._seconds, answer)
            self._items.move_to_end(key)
            while len(self._items) > self._most:
                self._items.popitem(last=False)
        return answer
