"""A list that is fetched whole and kept for a while."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Fetches at the first question and again after ``seconds``; a fetch that fails is not kept.

    Threads that ask at the same time wait for one fetch.
    """

    def __init__(self, fetch: Callable[[], T], seconds: float, clock: Callable[[], float]) -> None:
        self._fetch, self._seconds, self._clock = fetch, seconds, clock
        self._lock = threading.Lock()
        self._held: tuple[float, T] | None = None

    def get(self) -> T:
        with self._lock:
            if self._held is None or self._clock() >= self._held[0]:
                self._held = self._clock() + self._seconds, self._fetch()
            return self._held[1]
