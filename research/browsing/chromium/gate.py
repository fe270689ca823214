"""The gate of one walk's browser: a proxy on loopback through which every connection of its pages goes.

Chromium resolves no name itself and connects to nothing but this gate (scripts, images, frames, redirects, WebSockets
and service workers alike). Here a name is resolved once, each of its addresses is judged as for a fetch, and the
connection goes to a judged one: an answer that changes afterwards changes nothing. What is refused is counted.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from research.web.faults import FetchFault
from research.web.guard import Policy, check_url, resolve_checked

MAX_HEAD = 65_536
MAX_BYTES = 30_000_000  # of all answers of one view
MAX_CONNECTIONS = 64
CONNECT_SECONDS, HEAD_SECONDS, IDLE_SECONDS = 10.0, 15.0, 60.0
MAX_NAMED = 5
CHUNK = 65_536


class Gate:
    """Listens on a port of its own; everything in the loop of the browser."""

    def __init__(self, policy: Policy, resolve: Callable[..., list[str]] = resolve_checked) -> None:
        self._policy, self._resolve = policy, resolve
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self.refused: list[str] = []
        self.received = 0
        self.port = 0

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=MAX_HEAD)
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        if self._server:
            self._server.close()
        for writer in list(self._open):
            writer.close()

    def begin_view(self) -> None:
        """Count anew."""
        self.refused, self.received = [], 0

    def notes(self) -> list[str]:
        """What was refused in this view, in sentences."""
        notes = []
        if self.refused:
            named = "; ".join(list(dict.fromkeys(self.refused))[:MAX_NAMED])
            notes.append(f"{len(self.refused)} requests of the page were refused: {named}")
        if self.received > MAX_BYTES:
            notes.append(f"The page is larger than {MAX_BYTES:,} bytes and was cut off there.")
        return notes

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._open) >= 2 * MAX_CONNECTIONS:
            writer.close()
            return
        self._open.add(writer)
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_SECONDS)
            await self._pass_on(head, reader, writer)
        except FetchFault as fault:
            self.refused.append(fault.message)  # without an answer: to the page the address is not there
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError, ValueError):
            with suppress(OSError):
                writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        except asyncio.CancelledError:
            return  # the loop ends; Python 3.11 would log the handler of a connection that is cancelled
        finally:
            self._open.discard(writer)
            writer.close()

    async def _pass_on(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        method, target, lines = _parted(head)
        if method == "CONNECT":
            there = await self._connect(f"https://{target}/")
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            there = await self._connect(target)
            there[1].write(_forwarded(method, target, lines, self._policy))
        self._open.add(there[1])
        try:
            await self._between((reader, writer), there)
        finally:
            self._open.discard(there[1])
            there[1].close()

    async def _connect(self, url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to a judged address of the URL's host. Raises FetchFault, OSError."""
        address = check_url(url, self._policy)
        loop = asyncio.get_running_loop()
        addresses = await loop.run_in_executor(
            None, lambda: self._resolve(address.host, address.port, policy=self._policy)
        )
        for place in addresses[:2]:
            with suppress(OSError, TimeoutError):
                return await asyncio.wait_for(
                    asyncio.open_connection(place, address.port, limit=MAX_HEAD), CONNECT_SECONDS
                )
        raise OSError(f"{address.host} does not take connections")

    async def _between(
        self,
        here: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        there: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        """Carry bytes both ways until the answer ends."""
        up = asyncio.ensure_future(self._carry(here[0], there[1], counted=False))
        try:
            await self._carry(there[0], here[1], counted=True)
        finally:
            up.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await up

    async def _carry(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, counted: bool
    ) -> None:
        with suppress(OSError):
            while chunk := await source.read(CHUNK):
                if counted:
                    self.received += len(chunk)
                    if self.received > MAX_BYTES:
                        return
                sink.write(chunk)
                await sink.drain()


def _parted(head: bytes) -> tuple[str, str, list[str]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    return method, target, [line for line in lines if line]


def _forwarded(method: str, url: str, lines: list[str], policy: Policy) -> bytes:
    """The request as its site gets it: the path alone, nothing of the proxy, and one request a connection."""
    address = check_url(url, policy)
    path = "/" + url.partition("://")[2].partition("/")[2] if "/" in url.partition("://")[2] else "/"
    dropped = ("proxy-", "connection:", "keep-alive:", "host:")
    kept = [line for line in lines if not line.lower().startswith(dropped)]
    request = [f"{method} {path} HTTP/1.1", f"Host: {address.authority}", *kept, "Connection: close"]
    return ("\r\n".join(request) + "\r\n\r\n").encode("latin-1")
