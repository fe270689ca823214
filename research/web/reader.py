"""Reading documents in a child process that can be stopped.

A page or PDF can be made so that reading it takes minutes or gigabytes. A thread cannot be stopped, so the work is done
by a child with limits of its own: CPU seconds and memory are the operating system's to enforce, and whatever happens
to the child is one document that could not be read. The child has none of our environment, so no keys and no database.
It stays warm for the next document, ends when it has been idle, and with its parent whatever way that ends.
"""

import atexit
import json
import os
import queue
import select
import struct
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import IO

from research.jsontext import JsonObject
from research.web.extract import MAX_PAGES, Extracted, extract
from research.web.faults import FetchFault

ROOT = Path(__file__).resolve().parents[2]
JOBS = 100  # after which a child makes room for a fresh one
_KEPT = {
    name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ
}  # to find Python itself
_LENGTHS = struct.Struct(">II")  # of the header (JSON) and of the body


@dataclass(frozen=True)
class Bounds:
    """What one document may take: CPU seconds and bytes of the child, seconds by the clock with waiting for a child."""

    cpu_seconds: int = 20
    memory: int = 1_500_000_000
    seconds: float = 60.0
    idle_seconds: int = 300


@dataclass(frozen=True)
class Readable:
    """What a document says, cleaned, with what was suspicious about it."""

    document: Extracted
    warnings: tuple[str, ...]


class Reader:
    """Reads documents with at most ``children`` processes; safe to share between threads."""

    def __init__(self, bounds: Bounds | None = None, children: int = 2) -> None:
        self._bounds = bounds or Bounds()
        self._free: queue.LifoQueue[_Child | None] = queue.LifoQueue()
        self._children: set[_Child] = set()
        self._lock = threading.Lock()
        for _ in range(children):
            self._free.put(None)

    def read(
        self, body: bytes, *, mime: str, charset: str = "", url: str = "", max_pages: int = MAX_PAGES
    ) -> Readable:
        """The text of a fetched body, cleaned.

        Raises:
            FetchFault: ``unreadable``; ``busy`` when no child was free in time.
        """
        job = {"mime": mime, "charset": charset, "url": url, "max_pages": max_pages}
        return _readable(self._answer("read", job, body))

    def outline(self, body: bytes, *, charset: str = "", url: str = "", selector: str = "") -> JsonObject:
        """What a fetched HTML page offers to choose, its text cleaned (``research.web.outline``), with ``warnings``.

        Raises:
            FetchFault: as ``read`` does.
        """
        return _sound(self._answer("outline", {"charset": charset, "url": url, "selector": selector}, body))

    def _answer(self, what: str, about: JsonObject, body: bytes) -> JsonObject:
        job = {**about, "what": what, "cpu": self._bounds.cpu_seconds}
        end = time.monotonic() + self._bounds.seconds
        try:
            child = self._free.get(timeout=self._bounds.seconds)
        except queue.Empty:
            raise FetchFault("busy", "Too many documents are being read.", retryable=True) from None
        try:
            child = self._alive(child)
            answer = child.ask(job, body, end - time.monotonic())
            if answer is None and child.left():  # it had just gone home
                child = self._alive(child)
                answer = child.ask(job, body, end - time.monotonic())
        finally:
            self._free.put(child)
        if answer is None:
            raise FetchFault("unreadable", "Reading the document took too much time or memory.")
        return answer

    def close(self) -> None:
        """End the children; the next document starts new ones."""
        with self._lock:
            children, self._children = self._children, set()
        for child in children:
            child.stop()

    def _alive(self, child: "_Child | None") -> "_Child":
        if child is not None and child.fit():
            return child
        self._discard(child)
        child = _Child(self._bounds)
        with self._lock:
            self._children.add(child)
        return child

    def _discard(self, child: "_Child | None") -> None:
        if child is not None:
            with self._lock:
                self._children.discard(child)
            child.stop()


