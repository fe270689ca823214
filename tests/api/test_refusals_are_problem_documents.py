import pytest
from django.conf import settings

from entities.gleif.errors import GleifRateLimited, GleifUnavailable

pytestmark = pytest.mark.django_db


def refused(answer, status):
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status
    assert problem["type"].startswith("urn:dossier:")
    assert problem["title"]
    return problem


@pytest.mark.parametrize("method", ["get", "post", "delete", "patch"])
def test_it_refuses_a_path_that_is_not_there(nobody, method):
    assert refused(getattr(nobody, method)("/api/v1/nothing/here"), 404)["status"] == 404


@pytest.mark.parametrize("path", ["runs/7", "runs/not-a-uuid", "results/x/approve", ""])
def test_it_refuses_an_id_that_cannot_be(client, path):
    assert refused(client.get(f"/api/v1/{path}"), 404)["status"] == 404


@pytest.mark.parametrize(
    ("method", "name"),
    [("put", "runs"), ("delete", "runs"), ("patch", "results"), ("get", "lei-check"), ("get", "tokens")],
)
def test_it_refuses_a_method_that_a_path_does_not_have(client, url, method, name, person):
    if name == "tokens":
        client.force_authenticate(None)
        refused(client.get(url(name)), 401)
    else:
        answer = getattr(client, method)(url(name))
        refused(answer, 405)
        assert "GET" in answer["Allow"] or "POST" in answer["Allow"]


def test_it_refuses_another_media_type(client, url):
    answer = client.post(url("runs"), "a=b", content_type="application/x-www-form-urlencoded")
    assert refused(answer, 415)["status"] == 415


def test_it_refuses_to_answer_in_xml(client, url):
    answer = client.get(url("runs"), headers={"Accept": "application/xml"})
    assert refused(answer, 406)["status"] == 406


def test_it_refuses_too_many_requests_with_the_time_to_wait(client, url, monkeypatch):
    monkeypatch.setattr("rest_framework.throttling.UserRateThrottle.rate", "2/min", raising=False)
    answers = [client.get(url("runs")) for _ in range(3)]
    refused(answers[-1], 429)
    assert int(answers[-1]["Retry-After"]) > 0


@pytest.mark.parametrize(
    ("error", "wait"),
    [(GleifUnavailable("The register is down."), None), (GleifRateLimited("Slow down.", 6.2), "7")],
)
def test_it_never_takes_trouble_with_the_register_for_absence(client, url, monkeypatch, error, wait):
    def fail(*_):
        raise error

    monkeypatch.setattr("entities.gleif.register.Register.record", fail)
    answer = client.get(url("lei", "529900K9B0N5BT694847"))
    assert refused(answer, 503)["type"] == "urn:dossier:register-unavailable"
    assert answer.get("Retry-After") == wait


def test_it_tells_nothing_about_a_fault_of_its_own(client, url, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("research.api.runs.start_run", fail)
    client.raise_request_exception = False
    answer = client.post(url("runs"), {"macro": "m"})
    assert "secret" not in answer.content.decode()
    refused(answer, 500)


def test_it_has_a_rate_for_everybody():
    assert set(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]) == {"anon", "user"}
