"""``python -m bench.faults.running_provider [--on sqlite] [--away 3]``: the provider is killed for a while.

50 runs are in flight: all must succeed, with no more calls over the ideal than were in flight when it died.
"""

import argparse
import json
import sys
import time
from collections import Counter
from contextlib import ExitStack
from typing import Any

from bench.faults.running_house import KINDS, house
from bench.faults.running_queue import finish, start
from bench.servers import free_port, model_server, served
from bench.work import TURNS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--on", choices=KINDS, default="postgresql")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--away", type=float, default=3.0)
    options = parser.parse_args()
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with house(options.on, latency=1_000, model=url) as built, ExitStack() as second:
        from django.contrib.auth import get_user_model

        from research.models import Run

        person = get_user_model().objects.create_superuser("person")
        with model_server(port):
            built.start_workers(2)
            runs = start(person, options.runs)
            time.sleep(2)
            first = served(url)["requests"]
        begun = time.monotonic()
        time.sleep(options.away)
        seen = Counter(Run.objects.values_list("state", flat=True))
        threads = [worker.threads for worker in built.workers]
        second.enter_context(model_server(port))
        back = time.monotonic()
        found = finish(runs, patience=400)
        calls = first + served(url)["requests"]
        told: dict[str, Any] = {
            "on": options.on,
            "away_s": round(back - begun, 1),
            "succeeded": len(found),
            "when_it_was_back": dict(seen),
            "worker_threads_then": threads,
            "all_over_after_s": round(time.monotonic() - back, 1),
            "calls_over_the_ideal": calls - TURNS * len(found),
        }
    json.dump(told, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
