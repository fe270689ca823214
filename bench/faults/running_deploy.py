"""``python -m bench.faults.running_deploy [--on sqlite]``: both workers are replaced while 50 runs are at work.

No call may be made twice: the bill of the scripted model is seven calls a run.
"""

import argparse
import json
import sys
import time

from bench.faults.running_house import KINDS, house
from bench.faults.running_queue import finish, start
from bench.servers import served
from bench.work import TURNS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--on", choices=KINDS, default="postgresql")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--latency", type=int, default=3_000)
    options = parser.parse_args()
    with house(options.on, latency=options.latency) as built:
        from django.contrib.auth import get_user_model

        from research.models import AuditEvent

        person = get_user_model().objects.create_superuser("person")
        built.start_workers(2)
        begun = time.monotonic()
        runs = start(person, options.runs)
        time.sleep(2)
        ended = []
        for old in list(built.workers):
            built.start_worker().wait_until_ready()
            ended.append(round(old.stop(), 2))
        found = finish(runs)
        bill = served(built.model)["requests"]
        told = {
            "on": options.on,
            "runs": len(found),
            "calls": bill,
            "repeated": bill - TURNS * len(found),
            "possibly_paid_usd": str(sum(run.lost_usd for run in found)),
            "handed_over": AuditEvent.objects.filter(action="run.handed_over").count(),
            "workers_ended_after_s": ended,
            "all_s": round(time.monotonic() - begun, 1),
        }
    json.dump(told, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
