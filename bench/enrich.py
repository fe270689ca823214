"""Enriching 100 entities that are fresh: how many calls leave the process, and how long it takes.

The market sources, the LEI register and the model server are one double on loopback that counts what it is asked. As a
proof that it would notice, one token that is not fresh is researched afterwards. The floor reads the same rows by their
keys and promises nothing. Run: ``python -m bench.enrich``.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from bench.floors import race
from bench.whole_path import empty_database

COUNT = 100
MINT = "So11111111111111111111111111111111111111112"
ADDRESSES = ("HELIUS", "BIRDEYE", "RUGCHECK", "X", "JUPITER", "OPENAI_CHAT", "GLEIF")
KEYS = ("HELIUS_API_KEY", "BIRDEYE_API_KEY", "X_BEARER_TOKEN", "JUPITER_API_KEY")


class Counter(BaseHTTPRequestHandler):
    """Refuses everything and remembers that it was asked."""

    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Silence."""


@contextmanager
def doubles() -> Iterator[list[str]]:
    """Every address that research could ask leads here."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Counter)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    os.environ |= {f"{name}_BASE_URL": url for name in ADDRESSES} | dict.fromkeys(KEYS, "bench")
    try:
        yield Counter.asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def fill() -> list[str]:
    """Entities with fresh findings; their names."""
    from entities.memory import create_entity, store_research_results

    names = [f"Entity Number {number}" for number in range(COUNT)]
    sources = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]
    for name in names:
        entity = create_entity(name=name, type="legal-entity")
        findings = {"summary": f"{name} is known.", "confidence": 70}
        store_research_results(entity=entity, findings=findings, sources=sources)
    return names


def read_rows(keys: list[str]) -> None:
    """The floor: each entity and its newest findings by key."""
    from entities.models import Entity, EntityResearch

    for key in keys:
        Entity.objects.get(pk=key)
        EntityResearch.objects.filter(entity_id=key).order_by("-at", "-id").first()


def research_one() -> None:
    """A token that nobody knows, by every source."""
    from research.engine.runner import perform_run
    from research.models import Run
    from research.services.enrichment import enrich

    done = enrich(identifiers=[MINT], trigger="cli", enqueue=False)
    if done.run is None:
        raise AssertionError("the token is not researched")
    perform_run(done.run.pk)
    for child in Run.objects.filter(parent=done.run):
        perform_run(child.pk)


def main() -> None:
    with doubles() as asked, empty_database() as vendor:
        from entities.models import Entity
        from research.models import Run
        from research.services.enrichment import enrich
        from research.services.macros import sync_macros

        sync_macros()
        names = fill()
        keys = [str(key) for key in Entity.objects.values_list("pk", flat=True)]
        ours, floor = race(
            lambda: enrich(identifiers=names, trigger="cli", enqueue=False), lambda: read_rows(keys)
        )
        calls, runs = len(asked), Run.objects.count()
        if calls or runs:
            raise AssertionError(f"{calls} calls left the process and {runs} runs were made")
        research_one()
        print(f"Enrich {COUNT} fresh entities, on {vendor}")
        print(
            f"  outside calls{calls:>14}    runs made {runs}    (one that is not fresh: {len(asked)} calls)"
        )
        print(f"  time{ours:>20.1f} ms {ours / floor:>6.1f} x  reading the rows by key ({floor:.1f} ms)")


if __name__ == "__main__":
    main()
