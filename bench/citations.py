"""How many megabytes of Swiss decisions a second are read, whether time grows with length alone, and eyecite beside it.

The floor is one pattern that only finds ``Art.`` and ``BGE`` with a number behind them. Real decisions are taken from
DOSSIER_SHARED_DATA when it is set, else the sentences of the tests are repeated in filling. Processor time of one core;
rounds are interleaved, the best counts. Run: ``python -m bench.citations``.
"""

import json
import logging
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from bench.hostile_text import patterns, repeated
from citations.extract import extract

logging.getLogger("eyecite").addHandler(logging.NullHandler())
SIZES = (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
ROUNDS = 3
PEER_SIZE = 300_000
FLOOR = re.compile(r"(?:Art\.|BGE)\s\d+")
FILLING = (
    "Die Beschwerdeführerin macht geltend, die Vorinstanz habe den Sachverhalt willkürlich festgestellt. " * 4
)
FIXTURES = "legal/entscheidsuche_fixtures"


def decisions() -> str:
    """The texts of recorded decisions, or an empty text."""
    folder = Path(os.environ.get("DOSSIER_SHARED_DATA", "../shared/data")) / FIXTURES
    texts: dict[str, str] = {}
    for path in sorted(folder.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        hits = document.get("hits", {}).get("hits", []) if isinstance(document, dict) else []
        for hit in hits:
            if content := hit["_source"].get("attachment", {}).get("content"):
                texts[hit["_id"]] = content
    return "\n".join(texts.values())


def sample() -> tuple[str, str]:
    """A text to repeat, and what it is."""
    if text := decisions():
        return text, "recorded decisions"
    from tests.citations.table import sentences

    return "\n".join(
        sentence.text + " " + FILLING for sentence in sentences()
    ), "sentences of the tests in filling"


def of_size(text: str, size: int) -> str:
    """About ``size`` bytes of UTF-8."""
    width = len(text.encode()) / len(text)
    length = int(size / width)
    return (text * (length // len(text) + 1))[:length]


def megabytes_a_second(read: Callable[[str], object], texts: list[str], rounds: int = ROUNDS) -> list[float]:
    """The best rate for each text, in MB of UTF-8 a second of processor time."""
    best = [0.0] * len(texts)
    for _ in range(rounds):
        for index, text in enumerate(texts):
            begin = time.process_time()
            read(text)
            took = time.process_time() - begin
            best[index] = max(best[index], len(text.encode()) / 1e6 / took)
    return best


def peer(text: str) -> str:
    """eyecite on the same text."""
    try:
        from eyecite import get_citations
    except ImportError:
        return "  eyecite is not installed (extra us)"
    short = of_size(text, PEER_SIZE)
    ours, theirs = (
        megabytes_a_second(extract, [short], 1)[0],
        megabytes_a_second(get_citations, [short], 1)[0],
    )
    false, true = len(get_citations(short)), len(extract(short))
    counts = f"{false} citations, all of another country; ours {ours:.1f} MB/s, {true} citations"
    return f"  {PEER_SIZE / 1e6:>6.1f} MB{theirs:>9.2f} MB/s   eyecite, {counts}"


def hostile(count: int = 400, seed: int = 1) -> str:
    """How much longer a byte takes in four times as much of the same hostile text; the worst pattern is named."""
    worst, slowest, of_them = ("", 0.0), ("", 0.0), 0
    for pieces in patterns(count, seed):
        short, long = (
            1 / rate
            for rate in megabytes_a_second(extract, [repeated(pieces, 20_000), repeated(pieces, 80_000)], 2)
        )
        of_them += 1
        worst = max(worst, (repr("".join(pieces)), long / short), key=lambda one: one[1])
        slowest = max(slowest, (repr("".join(pieces)), long), key=lambda one: one[1])
    return (
        f"  hostile   {of_them} patterns, 20 and 80 kB: time a byte at most {worst[1]:.2f} x that of the shorter"
        f" ({worst[0]}), the slowest {1 / slowest[1]:.2f} MB/s ({slowest[0]})"
    )


def main() -> None:
    text, what = sample()
    extract(text[:50_000])  # tables are read and patterns compiled once
    texts = [of_size(text, size) for size in SIZES]
    print(f"Extraction of citations, {what}, best of {ROUNDS} rounds")
    rates = megabytes_a_second(extract, texts)
    floor = megabytes_a_second(FLOOR.findall, texts[:3])[-1]
    for size, rate in zip(SIZES, rates, strict=True):
        print(
            f"  {size / 1e6:>6.1f} MB{rate:>9.2f} MB/s   time a byte {rates[0] / rate:.2f} x that of the shortest"
        )
    times = floor / rates[2]
    print(
        f"  {'floor':>6}   {floor:>9.2f} MB/s   a pattern without a grammar; ours takes {times:.1f} x its time"
    )
    print(peer(text))
    print(hostile())


if __name__ == "__main__":
    main()
