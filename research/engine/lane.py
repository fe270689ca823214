"""The threads of a process that work on runs. They choose by the database what comes next; a message only rings.

So whoever has queued hundreds of runs does not keep others waiting, nothing that Celery does for people or for upkeep
waits behind a model, and a run that is parked occupies nobody.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone

from research.engine import children
from research.engine.lease_renewal import HEART
from research.engine.pauses import take_away
from research.models import Run
from research.models.states import RunState
from research.store.turns import Turn, next_turns

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0  # between two looks, should nobody ring
AHEAD = 4  # times as many turns are read as there are places: some may not be taken up now
KEPT_FOR_OTHERS = 8  # one place in so many is kept for people for whom fewer than these run here
KEPT_FOR_SHORT = 4  # one place in so many is kept for runs that are not deep


class Lane:
    """``perform(run_id)`` works on a run until it ends or waits; it is called in a thread of its own."""

    def __init__(self, perform: Callable[[UUID], None]) -> None:
        self._perform = perform
        self._rung, self._free = threading.Event(), threading.Event()
        self._lock = threading.Lock()
        self._held: dict[UUID, Turn] = {}
        self._chief: threading.Thread | None = None

    def open(self) -> None:
        """Take up runs from now on."""
        HEART.leaving.clear()
        if self._chief is None or not self._chief.is_alive():
            self._chief = threading.Thread(target=self._live, name="lane", daemon=True)
            self._chief.start()

    def ring(self) -> None:
        """Look at once."""
        self._rung.set()

    def close(self) -> None:
        """Take up nothing more, and have every run stop at its next step. Does not wait; safe in a signal handler."""
        HEART.leaving.set()
        self._rung.set()

    def wait(self) -> None:
        """Until the lane is empty after ``close``."""
        if self._chief is not None:
            self._chief.join()

    def take_up(self, turns: Iterable[Turn]) -> int:
        """Begin what there is room for, in this order; how many."""
        begun = 0
        for turn in turns:
            with self._lock:
                if not has_room(turn, self._held.values(), settings.DOSSIER_RUNS_AT_ONCE):
                    continue
                if turn.run_id in self._held:
                    continue
                self._held[turn.run_id] = turn
            threading.Thread(target=self._work, args=[turn], name="run", daemon=True).start()
            begun += 1
        return begun

    def _live(self) -> None:
        while not HEART.leaving.is_set():
            try:
                self._look()
            except Exception as error:  # noqa: BLE001 - a database that is away is back at the next look
                log.warning("no run can be taken up: %s", type(error).__name__)
            connection.close()
            self._rung.wait(LOOK_SECONDS)
            self._rung.clear()
        self._empty()

    def _look(self) -> None:
        places = settings.DOSSIER_RUNS_AT_ONCE
        if len(self._held) >= places:
            return
        now = timezone.now()
        if Run.objects.filter(state=RunState.WAITING, wake_at__lte=now).exists():
            children.wake_due(now)
        self.take_up(next_turns(now, AHEAD * places))

    def _work(self, turn: Turn) -> None:
        try:
            self._perform(turn.run_id)
        except Exception:
            log.exception("run %s was left", turn.run_id)
        finally:
            connection.close()
            with self._lock:
                self._held.pop(turn.run_id)
            self._free.set()
            self._rung.set()

    def _empty(self) -> None:
        """Give the calls in flight their time; then take the runs that are still at it away from their threads."""
        end = time.monotonic() + settings.DOSSIER_DRAIN_SECONDS
        HEART.stop_waiting()
        while self._held and time.monotonic() < end:
            self._free.wait(LOOK_SECONDS)
            self._free.clear()
        for held in HEART.all_held():
            try:
                take_away(held)
            except Exception as error:  # noqa: BLE001 - its lease lapses then
                log.warning("run %s keeps its lease: %s", held.run_id, type(error).__name__)
        connection.close()


def has_room(turn: Turn, held: Iterable[Turn], places: int) -> bool:
    """Whether a run may take one of the places that are left.

    The last ones are kept: for people for whom little runs here yet, and for runs that are soon over.
    """
    taken = list(held)
    if turn.long and sum(one.long for one in taken) >= places - places // KEPT_FOR_SHORT:
        return False
    kept = places // KEPT_FOR_OTHERS
    own = sum(one.person == turn.person for one in taken)
    return len(taken) < places - (kept if own >= kept else 0)