class _Child:
    """One process that reads one document after another."""

    def __init__(self, bounds: Bounds) -> None:
        command = [sys.executable, "-m", "research.web.reader", str(bounds.memory), str(bounds.idle_seconds)]
        self._process = subprocess.Popen(  # noqa: S603 - our own module, by this interpreter
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env={**_KEPT, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        self._jobs = 0

    def fit(self) -> bool:
        return self._process.poll() is None and self._jobs < JOBS

    def left(self) -> bool:
        """Whether it ended by itself because it had nothing to do."""
        return self._process.wait() == 0

    def ask(self, job: JsonObject, body: bytes, seconds: float) -> JsonObject | None:
        """The child's answer to one job; None when it died or took too long, and then it is over with it."""
        self._jobs += 1
        watch = threading.Timer(max(seconds, 0.0), self._process.kill)
        watch.daemon = True
        watch.start()
        try:
            assert self._process.stdin  # noqa: S101 - PIPE above
            assert self._process.stdout  # noqa: S101
            _send(self._process.stdin, job, body)
            received = _receive(self._process.stdout)
        except (
            OSError,
            ValueError,
        ):  # it died before it had read the whole job, or half-way through its answer
            received = None
        finally:
            watch.cancel()
        if received is None:
            self._process.kill()
            return None
        return received[0]

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue


@cache
def the_reader() -> Reader:
    """The reader of this process."""
    reader = Reader()
    atexit.register(reader.close)
    return reader


def _sound(answer: JsonObject) -> JsonObject:
    if "fault" in answer:
        raise FetchFault("unreadable", answer["fault"])
    return answer


def _readable(answer: JsonObject) -> Readable:
    _sound(answer)
    document = {**answer["document"], "links": tuple(answer["document"]["links"])}
    return Readable(Extracted(**document), tuple(answer["warnings"]))


def _send(stream: IO[bytes], header: JsonObject, body: bytes = b"") -> None:
    head = json.dumps(header).encode()
    stream.write(_LENGTHS.pack(len(head), len(body)))
    stream.write(head)
    stream.write(body)
    stream.flush()


def _receive(stream: IO[bytes]) -> tuple[JsonObject, bytes] | None:
    """A header and a body, or None at the end of the stream."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_length, body_length = _LENGTHS.unpack(lengths)
    head, body = stream.read(head_length), stream.read(body_length)
    if len(head) + len(body) != head_length + body_length:
        return None
    return json.loads(head), body  # noqa: TID251 - one of our processes wrote it


def serve(memory: int, idle_seconds: int) -> None:
    """The child's side: read jobs from standard input until it ends or nothing comes."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # no library may write between the answers
    while select.select([jobs], [], [], idle_seconds)[0]:
        received = _receive(jobs)
        if received is None:
            return
        job, body = received
        cpu = resource.getrusage(resource.RUSAGE_SELF)
        limit = int(cpu.ru_utime + cpu.ru_stime) + 1 + int(job.pop("cpu"))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        _send(answers, _work(job, body))


def _work(job: JsonObject, body: bytes) -> JsonObject:
    work = {"read": _read, "outline": _outlined}[job.pop("what")]
    try:
        return work(job, body)
    except FetchFault as fault:
        return {"fault": fault.message}
    except MemoryError:
        return {"fault": "Reading the document took too much memory."}
    except Exception as error:  # noqa: BLE001 - whatever a library stumbles over, the next document is read again
        return {"fault": f"The document cannot be read ({type(error).__name__})."}


def _read(job: JsonObject, body: bytes) -> JsonObject:
    from research.web.cleaning import clean_text  # its patterns are work for the child only

    found = extract(body, **job)
    title, text, unseen = map(clean_text, (found.title, found.text, found.unseen))
    document = {**asdict(found), "title": title.text, "text": text.text, "unseen": ""}
    hidden = [f"Out of sight: {warning}" for warning in unseen.warnings if warning not in text.warnings]
    return {"document": document, "warnings": list(dict.fromkeys([*title.warnings, *text.warnings, *hidden]))}


def _outlined(job: JsonObject, body: bytes) -> JsonObject:
    from research.web.cleaning import clean_text
    from research.web.outline import outline

    found = outline(body, **job)
    title, text = clean_text(found["title"]), clean_text(found["text"])
    for item in found["items"]:
        item["label"] = clean_text(item["label"]).text
    warnings = list(dict.fromkeys([*title.warnings, *text.warnings]))
    return {**found, "title": title.text[:500], "text": text.text, "warnings": warnings}


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))
