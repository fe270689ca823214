"""Fedlex and onlinekommentar.ch as local servers, of the shapes that their answers have."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

PAGE = """<!DOCTYPE html><html><body><main>
<article id="art_363"><a name="a363"></a><h6 class="heading"><b>Art. 363</b></h6><div class="collapseable">
<p class="absatz">Durch den Werkvertrag verpflichtet sich der Unternehmer zur Herstellung eines Werkes.</p>
<div class="footnotes"><p>Fassung gemäss Ziff. I</p></div></div></article>
<article id="art_368"><h6><b>Art. 368</b></h6><p><sup>1</sup> Leidet das Werk an erheblichen Mängeln.</p>
<p><sup>2</sup> Sind die Mängel minder erheblich.</p></article>
<article id="art_336_c"><h6><b>Art. 336</b><i>c</i><sup><a href="#fn">12</a></sup> Kündigung zur Unzeit</h6>
<p>Nach Ablauf der Probezeit.</p></article>
</main></body></html>"""


WORK = "https://fedlex.data.admin.ch/eli/cc"
ACTS = [
    (f"{WORK}/1993/945_945_945", "235.1", "Bundesgesetz über den Datenschutz", "DSG", "2023-09-01"),
    (f"{WORK}/1993/945_945_945", "235.10", "Bundesgesetz über den Datenschutz", "DSG", "2023-09-01"),
    (f"{WORK}/2022/568", "235.11", "Verordnung über den Datenschutz", "DSV", "2023-09-01"),
]
RELATED = [
    ("cites_it", f"{WORK}/24/233_245_233", "210", "Schweizerisches Zivilgesetzbuch"),
    ("is_cited", f"{WORK}/2010/262", "272", "Schweizerische Zivilprozessordnung"),
    ("changed_it", "https://fedlex.data.admin.ch/eli/oc/2020/957", "", "OR (Aktienrecht)"),
]
METADATA = {
    "work": f"{WORK}/27/317_321_377",
    "title": "Bundesgesetz betreffend die Ergänzung des Schweizerischen Zivilgesetzbuches",
    "document": "1911-03-30",
    "since": "1912-01-01",
    "versions": "93",
    "latest": "2025-01-01",
}


class _Server:
    """A context manager; ``status`` is answered instead of anything else, ``asked`` is what came."""

    def __init__(self) -> None:
        self.status = 200
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

    def answer(self, path: str, form: dict[str, list[str]]) -> tuple[int, str]:
        raise NotImplementedError

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._reply({})

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self._reply(parse_qs(body))

            def _reply(self, form: dict[str, list[str]]) -> None:
                server.asked.append(self.path)
                status, text = (
                    server.answer(self.path, form) if server.status == 200 else (server.status, "{}")
                )
                data = text.encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


class ActServer(_Server):
    """Fedlex, which knows the Code of Obligations."""

    def __init__(self) -> None:
        super().__init__()
        self.page = PAGE
        self.file = "https://fedlex.data.admin.ch/filestore/eli/cc/27/317_321_377/20250101/de/html/or.html"
        self.queries: list[str] = []

    def answer(self, path: str, form: dict[str, list[str]]) -> tuple[int, str]:
        if path == "/sparqlendpoint":
            query = form["query"][0]
            self.queries.append(query)
            return 200, json.dumps({"results": {"bindings": self._rows(query)}})
        return (200, self.page) if path.startswith("/filestore/") else (404, "")

    def _rows(self, query: str) -> list[dict[str, Any]]:
        if "jolux:LegalResourceSubdivision" in query or "citationToLegalResource" in query:
            rows = [dict(zip(("how", "other", "number", "title"), one, strict=True)) for one in RELATED]
        elif "CONTAINS(" in query:
            words = re.findall(r'"(\w+)"\)', query)
            rows = [dict(zip(("work", "sr", "title", "short", "since"), one, strict=True)) for one in ACTS]
            rows = [row for row in rows if all(word in row["title"].lower() for word in words)]
        elif 'str(?sr) = "220"' not in query:
            rows = []
        elif "COUNT(" in query:
            rows = [METADATA]
        else:
            return [self._row()]
        return [{name: {"type": "literal", "value": value} for name, value in row.items()} for row in rows]

    def _row(self) -> dict[str, Any]:
        cells = {
            "work": "https://fedlex.data.admin.ch/eli/cc/27/317_321_377",
            "date": "2025-01-01",
            "title": "Bundesgesetz betreffend die Ergänzung des Schweizerischen Zivilgesetzbuches",
            "short": "OR",
            "file": self.file,
        }
        return {name: {"type": "literal", "value": value} for name, value in cells.items()}


class CommentaryServer(_Server):
    """onlinekommentar.ch with two commentaries."""

    def __init__(self) -> None:
        super().__init__()
        self.page_size = 50
        self.records = [_record("ok-1", "Art. 363 OR", "Das Werk ist der Erfolg, den der Unternehmer schuldet."),
                        _record("ok-2", "Art. 3 OR", "Ein anderer Artikel.")]  # fmt: skip

    def answer(self, path: str, form: dict[str, list[str]]) -> tuple[int, str]:
        parts = urlsplit(path)
        if parts.path == "/commentaries":
            asked = parse_qs(parts.query)
            wanted = asked.get("search", [""])[0].casefold().split() or [""]
            found = [one for one in self.records if any(word in one["title"].casefold() for word in wanted)]
            listed = [{key: one[key] for key in one if key != "content"} for one in found]
            start = (int(asked.get("page", ["1"])[0]) - 1) * self.page_size
            meta = {"total": len(listed), "last_page": -(-len(listed) // self.page_size)}
            return 200, json.dumps({"data": listed[start : start + self.page_size], "meta": meta})
        identifier = unquote(parts.path.rpartition("/")[2])
        found = [one for one in self.records if one["id"] == identifier]
        return (200, json.dumps({"data": found[0]})) if found else (404, "{}")


def _record(identifier: str, title: str, text: str) -> dict[str, Any]:
    return {
        "id": identifier,
        "title": title,
        "date": "2024-05-18",
        "language": "de",
        "authors": [{"id": "a1", "name": "Anna Muster"}],
        "legislative_act": {"id": "act-1", "title": "Code of Obligations"},
        "html_link": f"https://onlinekommentar.ch/de/kommentare/{identifier}",
        "content": f"<h2>I. Allgemeines</h2><p>{text}</p><script>alert(1)</script>",
    }
