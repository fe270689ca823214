"""A search provider on loopback: it answers as it is told and remembers what it was asked."""

import json
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


@dataclass
class Reply:
    """``body`` is JSON unless it is bytes. ``drip`` sends a byte at a time until the test ends; ``late`` does so
    with its headers, ``hang`` sends nothing at all; ``cut`` closes the line before the promised length."""

    body: object = field(default_factory=dict)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    drip: bool = False
    late: bool = False
    cut: bool = False

    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass(frozen=True)
class Question:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: object


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up in the middle is what some tests are about."""


class Double:
    """``replies`` are given in order, the last one again and again."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.questions: list[Question] = []
        self._lock, self._stopping = threading.Lock(), threading.Event()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answers(self, *replies: Reply | dict | list | bytes) -> None:
        self.replies = [reply if isinstance(reply, Reply) else Reply(reply) for reply in replies]

    def __enter__(self) -> "Double":
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _next(self, question: Question) -> Reply:
        with self._lock:
            return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    def _handler(double) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - self is the handler's
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                with suppress(ConnectionError):
                    self._reply()

            def do_POST(self) -> None:
                self.do_GET()

            def _reply(self) -> None:
                parts = urlsplit(self.path)
                length = int(self.headers.get("Content-Length", 0))
                sent = json.loads(self.rfile.read(length)) if length else None
                query = {key: values[0] for key, values in parse_qs(parts.query).items()}
                question = Question(self.command, parts.path, query, dict(self.headers), sent)
                double.questions.append(question)
                self._send(double._next(question))

            def _send(self, reply: Reply) -> None:
                if reply.hang:
                    double._stopping.wait()
                    self.close_connection = True
                    return
                if reply.late:
                    self._drip(b"HTTP/1.1 200 OK\r\n" + b"X-Padding: x\r\n" * 1_000)
                    return
                content = reply.content()
                self.send_response(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content) + 10 * reply.cut))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.close_connection = self.close_connection or reply.cut
                if reply.drip:
                    self._drip(content)
                else:
                    self.wfile.write(content)

            def _drip(self, content: bytes) -> None:
                self.close_connection = True
                for i in range(len(content)):
                    self.wfile.write(content[i : i + 1])
                    if double._stopping.wait(0.05):
                        return

            def log_message(self, format: str, *args: object) -> None:
                """Silence: the questions are remembered."""

        return Handler


class Clock:
    """Time for tests: sleeping moves it, nothing else does."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Scripted:
    """A provider that gives hits or raises faults in the order they are given, the last one again and again."""

    def __init__(self, name: str, *script: object) -> None:
        self.name, self.script, self.asked = name, list(script), []
        self.seconds: list[float] = []

    def search(self, query: str, max_results: int, *, seconds: float) -> object:
        self.asked.append(query)
        self.seconds.append(seconds)
        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        step = step(query) if callable(step) else step
        if isinstance(step, BaseException):
            raise step
        return step
