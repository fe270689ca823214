"""One thread renews the leases of all runs that this process works on, however long their calls take.

Every write of a worker renews its lease too. The heart is for the time in between: a call of ten minutes, a wait. When
it fails for a while nothing is lost but the lease: another worker takes the run over, and the fence keeps this one out.
"""

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone

from research.store import run_store

log = logging.getLogger(__name__)


class Held:
    """A run that this process holds. ``stop`` is set if the lease is lost or the run should stop."""

    def __init__(self, run_id: UUID, fence: int) -> None:
        self.run_id, self.fence = run_id, fence
        self.lost = False
        self.stop = threading.Event()


class Heart:
    """Beats three times per lease while any run is held. The thread ends when none is."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Reset: no runs and no thread."""
        self._held: set[Held] = set()
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._thread: threading.Thread | None = None
        self.leaving = threading.Event()  # this process ends: no run begins another call

    def all_held(self) -> list[Held]:
        """The runs that this process works on."""
        with self._lock:
            return list(self._held)

    def stop_waiting(self) -> None:
        """End every wait in place, so that each run notices what it is to stop for."""
        for held in self.all_held():
            held.stop.set()

    @contextmanager
    def holding(self, run_id: UUID, fence: int) -> Iterator[Held]:
        """Keep the lease of a run during the block."""
        held = Held(run_id, fence)
        with self._lock:
            self._held.add(held)
            # Start the thread again after a fork or a crash.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._live, name="leases", daemon=True)
                self._thread.start()
        try:
            yield held
        finally:
            with self._lock:
                self._held.discard(held)

    def beat(self, now: datetime | None = None) -> None:
        """Renew every lease, and find out which runs are lost or should stop."""
        held = self.all_held()
        until = (now or timezone.now()) + timedelta(seconds=settings.DOSSIER_LEASE_SECONDS)
        found = run_store().hold_all([(one.run_id, one.fence) for one in held], until)
        for one in held:
            key = (one.run_id, one.fence)
            one.lost = key not in found
            if one.lost or found[key]:
                one.stop.set()

    def _live(self) -> None:
        while not self._woken.wait(settings.DOSSIER_LEASE_SECONDS / 3):
            with self._lock:
                if not self._held:
                    self._thread = None
                    return
            for act in (self.beat, connection.close):
                try:
                    act()
                except Exception as error:  # noqa: BLE001 - one missed beat is no harm, the lease outlasts two; no heart is
                    log.warning("the heart missed a beat: %s", type(error).__name__)


HEART = Heart()
os.register_at_fork(after_in_child=HEART.begin)  # threads of the parent do not exist after a fork
