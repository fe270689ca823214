"""``python -m bench.faults.running_waits [--runs 1000]``: what do runs cost that only wait for a model?

One worker on PostgreSQL, as many places as runs; every call takes ten seconds.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

from bench.faults.running_house import Worker, house
from bench.faults.running_queue import finish, start
from bench.work import TURNS

LATENCY = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000)
    options = parser.parse_args()
    with house("postgresql", latency=LATENCY, DOSSIER_RUNS_AT_ONCE=str(options.runs * 2)) as built:
        from django.contrib.auth import get_user_model

        person = get_user_model().objects.create_superuser("person")
        runs = start(person, options.runs)
        built.start_workers(1)
        worker = built.workers[0]
        before = worker.memory_mb
        begun, cpu = time.monotonic(), cpu_seconds(worker)
        most, threads = before, 0
        while time.monotonic() - begun < LATENCY / 1000 * 3:
            time.sleep(0.5)
            most, threads = max(most, worker.memory_mb), max(threads, worker.threads)
        found = finish(runs, patience=400)
        wall = time.monotonic() - begun
        told = {
            "runs": len(found),
            "memory_before_mb": round(before),
            "memory_most_mb": round(most),
            "threads": threads,
            "cpu_ms_a_turn": round((cpu_seconds(worker) - cpu) * 1000 / (TURNS * len(found)), 2),
            "of_ideal": round(wall / (LATENCY / 1000 * TURNS), 2),
        }
    json.dump(told, sys.stdout, indent=1)
    print()


def cpu_seconds(worker: Worker) -> float:
    fields = Path(f"/proc/{worker.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
