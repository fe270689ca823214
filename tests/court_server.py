"""entscheidsuche.ch as a local server: decisions behind ``POST /_searchV2.php``, with its silent faults.

It searches as far as a test can tell: every word or phrase must occur, ``OR`` stands between alternatives, filters
are terms of ``hierarchy`` and languages and a range of dates. The faults of the real one are its own too.
"""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

SHARDS = 53
BOT_PAGE = {
    "message": "Access denied by Imunify360 bot-protection. IPs used for automation should be whitelisted"
}


def hit(
    reference: str,
    text: str = "",
    *,
    identifier: str = "",
    places: tuple[str, ...] = ("CH", "CH_BGer", "CH_BGer_004"),
    date: str = "2021-03-04",
    language: str | None = "de",
    abstract: str = "",
    title: str = "",
) -> dict[str, Any]:
    """One hit of the shape that the source gives."""
    tail = reference.strip().replace("_", "-").replace("/", "-").replace(" ", "-")
    identifier = identifier or f"{places[-1]}_{tail}_{date}"
    source: dict[str, Any] = {
        "date": date,
        "hierarchy": list(places),
        "title": dict.fromkeys(("de", "fr", "it"), title or f"Gericht {date} {reference.strip()}"),
        "abstract": dict.fromkeys(("de", "fr", "it"), abstract),
        "reference": [reference],
        "attachment": {
            "content_type": "text/html; charset=UTF-8",
            "language": language or "de",
            "content_url": f"https://entscheidsuche.ch/docs/{places[-1]}/{identifier}.html",
            "content": text,
            "content_length": len(text),
        },
        "meta": dict.fromkeys(("de", "fr", "it"), "Abteilung"),
        "scrapedate": "2026-01-01",
        "canton": places[0],
        "id": identifier,
    }
    if language:
        source["language"] = language
    return {"_index": "entscheidsuche.v2-test", "_id": identifier, "_score": 1.0, "_source": source}


class CourtServer:
    """A context manager. ``trouble`` is what it does instead of answering well; ``asked`` are the bodies it got."""

    def __init__(self, *hits: dict[str, Any]) -> None:
        self.hits = list(hits)
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.tree: dict[str, Any] = {}  # of courts
        self.trouble: str | int = ""  # "shards", "no_hits", "bot", "html", "timed_out", or an HTTP status
        self.troubles_left = 10**9
        self.headers: dict[str, str] = {}
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

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        self.asked.append(body)
        self.paths.append(path)
        trouble = self.trouble if self.troubles_left > 0 else ""
        self.troubles_left -= bool(trouble)
        if isinstance(trouble, int):
            return trouble, {"error": "trouble"}
        if trouble == "bot":
            return 200, BOT_PAGE
        if trouble == "html":
            return 200, "<html><body>One moment, please</body></html>"
        if path != "/_searchV2.php":  # the old index: none of today's fields
            return 200, _answer([], 0)
        found = _answer(*self._find(body))
        if trouble == "shards" or ("prefix" in json.dumps(body.get("query")) and '"_id"' in json.dumps(body)):
            return 200, {
                **_answer([], 0),
                "_shards": {"total": SHARDS, "successful": 6, "skipped": 0, "failed": 47},
            }
        if trouble == "timed_out":
            found["timed_out"] = True
        if trouble == "no_hits":
            del found["hits"]
        return 200, found

    def _find(self, body: dict[str, Any]) -> tuple[list[dict[str, Any]], int]:
        query = body["query"]
        if "term" in query:
            found = [one for one in self.hits if one["_id"] == query["term"]["_id"]]
        else:
            words = query["bool"]["must"][0]["query_string"]["query"]
            found = [one for one in self.hits if _holds(one, words)]
            found = [one for one in found if all(_passes(one, each) for each in query["bool"]["filter"])]
            found.sort(key=lambda one: -_weight(one, words))
        start = body.get("from", 0)
        return found[start : start + body["size"]], len(found)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, answer = server.answer(self.path, body)
                data = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
                self.send_response(status)
                for name, value in server.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self) -> None:
                data = json.dumps(server.tree).encode()
                self.send_response(200 if self.path == "/docs/Facetten_alle.json" else 404)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


def _answer(hits: list[dict[str, Any]], total: int) -> dict[str, Any]:
    return {
        "took": 3,
        "timed_out": False,
        "_shards": {"total": SHARDS, "successful": SHARDS, "skipped": 0, "failed": 0},
        "hits": {"total": {"value": total, "relation": "eq"}, "max_score": 1.0, "hits": hits},
    }


def _texts(one: dict[str, Any]) -> str:
    source = one["_source"]
    spoken = [text for name in ("title", "abstract", "meta") for text in source[name].values()]
    return " ".join([*spoken, *source["reference"], source["attachment"]["content"]]).casefold()


def _pieces(query: str) -> list[str]:
    return [(phrase or word).casefold() for phrase, word in re.findall(r'"([^"]+)"|(\S+)', query)]


def _holds(one: dict[str, Any], query: str) -> bool:
    text = " ".join(re.findall(r"\w+", _texts(one)))
    wanted: list[list[str]] = []
    either = False
    for piece in _pieces(query):
        if piece in ("or", "and"):
            either = piece == "or"
            continue
        words = " ".join(re.findall(r"\w+", piece))
        if either and wanted:
            wanted[-1].append(words)
        else:
            wanted.append([words])
        either = False
    return all(any(re.search(rf"\b{re.escape(each)}\b", text) for each in group) for group in wanted)


def _weight(one: dict[str, Any], query: str) -> int:
    borne = " ".join(one["_source"]["reference"]).casefold()
    return sum(piece in borne for piece in _pieces(query))


def _passes(one: dict[str, Any], each: dict[str, Any]) -> bool:
    source = one["_source"]
    if "terms" in each:
        ((field, values),) = each["terms"].items()
        return field == "hierarchy" and bool(set(values) & set(source["hierarchy"]))
    if "range" in each:
        bounds = each["range"]["date"]
        return bounds.get("gte", "") <= source["date"] <= bounds.get("lte", "9999")
    said = {key: value for should in each["bool"]["should"] for key, value in should["term"].items()}
    return said.get("language") == source.get("language") or (
        said.get("attachment.language") == source["attachment"]["language"]
    )
