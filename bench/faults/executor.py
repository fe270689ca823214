"""A process that executes approvals: one number a line on standard input, one line of JSON back for each.

``at`` is the moment at which it begins, so that two of them begin together.
"""

import json
import os
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402

from research.models import Decision  # noqa: E402
from research.services.execution import execute_verbs  # noqa: E402


def execute(number: int, at: float) -> dict[str, object]:
    """What became of an approval: its calls' states and errors, how often each was tried, and the seconds it took."""
    decision = Decision.objects.select_related("result__run", "reviewer").get(pk=number)
    person = get_user_model().objects.get()
    time.sleep(max(0.0, at - time.time()))
    begin = time.monotonic()
    try:
        calls = execute_verbs(decision=decision, actor=person)
        told = [{"state": call.state, "error": call.error, "attempts": call.attempts} for call in calls]
    except Exception as error:  # noqa: BLE001 - told, and counted as wrong
        told = [{"state": "raised", "error": repr(error)[:300], "attempts": 0}]
    return {"calls": told, "seconds": time.monotonic() - begin}


def main() -> None:
    print("ready", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(execute(asked["decision"], asked["at"])), flush=True)


if __name__ == "__main__":
    main()
