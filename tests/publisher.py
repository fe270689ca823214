"""GLEIF's publisher of golden copies as a local server: the list of files, and the files, with ranges and faults."""

import json
import threading
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

SCOPES = ("IntraDay", "LastDay", "LastWeek", "LastMonth")


class Publisher:
    """A context manager. ``offer`` puts a file on the list; ``asked`` is what was asked for, with the range."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.files: dict[str, bytes] = {}
        self.publishes: dict[str, dict[str, Any]] = {}
        self.cut_after: int | None = None  # bytes, for one answer
        self.ranges = True
        self.status = 200
        self.body: bytes | None = None  # instead of the list
        self.broken_off = False  # half of the list
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/api/v2"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def offer(
        self,
        kind: str,
        date: datetime,
        path: Path,
        scope: str = "full",
        *,
        records: int | None = None,
        size: int | None = None,
    ) -> None:
        self.files[path.name] = path.read_bytes()
        publish = self.publishes.setdefault(
            kind, {"type": kind, "publish_date": "", "full_file": {}, "delta_files": {}}
        )
        publish["publish_date"] = date.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
        facts = {
            "url": f"{self.url.removesuffix('/api/v2')}/storage/{path.name}",
            "size": len(self.files[path.name]) if size is None else size,
            "record_count": records,
            "delta_type": None if scope == "full" else scope,
        }
        if scope == "full":
            publish["full_file"] = {"csv": facts}
        else:
            publish["delta_files"][scope] = {"csv": facts}

    def names_asked(self) -> list[str]:
        return [path.rpartition("/")[2] for path, _ in self.asked if "/storage/" in path]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        publisher = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                publisher.asked.append((self.path, self.headers.get("Range", "")))
                if self.path == "/api/v2/golden-copies/publishes/latest":
                    body = publisher.body or json.dumps({"data": publisher.publishes}).encode()
                    sent = body[: len(body) // 2] if publisher.broken_off else body
                    self._reply(publisher.status, sent, len(body))
                else:
                    self._file(publisher.files.get(self.path.rpartition("/")[2]))

            def _file(self, data: bytes | None) -> None:
                if data is None:
                    self._reply(404, b"")
                    return
                start = int(self.headers.get("Range", "bytes=0-")[6:-1]) if publisher.ranges else 0
                if start >= len(data):
                    self._reply(416, b"")
                    return
                rest, cut = data[start:], publisher.cut_after
                publisher.cut_after = None
                self._reply(206 if start else 200, rest[:cut], len(rest))

            def _reply(self, status: int, body: bytes, length: int | None = None) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(body) if length is None else length))
                self.end_headers()
                self.wfile.write(body)
                self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                """Silence: what was asked is recorded."""

        return Handler
