"""Who owns a company in a memory of a million entities and three million interests: read, and computed.

``python -m bench ownership`` makes a graph of its own (``--count``, ``--seed``) in SQLite or in whatever DATABASE_URL
names. Six entities in ten are persons; a company has seven holders or so, of whom companies are fewer than one on
average, now and then in a circle: most structures are small and a few are large. In the same run: the plain read of an
entity's present relationships, which a page does anyway; reading all that stands above a subject; both tests.
"""

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

from bench.as_of import BORN, ENTITY, STATEMENT, id_of, write_rows
from bench.whole_path import empty_database

ASKED = 300


def fill(count: int, seed: int, vendor: str) -> list[UUID]:
    """Entities and their interests, written past the services; gives the companies asked about."""
    from django.db import connection

    draw = random.Random(seed)  # noqa: S311 - reproducible, not secret
    people = count * 6 // 10

    def text(row: list[Any]) -> list[Any]:
        return [each.hex if vendor == "sqlite" and isinstance(each, UUID) else each for each in row]

    entities = (text(_entity(number, number < people)) for number in range(count))
    stated = (text(row) for number in range(people, count) for row in _interests(number, people, count, draw))
    for table, rows in ((ENTITY, entities), (STATEMENT, stated)):
        write_rows(vendor, table, rows)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute("SELECT count(*) FROM entities_statement")
        print(f"  {vendor}: {count:,} entities, {cursor.fetchone()[0]:,} interests")
    return [id_of(number) for number in random.Random(seed).sample(range(people, count), ASKED)]  # noqa: S311


def _entity(number: int, person: bool) -> list[Any]:
    kind = "person" if person else "legal-entity"
    rest = [False, "", False, "{}", BORN, BORN]
    return [id_of(number), f"e-{number}", f"Entity {number}", "", kind, "", "GB", "[]", *rest]


def _interests(held: int, people: int, count: int, draw: random.Random) -> Iterator[list[Any]]:
    """Some seven holders of one company; one in nine is a company, mostly one further on, sometimes one before."""
    left, seen = 100, {held}
    for _ in range(draw.randint(5, 10)):
        share = min(left, draw.choice([2, 5, 10, 15, 25, 51]))
        near = people + (held - people + draw.randint(-50, 2_000)) % (count - people)
        holder = near if draw.random() < 0.11 else draw.randrange(people)
        if share and holder not in seen:
            left -= share
            seen.add(holder)
            low = max(share - 3, 0) if holder % 3 == 0 else share
            said = [id_of(held), "shareholding", "direct", f"{held}-{holder}"[:32], id_of(holder), "", "{}"]
            times = [None, None, "unknown", "unknown", BORN, None]
            yield [*said, low, share, low < share, False, *times, "register", "register", "", "ada", 100]


def timed(name: str, work: Callable[[Any], Any], asked: list[Any]) -> list[Any]:
    """Run the work for each, and print milliseconds."""
    times, done = [], []
    for one in asked:
        begin = time.perf_counter()
        done.append(work(one))
        times.append((time.perf_counter() - begin) * 1000)
    p95 = statistics.quantiles(times, n=20)[-1]
    print(f"  {name:<44}{statistics.median(times):>9.1f}{p95:>9.1f}{max(times):>10.1f}", flush=True)
    return done


def measure(count: int, seed: int) -> None:
    """Fill the database in use, then ask."""
    from datetime import date

    with empty_database() as vendor:
        from entities.memory import relationships_of
        from entities.memory.interests import read_structure
        from entities.models import Entity
        from entities.ownership.assessment import assess
        from entities.ownership.thresholds import threshold

        begin, day = time.perf_counter(), date(2026, 3, 1)
        asked = [Entity.objects.get(pk=pk) for pk in fill(count, seed, vendor)]
        print(f"  filled in {time.perf_counter() - begin:.0f} s")
        print(f"  {'milliseconds, of ' + str(len(asked)) + ' companies':<44}{'p50':>9}{'p95':>9}{'most':>10}")
        timed("present relationships of one (plain)", lambda one: list(relationships_of(one)[:20]), asked)
        structures = timed("all that stands above one, read", lambda one: read_structure(one, day), asked)
        pairs = list(zip(asked, structures, strict=True))
        for rule in ("eu-amlr", "uk-psc"):
            timed(
                f"assessed: {rule}",
                lambda pair, rule=rule: assess(pair[1], str(pair[0].pk), threshold(rule)),  # type: ignore[misc]
                pairs,
            )
        timed(
            "read and assessed: uk-psc",
            lambda one: assess(read_structure(one, day), str(one.pk), threshold("uk-psc")),
            asked,
        )
        sizes = sorted(len(each.parties) for each in structures)
        print(f"  parties above one: {statistics.median(sizes):.0f} in the median, {sizes[-1]:,} at most")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench ownership", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=97)
    options = parser.parse_args()
    print(f"Ownership; load of the machine {os.getloadavg()[0]:.1f}")
    measure(options.count, options.seed)


if __name__ == "__main__":
    main()
