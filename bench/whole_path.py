"""How long the path of a fact takes, stage by stage: run, fields of the page, preview, approval, verbs, memo.

Everything is real but the network: the keyless researcher on the demo register and an empty test database, which is
SQLite or whatever DATABASE_URL names. Run: ``python -m bench.whole_path``.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import django

ROUNDS = 10
T = TypeVar("T")


@contextmanager
def empty_database() -> Iterator[str]:
    """Settings with a folder of their own and the demo register, and an empty migrated database; gives its vendor."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"DOSSIER_VAR": folder, "DOSSIER_REGISTER": "demo", "DOSSIER_MODEL": "register"}
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        from django.db import connection
        from django.test.runner import DiscoverRunner

        runner = DiscoverRunner(verbosity=0, interactive=False)
        databases = runner.setup_databases()
        try:
            yield connection.vendor
        finally:
            runner.teardown_databases(databases)


class Stopwatch:
    """Milliseconds of every stage, over all rounds."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}

    def time(self, stage: str, work: Callable[[], T]) -> T:
        begin = time.perf_counter()
        done = work()
        self.times.setdefault(stage, []).append((time.perf_counter() - begin) * 1000)
        return done


def walk(watch: Stopwatch, person: Any) -> dict[str, int]:
    """One fact all the way; how much of everything it was."""
    from research.engine.runner import perform_run
    from research.models import ResearchResult
    from research.review.rows import leaf_rows
    from research.services.execution import execute_verbs
    from research.services.macros import definition_of
    from research.services.memos import compose_memo
    from research.services.reviews import approve_result, preview_edits
    from research.services.runs import start_run

    params = {"client_name": "Allianz SE"}
    run = start_run(
        macro="client-discovery", params=params, trigger="cli", requested_by=person, enqueue=False
    )
    watch.time("run", lambda: perform_run(run.pk))
    result = ResearchResult.objects.get(run=run)
    schema = definition_of(run.macro).schema
    rows = watch.time("fields of the page", lambda: leaf_rows(result.data, schema))
    watch.time("preview of the edits", lambda: preview_edits(result=result))
    decision = watch.time(
        "approve",
        lambda: approve_result(
            result=result, reviewer=person, digest=result.digest, reason="bench", shown=[""]
        ),
    )
    calls = watch.time("execute the verbs", lambda: execute_verbs(decision=decision, actor=person))
    watch.time("memo", lambda: compose_memo(result=result, actor=person))
    return {"steps": run.steps.count(), "fields": len(rows), "verbs": len(calls)}


def main() -> None:
    with empty_database() as vendor:
        from research.services.macros import sync_macros
        from research.services.people import ensure_admin

        sync_macros()
        ensure_admin()
        from django.contrib.auth import get_user_model

        person, watch = get_user_model().objects.get(), Stopwatch()
        for _ in range(ROUNDS):
            amounts = walk(watch, person)
        size = ", ".join(f"{count} {name}" for name, count in amounts.items())
        print(
            f"The whole path on {vendor}: client-discovery of Allianz SE, {size}; median of {ROUNDS} rounds"
        )
        for stage, times in watch.times.items():
            print(f"  {stage:<24}{statistics.median(times):>10.1f} ms{max(times):>10.1f} ms at most")


if __name__ == "__main__":
    main()
