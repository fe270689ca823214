"""``entities/{slug}/owners``: the answer by a rule on a day, with all that it rests on."""

import pytest
from django.contrib.auth.models import Permission

from entities.memory import link
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def target():
    """T of the United Kingdom: H holds 40 percent, Jane Doe 60 percent of H."""
    target, holding = EntityFactory(name="T", slug="t", jurisdiction="GB"), EntityFactory(name="H")
    link(subject=target, object=holding, type="owned-by", percentage=40, source="report")
    link(
        subject=holding, object=EntityFactory(name="Jane Doe", type="person"), type="owned-by", percentage=60
    )
    return target


@pytest.fixture
def seer(client_of, person):
    """A client of somebody who may also see relationships and persons."""
    person.user_permissions.add(*Permission.objects.filter(codename__in=["view_relationship", "view_person"]))
    return client_of(type(person).objects.get(pk=person.pk))


def test_it_answers_by_the_rule_of_the_jurisdiction_or_the_one_asked_for(seer, url, target):
    told = seer.get(url("entity-owners", "t")).json()
    assert (told["answer"], told["rule"]["name"]) == ("met", "uk-psc")
    assert told["owners"][0]["party"]["name"] == "Jane Doe"
    other = seer.get(url("entity-owners", "t"), {"rule": "us-cdd", "as_of": "2026-03-01"}).json()
    assert (other["answer"], other["as_of"]) == ("undecided", "2026-03-01")
    assert other["owners"][0]["shares"]["capital"]["words"] == "24 %"


@pytest.mark.parametrize("asked", [{"rule": "usury"}, {"as_of": "soon"}])
def test_a_rule_or_a_day_that_cannot_be_is_a_fault(seer, url, target, asked):
    assert seer.get(url("entity-owners", "t"), asked).status_code == 400


def test_persons_have_no_name_for_whoever_may_not_see_them(client_of, person, url, target):
    person.user_permissions.add(Permission.objects.get(codename="view_relationship"))
    client = client_of(type(person).objects.get(pk=person.pk))
    answer = client.get(url("entity-owners", "t"))
    assert answer.json()["owners"][0]["party"]["name"] == "a natural person"
    assert "Jane" not in answer.content.decode()
