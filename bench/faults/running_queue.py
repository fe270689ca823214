"""``python -m bench.faults.running_queue [--on sqlite]``: does anybody wait for somebody else's work?

Five runs of one person alone, then beside 500 of another; then executions beside 200 runs whose model never answers.
"""

import argparse
import json
import sys
import time
from importlib import import_module
from typing import Any

from bench.faults.running_house import HUNG_MODEL, KINDS, QUICK_MODEL, House, house, percentile
from bench.servers import wait_for

FEW, EXECUTIONS = 5, 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--on", choices=KINDS, default="postgresql")
    parser.add_argument("--many", type=int, default=500)
    parser.add_argument("--hung", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--latency", type=int, default=1_000)
    options = parser.parse_args()
    with house(options.on, latency=options.latency) as built:
        from django.contrib.auth import get_user_model

        people = get_user_model().objects
        many, few = people.create_superuser("many"), people.create_superuser("few")
        built.start_workers(options.workers)
        finish(start(few, 10))  # everything is warm
        alone = took(finish(start(few, FEW)))
        theirs = start(many, options.many)
        time.sleep(3)
        ahead = count_open(theirs)
        mine = start(few, FEW)
        beside = took(finish(mine))
        open_then = count_open(theirs)
        begun = time.monotonic()
        finish(theirs)
        told: dict[str, Any] = {"on": options.on, "alone_s": alone, "beside_s": beside}
        told |= {"ratio": round(max(beside) / max(alone), 2)}
        told |= {"of_the_many_open_when_the_few_came": ahead, "when_they_were_done": open_then}
        told |= {"rest_of_the_many_s": time.monotonic() - begun}
        told |= beside_hung(built, many, few, options.hung)
    json.dump(told, sys.stdout, indent=1)
    print()


def start(person: Any, count: int, model: str = QUICK_MODEL) -> list[Any]:
    from django.test import override_settings

    from research.services.runs import start_run

    with override_settings(DOSSIER_MODEL=model):
        return [
            start_run(macro="bench", params={"case": f"{person}-{n}"}, trigger="api", requested_by=person)
            for n in range(count)
        ]


def count_open(runs: list[Any]) -> int:
    from research.models import Run

    return Run.objects.filter(pk__in=[run.pk for run in runs], finished_at=None).count()


def finish(runs: list[Any], patience: float = 300.0) -> list[Any]:
    """Wait until all are over; AssertionError if one did not succeed."""
    from research.models import Run

    def over() -> bool:
        time.sleep(0.1)
        return not count_open(runs)

    wait_for(over, "runs", patience)
    found = list(Run.objects.filter(pk__in=[run.pk for run in runs]))
    wrong = [run for run in found if run.state != "succeeded"]
    if wrong:
        raise AssertionError(f"{len(wrong)} runs went wrong, the first: {wrong[0].error}")
    return found


def took(runs: list[Any]) -> list[float]:
    return [round((run.finished_at - run.created_at).total_seconds(), 2) for run in runs]


def beside_hung(built: House, many: Any, few: Any, count: int) -> dict[str, Any]:
    """Executions, and runs of somebody else, while ``count`` runs wait for a model that never answers."""
    from research.models import ResearchResult
    from research.services.execution import enqueue_execution
    from research.services.reviews import approve_result

    factories: Any = import_module("tests.factories")
    start(many, count, HUNG_MODEL)
    time.sleep(5)
    memory, threads = [round(one.memory_mb) for one in built.workers], [one.threads for one in built.workers]
    waits = []
    for _ in range(EXECUTIONS):
        result = factories.ResultFactory()
        decision = approve_result(result=result, reviewer=few, digest=result.digest)
        begun = time.monotonic()
        enqueue_execution(decision=decision, actor=few)
        mine = ResearchResult.objects.filter(pk=result.pk, state="executed")
        wait_for(mine.exists, "an execution")
        waits.append(time.monotonic() - begun)
    others = took(finish(start(few, FEW)))
    return {
        "hung": count,
        "execute_p50_s": round(percentile(waits, 0.5), 2),
        "execute_p95_s": round(percentile(waits, 0.95), 2),
        "runs_beside_hung_s": others,
        "worker_mb": memory,
        "worker_threads": threads,
    }


if __name__ == "__main__":
    main()
