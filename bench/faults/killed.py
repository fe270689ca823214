"""A worker is killed with -9 while it executes and others wait behind: all is taken up within 30 s, and done once.

The clock starts when the next worker is ready: how long a Python takes to start is not what is measured.
"""

import os
import random
import signal
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from bench.faults.pairs import GROUP, approve, programs
from bench.faults.places import DATABASES, Told, use
from bench.servers import process, redis, wait_for

WAITING = 6  # executions that were asked for when the worker dies
LIMIT = 30.0
CELERY = [sys.executable, "-m", "celery", "-A", "config"]
TREE = {"root-lei": GROUP, "direction": "BOTH", "max-depth": 3, "create-entities": True}


def run(trials: int, database: str) -> Told:
    """So many deaths, at most ten; the seconds are those until the last of the queue was begun."""
    told = Told(min(trials, 10))
    with ExitStack() as stack:
        variables = {**stack.enter_context(DATABASES[database]()), "REDIS_URL": stack.enter_context(redis())}
        use({**variables, "DOSSIER_LOG_LEVEL": "WARNING"})
        place = Path(variables["DOSSIER_VAR"])
        stack.enter_context(process([*CELERY, "beat"], log=place / "beat.log"))
        luck = random.Random(1)  # noqa: S311 - the same each time
        for number in range(told.trials):
            seconds, wrong = _kill(place, number, luck)
            told.seconds.append(seconds)
            told.wrong += [f"{number}: {wrong}"] if wrong else []
        told.note = f"{WAITING} executions each"
    return told


def _kill(place: Path, number: int, luck: random.Random) -> tuple[float, str]:
    """The seconds until all were executed, and what was wrong with them."""
    from django.contrib.auth import get_user_model
    from django.utils import timezone

    from research.models import Decision, ResearchResult, VerbCall
    from research.services.execution import enqueue_execution

    plans = [[("gleif.import-tree", TREE)] * 3, *(next(programs(n, luck)) for n in range(WAITING - 1))]
    decisions = [approve(program) for program in plans]
    calls = VerbCall.objects.filter(decision__in=decisions)
    worker = [*CELERY, "worker", "-P", "threads", "-c", "1", "--without-mingle"]
    with process([*worker, "-n", f"doomed{number}@bench"], log=place / "doomed.log") as doomed:
        for decision in Decision.objects.filter(pk__in=decisions).select_related("result").order_by("pk"):
            enqueue_execution(decision=decision, actor=get_user_model().objects.get())
        wait_for(lambda: calls.filter(state="running").exists(), "an execution to begin", 60)
        time.sleep(luck.uniform(0.0, 0.3))
        os.killpg(doomed.pid, signal.SIGKILL)
    interrupted = list(calls.filter(state="running").values_list("pk", flat=True))
    log = place / f"next{number}.log"
    with process([*worker, "-n", f"next{number}@bench", "--loglevel", "INFO"], log=log):
        wait_for(lambda: b" ready." in log.read_bytes(), "the next worker", 60)
        begin = timezone.now()
        left = ResearchResult.objects.filter(decision__in=decisions).exclude(state="executed")
        try:
            wait_for(lambda: not left.exists(), "everything to be executed", 120)
        except TimeoutError:
            return (
                120.0,
                f"never executed: {list(calls.order_by('pk').values_list('verb', 'state', 'attempts'))}",
            )
    first = calls.filter(ordinal=1) | calls.filter(pk__in=interrupted)
    taken_up = [call.started_at for call in first if call.started_at]
    seconds = max((at - begin).total_seconds() for at in taken_up)
    faults = [f"the last was begun after {seconds:.1f} s"] if seconds > LIMIT else []
    again = sorted(calls.filter(attempts__gt=1).values_list("pk", flat=True))
    faults += [f"begun again: {again}, interrupted: {interrupted}"] if set(again) - set(interrupted) else []
    return seconds, "; ".join(faults)
