"""Who works on a run: a lease with a fence, taken and kept by conditional UPDATEs on both databases.

Each claim raises the fence. Every later write repeats the owner's fence in its condition, so a worker whose lease
lapsed and was taken over can no longer write anything, however late it wakes up.
"""

import logging
import os
import socket
import threading
from datetime import datetime, timedelta
from types import TracebackType
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from research import audit
from research.models import Run
from research.models.states import RunState

log = logging.getLogger(__name__)


class LeaseLost(Exception):
    """Another worker holds this run now, or it was cancelled; whatever was about to be written is not."""


def this_worker() -> str:
    """host:process:thread, for people who look at a run."""
    return f"{socket.gethostname()}:{os.getpid()}:{threading.get_ident() % 100_000}"[:100]


def claim(run_id: UUID, *, now: datetime | None = None) -> int | None:
    """Take the lease of a run that is queued or whose worker went silent; the new fence, or None if it is not free."""
    now = now or timezone.now()
    free = Q(state=RunState.QUEUED) | Q(state=RunState.RUNNING, lease_until__lt=now)
    with transaction.atomic():
        taken = Run.objects.filter(free, pk=run_id).update(
            state=RunState.RUNNING,
            lease_owner=this_worker(),
            lease_until=_until(now),
            fence=F("fence") + 1,
            wake_at=None,
        )
        if not taken:
            return None
        Run.objects.filter(pk=run_id, started_at__isnull=True).update(started_at=now)
        run = Run.objects.only("fence", "lease_owner").get(pk=run_id)
        audit.record("run.claimed", run, None, worker=run.lease_owner, fence=run.fence)
        return run.fence


def hold(run_id: UUID, fence: int, *, now: datetime | None = None) -> None:
    """Renew the lease; call it first in every transaction that writes for the run. Raises LeaseLost."""
    held = Run.objects.filter(pk=run_id, fence=fence, state=RunState.RUNNING)
    if not held.update(lease_until=_until(now or timezone.now())):
        raise LeaseLost(f"run {run_id}: fence {fence} is no longer valid")


def release(run_id: UUID, fence: int, state: RunState, **fields: object) -> None:
    """Leave the run in ``state``; part of the caller's transaction. Raises LeaseLost."""
    held = Run.objects.filter(pk=run_id, fence=fence, state=RunState.RUNNING)
    if not held.update(state=state, lease_owner="", lease_until=None, **fields):
        raise LeaseLost(f"run {run_id}: fence {fence} is no longer valid")


def _until(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.DOSSIER_LEASE_SECONDS)


class Heartbeat:
    """Renews the lease from a thread of its own while one call takes long."""

    def __init__(self, run_id: UUID, fence: int) -> None:
        self._run_id, self._fence = run_id, fence
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"lease-{run_id}", daemon=True)

    def __enter__(self) -> "Heartbeat":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._stop.wait(settings.DOSSIER_LEASE_SECONDS / 3):
                self._renew()
        except LeaseLost:
            return  # the worker notices at its next write

    def _renew(self) -> None:
        """One missed beat is no harm, the lease outlasts two: a database that is busy must not stop the heart."""
        try:
            hold(self._run_id, self._fence)
        except DatabaseError as error:
            log.warning("the lease of run %s was not renewed: %s", self._run_id, type(error).__name__)
        finally:
            connection.close()
