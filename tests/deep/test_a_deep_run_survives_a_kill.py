"""A worker is killed at every commit point of parent and children; another takes over, and nothing is asked twice."""

from collections import Counter

import pytest

from research.engine.runner import perform_run
from research.models import ResearchResult, Run
from research.models.states import RunState
from research.store import run_store
from tests.deep.conftest import revive, work
from tests.deep.newsroom import Sage

STORE = type(run_store())

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """kill -9: no handler of ours sees it."""


class Assassin:
    """Kills at the nth commit of a journal, before or after it; counts all commits."""

    def __init__(self, monkeypatch, when):
        self.at, self.used = 0, 0
        original = STORE.write

        def deadly(journal, *args, **kwargs):
            self.used += 1
            now = self.used == self.at
            if now and when == "before":
                raise Killed
            outcome = original(journal, *args, **kwargs)
            if now:
                raise Killed
            return outcome

        monkeypatch.setattr(STORE, "write", deadly)


@pytest.mark.parametrize("offset", [1, 2, 3])
@pytest.mark.parametrize("when", ["before", "after"])
def test_it_repeats_at_most_the_call_in_flight_wherever_it_is_killed(ask, monkeypatch, when, offset):
    assassin = Assassin(monkeypatch, when)
    undisturbed = Sage()
    work(ask(undisturbed))
    total, usual = assassin.used, Counter(undisturbed.asked)
    assert total > 30
    for point in range(offset, total + 1, 6):
        sage = Sage()
        run = ask(sage)
        assassin.used, assassin.at = 0, point
        assert live_through(run) == 1, point
        assert run.state == RunState.SUCCEEDED, (point, run.error)
        assert ResearchResult.objects.filter(run=run).count() == 1
        assert Run.objects.filter(parent=run).count() == 2
        repeated = Counter(sage.asked) - usual
        assert repeated.total() <= 1, (point, repeated)


def test_workers_that_die_again_and_again_bring_it_to_its_end(ask, monkeypatch):
    assassin = Assassin(monkeypatch, "after")
    undisturbed = Sage()
    work(ask(undisturbed))
    sage = Sage()
    run = ask(sage)
    deaths = 0
    for life in range(100):
        assassin.used, assassin.at = 0, 4 + life % 2
        deaths += live_through(run, once=True)
        if run.state == RunState.SUCCEEDED:
            break
    assert run.state == RunState.SUCCEEDED, run.error
    assert deaths >= 8
    assert ResearchResult.objects.filter(run=run).count() == 1
    assert Run.objects.filter(parent=run).count() == 2
    assert (Counter(sage.asked) - Counter(undisturbed.asked)).total() <= deaths


def live_through(run, *, once=False):
    """Work on the family with workers that die, the sweep bringing back what they left; how many died."""
    deaths = 0
    for _ in range(60):
        queued = list(Run.objects.filter(state=RunState.QUEUED).values_list("pk", flat=True))
        for run_id in queued:
            try:
                perform_run(run_id)
            except Killed:
                deaths += 1
                revive(run)
                if once:
                    run.refresh_from_db()
                    return deaths
        if not queued:
            break
    run.refresh_from_db()
    return deaths
