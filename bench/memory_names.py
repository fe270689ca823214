"""Entity memory with 100,000 entities: how long it takes to resolve a name and to create an entity.

``python -m bench memory_names [--count N]`` on SQLite, or on the server that DATABASE_URL names. The figures are
milliseconds: the middle of them, and what 95 in 100 do not exceed.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

from bench.company_names import generate, misspell
from bench.whole_path import empty_database

QUESTIONS, BATCH = 60, 5_000


def fill(names: list[str]) -> None:
    """Entities with these names and their keys, in batches."""
    from django.db import connection

    from entities.models import Entity, NameKey, name_key
    from entities.names.keys import search_key

    numbered = iter(enumerate(names))
    while batch := list(islice(numbered, BATCH)):
        rows = [Entity(name=name, slug=f"e-{number}", type="legal-entity") for number, name in batch]
        Entity._base_manager.bulk_create(rows)
        NameKey._base_manager.bulk_create(
            NameKey(entity=row, key=name_key(row.name), own=True, spelled=search_key(row.name))
            for row in rows
        )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def timed(name: str, texts: list[str], work: Callable[[str], Any]) -> None:
    """One line for a kind of question."""
    for text in texts[:5]:
        work(text)
    times = []
    for text in texts[5:]:
        begin = time.perf_counter()
        work(text)
        times.append((time.perf_counter() - begin) * 1000)
    print(
        f"  {name:<34}{statistics.median(times):>9.1f}{statistics.quantiles(times, n=20)[-1]:>9.1f}",
        flush=True,
    )


def measure(count: int) -> None:
    """Fill a database of its own and ask."""
    with empty_database() as vendor:
        from entities.memory import create_entity, ensure_entity, resolve
        from entities.models import name_key

        names = list({name_key(name): name for name, _ in generate(count)}.values())
        fill(names)
        draw = random.Random(5)  # noqa: S311 - reproducible, not secret
        known = draw.sample(names, QUESTIONS)
        others = [f"Zyqual {number} Wexford Trading Ltd" for number in range(QUESTIONS)]
        print(f"{len(names):,} entities on {vendor}")
        print(f"  {'':<34}{'p50 ms':>9}{'p95 ms':>9}")
        timed("resolve: the very name", known, resolve)
        timed("resolve: two slips", [misspell(name, draw) for name in known], resolve)
        timed("resolve: nothing like it", others, resolve)
        timed("ensure: the very name", known, lambda name: ensure_entity(name=name))
        timed("ensure: a new name", others, lambda name: ensure_entity(name=name))
        timed("create: a name alike", [misspell(name, draw) for name in known], _created(create_entity))


def _created(create: Callable[..., Any]) -> Callable[[str], Any]:
    return lambda name: create(name=name, type="legal-entity")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench memory_names", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    measure(parser.parse_args().count)


if __name__ == "__main__":
    main()
