"""Sites on loopback: one that answers by a table of pages, and one that sends raw bytes and may hang."""

import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from research.web.fetch import Fetcher, Limits
from research.web.guard import Policy
from research.web.pacing import HostPacer


@dataclass
class Page:
    body: bytes = b""
    mime: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Route = Page | Callable[[BaseHTTPRequestHandler], Page]


class Site:
    """``pages`` maps paths (with query) to answers; what is not listed is 404. ``asked`` are (path, headers)."""

    def __init__(self, pages: Mapping[str, Route] | None = None, tls: ssl.SSLContext | None = None) -> None:
        self.pages: dict[str, Route] = dict(pages or {})
        self.asked: list[tuple[str, dict[str, str]]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                route = site.pages.get(self.path, Page(b"not here", status=404))
                page = route if isinstance(route, Page) else route(self)
                self.send_response(page.status)
                headers = {"Content-Type": page.mime, "Content-Length": str(len(page.body)), **page.headers}
                for name, value in headers.items():
                    if value:
                        self.send_header(name, value)
                self.end_headers()
                self.wfile.write(page.body)

            def log_message(self, *args: object) -> None:
                return

        class Server(ThreadingHTTPServer):
            def handle_error(self, *args: object) -> None:
                return  # clients that hang up in the middle are what these tests are about

        self._server = Server(("127.0.0.1", 0), Handler)
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port: int = self._server.server_address[1]
        self.scheme = "https" if tls else "http"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"{self.scheme}://{host}:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class RawSite:
    """Answers every connection with the given bytes; then closes it, or with ``hang`` waits until the test is over.

    robots.txt is answered with 404 as any site would.
    """

    def __init__(self, *parts: bytes, hang: bool = False) -> None:
        self._parts, self._hang, self._over = parts, hang, threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def close(self) -> None:
        self._over.set()
        self._listener.close()

    def _serve(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            try:
                request = connection.recv(65_536)
                if request.startswith(b"GET /robots.txt"):
                    connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                    return
                for part in self._parts:
                    connection.sendall(part)
                if self._hang:
                    self._over.wait(30)
            except OSError:
                return


def fetcher_for(
    *sites: Site | RawSite,
    hosts: tuple[str, ...] = ("127.0.0.1",),
    limits: Mapping[str, float] | None = None,
    **options: object,
) -> Fetcher:
    """A fetcher that may read these sites and nothing else on loopback, and does not pace."""
    allow = frozenset((host, site.port) for site in sites for host in hosts)
    bounds = Limits(**{"seconds": 10.0, **(limits or {})})
    return Fetcher(**{"policy": Policy(allow), "limits": bounds, "pacer": HostPacer(0), **options})
