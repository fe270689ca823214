"""Names looked for in a register of a million: how fast, how many of the right ones, on both databases.

``python -m bench names`` fills the tables of the imported register with names of its own (``--count``, ``--seed``),
then asks for names with two slips through the same door as everybody. The PostgreSQL is one of our own on a spare port.
The floor, on PostgreSQL only, is what its trigrams do by themselves: the most similar names at a similarity of 0.5.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from bench.company_names import generate, misspell
from bench.servers import postgres
from bench.whole_path import empty_database
from entities.lei import complete

QUESTIONS, CHECKED = 200, 100
BATCH = 20_000


@dataclass(frozen=True)
class Figures:
    """Milliseconds, and the share of questions whose name is the first of the answer, or among the first ten."""

    name: str
    p50: float
    p95: float
    first: float
    ten: float

    def __str__(self) -> str:
        return f"  {self.name:<42}{self.p50:>8.1f}{self.p95:>9.1f}{self.first:>9.3f}{self.ten:>9.3f}"


def measure(count: int, seed: int) -> list[Figures]:
    """Fill the database in use, then ask."""
    with empty_database() as vendor:
        rows = [
            (complete(f"{number:018d}"), name, country)
            for number, (name, country) in enumerate(generate(count, seed))
        ]
        took = _fill(rows, vendor)
        print(
            f"  {vendor}: {count:,} names, filled in {took[0]:.0f} s, index in {took[1]:.0f} s",
            file=sys.stderr,
        )
        draw = random.Random(seed + 1)  # noqa: S311 - reproducible, not secret
        asked = draw.sample(rows, QUESTIONS)
        slips = [(misspell(name, draw), name) for _, name, _ in asked]
        figures = [
            _asked(f"{vendor}: two slips", slips, _search),
            _asked(f"{vendor}: the name itself", [(name, name) for _, name, _ in asked], _search),
        ]
        if vendor == "postgresql":
            figures.append(_asked("floor: similarity 0.5 alone", slips, _similar))
        return [*figures, _verified(vendor, asked[:CHECKED])]


def _fill(rows: list[tuple[str, str, str]], vendor: str) -> tuple[float, float]:
    from django.db import connection
    from django.utils import timezone

    from entities.models import GoldenCopyImport
    from entities.names.index import name_index

    index, begin = name_index(), time.perf_counter()
    index.remove(connection)
    stamp = timezone.now().isoformat()
    records = ((lei, name, place, _attributes(lei, name, place), stamp) for lei, name, place in rows)
    _write(vendor, RECORD, ((*row[:3], "GENERAL", "ACTIVE", "ISSUED", "", *row[3:]) for row in records))
    _write(vendor, NAME, _names(rows))
    GoldenCopyImport(
        kind="lei2",
        scope="full",
        source="made up",
        publish_date=timezone.now(),
        state="live",
        counts={"held": len(rows)},
    ).save()
    filled = time.perf_counter()
    if reason := index.install(connection):
        raise SystemExit(reason)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return filled - begin, time.perf_counter() - filled


RECORD = (
    "entities_leirecord (lei, legal_name, jurisdiction, category, entity_status, registration_status, successor, "
    "attributes, fetched_at, register, as_of)",
    ("local", "2026-11-20T00:00:00Z"),
)
NAME = ("entities_leiname (lei, name, key, type, language)", ("LEGAL_NAME", ""))


def _names(rows: list[tuple[str, str, str]]) -> Iterator[tuple[str, ...]]:
    from entities.names.keys import search_key

    return ((lei, name, search_key(name)) for lei, name, _ in rows)


def _attributes(lei: str, name: str, place: str) -> str:
    entity = {"legalName": {"name": name}, "jurisdiction": place, "status": "ACTIVE", "category": "GENERAL"}
    return json.dumps({"lei": lei, "entity": entity, "registration": {"status": "ISSUED"}})


def _write(vendor: str, table: tuple[str, tuple[str, ...]], rows: Iterable[tuple[str, ...]]) -> None:
    from django.db import connection, transaction

    target, rest = table
    with transaction.atomic(), connection.cursor() as cursor:
        if vendor == "postgresql":
            with cursor.copy(f"COPY {target} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row((*row, *rest))
            return
        marks = ", ".join(["%s"] * (target.count(",") + 1))
        waiting = iter(rows)
        while batch := [(*row, *rest) for row in islice(waiting, BATCH)]:
            cursor.executemany(f"INSERT INTO {target} VALUES ({marks})", batch)  # noqa: S608 - names of ours


def _search(text: str) -> list[str]:
    from entities.gleif.register import open_register

    return [match.record.legal_name for match in open_register("gleif").search(text, limit=10)]


def _similar(text: str) -> list[str]:
    from django.db import connection

    from entities.names.keys import search_key

    key = search_key(text)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_limit(0.5::real)")
        cursor.execute(
            "SELECT name FROM entities_leiname WHERE key %% %s ORDER BY similarity(key, %s) DESC LIMIT 10",
            [key, key],
        )
        return [name for (name,) in cursor.fetchall()]


def _asked(name: str, questions: list[tuple[str, str]], answer: Callable[[str], list[str]]) -> Figures:
    """Asked once to warm up what any process has warm, then measured."""
    for text, _ in questions[:10]:
        answer(text)
    times, first, ten = [], 0, 0
    for text, wanted in questions:
        begin = time.perf_counter()
        found = answer(text)
        times.append((time.perf_counter() - begin) * 1000)
        first += found[:1] == [wanted]
        ten += wanted in found
    return Figures(name, *_middle(times), first / len(questions), ten / len(questions))


def _verified(vendor: str, rows: list[tuple[str, str, str]]) -> Figures:
    """A hundred LEIs at once, with name and place, nothing remembered; the figures are of the whole hundred."""
    from entities.gleif import register
    from entities.gleif.checking import check_claims
    from entities.gleif.claims import Claim

    claims = [Claim(lei, name, place) for lei, name, place in rows]
    times, found = [], 0
    for _ in range(7):
        register._opened.clear()
        begin = time.perf_counter()
        reports = check_claims(claims, register=register.open_register("gleif"))
        times.append((time.perf_counter() - begin) * 1000)
        found = sum(report.record is not None for report in reports)
    return Figures(f"{vendor}: {len(rows)} LEIs verified at once", *_middle(times), found / len(rows), 0.0)


def _middle(times: list[float]) -> tuple[float, float]:
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def _in_a_process(vendor: str, options: argparse.Namespace) -> list[Figures]:
    command = [sys.executable, "-m", "bench.names", "--vendor", vendor]
    command += ["--count", str(options.count), "--seed", str(options.seed)]
    env: dict[str, Any] = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    if vendor == "sqlite":
        done = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE)
    else:
        with postgres() as server:
            done = subprocess.run(
                command, env=env | {"DATABASE_URL": server.url}, check=True, stdout=subprocess.PIPE
            )
    return [Figures(**figures) for figures in json.loads(done.stdout)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench names", description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=97)
    parser.add_argument("--vendor", choices=("sqlite", "postgresql"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.vendor:
        print(json.dumps([asdict(figures) for figures in measure(options.count, options.seed)]))
        return
    print(
        f"Names: {options.count:,} of them, {QUESTIONS} questions; load of the machine {os.getloadavg()[0]:.1f}"
    )
    print(f"  {'':<42}{'p50 ms':>8}{'p95 ms':>9}{'first':>9}{'in ten':>9}")
    for vendor in ("postgresql", "sqlite"):
        for figures in _in_a_process(vendor, options):
            print(figures, flush=True)


if __name__ == "__main__":
    main()
