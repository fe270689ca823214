"""The demo register as a local HTTP server that can fail like the real one: for tests and rehearsals of trouble."""

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Literal, Self
from urllib.parse import parse_qsl, urlsplit

from entities.gleif.demo.adapter import path_below
from entities.gleif.demo.answers import DemoRegister
from entities.gleif.demo.facts import Entity

FaultKind = Literal["down", "slow", "throttled", "broken", "html", "truncated"]


@dataclass
class Fault:
    """What goes wrong, and for how many requests (None: until further notice)."""

    kind: FaultKind
    times: int | None = None
    retry_after: str | None = None
    seconds: float = 30.0
    status: int = 500


class DemoServer:
    """A context manager; ``url`` is the base URL, ``requests`` what was asked as (path, query)."""

    def __init__(self, entities: tuple[Entity, ...] | None = None) -> None:
        self.requests: list[tuple[str, dict[str, str]]] = []
        self._fault: Fault | None = None
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/api/v1"
        self._register = DemoRegister(entities, base=self.url)

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._http.shutdown()
        self._http.server_close()

    def fail(
        self,
        kind: FaultKind,
        *,
        times: int | None = None,
        retry_after: str | None = None,
        seconds: float = 30.0,
        status: int = 500,
    ) -> None:
        """From the next request on: close the line, wait, 429, 5xx, an HTML page, or half a body."""
        with self._lock:
            self._fault = Fault(kind, times, retry_after, seconds, status)

    def recover(self) -> None:
        with self._lock:
            self._fault = None

    def _take_fault(self) -> Fault | None:
        with self._lock:
            fault = self._fault
            if fault is None or fault.times == 0:
                return None
            if fault.times is not None:
                fault.times -= 1
            return fault

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = path_below(self.path, "/api/v1")
                query = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
                with server._lock:
                    server.requests.append((path, query))
                fault = server._take_fault()
                if fault is not None and _interfere(self, fault, server._stopping):
                    return
                status, body = server._register.answer(path, query)
                _reply(self, status, json.dumps(body).encode())

            def log_message(self, format: str, *args: object) -> None:
                """Silence: the requests are recorded."""

        return Handler


def _interfere(handler: BaseHTTPRequestHandler, fault: Fault, stopping: threading.Event) -> bool:
    """Do what the fault says; True when the request is thereby dealt with."""
    match fault.kind:
        case "down":
            handler.close_connection = True
        case "slow":
            return stopping.wait(fault.seconds)
        case "throttled":
            headers = {"Retry-After": fault.retry_after} if fault.retry_after is not None else {}
            _reply(handler, 429, b'{"errors":[{"status":"429"}]}', **headers)
        case "broken":
            _reply(handler, fault.status, b"<h1>Server Error</h1>", **{"Content-Type": "text/html"})
        case "html":
            page = b"<!doctype html><title>Sign in</title>"
            _reply(handler, 200, page, **{"Content-Type": "text/html"})
        case "truncated":
            _reply(handler, 200, b'{"data": [{"type": "lei-reco', **{"Content-Length": "900"})
    return True


def _reply(handler: BaseHTTPRequestHandler, status: int, body: bytes, **headers: str) -> None:
    handler.send_response(status)
    standard = {"Content-Type": "application/vnd.api+json", "Content-Length": str(len(body))}
    for name, value in {**standard, **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)
