"""The lease of a run: a fence, taken and kept by conditional UPDATEs on both databases.

Each claim raises the fence. Every later write repeats the owner's fence in its condition, so a worker whose lease
lapsed and was taken over can no longer write anything, however late it wakes up.
"""

import os
import socket
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import models
from django.utils import timezone

from research.engine.limits import LIMITS
from research.models import Run
from research.models.states import RunState
from research.store import run_store


class LeaseLost(Exception):
    """Another worker holds this run now, or it was cancelled. The current write is not stored."""


def this_worker() -> str:
    """host:process:thread, for people who inspect a run."""
    return f"{socket.gethostname()}:{os.getpid()}:{threading.get_ident() % 100_000}"[:100]


def claim(run_id: UUID, *, now: datetime | None = None) -> int | None:
    """The fence from ``take``."""
    run = take(run_id, now=now)
    return None if run is None else run.fence


def take(run_id: UUID, *, now: datetime | None = None) -> Run | None:
    """Take the lease of a queued or abandoned run under a new fence. None if it is not free.

    It comes with its macro. The run's time begins with the first claim, not while it waits in the queue.
    """
    now = now or timezone.now()
    deadlines = {str(depth): now + limits.time for depth, limits in LIMITS.items()}
    return run_store().take(run_id, this_worker(), now=now, until=until(now), deadlines=deadlines)


def hold(run_id: UUID, fence: int, *, now: datetime | None = None) -> bool:
    """Renew the lease first in every transaction that writes for the run. Returns whether to stop.

    Raises:
        LeaseLost: another worker has the run, or it is over.
    """
    stop = run_store().hold(run_id, fence, until(now or timezone.now()))
    if stop is None:
        raise LeaseLost(f"run {run_id}: fence {fence} is no longer valid")
    return stop


def release(
    run_id: UUID,
    fence: int,
    state: RunState,
    *,
    changes: Mapping[str, object] | None = None,
    besides: Sequence[Sequence[models.Model]] = (),
) -> None:
    """Leave the run in ``state`` with other ``changes``, and store new rows ``besides``, each group of one model.

    Part of the caller's transaction, which must not go on after LeaseLost.
    """
    fields = {"state": state, "lease_owner": "", "lease_until": None, **(changes or {})}
    if not run_store().leave(run_id, fence, fields, besides):
        raise LeaseLost(f"run {run_id}: fence {fence} is no longer valid")


def until(now: datetime) -> datetime:
    """When a lease renewed now will end."""
    return now + timedelta(seconds=settings.DOSSIER_LEASE_SECONDS)
