"""The Celery application of a trial: Dossier's own, with the tool of the measurement and a way to die on command.

The folder that BENCH_FOLDER names holds at most one order, such as ``before 17``: the process then kills itself with -9
right before it commits the 17th transaction of a run; ``after 17`` right after, ``tool 3`` within the third tool call.
"""

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from bench import dossier
from config.celery import app

__all__ = ["app"]

FOLDER = Path(os.environ["BENCH_FOLDER"])
ORDER, TOOLS = FOLDER / "order", FOLDER / "tools"


class Count(threading.local):
    """What this thread has done for the run that it works on."""

    working = False
    commits = tools = 0


count = Count()


def obey(moment: str, number: int) -> None:
    """Die when the order says so; the order dies first, so that whoever comes next lives."""
    try:
        ordered = ORDER.read_text() == f"{moment} {number}"
    except FileNotFoundError:
        return
    if ordered:
        ORDER.unlink(missing_ok=True)
        os.kill(os.getpid(), signal.SIGKILL)


def note_tool() -> None:
    """Every tool call leaves a line, also the one that is never answered."""
    count.tools += 1
    with TOOLS.open("a") as lines:
        lines.write(f"{os.getpid()} {count.tools}\n")
    obey("tool", count.tools)


def strike(commit: Callable[[], Any]) -> Any:
    """Do what commits, with a chance to die on either side of it."""
    count.commits += 1
    obey("before", count.commits)
    done = commit()
    obey("after", count.commits)
    return done


def counted(act: Callable[..., Any], commits: Callable[..., bool]) -> Callable[..., Any]:
    """What may commit, with a chance to die on either side of it while this thread works on a run."""

    def do(*arguments: Any) -> Any:
        if count.working and commits(*arguments):
            return strike(lambda: act(*arguments))
        return act(*arguments)

    return do


def is_one_by_itself(sql: Any) -> bool:
    """Whether a statement changes something outside a transaction."""
    return not connection.in_atomic_block and not str(sql).lstrip().startswith(
        ("SELECT", "SAVEPOINT", "RELEASE")
    )


def watch() -> None:
    """Count the transactions that a thread commits while it works on a run."""
    from research.engine import runner
    from research.store import prepared

    base: Any = BaseDatabaseWrapper  # its commit is not part of what is typed
    perform = runner.perform_run

    def performed(run_id: UUID, **options: Any) -> None:
        count.working, count.commits, count.tools = True, 0, 0
        try:
            perform(run_id, **options)
        finally:
            count.working = False

    base._commit = counted(base._commit, lambda _: True)
    cursor: Any = CursorWrapper
    cursor.execute = counted(cursor.execute, lambda _, sql, *rest: is_one_by_itself(sql))
    asked: Any = prepared
    asked._asked = counted(asked._asked, lambda _, name, sql, values: is_one_by_itself(sql.decode()))
    runner.perform_run = performed


dossier.prepare(on_tool=note_tool)
watch()
