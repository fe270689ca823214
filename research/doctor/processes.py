"""The broker, and whether workers and beat are alive."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from common.commands.progress import duration
from common.program import typed
from common.text import counted
from research.doctor.findings import Examination, Finding
from research.doctor.heartbeats import STALE, Sign, signs
from research.models import Run
from research.models.states import RunState

ROOM = "Processes"
MANY = 1_000  # messages
HUNG = "Restart it; its log says what it did last."


def examinations() -> list[Examination]:
    return [
        Examination(ROOM, "Broker", broker),
        Examination(ROOM, "Workers", workers),
        Examination(ROOM, "Beat", beat),
        Examination(ROOM, "Queue", queue),
    ]


def broker() -> Finding:
    """Whether messages can be left there."""
    return _redis() if settings.REDIS_URL else _folder(Path(settings.QUEUE_DIR))


def _folder(folder: Path) -> Finding:
    told = f"The folder {folder}"
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        return Finding("broken", f"{told} cannot be written.", "Give it to the user who runs Dossier.")
    return _waiting(told, sum(1 for _ in folder.glob("*.msg")))


def _redis() -> Finding:
    with current_app.connection_for_write(connect_timeout=3) as connection:
        told = f"Redis at {connection.as_uri()}"
        troubles: Any = (*connection.connection_errors, *connection.channel_errors, OSError)
        try:
            connection.connect()
            channel: Any = connection.default_channel
            waiting = channel.client.llen("celery")
        except troubles as error:
            todo = (
                "Look at REDIS_URL, and whether Redis runs. Until then what is asked waits in the database."
            )
            return Finding("broken", f"{told} does not answer ({type(error).__name__}).", todo)
    return _waiting(told, waiting)


def _waiting(told: str, messages: int) -> Finding:
    if messages > MANY:
        return Finding("warning", f"{told} holds {messages:,} messages that nobody takes.", _serve())
    return Finding("ok", f"{told}; {counted(messages, 'message')} waiting.")


def workers() -> Finding:
    """Whether one works, by the signs that they give."""
    return _alive("worker", "worker", "took a task")


def beat() -> Finding:
    """Whether it sends what is to be done every few seconds: sealing, refreshing, ringing again."""
    return _alive("beat", "beat", "sent a task")


def _alive(kind: str, word: str, worked: str, now: Callable[[], float] = time.time) -> Finding:
    try:
        found, moment = signs(kind), now()
    except Exception as error:  # noqa: BLE001 - each cache has errors of its own; the broker's finding says more
        return Finding("skipped", f"Where signs of life are kept cannot be read ({type(error).__name__}).")
    alive = [sign for sign in found if not sign.is_stale(moment)]
    if not found:
        state = "broken" if settings.PRODUCTION else "skipped"
        return Finding(state, f"No {word} runs: none has given a sign.", _serve())  # type: ignore[arg-type]
    if not alive:
        ago = duration(moment - found[0].at)
        return Finding(
            "broken", f"No {word} is alive: the last sign is {ago} old ({found[0].name}).", _serve()
        )
    return _working(kind, found, alive, worked, moment)


def _working(kind: str, found: list[Sign], alive: list[Sign], worked: str, moment: float) -> Finding:
    last = max(sign.worked for sign in alive)
    told = f"{len(alive)} alive; the last sign is {duration(moment - alive[0].at)} old"
    told += f", one {worked} {duration(moment - last)} ago." if last else f", none {worked} yet."
    lost = (
        len(found) - len(alive) if kind == "worker" else 0
    )  # beat ends without a word, and another takes its place
    if lost:
        gone = ", ".join(sign.name for sign in found if sign.is_stale(moment))
        return Finding("warning", f"{told} {counted(lost, 'other')} ended without a word: {gone}.", HUNG)
    if kind == "beat" and len(alive) > 1:
        return Finding("warning", told, "Run one beat only: two send everything twice.")
    return Finding("ok", told)


def queue() -> Finding:
    """Whether what was asked is taken up."""
    try:
        waiting = Run.objects.filter(state=RunState.QUEUED, started_at=None)
        oldest = waiting.order_by("created_at").values_list("created_at", flat=True).first()
        count = waiting.count()
    except DatabaseError:
        return Finding("skipped", "The database cannot be asked.")
    if oldest is None:
        return Finding("ok", "Nothing waits for a worker.")
    age = (timezone.now() - oldest).total_seconds()
    told = f"{counted(count, 'run')} waiting for a worker, the oldest for {duration(age)}."
    return Finding("warning", told, _serve()) if age > STALE else Finding("ok", told)


def _serve() -> str:
    return f"{typed('up')} runs everything on one machine; docs/tasks/install-on-a-server.md has the single processes."
