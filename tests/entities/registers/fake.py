"""A register on loopback: it answers by path, remembers what it was asked, and can be given trouble."""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


@dataclass
class Reply:
    """``body`` is JSON unless it is bytes."""

    body: object = field(default_factory=dict)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass(frozen=True)
class Question:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: str


Answering = Callable[[Question], Reply]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # more than come at once: who finds it full tries again after a second

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up in the middle is what some tests are about."""


class Fake:
    """``route`` gives the answers of a path; ``trouble`` are answered first, one after the other."""

    def __init__(self) -> None:
        self.routes: dict[str, Answering] = {}
        self.trouble: list[Reply] = []
        self.questions: list[Question] = []
        self.guard: Callable[[Question], Reply | None] = lambda question: None
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def route(self, path: str, answer: object) -> None:
        """``answer`` is a Reply, a function of the question, or the JSON of a 200."""
        if callable(answer):
            self.routes[path] = answer
        else:
            reply = answer if isinstance(answer, Reply) else Reply(answer)
            self.routes[path] = lambda question: reply

    def answer(self, question: Question) -> Reply:
        with self._lock:
            self.questions.append(question)
            if self.trouble:
                return self.trouble.pop(0)
        refused = self.guard(question)
        if refused is not None:
            return refused
        known = self.routes.get(question.path)
        return known(question) if known else Reply({"errors": [{"error": "not-found"}]}, 404)

    def __enter__(self) -> "Fake":
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(fake) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - self is the handler's
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                with suppress(ConnectionError):
                    self._reply()

            do_POST = do_GET  # noqa: N815 - http.server names its methods so

            def _reply(self) -> None:
                parts = urlsplit(self.path)
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length).decode()
                headers = {name.lower(): value for name, value in self.headers.items()}
                query = dict(parse_qsl(parts.query, keep_blank_values=True))
                reply = fake.answer(Question(self.command, parts.path, query, headers, body))
                content = reply.content()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                """Tests are silent."""

        return Handler
