"""One exchange over HTTP that ends in time: connection, headers and body, however slowly a server sends them.

Libraries bound one wait on the socket, and a server that sends a byte now and then never keeps it waiting long. Here
each wait may last as long as the attempt has left. No cookies, redirects, retries, proxies and no ``.netrc``: nothing
would use them, and each call of a library that knows them costs more than the journal's share of a turn. Each thread
keeps the connection that it has to a server.
"""

import io
import select
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from http.client import HTTPException, HTTPResponse
from typing import Any, cast

import certifi
from urllib3.util import parse_url

MAX_LINES = 8  # that a thread keeps: a fallback order names few servers
_ZLIB_OR_GZIP = 47  # window bits of zlib for "whichever of the two it is"
_local = threading.local()


class Unreachable(OSError):
    """No connection came about, so nothing was sent; ``late`` when it was for want of time."""

    def __init__(self, late: bool) -> None:
        self.late = late
        super().__init__("no connection came about")


@dataclass(frozen=True)
class Address:
    """Where a URL leads, and what is asked for there."""

    tls: bool
    host: str
    port: int
    named: str  # as the Host header says it
    target: str


def send(
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: bytes | None,
    *,
    connect: float,
    silence: float,
    total: float,
) -> "Answer":
    """The answer, its body unread. Close it; a connection whose answer was read to its end is used again.

    Raises:
        ValueError: the URL or a header is none.
        Unreachable: nothing was sent.
        TimeoutError: no answer began in time.
        OSError, http.client.HTTPException: the connection broke, or what came back is no HTTP.
    """
    address = address_of(url)
    head = _head(method, address, headers, body)
    line = _line_to(address, min(connect, total))
    line.begin(time.monotonic() + total, silence)
    try:
        line.sock.sendall(head + (body or b""))
        del body
        return Answer(line, method)
    except (OSError, HTTPException):
        line.close()
        raise


class Answer:
    """What a server says: ``status``, ``headers``, and the body piece by piece."""

    def __init__(self, line: "_Line", method: str) -> None:
        self._line, self._response = line, HTTPResponse(line.sock, method=method)
        wire = self._response.fp.detach()
        self._response.fp = io.BufferedReader(_Reads(wire, line))
        try:
            self._response.begin()
        except (OSError, HTTPException):
            self._response.close()
            raise
        self.status = self._response.status
        self.headers: Mapping[str, str] = cast("Mapping[str, str]", self._response.headers)  # in any case
        coded = self.headers.get("content-encoding", "identity").lower() in ("gzip", "x-gzip", "deflate")
        self._unpack = zlib.decompressobj(_ZLIB_OR_GZIP) if coded else None  # nobody asked for it

    def read(self, size: int) -> bytes:
        """The next piece, about ``size`` bytes at most; empty at the end. OSError and HTTPException as in ``send``."""
        while piece := self._response.read1(size):
            if self._unpack is None:
                return piece
            if unpacked := self._unpack.decompress(piece):
                return unpacked
        if self._response.length:
            raise HTTPException("the body is shorter than was said")
        return b""

    def close(self) -> None:
        """Keep the connection if the answer was read to its end, else end it."""
        whole = self._response.isclosed() or self._response.length == 0
        if not whole or self._response.will_close:
            self._line.close()
        self._response.close()


@lru_cache(maxsize=100)
def address_of(url: str) -> Address:
    """Where ``url`` leads; ValueError when that cannot be told."""
    parsed = parse_url(url)
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ValueError("neither http nor https")
    tls = parsed.scheme == "https"
    port = parsed.port or (443 if tls else 80)
    return Address(tls, parsed.host.strip("[]"), port, parsed.netloc or "", parsed.request_uri)


def _head(method: str, address: Address, headers: Mapping[str, str], body: bytes | None) -> bytes:
    lines = [f"{method} {address.target} HTTP/1.1", f"Host: {address.named}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    if any("\r" in line or "\n" in line for line in lines):
        raise ValueError("a line break in a header")
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


class _Line:
    """A connection, and how long this thread may wait on it."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock, self.deadline, self.silence = sock, 0.0, 0.0
        self.is_open = True

    def begin(self, deadline: float, silence: float) -> None:
        self.deadline, self.silence = deadline, silence
        self.wait()

    def wait(self) -> None:
        """Let the socket's next wait last as long as it may. TimeoutError when the time is over."""
        left = min(self.deadline - time.monotonic(), self.silence)
        if left <= 0:
            raise TimeoutError("the time for this attempt is over")
        self.sock.settimeout(left)

    def is_stale(self) -> bool:
        """Whether the server has closed it, or says what nobody asked for."""
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        return bool(poll.poll(0))

    def close(self) -> None:
        self.is_open = False
        self.sock.close()

    __del__ = close  # with its thread


class _Reads(io.RawIOBase):
    """The socket as a file; before each read it is told how long that may last."""

    def __init__(self, wire: io.RawIOBase, line: _Line) -> None:
        self.wire, self.line = wire, line

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self.line.wait()
        return self.wire.readinto(buffer)

    def close(self) -> None:
        self.wire.close()
        super().close()


def _line_to(address: Address, seconds: float) -> _Line:
    lines: dict[tuple[bool, str, int], _Line] = _local.__dict__.setdefault("lines", {})
    key = (address.tls, address.host, address.port)
    line = lines.get(key)
    if line is None or not line.is_open or line.is_stale():
        if line is not None:
            line.close()
        elif len(lines) >= MAX_LINES:
            lines.pop(next(iter(lines))).close()
        line = lines[key] = _Line(_connected(address, seconds))
    return line


def _connected(address: Address, seconds: float) -> socket.socket:
    """A new connection within ``seconds`` for all addresses together. Raises Unreachable."""
    end, late = time.monotonic() + seconds, False
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(late) from None
    for family, kind, protocol, _, place in found:
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(max(end - time.monotonic(), 0.001))
            sock.connect(place)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return _context().wrap_socket(sock, server_hostname=address.host) if address.tls else sock
        except OSError as error:
            late = isinstance(error, TimeoutError)
            sock.close()
    raise Unreachable(late)


@lru_cache(maxsize=1)
def _context() -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=certifi.where())
    context.set_alpn_protocols(["http/1.1"])
    return context
