"""A person who may do everything to entities, and pages of entities as they see them."""

import pytest
from django.urls import reverse

from entities.models import Entity, Relationship
from tests.factories import UserFactory

RIGHTS = (
    *(
        f"view_{name}"
        for name in (
            "entity",
            "relationship",
            "representation",
            "entityevent",
            "entityresearch",
            "statement",
        )
    ),
    "verify_entity",
    "merge_entity",
)


@pytest.fixture
def petra(client, db):
    person = UserFactory(username="petra", rights=RIGHTS)
    client.force_login(person)
    return person


@pytest.fixture
def shown(client, petra):
    """The HTML of an entity's page."""

    def show(entity):
        answer = client.get(reverse("admin:entities_entity_change", args=[entity.pk]))
        assert answer.status_code == 200
        return answer.content.decode()

    return show


@pytest.fixture
def post(client, petra):
    """``post("verify", entity, reason="...")``: the messages that follow."""

    def send(action, entity, *args, **data):
        url = reverse(f"admin:entities_entity_{action}", args=[entity.pk, *args])
        answer = client.post(url, data, follow=True)
        return [str(message) for message in answer.context["messages"]]

    return send


@pytest.fixture
def children_of():
    """So many funds below an entity, without asking the services ten thousand times."""

    def make(entity, count, kind="fund-managed-by", **fields):
        rows = [
            Entity(slug=f"{entity.slug}-{n}", name=f"Example Fund {n:05d}", type="fund", **fields)
            for n in range(count)
        ]
        Entity.objects.bulk_create(rows, batch_size=1000)
        links = [Relationship(subject=row, object=entity, type=kind) for row in rows]
        Relationship.objects.bulk_create(links, batch_size=1000)
        return rows

    return make
