""" "Research these" on the list of entities."""

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from entities.memory import store_research_results
from research.models import Run
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
LIST = "admin:entities_entity_changelist"
TWO = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]


def research_these(browser, *entities):
    chosen = {"action": "research_these", "_selected_action": [str(entity.pk) for entity in entities]}
    return browser.post(reverse(LIST), chosen)


def fresh(name):
    entity = EntityFactory(name=name)
    store_research_results(entity=entity, findings={"summary": "s", "confidence": 70}, sources=TWO)
    return entity


@pytest.fixture
def site():
    return Client()


@pytest.fixture
def person(site):
    somebody = UserFactory(rights=["start_run", "view_entity", "view_run"])
    site.force_login(somebody)
    return somebody


def test_it_leads_to_the_run_that_researches_them(macro, site, person):
    mill, bank = EntityFactory(name="Mill", slug="mill"), EntityFactory(name="Bank", slug="bank")
    response = research_these(site, mill, bank, fresh("Known"))
    run = Run.objects.get()
    assert response["Location"] == reverse("admin:research_run_change", args=[run.pk])
    assert (run.trigger, run.requested_by) == ("admin", person)
    assert run.params["identifiers"] == ["bank", "mill"]
    said = [str(message) for message in get_messages(response.wsgi_request)]
    assert said == ["2 to be researched. 1 fresh: nobody was asked about it."]


def test_what_is_fresh_needs_no_run(macro, site, person):
    response = research_these(site, fresh("Known"), fresh("Known too"))
    assert not Run.objects.exists()
    said = [str(message) for message in get_messages(response.wsgi_request)]
    assert said == ["Nothing to research. 2 fresh: nobody was asked about them."]


def test_it_is_offered_to_those_who_may_start_runs(macro, site, person):
    EntityFactory(name="Mill")
    assert "Research these" in site.get(reverse(LIST)).content.decode()
    site.force_login(UserFactory(rights=["view_entity"]))
    page = site.get(reverse(LIST)).content.decode()
    assert "Research these" not in page
    assert "Delete selected" not in page


def test_it_is_refused_to_others(macro, site):
    site.force_login(UserFactory(rights=["view_entity"]))
    research_these(site, EntityFactory(name="Mill"))
    assert not Run.objects.exists()


def test_a_refusal_is_a_sentence(db, site, person):
    response = research_these(site, EntityFactory(name="Mill"))  # no such macro was published
    said = [str(message) for message in get_messages(response.wsgi_request)]
    assert any("entity-research" in sentence for sentence in said)
