"""A connection whose reads end in time: headers and body, however slowly a server sends them.

``requests`` bounds one wait on the socket, and a server that sends a byte now and then never keeps it waiting long.
Here a read may last as long as the attempt has left. One adapter a thread, because its clock is the thread's.
"""

import io
import threading
import time
from functools import lru_cache
from http.client import HTTPResponse
from socket import socket
from typing import Any

from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from requests.structures import CaseInsensitiveDict
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

_local = threading.local()


def send(
    method: str,
    url: str,
    headers: dict[str, str],
    body: bytes | None,
    *,
    connect: float,
    silence: float,
    total: float,
) -> Response:
    """The answer, its body unread: read it by ``response.raw`` on the same thread.

    No cookies, no redirects, no retries, no proxies and no ``.netrc``: a Session would bring them, and costs a quarter
    of the whole call. Raises what ``requests`` raises.
    """
    _local.deadline, _local.silence = time.monotonic() + total, silence
    prepared = PreparedRequest()
    prepared.method, prepared.url, prepared.body, prepared.hooks = (
        method,
        _checked(url),
        body,
        {"response": []},
    )
    length = {} if body is None else {"Content-Length": str(len(body))}
    prepared.headers = CaseInsensitiveDict({**headers, **length})
    return _adapter().send(prepared, stream=True, timeout=(connect, min(silence, total)), verify=True)


def time_left() -> float:
    """Seconds until the deadline of this thread's attempt."""
    return float(_local.deadline - time.monotonic())


@lru_cache(maxsize=100)
def _checked(url: str) -> str:
    prepared = PreparedRequest()
    prepared.prepare_url(url, None)
    if not str(prepared.url).startswith(("http://", "https://")):
        raise ValueError("neither http nor https")
    return str(prepared.url)


def _adapter() -> "_Adapter":
    adapter: _Adapter | None = getattr(_local, "adapter", None)
    if adapter is None:
        adapter = _local.adapter = _Adapter(max_retries=0)
    return adapter


class _Reads(io.RawIOBase):
    """The socket as a file; before each read it is told how long that may last."""

    def __init__(self, wire: io.RawIOBase, sock: socket) -> None:
        self.wire, self.sock = wire, sock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = min(time_left(), _local.silence)
        if left <= 0:
            raise TimeoutError("the time for this attempt is over")
        self.sock.settimeout(left)
        return self.wire.readinto(buffer)

    def close(self) -> None:
        self.wire.close()
        super().close()


class _Answer(HTTPResponse):
    def __init__(self, sock: socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Reads(self.fp.detach(), sock))


class _Connection(HTTPConnection):
    response_class = _Answer


class _SecureConnection(HTTPSConnection):
    response_class = _Answer


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _SecurePool}
