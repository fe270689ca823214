"""What was known of an entity on a day, beside what is known now: how fast, in a memory of a million entities.

``python -m bench as_of`` fills entity memory with ``--count`` entities and three statements for each, by default
50,000, then reads random ones on both databases. The PostgreSQL is one of our own on a spare port. The floor is the
plain present: the entity's row and its current relationships, as pages read them.
"""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any, TypeAlias
from uuid import UUID

from bench.servers import postgres
from bench.whole_path import empty_database

ASKED, WARM, BATCH = 1_100, 100, 20_000
Read: TypeAlias = Callable[[UUID], int]
BORN = datetime(2024, 1, 1, tzinfo=UTC)
ENTITY = (
    "entities_entity (id, slug, name, symbol, type, lei, jurisdiction, aliases, verified, verified_by, "
    "pending_verification, metadata, created_at, updated_at)"
)
LINK = (
    "entities_relationship (subject_id, object_id, type, percentage, source, valid_from, metadata, created_at, "
    "updated_at)"
)
STATEMENT = (
    "entities_statement (subject_id, property, key, slot, object_id, value, data, share_low, share_high, "
    "share_low_open, share_high_open, valid_from, valid_to, valid_from_precision, valid_to_precision, recorded_from, "
    "recorded_to, source_kind, source, document, signed_by, confidence, salt)"
)


def measure(count: int, seed: int) -> list[tuple[str, float, float]]:
    """[(what, median, 95th percentile)] in milliseconds, of the database in use."""
    with empty_database() as vendor:
        begin = time.perf_counter()
        _fill(count, vendor)
        took = time.perf_counter() - begin
        print(f"  {vendor}: {count:,} entities, {3 * count:,} statements in {took:.0f} s", file=sys.stderr)
        draw = random.Random(seed)  # noqa: S311 - reproducible, not secret
        ids = [id_of(draw.randrange(1, count)) for _ in range(ASKED)]
        day, known = date(2025, 3, 1), BORN + timedelta(days=500)
        reads: dict[str, Read] = {
            "the present (floor)": _present,
            "today, from statements": _known,
            "as of a day": lambda pk: _known(pk, day=day),
            "as of a day, as known at a time": lambda pk: _known(pk, day=day, known_at=known),
            "all that was ever said": _history,
        }
        return [(f"{vendor}: {name}", *figures) for name, figures in _timed(reads, ids).items()]


def id_of(number: int) -> UUID:
    """Made-up keys in no order, as keys are."""
    return UUID(int=number * 0x9E3779B97F4A7C15 % 2**64 << 64 | number)


def _fill(count: int, vendor: str) -> None:
    from django.db import connection

    def text(value: Any) -> Any:
        return value.hex if vendor == "sqlite" and isinstance(value, UUID) else value

    entities = ([text(part) for part in _entity(number)] for number in range(count))
    links = ([text(part) for part in _link(number)] for number in range(1, count))
    said = ([text(part) for part in row] for number in range(count) for row in _statements(number))
    for table, rows in ((ENTITY, entities), (LINK, links), (STATEMENT, said)):
        write_rows(vendor, table, rows)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _entity(number: int) -> list[Any]:
    name = f"Example {number} GmbH"
    rest = [False, "", False, "{}", BORN, BORN]
    return [id_of(number), f"e-{number}", name, "", "legal-entity", "", "DE", "[]", *rest]


def _link(number: int) -> list[Any]:
    return [id_of(number), id_of(number // 10), "owned-by", 40, "report", date(2025, 1, 1), "{}", BORN, BORN]


def _statements(number: int) -> Iterator[list[Any]]:
    """A name, and an owner whose share changed on 1 January 2025, as was recorded a year after the first report."""
    later = BORN + timedelta(days=400)
    yield _said(number, "name", None, f"Example {number} GmbH", None, None, None, BORN, None)
    if not number:
        return
    owner = id_of(number // 10)
    yield _said(number, "owned-by", owner, "", 70, None, None, BORN, later)
    yield _said(number, "owned-by", owner, "", 40, date(2025, 1, 1), None, later, None)


def _said(number: int, what: str, other: Any, value: str, share: Any, *rest: Any) -> list[Any]:
    since, until, known, ended = rest
    slot = f"{number}-{what}-{since}"[:32]
    held = [since, until, "day", "day", known, ended]
    said = [id_of(number), what, "", slot, other, value, "{}", share, share, False, False]
    return [*said, *held, "document", "report", "", "ada", 100, f"{number:022}"]


def write_rows(vendor: str, table: str, rows: Iterator[list[Any]]) -> None:
    """Write rows into a table past the services."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        if vendor == "postgresql":
            with cursor.copy(f"COPY {table} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join(["%s"] * (table.count(",") + 1))
        while batch := list(islice(rows, BATCH)):
            cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", batch)  # noqa: S608 - names of ours


def _present(pk: UUID) -> int:
    from entities.memory import relationships_of
    from entities.models import Entity

    return len(list(relationships_of(Entity.objects.get(pk=pk), direction="out")))


def _known(pk: UUID, **times: Any) -> int:
    from entities.memory import knowledge_of
    from entities.models import Entity

    return len(knowledge_of(Entity.objects.get(pk=pk), **times).facts)


def _history(pk: UUID) -> int:
    from entities.memory import history_of
    from entities.models import Entity

    return len(list(history_of(Entity.objects.get(pk=pk))[:50]))


def _timed(reads: dict[str, Read], ids: list[UUID]) -> dict[str, tuple[float, float]]:
    """All questions about one entity after the other, so that a busy machine is busy for all of them.

    The first hundred warm up. What finds nothing ends the measurement.
    """
    times: dict[str, list[float]] = {name: [] for name in reads}
    for number, pk in enumerate(ids):
        for name, read in reads.items():
            begin = time.perf_counter()
            found = read(pk)
            if number >= WARM:
                times[name].append((time.perf_counter() - begin) * 1_000)
            if not found:
                raise SystemExit(f"{name}: nothing was found of {pk}")
    return {
        name: (statistics.median(each), statistics.quantiles(each, n=20)[-1]) for name, each in times.items()
    }


def main() -> None:
    """Both databases, each in a process of its own."""
    options = argparse.ArgumentParser()
    options.add_argument("--count", type=int, default=50_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", choices=["sqlite", "postgresql"])
    options.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.here:
        for name, middle, slow in measure(given.count, given.seed):
            print(json.dumps([name, middle, slow]))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"  most memory of the process: {peak} MB", file=sys.stderr)
        return
    print(f"{'':<50}{'p50 ms':>8}{'p95 ms':>9}")
    for vendor in [given.only] if given.only else ["sqlite", "postgresql"]:
        for line in _in_a_process(vendor, given):
            name, middle, slow = json.loads(line)
            print(f"  {name:<48}{middle:>8.2f}{slow:>9.2f}", flush=True)


def _in_a_process(vendor: str, given: argparse.Namespace) -> list[str]:
    command = [sys.executable, "-m", "bench.as_of", "--here"]
    command += ["--count", str(given.count), "--seed", str(given.seed)]
    env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    if vendor == "sqlite":
        done = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE)
    else:
        with postgres() as server:
            address = env | {"DATABASE_URL": server.url}
            done = subprocess.run(command, env=address, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode().splitlines()


if __name__ == "__main__":
    main()
