from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone
from drf_spectacular.generators import EndpointEnumerator

from entities.models import EntityResearch
from research.api.openapi import NEVER_REPEATED
from research.errors import KeyInUse
from research.jsontext import digest
from research.models import IdempotencyKey, Run
from research.services.idempotency import claim_key
from tests.factories import ALL_RIGHTS, MacroFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def body():
    return {"macro": MacroFactory().name, "params": {"client_name": "Allianz SE"}}


def post(client, path, body, key="key-1"):
    return client.post(path, body, headers={"Idempotency-Key": key})


def test_it_does_the_work_once(client, url, body):
    first, second = (post(client, url("runs"), body) for _ in range(2))
    assert (first.status_code, second.status_code) == (202, 202)
    assert first.json() == second.json()
    assert first["Location"] == second["Location"]
    assert (first.get("Idempotency-Replayed"), second["Idempotency-Replayed"]) == (None, "true")
    assert Run.objects.count() == 1


def test_it_does_the_work_for_each_key(client, url, body):
    post(client, url("runs"), body, "a")
    post(client, url("runs"), body, "b")
    assert Run.objects.count() == 2


def test_it_keeps_the_keys_of_people_apart(client, client_of, url, body):
    post(client, url("runs"), body)
    post(client_of(UserFactory(rights=ALL_RIGHTS)), url("runs"), body)
    assert Run.objects.count() == 2


def test_it_refuses_a_key_for_another_body(client, url, body):
    post(client, url("runs"), body)
    answer = post(client, url("runs"), {**body, "depth": "quick"})
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:dossier:idempotency-key-reused")


def test_it_refuses_a_key_for_another_path(client, url, body):
    post(client, url("runs"), body)
    assert post(client, url("sessions"), body).status_code == 422


def test_it_refuses_a_key_that_is_being_worked_on(client, url, body, person):
    post(client, url("runs"), body)
    IdempotencyKey.objects.update(status=None)
    answer = post(client, url("runs"), body)
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:dossier:idempotency-key-in-use")


@pytest.mark.parametrize(("status", "age"), [(None, timedelta(minutes=6)), (202, timedelta(hours=25))])
def test_it_forgets_a_key_that_was_abandoned_or_is_old(client, url, body, status, age):
    post(client, url("runs"), body)
    IdempotencyKey.objects.update(status=status, created_at=timezone.now() - age)
    answer = post(client, url("runs"), body)
    assert (answer.status_code, Run.objects.count()) == (202, 2)


def test_it_lets_a_refused_request_be_repeated(client, url, body):
    run = RunFactory(state="succeeded")
    assert post(client, url("run-resume", run.pk), {}).status_code == 409
    Run.objects.filter(pk=run.pk).update(state="failed")
    assert post(client, url("run-resume", run.pk), {}).status_code == 202


@pytest.mark.parametrize("key", ["x" * 256, "schlüssel"])
def test_it_refuses_a_key_that_is_none(client, url, body, key):
    answer = client.post(url("runs"), body, HTTP_IDEMPOTENCY_KEY=key)
    assert answer.status_code == 400
    assert not Run.objects.exists()


def test_it_does_not_need_a_key(client, url, body):
    client.post(url("runs"), body)
    client.post(url("runs"), body)
    assert Run.objects.count() == 2
    assert not IdempotencyKey.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_it_lets_one_of_many_simultaneous_requests_do_the_work():
    user, start = UserFactory(), Barrier(8)

    def claim(_):
        try:
            start.wait()
            return claim_key(user=user, key="same", fingerprint="0" * 64)[1]
        except KeyInUse:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(claim, range(8))) == [False] * 7 + [True]


def test_what_is_written_to_memory_is_written_once(client_of, url):
    writer = client_of(UserFactory(rights=["view_entity", "add_entity", "add_entityresearch"]))
    new = {"name": "Seeker", "type": "concept"}
    first, second = (post(writer, url("entities"), new) for _ in range(2))
    assert (first["Location"], first.json()) == (second["Location"], second.json())
    assert (first.status_code, second.status_code, second["Idempotency-Replayed"]) == (201, 201, "true")
    sources = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]
    findings = {"findings": {"summary": "It is listed.", "confidence": 70}, "sources": sources}
    for _ in range(2):
        assert post(writer, url("entity-research", "seeker"), findings, "key-2").status_code == 201
    assert EntityResearch.objects.count() == 1
    assert post(writer, url("entity-research", "seeker"), findings).status_code == 422


def test_what_memory_refuses_may_be_sent_again(client_of, url):
    writer = client_of(UserFactory(rights=["view_entity", "add_entityresearch"]))
    new = {"name": "Seeker", "type": "concept"}
    assert post(writer, url("entities"), new).status_code == 403
    assert not IdempotencyKey.objects.exists()


def test_every_post_that_is_described_with_a_key_heeds_it():
    views = [
        view.cls
        for path, _, method, view in EndpointEnumerator().get_api_endpoints()
        if method == "POST" and not path.endswith(NEVER_REPEATED)
    ]
    assert len(views) > 15
    assert [view.__name__ for view in views if not hasattr(view.post, "__wrapped__")] == []


def test_while_the_first_is_under_way_it_says_when_to_come_back(client_of, url, body):
    user = UserFactory(rights=ALL_RIGHTS)
    path = url("runs")
    claim_key(user=user, key="key-1", fingerprint=digest({"path": path, "body": body}))
    answer = post(client_of(user), path, body)
    assert (answer.status_code, answer["Retry-After"]) == (409, "1")
    assert answer.json()["type"] == "urn:dossier:idempotency-key-in-use"
    assert not Run.objects.exists()
