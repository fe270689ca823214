"""``manage.py entities owners`` and ``listed-owners``."""

import pytest

from entities import memory
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def target():
    """T, of which H holds 40 percent; Jane Doe holds 60 percent of H."""
    target, holding = EntityFactory(name="T", slug="t", jurisdiction="GB"), EntityFactory(name="H", slug="h")
    person = EntityFactory(name="Jane Doe", slug="jane-doe", type="person")
    memory.link(subject=target, object=holding, type="owned-by", percentage=40, source="report")
    memory.link(subject=holding, object=person, type="owned-by", percentage=60, source="report")
    return target


def test_the_rule_is_that_of_the_jurisdiction(run, target):
    told = run("entities", "owners", "t")
    assert told.code == 0
    assert "people with significant control, more than 25 %" in told.out
    assert "Jane Doe capital 40 %, votes 40 %" in " ".join(told.out.split())


def test_another_rule_may_be_asked_for(run, target):
    told = run("entities", "owners", "t", "--rule", "us-cdd", "--json")
    assert (told.code, told.document["answer"]) == (
        1,
        "undecided",
    )  # nobody knows who has the other 60 percent
    assert told.document["owners"][0]["shares"]["capital"]["words"] == "24 %"


def test_listed_persons_are_followed_down_the_chain(run, target):
    asked = ("entities", "listed-owners", "t", "--listed", "jane-doe", "--json")
    assert run(*asked).document["answer"] == "not met"
    jane = memory.by_slug("jane-doe")
    memory.link(subject=target, object=jane, type="owned-by", percentage=10, source="report")
    told = run(*asked)
    assert (told.code, told.document["answer"]) == (1, "met")


def test_an_unknown_entity_is_refused(run, db):
    assert run("entities", "owners", "nobody").code == 1
