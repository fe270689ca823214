"""Whoever looks at what is known of a natural person leaves one row for the day and the door."""

import json

import pytest
from django.urls import reverse

from entities import memory
from entities.models import EntityLook
from entities.services.export import export_entity
from research.mcp.catalogue import call
from research.services.tokens import issue_token
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def alpha():
    return memory.ensure_entity(name="Alpha Holding AG", jurisdiction="CH")


@pytest.fixture
def person(alpha):
    person = memory.create_entity(name="Jane Roe", type="person")
    memory.link(subject=alpha, object=person, type="owned-by", percentage=60)
    return person


def looks():
    return {
        (row.entity.slug, row.person.username, row.how): row.times
        for row in EntityLook.objects.select_related("entity", "person")
    }


def test_each_door_leaves_a_row_and_the_second_look_is_counted(client, alpha, person):
    reader = UserFactory(username="rita", is_staff=True, is_superuser=True)
    client.force_login(reader)
    page = reverse("admin:entities_entity_change", args=[person.pk])
    for _ in range(3):
        assert client.get(page).status_code == 200
    assert client.get(reverse("admin:entities_entity_owners", args=[alpha.pk])).status_code == 200
    token = {"Authorization": f"Bearer {issue_token(user=reader)[1]}"}
    assert client.get("/api/v1/entities/jane-roe", headers=token).status_code == 200
    assert client.get("/api/v1/entities/alpha-holding-ag/owners", headers=token).status_code == 200
    assert call("query_entity_timeline", {"entityId": "jane-roe"}, reader)["success"]
    told = json.loads("".join(export_entity(entity=person, actor=reader, reason="asked")))
    assert looks() == {
        ("jane-roe", "rita", "page"): 3,
        ("jane-roe", "rita", "owners"): 1,
        ("jane-roe", "rita", "rest"): 2,
        ("jane-roe", "rita", "agent"): 1,
        ("jane-roe", "rita", "export"): 1,
    }
    assert len(told["parts"]["entities.entitylook"]) == 5


def test_a_company_is_looked_at_without_a_record(client, alpha):
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    assert client.get(reverse("admin:entities_entity_change", args=[alpha.pk])).status_code == 200
    assert looks() == {}


def test_who_may_not_see_the_person_has_not_looked(client, person):
    reader = UserFactory(is_staff=True, rights=("view_entity", "view_relationship"))
    token = {"Authorization": f"Bearer {issue_token(user=reader)[1]}"}
    assert client.get("/api/v1/entities/jane-roe", headers=token).status_code == 404
    assert client.get("/api/v1/entities/alpha-holding-ag/owners", headers=token).status_code == 200
    assert looks() == {}


def test_work_that_runs_by_itself_leaves_no_record(person):
    memory.by_slug("jane-roe")  # nobody reads here
    assert looks() == {}
