"""Crossref and arXiv as a local server of the documented shapes."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

FEED = '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>query</title>{}</feed>'
ENTRY = "<entry><id>http://arxiv.org/abs/{}</id><published>2021-01-04T00:00:00Z</published><title>{}</title></entry>"


class RegistryServer:
    """``works`` are titles by DOI, ``papers`` titles by number with version; ``trouble`` is a status or a body."""

    def __init__(self) -> None:
        self.works: dict[str, str] = {}
        self.papers: dict[str, str] = {}
        self.trouble: int | str = 0
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

    def answer(self, path: str) -> tuple[int, str]:
        self.asked.append(path)
        if isinstance(self.trouble, int) and self.trouble:
            return self.trouble, "trouble"
        if isinstance(self.trouble, str):
            return 200, self.trouble
        where = urlsplit(path)
        if where.path.startswith("/works/"):
            return self._work(unquote(where.path.removeprefix("/works/")))
        return 200, FEED.format(self._entries(parse_qs(where.query)["id_list"][0]))

    def _work(self, doi: str) -> tuple[int, str]:
        if doi not in self.works:
            return 404, "Resource not found."
        message = {"DOI": doi, "title": [self.works[doi]], "issued": {"date-parts": [[2019, 3]]}}
        return 200, json.dumps({"status": "ok", "message-type": "work", "message": message})

    def _entries(self, wanted: str) -> str:
        found = [(n, t) for n, t in self.papers.items() if n == wanted or n.partition("v")[0] == wanted]
        return "".join(ENTRY.format(number, escape(title)) for number, title in found)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, answer = server.answer(self.path)
                data = answer.encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler
