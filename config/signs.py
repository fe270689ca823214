"""Signs of life of Celery's processes for ``research.doctor``, and a word on faulty settings when a worker starts."""

import logging
import os
import socket
from functools import cache
from typing import TYPE_CHECKING

from django.core.checks import ERROR, run_checks

if TYPE_CHECKING:
    from research.doctor.heartbeats import Heart

log = logging.getLogger(__name__)


@cache
def _heart(kind: str) -> "Heart":
    from research.doctor.heartbeats import Heart  # apps are not loaded yet when Celery is

    return Heart(kind, f"{socket.gethostname()}:{os.getpid()}")


def of_a_worker(**_: object) -> None:
    _heart("worker").beat()


def of_a_task(**_: object) -> None:
    _heart("worker").work()


def of_beat(**_: object) -> None:
    """Beat has sent a task to the broker."""
    heart = _heart("beat")
    heart.work()
    heart.beat()


def end_of_a_worker(**_: object) -> None:
    _heart("worker").end()


def name_faults(**_: object) -> None:
    """A model that nobody can ask is named before the first run comes to it. Celery makes the checks and is silent."""
    for message in run_checks(tags=["research"]):
        level = logging.ERROR if message.level >= ERROR else logging.WARNING
        log.log(level, "%s %s", message.msg, message.hint or "")
