"""With DOSSIER_STEP_UP_MINUTES who approves in a browser has shown lately who they are; a token is not asked."""

import json
import time

import pytest
from django.test import Client
from django.urls import reverse

from research.models import Decision
from research.services.tokens import issue_token
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory
from tests.sign_in.conftest import PASSWORD
from tests.sign_in.test_a_second_factor_is_asked_for import age, confirm

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def step_up(settings):
    settings.DOSSIER_STEP_UP_MINUTES = 15


@pytest.fixture
def petra(client):
    person = UserFactory(username="petra", rights=ALL_RIGHTS)
    person.set_password(PASSWORD)
    person.save()
    client.force_login(person)
    return person


def approve(client, result, **headers):
    body = json.dumps({"digest": result.digest, "note": "Read."})
    address = reverse("api-result-approve", args=[result.pk])
    return client.post(address, body, content_type="application/json", headers=headers)


def test_over_rest_a_session_is_asked_and_a_token_is_not(client, petra):
    result = ResultFactory()
    refused = approve(client, result)
    assert (refused.status_code, refused.json()["type"]) == (403, "urn:dossier:not-permitted")
    assert not Decision.objects.exists()
    token = issue_token(user=petra)[1]
    assert approve(Client(), result, Authorization=f"Bearer {token}").status_code == 200


def test_a_proof_lasts_as_long_as_is_set(client, petra):
    age(client, proved_at=time.time() - 16 * 60)
    assert approve(client, ResultFactory()).status_code == 403
    age(client, proved_at=time.time() - 14 * 60)
    assert approve(client, ResultFactory()).status_code == 200


def test_in_the_browser_a_password_is_asked_for_where_there_is_no_factor(client, petra):
    result = ResultFactory()
    page = reverse("admin:research_researchresult_review", args=[result.pk])
    answer = client.post(page, {"action": "approve", "digest": result.digest, "leaf:/name": "Mine"})
    assert answer["Location"].startswith(reverse("admin:confirm"))
    assert not Decision.objects.exists()
    shown = client.get(answer["Location"]).content.decode()
    assert 'name="password"' in shown
    assert confirm(client, password="wrong", next=page).status_code == 200
    assert confirm(client, password=PASSWORD, next=page)["Location"] == page
    assert 'value="Mine"' in client.get(page).content.decode()
    assert approve(client, result).status_code == 200
