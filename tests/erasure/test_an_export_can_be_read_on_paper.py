"""The export as PDF: tables to be read, and all of it as JSON attached."""

import json

import pytest
from django.urls import reverse

from entities import memory
from entities.models import EntityAct
from research.services.tokens import issue_token
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader():
    return UserFactory(is_staff=True, is_superuser=True)


@pytest.fixture
def person():
    entity = memory.create_entity(
        name="Jürg <b>Roe</b> \u202e#import", type="person", metadata={"note": "$x$ [y]"}
    )
    memory.add_event(entity=entity, type="note", summary="met", importance=3)
    return entity


def test_the_page_and_rest_give_a_pdf_and_record_it(client, reader, person):
    client.force_login(reader)
    asked = {"reason": "asked", "format": "pdf"}
    page = client.post(reverse("admin:entities_entity_export", args=[person.pk]), asked)
    token = {"Authorization": f"Bearer {issue_token(user=reader)[1]}"}
    rest = client.post(f"/api/v1/entities/{person.slug}/export", asked, "application/json", headers=token)
    for answer in (page, rest):
        assert answer["Content-Type"] == "application/pdf"
        assert b"".join(answer.streaming_content if answer.streaming else [answer.content])[:5] == b"%PDF-"
    assert EntityAct.objects.filter(entity=person, kind="exported", reason="asked").count() == 2


def test_json_is_what_is_given_without_a_format(client, reader, person):
    client.force_login(reader)
    page = client.post(reverse("admin:entities_entity_export", args=[person.pk]), {"reason": "asked"})
    assert json.loads(b"".join(page.streaming_content))["entity"] == person.slug


def test_a_long_history_is_cut_on_paper_and_whole_in_the_attachment(client, reader):
    entity = memory.ensure_entity(name="Beta AG", aliases=[{"name": f"Beta {n}"} for n in range(100)])
    client.force_login(reader)
    page = client.post(
        reverse("admin:entities_entity_export", args=[entity.pk]), {"reason": "asked", "format": "pdf"}
    )
    assert len(b"".join(page.streaming_content)) > 10_000
