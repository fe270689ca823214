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
from decimal import Decimal
from typing import Any

from bench.whole_path import empty_database

ASKED, BATCH = 300, 10_000


def fill(count: int, seed: int) -> list[Any]:
    """Entities and their interests; gives the companies asked about."""
    from django.db import connection

    from entities.models import Entity, Relationship, Statement

    draw = random.Random(seed)  # noqa: S311 - reproducible, not secret
    people = count * 6 // 10
    entities = [
        Entity(
            slug=f"e{number}",
            name=f"Entity {number}",
            type="person" if number < people else "legal-entity",
            jurisdiction="GB",
        )
        for number in range(count)
    ]
    Entity.objects.bulk_create(entities, batch_size=BATCH)
    companies = entities[people:]

    def holdings() -> Iterator[tuple[Any, Any, int]]:
        for place, held in enumerate(companies):
            left = 100
            for _ in range(draw.randint(5, 10)):
                share = min(left, draw.choice([2, 5, 10, 15, 25, 51]))
                if draw.random() < 0.11:
                    nearby = draw.randint(place - 50, place + 2_000)  # a few lead back: circles
                    holder = companies[nearby % len(companies)]
                else:
                    holder = entities[draw.randrange(people)]
                if share and holder is not held:
                    left -= share
                    yield held, holder, share

    some, links = [], []
    total = 0
    seen: set[tuple[Any, Any]] = set()
    for held, holder, share in holdings():
        if (held.pk, holder.pk) in seen:
            continue
        seen = {(held.pk, holder.pk)} | ({*seen} if len(seen) < 12 else set())
        low = Decimal(max(share - 3, 0)) if total % 3 == 0 else Decimal(share)
        some.append(
            Statement(
                subject=held,
                property="shareholding",
                object=holder,
                share_low=low,
                share_high=Decimal(share),
                share_low_open=low < share,
                slot=f"{total:032d}",
                source="register",
                data={"way": "direct"},
            )
        )
        links.append(Relationship(subject=held, object=holder, type="owned-by", source="register"))
        total += 1
        if len(some) >= BATCH:
            Statement.objects.bulk_create(some, batch_size=BATCH)
            Relationship.objects.bulk_create(links, batch_size=BATCH, ignore_conflicts=True)
            some, links = [], []
    Statement.objects.bulk_create(some)
    Relationship.objects.bulk_create(links, ignore_conflicts=True)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(f"  {connection.vendor}: {count:,} entities, {total:,} interests")
    return draw.sample(companies, min(ASKED, len(companies)))


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

    with empty_database():
        from entities.memory import relationships_of
        from entities.memory.interests import read_structure
        from entities.ownership.assessment import assess
        from entities.ownership.thresholds import threshold

        begin, day = time.perf_counter(), date(2026, 3, 1)
        asked = fill(count, seed)
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
