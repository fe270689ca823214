"""Natural persons stand in no list, search, tree or answer of somebody without the right to see them."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from entities.memory import link
from entities.memory.people import as_seen_by
from entities.memory.writes import create_entity
from entities.models import Entity, Statement
from research.mcp.catalogue import call
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
NAME = "Jane Unlikely-Doe"
RIGHTS = [
    f"view_{table}"
    for table in (
        "entity",
        "relationship",
        "entityevent",
        "entityresearch",
        "representation",
        "statement",
    )
]


@pytest.fixture
def company():
    """A company whose owner is Jane."""
    company = EntityFactory(name="Alpha AG", slug="alpha")
    jane = EntityFactory(name=NAME, slug="jane", type="person")
    link(subject=company, object=jane, type="owned-by", percentage=60, source="report")
    return company


@pytest.fixture
def viewer():
    """Somebody who may see entities and all that is said of them, but no persons."""
    return UserFactory(is_staff=True, rights=RIGHTS)


@pytest.fixture
def officer():
    """Somebody who may also see persons."""
    return UserFactory(is_staff=True, rights=[*RIGHTS, "view_person"])


PATHS = [
    ("api-entities", ()),
    ("api-entity", ("alpha",)),
    ("api-entity-related", ("alpha",)),
    ("api-entity-timeline", ("alpha",)),
    ("api-entity-facts", ("alpha",)),
    ("api-entity-statements", ("alpha",)),
]


def answers(person):
    client = APIClient()
    client.force_authenticate(person)
    pages = [client.get(reverse(name, args=args)) for name, args in PATHS]
    pages.append(client.get(reverse("api-entity-resolve"), {"text": NAME}))
    pages.append(client.get(reverse("api-entities"), {"q": "Unlikely"}))
    return [page.content.decode() for page in pages]


def test_rest_leaves_them_out(company, viewer, officer):
    assert not any(NAME in text for text in answers(viewer))
    assert sum(NAME in text for text in answers(officer)) >= 3


def test_rest_does_not_know_their_slugs(company, viewer, officer):
    for person, status in ((viewer, 404), (officer, 200)):
        client = APIClient()
        client.force_authenticate(person)
        assert client.get(reverse("api-entity", args=["jane"])).status_code == status


def test_the_reasons_of_what_is_said_of_them_are_not_there(company, viewer, officer):
    row = Statement.objects.get(property="owned-by")
    for person, status in ((viewer, 404), (officer, 200)):
        client = APIClient()
        client.force_authenticate(person)
        assert client.get(reverse("api-statement-reasons", args=[row.pk])).status_code == status
        page = Client()
        page.force_login(person)
        url = reverse("admin:entities_entity_why", args=[company.pk, row.pk])
        assert page.get(url).status_code == status


def test_pages_leave_them_out(company, viewer, officer):
    company_page = reverse("admin:entities_entity_change", args=[company.pk])
    lists = [
        reverse(f"admin:entities_{table}_changelist") for table in ("entity", "relationship", "statement")
    ]
    for person, shown in ((viewer, False), (officer, True)):
        client = Client()
        client.force_login(person)
        for path in [company_page, *lists, f"{lists[0]}?q=Unlikely"]:
            assert (NAME in client.get(path).content.decode()) is shown


def test_the_page_of_a_person_is_not_there_for_them(company, viewer):
    client = Client()
    client.force_login(viewer)
    jane = Entity.objects.get(slug="jane")
    assert client.get(reverse("admin:entities_entity_owners", args=[jane.pk])).status_code == 404


def test_agents_leave_them_out(company, viewer, officer):
    for person, found in ((viewer, False), (officer, True)):
        told = str(call("search_entities", {"query": "Unlikely"}, person))
        told += str(call("resolve_entity", {"identifier": NAME}, person))
        told += str(call("get_entity_facts", {"entityId": str(company.pk)}, person))
        told += str(call("get_related_entities", {"entityId": str(company.pk)}, person))
        assert (NAME in told) is found


def test_a_person_whom_somebody_may_not_see_is_not_created_twice(company, viewer):
    viewer.user_permissions.add(Permission.objects.get(codename="add_entity"))
    with as_seen_by(viewer):
        again = create_entity(name=NAME, type="person")
    assert again == Entity.objects.get(slug="jane") or again.pending_verification
