"""The owners of an entity on a page of their own: rule, day, chart, persons, ends, files."""

import json
from datetime import date

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from entities.memory import link
from tests.factories import EntityFactory


@pytest.fixture
def target(petra):
    """T of the United Kingdom: H holds 40 percent, Jane Doe 60 percent of H since 2024."""
    target, holding = EntityFactory(name="T", slug="t", jurisdiction="GB"), EntityFactory(name="Holding")
    person = EntityFactory(name="Jane Doe", type="person")
    link(subject=target, object=holding, type="owned-by", percentage=40, source="report")
    link(subject=holding, object=person, type="owned-by", percentage=60, valid_from=date(2024, 1, 1))
    return target


@pytest.fixture
def allowed(petra):
    petra.user_permissions.add(Permission.objects.get(codename="view_person"))


def page(client, entity, name="owners", **asked):
    return client.get(reverse(f"admin:entities_entity_{name}", args=[entity.pk]), asked)


def told(answer):
    return " ".join(answer.content.decode().split())


def test_it_answers_by_the_rule_of_the_jurisdiction(client, target, allowed):
    shown = told(page(client, target))
    assert "United Kingdom, people with significant control (more than 25 %)" in shown
    assert "At least one person has more than 25 % or control." in shown
    assert "Jane Doe" in shown


def test_another_rule_and_day_may_be_asked_for(client, target, allowed):
    assert "may be hidden where a chain ends in a gap" in told(page(client, target, rule="us-cdd"))
    assert "Jane Doe" not in told(page(client, target, as_of="2023-12-31"))


def test_a_rule_and_a_day_that_cannot_be_are_told(client, target, allowed):
    assert "The day is written as YYYY-MM-DD" in told(page(client, target, as_of="soon"))
    assert "There is no rule called" in told(page(client, target, rule="usury"))


def test_names_of_persons_need_a_right_of_their_own(client, target):
    shown = told(page(client, target))
    assert "Jane" not in shown
    assert "a natural person" in shown
    assert "Jane" not in told(page(client, target, "owners_svg"))
    assert "Jane" not in told(page(client, target, "owners_bods"))


def test_the_chart_and_the_interests_are_files(client, target, allowed):
    picture = page(client, target, "owners_svg")
    assert picture["Content-Disposition"] == 'attachment; filename="t-owners.svg"'
    assert picture.content.startswith(b"<svg")
    statements = json.loads(page(client, target, "owners_bods").content)
    assert {each["recordType"] for each in statements} == {"entity", "person", "relationship"}


def test_an_entity_nobody_has_asked_about_says_so(client, petra):
    shown = told(page(client, EntityFactory(name="Nobody's")))
    assert "No owner is known." in shown
    assert "not looked for" in shown


def test_the_page_of_the_entity_leads_to_it(shown, target):
    assert reverse("admin:entities_entity_owners", args=[target.pk]) in shown(target)


def test_too_many_interests_are_told_in_a_sentence(client, target, monkeypatch):
    monkeypatch.setattr("entities.memory.interests.MAX_INTERESTS", 1)
    assert "More than 1 interests stand above t." in told(page(client, target))
    assert page(client, target, "owners_svg").status_code == 302
