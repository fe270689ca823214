"""One deadline for a whole exchange over ``requests``: connecting, the head of the answer and its body.

``requests`` bounds one wait on the socket, so a server that sends a byte now and then holds a thread for as long as it
likes. Here every wait may last as long as the deadline of its thread leaves, and no longer.
"""

import io
import math
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ReadTimeoutError

BUFFER = 2_048  # bytes that each exchange holds while it waits; longer reads do without
_thread = threading.local()


class Deadline:
    """The moment at which something must be over. ``clock`` is monotonic seconds."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._end, self._clock = clock() + seconds, clock

    def left(self) -> float:
        """Seconds that are left; TimeoutError when none are."""
        remaining = self._end - self._clock()
        if remaining <= 0:
            raise TimeoutError("the exchange was not over in time")
        return remaining


@contextmanager
def within(
    seconds: float, *, once: bool = False, clock: Callable[[], float] = time.monotonic
) -> Iterator[None]:
    """Whatever is asked in the block, on this thread and through the adapter below, is over in so many seconds.

    A block within another is over no later than that one. With ``once`` clients take what comes of their first try.
    """
    before: tuple[tuple[Deadline, ...], bool] = _state()
    _thread.deadlines, _thread.once = (*before[0], Deadline(seconds, clock)), before[1] or once
    try:
        yield
    finally:
        _thread.deadlines, _thread.once = before


def left(usual: float) -> float:
    """How long one wait may last that would usually be allowed ``usual`` seconds.

    Raises:
        TimeoutError: the deadline has passed.
    """
    return min([usual, *(deadline.left() for deadline in _state()[0])])


def may_try_again(pause: float) -> bool:
    """Whether a client of this thread may pause for so many seconds and ask once more."""
    deadlines, once = _state()
    try:
        return not once and all(pause < deadline.left() for deadline in deadlines)
    except TimeoutError:
        return False


def _state() -> tuple[tuple[Deadline, ...], bool]:
    return getattr(_thread, "deadlines", ()), getattr(_thread, "once", False)


def was_late(error: BaseException | None) -> bool:
    """Whether a wait that lasted too long is behind an exception; libraries wrap it in words of their own."""
    while error is not None:
        if isinstance(error, TimeoutError | ReadTimeoutError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _bounded(usual: float | None) -> float | None:
    """The time-out of a socket whose usual one may be none."""
    wait = left(math.inf if usual is None else usual)
    return None if wait == math.inf else wait


class _Reads(io.RawIOBase):
    """A connected socket as a file; each read is told how long it may last."""

    def __init__(self, wire: io.RawIOBase, line: socket.socket) -> None:
        self._wire, self._line, self._usual = wire, line, line.gettimeout()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._line.settimeout(_bounded(self._usual))
        return self._wire.readinto(buffer)

    def close(self) -> None:
        self._wire.close()
        super().close()


class _Answer(HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Reads(self.fp.detach(), sock), BUFFER)


class _Connection(HTTPConnection):
    response_class = _Answer

    def connect(self) -> None:
        self.timeout = _bounded(self.timeout if isinstance(self.timeout, int | float) else None)
        super().connect()


class _SecureConnection(_Connection, HTTPSConnection):
    pass


class PunctualPool(HTTPConnectionPool):
    """The connections to one site, for any number of threads; bounded by the ``within`` of whoever asks."""

    ConnectionCls = _Connection


class PunctualSecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


class PunctualAdapter(HTTPAdapter):
    """Bounded by ``within``; one that is asked outside of such a block is like any other."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": PunctualPool, "https": PunctualSecurePool}


def punctual_session() -> requests.Session:
    """A session for one thread."""
    session = requests.Session()
    session.mount("http://", PunctualAdapter())
    session.mount("https://", PunctualAdapter())
    return session
