"""Only for the types that somebody named, what matters most first, and one run at a time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from entities import memory
from research.models import Run
from research.models.states import RunState
from research.services.macros import sync_macros
from research.services.upkeep import refresh_findings
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def macros(settings, db):
    settings.DOSSIER_KEEP_FRESH = ["crypto-token"]
    sync_macros()


@pytest.fixture
def now():
    return timezone.now()


def token(name, now, *, expired=True, importance=None, **fields):
    """A token with findings of yesterday."""
    entity = EntityFactory(name=name, slug=name.lower(), type="crypto-token", **fields)
    memory.store_research_results(
        entity=entity,
        findings={"summary": "As it was.", "confidence": 80},
        sources=[{"tool": "a", "success": True}, {"tool": "b", "success": True}],
        ttl=3600,
        now=now - timedelta(days=1) if expired else now,
    )
    if importance is not None:
        memory.add_event(entity=entity, type="news", summary="News.", importance=importance, at=now)
    return entity


def asked():
    return [run.params["identifiers"] for run in Run.objects.order_by("created_at")]


def test_it_looks_again_for_what_has_expired(now):
    token("Old", now)
    token("Young", now, expired=False)
    EntityFactory(name="Never", type="crypto-token")
    assert refresh_findings(now=now) == 1
    assert asked() == [["old"]]
    assert Run.objects.get().trigger == "schedule"


def test_it_begins_with_what_matters_most(now):
    token("Quiet", now)
    token("Loud", now, importance=9)
    token("Louder", now, importance=10)
    refresh_findings(now=now, limit=2)
    assert asked() == [["louder", "loud"]]


@pytest.mark.parametrize("types", [[], ["legal-entity"]])
def test_it_leaves_types_alone_that_nobody_named(now, settings, types):
    settings.DOSSIER_KEEP_FRESH = types
    token("Old", now)
    assert refresh_findings(now=now) == 0
    assert asked() == []


def test_it_leaves_alone_what_is_kept_apart(now):
    token("Fake", now, pending_verification=True)
    assert refresh_findings(now=now) == 0


def test_it_waits_for_the_run_before(now):
    token("Old", now)
    refresh_findings(now=now)
    assert refresh_findings(now=now) == 0
    Run.objects.update(state=RunState.FAILED)
    assert refresh_findings(now=now) == 1


def test_it_asks_no_model_without_a_price(now, settings):
    settings.DOSSIER_MODEL = "openai-chat:some-model"
    token("Old", now)
    assert refresh_findings(now=now) == 0
