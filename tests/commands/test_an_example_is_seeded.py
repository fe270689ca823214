"""``manage.py seed`` shows a newcomer a product and not an empty desk."""

import socket
from datetime import timedelta

import pytest
from django.contrib.auth import authenticate
from django.utils import timezone

from entities.models import Entity, EntityEvent, Relationship
from research.audit import keep_head, seal_all
from research.audit.verification import verify_trail
from research.management.seed.clock import days_ago
from research.management.seed.story import NOBODY
from research.models import AuditEvent, Memo, ResearchResult, ResearchSession, Run, Watch
from research.models.states import ResultState, RunState, WatchState

pytestmark = pytest.mark.django_db
TABLES = (AuditEvent, Entity, EntityEvent, Memo, Relationship, ResearchResult, ResearchSession, Run, Watch)


@pytest.fixture
def offline(monkeypatch):
    def refused(*_, **__):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(socket.socket, "connect", refused)


def rows():
    return {table.__name__: table.objects.count() for table in TABLES}


def test_it_tells_the_whole_example_once(run, offline, trail_elsewhere):
    first = run("seed", "--json").document
    told = rows()
    assert set(ResultState) == set(ResearchResult.objects.values_list("state", flat=True))
    assert set(Run.objects.values_list("macro__name", flat=True)) >= {
        "client-discovery",
        "ubo-investigation",
        "regulatory-check",
        "entity-research",
        "legal-research",
        "deep-research",
    }
    assert Run.objects.filter(state=RunState.AWAITING_CONFIRMATION).exists()
    assert Run.objects.filter(state=RunState.FAILED, params__client_name=NOBODY).exists()
    assert Watch.objects.filter(state=WatchState.CHANGED).exists()
    assert Entity.objects.get(lei="529900K9B0N5BT694847").events.exists()
    assert Relationship.objects.exists()
    assert Memo.objects.exists()

    days = [timezone.now() - at for at in AuditEvent.objects.order_by("pk").values_list("at", flat=True)]
    assert days == sorted(days, reverse=True), "what happened is not told in the order of time"
    assert days[0] > timedelta(days=37)
    assert days[-1] < timedelta(days=1)
    seal_all()
    keep_head()
    assert verify_trail().faults == []

    for name, password in first["passwords"].items():
        assert authenticate(username=name, password=password) is not None

    second = run("seed", "--json").document
    assert (second["done"], second["passwords"], rows()) == (0, {}, told)
    assert second["counts"] == first["counts"]


def test_it_refuses_production_unless_it_is_told(run, settings):
    settings.PRODUCTION = True
    outcome = run("seed")
    assert outcome.code == 1
    assert "--in-production" in outcome.err
    assert not ResearchSession.objects.exists()


def test_it_leaves_the_clock_as_it_was():
    with days_ago(30):
        assert timezone.now() < timezone.now() + timedelta(days=1)
        then = timezone.now()
    assert timedelta(days=29, hours=23) < timezone.now() - then < timedelta(days=30, hours=1)
