"""One HTTP exchange with one address that was judged before: connect, ask, read within bounds.

``requests`` looks names up by itself, obeys proxies and ``.netrc`` of the environment, and bounds only the gaps
between bytes. Here the socket is ours: it goes to the given address and nowhere else while Host, SNI and the
certificate's name stay those of the site, and every read is given what is left of one deadline.
"""

import io
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead

from common.outside import deadline
from research.web.decoding import decoder_for
from research.web.faults import FetchFault
from research.web.urls import Address

CHUNK = 65_536
MAX_TRIES = 4  # of the addresses of one name
HEAD_ROOM = 500_000  # bytes on the wire besides the body: head, chunk sizes, trailers


class Deadline(deadline.Deadline):
    """The moment at which a fetch must be over, all its hops together; ``left`` raises FetchFault ``timeout``."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(seconds, clock)
        self._seconds = seconds

    def left(self) -> float:
        try:
            return super().left()
        except TimeoutError:
            message = f"The page was not there within {self._seconds:g} s."
            raise FetchFault("timeout", message, retryable=True) from None


@dataclass(frozen=True)
class Head:
    """Status and headers of an answer, the names in lower case; of a repeated header the first."""

    status: int
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Route:
    """How to reach a site: its judged addresses in the order to try, and how to trust it."""

    address: Address
    addresses: Sequence[str]
    trust: ssl.SSLContext
    connect_timeout: float


class Answer:
    """The answer to one request while its connection is open."""

    def __init__(self, head: Head, response: HTTPResponse, deadline: Deadline) -> None:
        self.head, self._response, self._deadline = head, response, deadline

    def body(self, limit: int, *, cut: bool = False) -> bytes:
        """The decoded body, at most ``limit`` bytes; a longer one is a fault, or cut there with ``cut``.

        Raises:
            FetchFault: ``too_large``, ``truncated``, ``encoding``, ``timeout``, ``connection``.
        """
        decode = decoder_for(self.head.headers.get("content-encoding", ""), limit)
        body = bytearray()
        for chunk in self._chunks(limit, cut):
            body += decode.feed(chunk, limit + 1 - len(body))
            if len(body) > limit:
                if cut:
                    return bytes(body[:limit])
                raise _too_large(limit)
        decode.finish()
        return bytes(body)

    def _chunks(self, limit: int, cut: bool) -> Iterator[bytes]:
        """The body as it is on the wire, checked for its announced length."""
        announced = self._response.length
        if announced is not None and announced > limit and not cut:
            raise _too_large(limit)
        received = 0
        while chunk := self._read():
            received += len(chunk)
            if received > limit and not cut:
                raise _too_large(limit)
            yield chunk
        if announced is not None and received < announced:
            raise FetchFault("truncated", "The site sent less than it had announced.", retryable=True)

    def _read(self) -> bytes:
        with _faults():
            self._deadline.left()
            return self._response.read1(CHUNK)


@contextmanager
def exchange(
    route: Route,
    headers: Mapping[str, str],
    deadline: Deadline,
    *,
    wire_limit: int,
    message: bytes | None = None,
) -> Iterator[Answer]:
    """Ask for a page, or POST a ``message``, and give the answer with the connection open; it is closed afterwards.

    Raises:
        FetchFault: ``connection``, ``tls``, ``timeout``, ``truncated``, ``too_large``.
    """
    plain = _connect(route, deadline)
    try:
        with _faults():
            sock = _secure(plain, route, deadline)
    except BaseException:
        plain.close()
        raise
    with sock:
        line = _Line(sock, deadline, wire_limit)
        yield _ask(route.address, headers, line, deadline, message)


def _ask(
    address: Address, headers: Mapping[str, str], line: "_Line", deadline: Deadline, message: bytes | None
) -> Answer:
    connection = HTTPConnection(address.host, address.port)
    connection.sock = line  # it has what http.client uses of a socket
    with _faults():
        method = "GET" if message is None else "POST"
        named = {"Host": address.authority, **headers}
        connection.request(method, address.target, body=message, headers=named)
        response = connection.getresponse()
    kept: dict[str, str] = {}
    for name, value in response.getheaders():
        kept.setdefault(name.lower(), value)
    if kept.get("transfer-encoding", "chunked").strip().lower() != "chunked":
        raise FetchFault("encoding", "The site sends its answer in an encoding that was not asked for.")
    return Answer(Head(response.status, kept), response, deadline)


def _connect(route: Route, deadline: Deadline) -> socket.socket:
    """A connection to the first address that takes one."""
    for address in route.addresses[:MAX_TRIES]:
        try:
            return _connected(address, route.address.port, min(route.connect_timeout, deadline.left()))
        except OSError:
            continue
    deadline.left()  # out of time is the better reason
    raise FetchFault("connection", f"{route.address.host} does not take connections.", retryable=True)


def _connected(address: str, port: int, timeout: float) -> socket.socket:
    sock = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    try:
        sock.settimeout(timeout)
        sock.connect((address, port))
    except BaseException:
        sock.close()
        raise
    return sock


def _secure(sock: socket.socket, route: Route, deadline: Deadline) -> socket.socket:
    if route.address.scheme != "https":
        return sock
    sock.settimeout(min(route.connect_timeout, deadline.left()))
    return route.trust.wrap_socket(sock, server_hostname=route.address.host)


class _Line:
    """A connected socket as http.client uses one, each of its reads and writes within the deadline."""

    def __init__(self, sock: socket.socket, deadline: Deadline, limit: int) -> None:
        self._sock, self._deadline, self._limit = sock, deadline, limit

    def sendall(self, data: bytes) -> None:
        self._sock.settimeout(self._deadline.left())
        self._sock.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self._sock, self._deadline, self._limit), CHUNK)

    def close(self) -> None:
        """http.client lets go of a socket before the body is read; whoever opened it closes it."""


class _Reader(io.RawIOBase):
    def __init__(self, sock: socket.socket, deadline: Deadline, limit: int) -> None:
        self._sock, self._deadline, self._left, self._limit = sock, deadline, limit + HEAD_ROOM, limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # what BufferedReader gives
        self._sock.settimeout(self._deadline.left())
        count = self._sock.recv_into(buffer)
        self._left -= count
        if self._left < 0:  # endless headers, trailers, or chunks that are mostly frame
            raise _too_large(self._limit)
        return count


def _too_large(limit: int) -> FetchFault:
    return FetchFault("too_large", f"The page is larger than {limit:,} bytes.")


@contextmanager
def _faults() -> Iterator[None]:
    """Whatever a socket or http.client raises, as one of our faults."""
    try:
        yield
    except FetchFault:
        raise
    except TimeoutError:
        raise FetchFault("timeout", "The site did not answer in time.", retryable=True) from None
    except ssl.SSLCertVerificationError as error:
        raise FetchFault("tls", f"The site's certificate is refused: {error.verify_message}.") from None
    except ssl.SSLError as error:
        raise FetchFault(
            "tls", f"No secure connection ({error.reason or 'broken off'}).", retryable=True
        ) from None
    except IncompleteRead:
        raise FetchFault("truncated", "The site broke its answer off.", retryable=True) from None
    except (OSError, HTTPException, ValueError) as error:
        kind = type(error).__name__
        raise FetchFault(
            "connection", f"The site's answer cannot be read ({kind}).", retryable=True
        ) from None
