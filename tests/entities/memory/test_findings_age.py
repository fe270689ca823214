"""Findings are kept for ever and believed for a while; one source alone is not believed at all."""

from datetime import timedelta

import pytest
from django.utils import timezone

from entities.memory import (
    RefusedWrite,
    check_research_freshness,
    current_research,
    invalidate_research,
    store_research_results,
)
from entities.models import EntityResearch, EntityType
from tests.cases import cases
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
NOW = timezone.now()
FINDINGS = {"summary": "It trades.", "confidence": 80, "risks": ["thin"], "sentiment": "neutral"}
TWO = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]


@pytest.fixture
def token():
    return EntityFactory(type="crypto-token")


def store(entity, **changes):
    return store_research_results(
        **{"entity": entity, "findings": FINDINGS, "sources": TWO, "now": NOW, **changes}
    )


def test_it_keeps_findings_as_they_were_given(token):
    stored = store(token, reference="run-1")
    stored.refresh_from_db()
    assert (stored.findings, stored.sources, stored.confidence) == (FINDINGS, TWO, 80)
    assert (stored.completeness, stored.reference, stored.expires_at) == (
        100,
        "run-1",
        NOW + timedelta(hours=1),
    )


@cases(
    ("kind", "wished", "kept"),
    [
        ("crypto-token", None, 3600),
        ("meme", None, 600),
        ("macro-asset", None, 14_400),
        ("concept", None, 1800),
        ("legal-entity", None, 7 * 86_400),
        ("crypto-token", 1, 300),
        ("crypto-token", -5, 300),
        ("crypto-token", 10**9, 86_400),
        ("legal-entity", 10**9, 90 * 86_400),
    ],
)
def test_a_life_is_that_of_the_type_within_its_bounds(kind, wished, kept):
    assert store(EntityFactory(type=kind), ttl=wished).ttl == kept


def test_a_person_can_change_the_rule_of_a_type(token):
    EntityType.objects.filter(word="crypto-token").update(ttl=900, longest_ttl=1200)
    assert (store(token).ttl, store(token, ttl=5000).ttl) == (900, 1200)


@cases(
    "sources",
    [
        [],
        [{"tool": "a", "success": True}],
        [{"tool": "a", "success": True}, {"tool": "b", "success": False, "error": "down"}],
        [{"tool": "a", "success": True}, {"tool": "a", "success": True}],
        [{"tool": "a", "success": True}, {"tool": " A", "success": True}],  # written otherwise
        [{"tool": "a", "success": True, "reference": "x"}, {"tool": "a", "success": True, "reference": "x"}],
    ],
)
def test_fewer_than_two_sources_are_not_believed(token, sources):
    stored = store(token, sources=sources, ttl=3600)
    assert stored.findings["summary"].startswith("Insufficient data")
    assert (stored.confidence, stored.ttl, stored.sources) == (20, 600, sources)
    assert "It trades." not in str(stored.findings)


def test_two_pages_of_one_tool_are_two_sources(token):
    pages = [{"tool": "page", "success": True, "reference": name} for name in ("x", "y")]
    assert store(token, sources=pages).confidence == 80


def test_a_source_that_failed_lowers_completeness(token):
    assert store(token, sources=[*TWO, {"tool": "c", "success": False}]).completeness == 67


@pytest.mark.parametrize(
    ("age", "max_age", "fresh"),
    [
        (timedelta(0), timedelta(hours=1), True),
        (timedelta(minutes=59), timedelta(hours=1), True),
        (timedelta(minutes=60), timedelta(hours=2), False),  # expired
        (timedelta(minutes=30), timedelta(minutes=30), False),  # too old for whoever asks
        (timedelta(minutes=-5), timedelta(hours=1), True),  # clocks differ
    ],
)
def test_both_age_and_expiry_decide(token, age, max_age, fresh):
    store(token)
    assert check_research_freshness(entity=token, max_age=max_age, now=NOW + age).fresh is fresh


def test_there_may_be_nothing(token):
    found = check_research_freshness(entity=token, now=NOW)
    assert (found.research, found.fresh, found.message) == (None, False, "No research is stored.")


def test_history_is_kept_and_the_newest_counts(token):
    store(token, now=NOW - timedelta(days=2))
    newest = store(token)
    store(token, now=NOW - timedelta(days=1))
    assert current_research(token) == newest
    assert EntityResearch.objects.count() == 3


@cases(
    ("earlier", "later", "current"),
    [
        ((3, 80), (0, 20), "earlier"),  # no source answered
        ((2, 60), (1, 99), "earlier"),  # one source is not believed
        ((3, 80), (2, 60), "earlier"),
        ((3, 80), (2, 85), "later"),  # fewer sources, but surer
        ((3, 80), (3, 40), "later"),  # as many sources say that less is known
        ((2, 60), (3, 30), "later"),
        ((1, 20), (1, 20), "later"),
    ],
)
def test_a_thinner_look_does_not_hide_an_earlier_one(earlier, later, current):
    token = EntityFactory(type="crypto-token")
    rows = {}
    for name, (count, confidence), age in (("earlier", earlier, 2), ("later", later, 1)):
        sources = [{"tool": f"tool-{number}", "success": True} for number in range(count)]
        findings = {**FINDINGS, "confidence": confidence}
        rows[name] = store(token, findings=findings, sources=sources, now=NOW - timedelta(minutes=age))
    assert current_research(token) == rows[current]
    assert check_research_freshness(entity=token, now=NOW).research == rows[current]


def test_invalidated_findings_hide_nothing(token):
    store(token, now=NOW - timedelta(minutes=2))
    invalidate_research(entity=token, reason="wrong", now=NOW)
    thin = store(token, sources=TWO[:1])
    assert current_research(token) == thin


def test_what_was_invalidated_is_never_fresh_again(token):
    store(token)
    person = UserFactory()
    assert invalidate_research(entity=token, reason="It was a rug.", actor=person, now=NOW) == 1
    found = check_research_freshness(entity=token, now=NOW)
    assert not found.fresh
    assert "It was a rug." in found.message
    assert invalidate_research(entity=token, reason="again", actor=person, now=NOW) == 0
    row = EntityResearch.objects.get()
    assert (row.invalidated_why, row.invalidated_by) == ("It was a rug.", person)


def test_the_timeline_tells_of_both(token):
    store(token)
    store(token)
    invalidate_research(entity=token, reason="wrong", now=NOW)
    kinds = sorted(token.events.values_list("type", flat=True))
    assert kinds == ["research-completed", "research-completed", "research-invalidated"]


@cases(
    "change",
    [
        {"findings": {}},
        {"findings": {**FINDINGS, "summary": " "}},
        {"findings": {**FINDINGS, "summary": 1}},
        {"findings": {**FINDINGS, "confidence": 101}},
        {"findings": {**FINDINGS, "confidence": True}},
        {"findings": {**FINDINGS, "confidence": 0.8}},
        {"findings": {**FINDINGS, "sentiment": "angry"}},
        {"findings": {**FINDINGS, "risks": "many"}},
        {"findings": {**FINDINGS, "opportunities": [1]}},
        {"findings": {**FINDINGS, "metadata": []}},
        {"findings": {**FINDINGS, "summary": "x" * 200_001}},
        {"sources": [{"tool": "a"}]},
        {"sources": ["a"]},
        {"sources": [{"tool": "", "success": True}]},
        {"sources": TWO * 101},
    ],
)
def test_findings_of_another_shape_are_refused(token, change):
    with pytest.raises(RefusedWrite):
        store(token, **change)
    assert not EntityResearch.objects.exists()


def test_text_that_no_database_takes_is_cleaned(token):
    assert store(token, findings={**FINDINGS, "summary": "a\0b\ud800c"}).findings["summary"] == "abc"


def test_a_reason_is_needed(token):
    with pytest.raises(RefusedWrite):
        invalidate_research(entity=token, reason="  ")
