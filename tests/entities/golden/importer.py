"""An import in a process of its own that is killed, or waits for a word, where it is told to.

The processes are forks of one that has loaded Django already, which the first of them starts.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from entities.gleif.golden import importing  # noqa: E402
from entities.gleif.golden.store import Incoming  # noqa: E402

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([__name__])


def strike(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def after(owner: Any, name: str, act: Callable[..., None], times: int = 1) -> None:
    """Act when a method has been called so many times."""
    method, calls = getattr(owner, name), []

    def called(*arguments: Any, **named: Any) -> Any:
        answer = method(*arguments, **named)
        calls.append(name)
        if len(calls) == times:
            act()
        return answer

    setattr(owner, name, called)


POINTS: dict[str, tuple[Any, str, Callable[..., None], int]] = {
    "tables made": (Incoming, "prepare", strike, 1),
    "half staged": (Incoming, "write", strike, 2),
    "all staged": (importing._Work, "_read", strike, 1),
    "indexes made": (Incoming, "complete", strike, 1),
    "tables exchanged, not committed": (Incoming, "replace", strike, 1),
    "live": (importing._Work, "_go_live", strike, 1),
}


def run(file: Path, point: str, database: str, said: Connection) -> None:
    """Import the file into the database, up to the point: "" lets it end, at "wait" it says "ready" and waits."""

    def wait() -> None:
        said.send("ready")
        said.recv()

    connection.settings_dict["NAME"] = database
    importing.BATCH = 2
    if point == "half staged, by processes":
        importing.WORTH_PROCESSES, settings.GOLDEN_COPY_PROCESSES = 0, 2
        after(Incoming, "write", strike)
    elif point == "wait":
        after(Incoming, "complete", wait)
    elif point:
        owner, name, act, times = POINTS[point]
        after(owner, name, act, times)
    given = importing.Given(scope="full", publish_date=timezone.now(), shrunk=True)
    try:
        importing.import_file(file, given=given)
    except importing.Refused as error:
        said.send(str(error))
        sys.exit(1)
