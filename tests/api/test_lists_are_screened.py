"""Screening over REST: lists, names, entities, hits, decisions."""

from dataclasses import replace

import pytest
from django.utils import timezone

from entities.models import ScreeningHit
from entities.screening import lists
from entities.services.screening import screen_entity
from tests.entities.screening import samples
from tests.entities.screening.imported import import_text
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
RIGHTS = ["view_screeninghit", "view_listversion", "run_screening", "decide_screeninghit"]


@pytest.fixture
def person(db):
    return UserFactory(rights=RIGHTS)


@pytest.fixture
def imported(monkeypatch, tmp_path):
    for name, kind in lists.KINDS.items():
        monkeypatch.setitem(lists.KINDS, name, replace(kind, bytes=10, entries=1))
    EntityFactory(name="Northern Amber Trading", slug="amber", jurisdiction="RU")
    return import_text(tmp_path, timezone.now(), "ofac-sdn", samples.ofac())


def post(client, path, **body):
    return client.post(f"/api/v1/{path}", body)


def test_without_lists_a_name_is_unknown_and_the_lists_say_why(client):
    told = client.get("/api/v1/screening", {"name": "Northern Amber Trading"}).json()
    assert (told["outcome"], told["hits"]) == ("unknown", [])
    states = {one["list"]: one["state"] for one in client.get("/api/v1/screening/lists").json()}
    assert set(states.values()) == {"missing"}


@pytest.mark.usefixtures("imported")
def test_a_name_is_screened_and_nothing_is_recorded(client):
    told = client.get(
        "/api/v1/screening", {"name": "Sergei Karelov", "kind": "person", "birth": "1972"}
    ).json()
    [hit] = told["hits"]
    assert (told["outcome"], hit["key"]) == ("hits", "7001")
    assert [one["field"] for one in hit["fields"]] == ["name", "birth"]
    assert not ScreeningHit.objects.exists()


@pytest.mark.parametrize("asked", [{}, {"name": "A", "kind": "ship"}, {"name": "A", "birth": "someday"}])
def test_a_question_that_cannot_be_read_is_refused(client, asked):
    assert client.get("/api/v1/screening", asked).status_code == 400


@pytest.mark.usefixtures("imported")
def test_an_entity_is_screened_and_its_hit_decided(client):
    told = post(client, "entities/amber/screenings")
    assert (told.status_code, told.json()["outcome"]) == (201, "hits")
    [hit] = client.get("/api/v1/screening/hits", {"state": "open"}).json()["results"]
    decided = post(
        client,
        f"screening/hits/{hit['id']}/decision",
        revision=1,
        verdict="true-match",
        reason="same address",
    )
    assert (decided.status_code, decided.json()["verdict"]) == (201, "true-match")
    shown = client.get(f"/api/v1/screening/hits/{hit['id']}").json()
    assert (shown["state"], shown["decisions"][0]["reason"]) == ("true-match", "same address")
    assert client.get("/api/v1/entities/amber/screenings").json()["results"][0]["outcome"] == "hits"


@pytest.mark.usefixtures("imported")
def test_who_decides_second_is_told_with_409(client):
    post(client, "entities/amber/screenings")
    hit = ScreeningHit.objects.get()
    body = {"revision": hit.revision, "verdict": "unsure", "reason": "not enough"}
    assert post(client, f"screening/hits/{hit.pk}/decision", **body).status_code == 201
    assert post(client, f"screening/hits/{hit.pk}/decision", **body).status_code == 409


@pytest.mark.usefixtures("imported")
def test_hits_of_natural_persons_need_a_right_of_their_own(client, client_of):
    screen_entity(entity=EntityFactory(name="Sergei Karelov", slug="karelov", type="person"))
    hit = ScreeningHit.objects.get()
    assert client.get("/api/v1/screening/hits").json()["results"] == []
    assert client.get(f"/api/v1/screening/hits/{hit.pk}").status_code == 404
    body = {"revision": 1, "verdict": "unsure", "reason": "x"}
    assert post(client, f"screening/hits/{hit.pk}/decision", **body).status_code == 404
    allowed = client_of(UserFactory(rights=[*RIGHTS, "view_person"]))
    assert [one["entity"] for one in allowed.get("/api/v1/screening/hits").json()["results"]] == ["karelov"]
