"""One scripted server on the loopback address that speaks all three protocols, plain and streaming, and keeps a bill.

    python -m tests.llm.doubles.server --port 8099 --script seven-turns [--latency 500] [--refuse tools]

It prints ``ready PORT`` when it listens. Base URLs: ``http://127.0.0.1:PORT`` for Anthropic, the same with ``/v1`` for
OpenAI and Chat Completions. ``GET /bill`` says what was asked, answered and charged. Which turn is played is counted
from the conversation itself, so it does not matter how often a client was killed; faults are played once in it. A
request that the real service would refuse is refused with a 400, and listed as a violation in the bill.
"""

import argparse
import json
import math
import socket
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType
from typing import Any

from tests.llm.doubles import anthropic_wire, chat_wire, responses_wire
from tests.llm.doubles.scripts import FAULTS, Turn, load_script

WIRES: dict[str, ModuleType] = {
    "/v1/messages": anthropic_wire,
    "/v1/responses": responses_wire,
    "/v1/chat/completions": chat_wire,
}
USAGE = {"input": 1000, "output": 100, "cached": 0, "written": 0, "searches": 0}
KEYS = ("x-api-key", "authorization")


@dataclass
class Prices:
    """US dollars for a million tokens, and for a thousand searches."""

    input: float = 3.0
    cached: float = 0.3
    written: float = 3.75
    output: float = 15.0
    searches: float = 10_000.0  # for a million, like the others: 10 for a thousand

    def of(self, usage: dict[str, int]) -> float:
        return math.fsum(getattr(self, key) * number / 1_000_000 for key, number in usage.items())


@dataclass
class Bill:
    """``answered`` arrived whole; ``lost`` were worked on and charged, but broken off or never sent."""

    requests: int = 0
    answered: int = 0
    refused: int = 0
    lost: int = 0
    polls: int = 0
    cancelled: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    usd: float = 0.0
    usd_lost: float = 0.0
    in_flight: int = 0
    peak_in_flight: int = 0
    violations: list[str] = field(default_factory=list)

    def charge(self, usage: dict[str, int], usd: float, *, lost: bool) -> None:
        self.tokens.update(usage)
        self.usd += usd
        self.usd_lost += usd if lost else 0
        self.lost += lost
        self.answered += not lost


class Double(ThreadingHTTPServer):
    """``with Double(script) as double:`` serves on a free port until the block ends."""

    daemon_threads = True
    request_queue_size = 512
    block_on_close = False

    def __init__(
        self,
        script: Sequence[Turn],
        *,
        port: int = 0,
        latency: float = 0.0,
        refuse: Sequence[str] = (),
        polls: int = 1,
        prices: Prices | None = None,
    ) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.script, self.latency, self.refuse, self.polls = list(script), latency, set(refuse), polls
        self.prices, self.bill = prices or Prices(), Bill()
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.known: dict[ModuleType, dict[str, list[dict[str, Any]]]] = {wire: {} for wire in WIRES.values()}
        self.played: Counter[tuple[str, int]] = Counter()
        self.jobs: dict[str, dict[str, Any]] = {}
        self.looks: list[str] = []  # what becomes of the next looks for an answer: "cut" or "busy"
        self.serial = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> "Double":
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self.stopping.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves in the middle is what some tests are about."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def bodies(self, path: str = "") -> list[dict[str, Any]]:
        return [body for asked, _, body in self.requests if path in asked]

    def bill_as_json(self) -> dict[str, Any]:
        with self.lock:
            bill = dict(vars(self.bill))
        return {
            **bill,
            "tokens": dict(bill["tokens"]),
            "usd": round(bill["usd"], 9),
            "usd_lost": round(bill["usd_lost"], 9),
        }

    def next_turn(self, wire: ModuleType, request: dict[str, Any]) -> tuple[Turn, dict[str, Any] | None, int]:
        """The turn that this conversation has come to, the fault to play instead of it, and a serial number."""
        place = min(wire.turns_so_far(request), len(self.script) - 1)
        turn = self.script[place]
        if turn.get("calls") and not wire.offers_tools(request):
            turn = _in_text(turn) if '"tool_calls"' in wire.instructions(request) else self.script[-1]
        with self.lock:
            self.serial += 1
            before = turn.get("before", ())
            key = (wire.question(request), place)
            number = self.played[key]
            fault = before[number] if number < len(before) else None
            self.played[key] += fault is not None
            return turn, FAULTS[fault] if isinstance(fault, str) else fault, self.serial


