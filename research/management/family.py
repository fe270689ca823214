"""Working on a run and its children in one process, for a person at a terminal."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

from django.db import connection

from research.engine.runner import perform_run
from research.management.report import step_line
from research.models import Run, Step
from research.models.states import OPEN_RUN_STATES, RunState

AT_ONCE = 5
PAUSE_SECONDS = 1.0
Say = Callable[..., object]


def follow_family(run: Run, say: Say, *, sleep: Callable[[float], None] = time.sleep) -> None:
    """Work until the run is over or waits for somebody; children that another worker has are waited for."""

    def tell(step: Step) -> None:
        say(*step_line(step))

    while True:
        perform_run(run.pk, on_step=tell)
        state = Run.objects.values_list("state", flat=True).get(pk=run.pk)
        if state not in (RunState.AWAITING_CHILDREN, RunState.QUEUED):
            return
        if not _work_on_children(run, say, sleep):
            return


def _work_on_children(run: Run, say: Say, sleep: Callable[[float], None]) -> bool:
    """False when the children that are left wait for a time or a person: a worker goes on with them then."""
    children = Run.objects.filter(parent=run)
    queued = list(children.filter(state=RunState.QUEUED).values_list("pk", "directive"))
    if queued:
        _perform(queued, say)
    elif children.filter(state=RunState.RUNNING).exists():
        sleep(PAUSE_SECONDS)
    else:
        return not children.filter(state__in=OPEN_RUN_STATES).exists()
    return True


def _perform(queued: Sequence[tuple[UUID, str]], say: Say) -> None:
    def perform(child: tuple[UUID, str]) -> None:
        run_id, directive = child
        try:
            perform_run(run_id, on_step=lambda step: _tell(directive, step, say))
        finally:
            if not connection.in_atomic_block:
                connection.close()

    if connection.in_atomic_block or len(queued) == 1:  # other threads would not see what a transaction wrote
        for child in queued:
            perform(child)
        return
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="topic") as pool:
        list(pool.map(perform, queued))


def _tell(directive: str, step: Step, say: Say) -> None:
    say(f"  {directive}", *step_line(step))
