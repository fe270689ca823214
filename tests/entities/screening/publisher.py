"""A publisher of lists as a local server: files by path, redirects, error pages, lines that break."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import urlsplit


class ListServer:
    """``files`` are texts by path; ``status`` answers everything with it; ``redirects`` lead elsewhere.

    ``cut`` sends so many bytes less than it announces. ``asked`` are the paths with their queries.
    """

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.redirects: dict[str, str] = {}
        self.status, self.cut = 200, 0
        self.asked: list[str] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                path = urlsplit(self.path).path
                if path in server.redirects:
                    self.send_response(302)
                    self.send_header("Location", server.redirects[path])
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                status = server.status if path in server.files else 404
                body = server.files.get(path, "no such list").encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) - server.cut])

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler
