from decimal import Decimal

import pytest

from entities.memory import add_event, add_representation, create_entity, link, store_research_results
from entities.models import Entity, Relationship
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def allianz():
    allianz = EntityFactory(
        name="Allianz SE", slug="allianz-se", lei="529900K9B0N5BT694847", jurisdiction="DE"
    )
    add_representation(entity=allianz, type="lei", authority="GLEIF", key=allianz.lei)
    return allianz


def test_it_resolves_a_text_of_several_words(run, allianz):
    outcome = run("entities", "resolve", "allianz", "se", "--json")
    assert outcome.code == 0
    assert outcome.document["entity"]["slug"] == "allianz-se"
    assert "allianz-se" in run("entities", "resolve", allianz.lei).out


def test_it_lists_candidates_and_picks_none(run, allianz):
    EntityFactory(name="Allianz Bank", slug="allianz-bank")
    outcome = run("entities", "resolve", "allianz")
    assert outcome.code == 1
    assert "allianz-se" in outcome.out
    assert "allianz-bank" in outcome.out


def test_it_says_when_nothing_is_meant(run, db):
    outcome = run("entities", "resolve", "nobody")
    assert (outcome.code, outcome.out.strip()) == (1, "No entity is known by this.")


def test_it_shows_an_entity_with_forms_and_relationships(run, allianz):
    child = EntityFactory(slug="child")
    link(subject=child, object=allianz, type="owned-by", percentage=Decimal("62.5"))
    allianz.refresh_from_db()
    shown = run("entities", "show", "allianz-se")
    assert "529900K9B0N5BT694847" in shown.out
    assert "child  owned-by  this  62.5 %" in shown.out
    document = run("entities", "show", "child", "--json").document
    assert document["relationships"][0]["object"] == "allianz-se"


def test_a_fake_is_named_beside_the_one_that_is_meant(run, db):
    for key in ("", "Fake11"):
        create_entity(name="Seeker Token", type="crypto-token", key=key)
    outcome = run("entities", "resolve", "Seeker Token")
    assert outcome.code == 0
    assert "seeker-token-unverified-fake11" in outcome.out
    assert "kept apart" in run("entities", "show", "seeker-token-unverified-fake11").out


def test_it_shows_whether_findings_are_fresh(run, allianz):
    sources = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]
    store_research_results(entity=allianz, findings={"summary": "x", "confidence": 1}, sources=sources)
    assert ", fresh" in run("entities", "show", "allianz-se").out


def test_a_manager_of_very_many_funds_is_shown_in_part(run, allianz):
    funds = Entity.objects.bulk_create(Entity(slug=f"f{n}", name=f"F {n}", type="fund") for n in range(150))
    Relationship.objects.bulk_create(
        Relationship(subject=fund, object=allianz, type="fund-managed-by") for fund in funds
    )
    assert "and 50 more" in run("entities", "show", "allianz-se").out
    document = run("entities", "show", "allianz-se", "--json").document
    assert (len(document["related_from"]), document["counts"]["related_from"]) == (100, 150)


def test_the_timeline_is_narrowed(run, allianz):
    add_event(entity=allianz, type="news", summary="small", importance=1)
    add_event(entity=allianz, type="red-flag", summary="large", importance=9)
    assert run("entities", "timeline", "allianz-se", "--min-importance", "5").out.count("large") == 1
    assert "large" not in run("entities", "timeline", "allianz-se", "--type", "news").out


def test_it_tells_what_happened(run, allianz):
    add_event(entity=allianz, type="note", summary="Seen \x1b[31mred")
    assert "Seen \\x1b[31mred" in run("entities", "timeline", "allianz-se").out
    [event] = run("entities", "timeline", "allianz-se", "--json").documents
    assert event["type"] == "note"


def test_it_has_nothing_to_tell_of_a_new_entity(run, allianz):
    assert run("entities", "timeline", "allianz-se").out.strip() == "nothing yet"
    assert run("entities", "timeline", "allianz-se", "--json").out == ""


@pytest.mark.parametrize("action", ["show", "timeline"])
def test_it_knows_no_other_entities(run, db, action):
    outcome = run("entities", action, "nobody")
    assert outcome.code == 1
    assert "nobody" in outcome.err
