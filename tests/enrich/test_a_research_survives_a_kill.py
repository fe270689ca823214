"""Killed at any commit, a research on an entity repeats at most what was in flight, and stores its findings once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from entities.models import Entity, EntityResearch
from research.engine.journal import Journal
from research.engine.runner import perform_run
from research.models import Run, Step
from research.models.states import RunState
from research.services.enrichment import enrich
from tests.enrich.conftest import told, work
from tests.entities.markets.market import MINT

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """kill -9: no handler of ours sees it."""


def kill_at(monkeypatch, number, moment):
    commits = []
    original = Journal._write

    def write(self, *args, **kwargs):
        commits.append(1)
        mine = len(commits) == number
        if mine and moment == "before":
            raise Killed
        original(self, *args, **kwargs)
        if mine and moment == "after":
            raise Killed

    monkeypatch.setattr(Journal, "_write", write)
    return commits


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("number", range(1, 11))
def test_it_ends_as_if_nothing_had_happened(market, macro, monkeypatch, number, moment):
    head = enrich(identifiers=[MINT], trigger="cli", enqueue=False).run
    perform_run(head.pk)
    child = Run.objects.get(parent=head)
    with monkeypatch.context() as patched:
        kill_at(patched, number, moment)
        try:
            perform_run(child.pk)
        except Killed:
            Run.objects.filter(pk=child.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
            Run.objects.filter(pk=child.pk, state=RunState.RUNNING).update(state=RunState.QUEUED)
    run = work(head)
    entry = told(run)[MINT]
    assert entry["status"] == "researched"
    assert len(entry["audit"]["toolsSucceeded"]) == 5
    assert Entity.objects.count() == EntityResearch.objects.count() == 1
    assert Step.objects.filter(run=child, kind="tool").count() == 5
    assert market.asked.count("posts") <= 2
    assert market.asked.count("price") <= 2
