"""``POST /api/v1/entities/enrich``."""

import pytest

from entities.memory import store_research_results
from research.models import Run
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
URL = "/api/v1/entities/enrich"
TWO = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]


@pytest.fixture
def mill():
    entity = EntityFactory(name="Mill", slug="mill")
    store_research_results(entity=entity, findings={"summary": "s", "confidence": 70}, sources=TWO)
    return entity


def test_it_starts_a_run_for_what_is_not_fresh(macro, client, mill):
    response = client.post(URL, {"identifiers": ["Mill", "Allianz SE"]})
    assert response.status_code == 202
    body = response.json()
    assert [entry["status"] for entry in body["entities"]] == ["fresh", "queued"]
    assert response["Location"] == f"/api/v1/runs/{body['run']['id']}"
    assert Run.objects.get().params["identifiers"] == ["Allianz SE"]


def test_what_is_fresh_is_answered_at_once(macro, client, mill):
    response = client.post(URL, {"identifiers": ["Mill"]})
    assert (response.status_code, response.json()["run"]) == (200, None)
    assert response.json()["entities"][0]["research"]["confidence"] == 70
    assert not Run.objects.exists()


def test_the_same_request_again_starts_nothing(macro, client):
    for _ in range(2):
        response = client.post(URL, {"identifiers": ["Allianz SE"]}, HTTP_IDEMPOTENCY_KEY="k1")
        assert response.status_code == 202
    assert Run.objects.count() == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"identifiers": "Mill"},
        {"identifiers": [["Mill"]]},
        {"ids": ["Mill"]},
        {"identifiers": ["x"], "max_age": -1},
    ],
)
def test_a_bad_request_is_refused(macro, client, body):
    response = client.post(URL, body)
    assert response.status_code == 400
    assert response["Content-Type"].startswith("application/problem+json")
    assert not Run.objects.exists()


@pytest.mark.parametrize("rights", [[], ["start_run"], ["view_entityresearch"]])
def test_it_takes_both_rights(macro, client_of, rights):
    response = client_of(UserFactory(rights=rights)).post(URL, {"identifiers": ["Allianz SE"]})
    assert response.status_code == 403
    assert not Run.objects.exists()