def _in_text(turn: Turn) -> Turn:
    calls = [{"tool": call["name"], "arguments": call.get("arguments", {})} for call in turn["calls"]]
    text = turn.get("raw_text") or json.dumps({"tool_calls": calls, "reasoning": turn.get("text", "")})
    return {**{key: value for key, value in turn.items() if key != "calls"}, "text": text}


class Handler(BaseHTTPRequestHandler):
    """One connection. Everything is answered through ``self.double``."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Double

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        if self.path == "/bill":
            return self._json(200, self.server.bill_as_json())
        job = self.server.jobs.get(self.path.rpartition("/")[2])
        if job is None:
            return self._json(404, {"error": {"message": "not found", "type": "invalid_request_error"}})
        if self.server.looks:
            return self._fail_look(self.server.looks.pop(0), job["answer"])
        with self.server.lock:
            self.server.bill.polls += 1
            job["left"] -= 1
            answer = (
                job["answer"] if job["left"] < 0 else {**job["answer"], "status": "in_progress", "output": []}
            )
        return self._json(200, answer)

    def _fail_look(self, how: str, answer: dict[str, Any]) -> None:
        if how == "cut":
            return self._bytes(200, json.dumps(answer).encode(), {}, cut="cut")
        busy = {"error": {"message": "later", "type": "rate_limit_exceeded"}}
        return self._json(429, busy, {"Retry-After": "7"})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.endswith("/cancel"):
            return self._cancel(self.path.split("/")[-2])
        path = self.path.partition("?")[0]
        headers = {key.lower(): value for key, value in self.headers.items()}
        request: dict[str, Any] = json.loads(raw)
        with self._counted():
            self.server.requests.append((path, headers, request))
            wire = WIRES.get(path)
            if wire is None:
                return self._json(404, {"error": {"message": f"no {path} here", "type": "not_found_error"}})
            return self._play(wire, request, headers)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        bill, lock = self.server.bill, self.server.lock
        with lock:
            bill.requests += 1
            bill.in_flight += 1
            bill.peak_in_flight = max(bill.peak_in_flight, bill.in_flight)
        try:
            yield
        finally:
            with lock:
                bill.in_flight -= 1

    def _play(self, wire: ModuleType, request: dict[str, Any], headers: dict[str, str]) -> None:
        refused = self._refused(request)
        if refused:
            return self._fault(wire, FAULTS[refused], headers)
        wrong = list(wire.violations(request, headers, self.server.known[wire]))
        if wrong:
            with self.server.lock:
                self.server.bill.violations += wrong
            return self._fault(wire, {**FAULTS["invalid"], "message": "; ".join(wrong)}, headers)
        turn, fault, serial = self.server.next_turn(wire, request)
        self.server.stopping.wait(self.server.latency)
        how = (fault or {}).get("how")
        if fault and how not in ("cut", "cut_softly", "hang", "drip", "late"):
            return self._fault(wire, fault, headers)
        usage = (
            USAGE | {"searches": int("search" in turn and wire is not chat_wire)} | (turn.get("usage") or {})
        )
        answer = wire.answer(turn, request, serial, usage)
        if turn.get("usage", {}) is None:
            del answer["usage"]
        with self.server.lock:
            self.server.bill.charge(usage, self.server.prices.of(usage), lost=bool(how))
            for call_id, blocks in wire.issued(answer):  # an id that comes again is known by its first call
                self.server.known[wire].setdefault(call_id, blocks)
        if request.get("background"):
            return self._begin(answer)
        return self._send(wire, answer, stream=bool(request.get("stream")), how=how)

    def _refused(self, request: dict[str, Any]) -> str:
        refuse = self.server.refuse
        shaped = any(key in request for key in ("response_format", "output_config", "text"))
        if "tools" in refuse and request.get("tools"):
            return "no_tools"
        if "thinking" in refuse and request.keys() & {"thinking", "reasoning", "reasoning_effort"}:
            return "no_thinking"
        return "no_schema" if "schema" in refuse and shaped else ""

    def _begin(self, answer: dict[str, Any]) -> None:
        with self.server.lock:
            self.server.jobs[answer["id"]] = {"answer": answer, "left": self.server.polls}
        self._json(200, {**answer, "status": "queued", "output": [], "usage": None})

    def _cancel(self, job: str) -> None:
        with self.server.lock:
            self.server.bill.cancelled += 1
            kept = self.server.jobs.get(job)
            if kept:
                kept["answer"] = {**kept["answer"], "status": "cancelled", "output": []}
                kept["left"] = 0
        self._json(200, kept["answer"] if kept else {})

    def _fault(self, wire: ModuleType, fault: dict[str, Any], headers: dict[str, str]) -> None:
        with self.server.lock:
            self.server.bill.refused += 1
        if fault.get("how") == "hang_up":
            self.close_connection = True
            return self.connection.shutdown(socket.SHUT_RDWR)
        if "raw" in fault:
            return self._bytes(200, fault["raw"].encode(), {})
        key = next((headers[name].removeprefix("Bearer ") for name in KEYS if name in headers), "")
        error = {name: fault.get(name) for name in ("type", "code", "param") if name in fault}
        body: dict[str, Any] = {"error": {**error, "message": fault["message"].replace("{key}", key)}}
        if wire is anthropic_wire:
            body |= {"type": "error", "request_id": "req_1"}
        return self._json(fault["status"], body, fault.get("headers", {}))

    def _send(self, wire: ModuleType, answer: dict[str, Any], *, stream: bool, how: str | None) -> None:
        if how == "hang":
            self.close_connection = True
            self.server.stopping.wait()
        elif how in ("drip", "late"):
            self._drip(late=how == "late")
        elif stream:
            self._stream([_event(name, data) for name, data in wire.events(answer)], how)
        else:
            body = json.dumps(wire.whole(answer)).encode()
            self._bytes(200, body, {}, cut=how)

    def _stream(self, parts: list[bytes], how: str | None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for part in parts[: len(parts) // 2] if how else parts:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        if how == "cut":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _drip(self, *, late: bool) -> None:
        self.close_connection = True
        if late:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while late and not self.server.stopping.wait(0.02):
            self.wfile.write(b"x")
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        while not self.server.stopping.wait(0.02):
            self.wfile.write(b" ")

    def _json(self, status: int, data: Any, headers: dict[str, str] | None = None) -> None:
        self._bytes(status, json.dumps(data).encode(), headers or {})

    def _bytes(self, status: int, body: bytes, headers: dict[str, str], cut: str | None = None) -> None:
        sent = body[: len(body) // 2] if cut else body
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent if cut == "cut_softly" else body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)
        if cut:
            self.close_connection = True


def _event(name: str, data: Any) -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", default="seven-turns", help="a name, or a JSON file with a list of turns")
    parser.add_argument("--latency", type=float, default=0.0, help="milliseconds before each answer")
    parser.add_argument(
        "--polls", type=int, default=1, help="how often a background response is still in the making"
    )
    parser.add_argument("--refuse", action="append", default=[], choices=["tools", "schema"])
    given = parser.parse_args()
    double = Double(
        load_script(given.script),
        port=given.port,
        latency=given.latency / 1000,
        refuse=given.refuse,
        polls=given.polls,
    )
    print("ready", double.server_address[1], flush=True)  # noqa: T201 - who started it waits for this line
    try:
        double.serve_forever()
    except KeyboardInterrupt:
        double.server_close()


if __name__ == "__main__":
    main()
