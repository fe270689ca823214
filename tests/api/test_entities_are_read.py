from datetime import timedelta

import pytest
from django.utils import timezone

from entities.memory import add_event, add_representation, link
from entities.models import EntityResearch
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def allianz():
    return EntityFactory(name="Allianz SE", slug="allianz-se", lei="529900K9B0N5BT694847")


def test_it_shows_an_entity_with_its_forms_and_relationships(client, url, allianz):
    child = EntityFactory(slug="child")
    add_representation(entity=allianz, type="lei", authority="GLEIF", key=allianz.lei)
    link(subject=child, object=allianz, type="directly-consolidated-by")
    shown = client.get(url("entity", "allianz-se")).json()
    assert [form["key"] for form in shown["representations"]] == [allianz.lei]
    assert [relation["subject"] for relation in shown["related_from"]] == ["child"]
    shown = client.get(url("entity", "child")).json()
    assert [relation["object"] for relation in shown["relationships"]] == ["allianz-se"]


def test_it_knows_no_other_entities(client, url):
    for name in ("entity", "entity-timeline", "entity-forms", "entity-research"):
        assert client.get(url(name, "nobody")).status_code == 404


def test_it_tells_what_happened_the_newest_first(client, url, allianz):
    now = timezone.now()
    add_event(entity=allianz, type="note", summary="earlier", at=now - timedelta(days=2))
    add_event(entity=allianz, type="note", summary="later", at=now)
    add_event(entity=EntityFactory(), type="note", summary="elsewhere", at=now)
    rows = client.get(url("entity-timeline", "allianz-se")).json()["results"]
    assert [row["summary"] for row in rows] == ["later", "earlier"]


def test_it_lists_forms_and_findings(client, url, allianz):
    add_representation(entity=allianz, type="bic", key="ALLVDEMM")
    now = timezone.now()
    EntityResearch.objects.create(
        entity=allianz, ttl=300, expires_at=now + timedelta(seconds=300), findings={"a": 1}, confidence=80
    )
    assert [row["key"] for row in client.get(url("entity-forms", "allianz-se")).json()["results"]] == [
        "ALLVDEMM"
    ]
    [row] = client.get(url("entity-research", "allianz-se")).json()["results"]
    assert row["findings"] == {"a": 1}


@pytest.mark.parametrize("text", ["allianz-se", "529900K9B0N5BT694847", "Allianz SE", "allianz se"])
def test_it_resolves_a_text(client, url, allianz, text):
    for answer in (
        client.get(url("entity-resolve"), {"text": text}),
        client.post(url("entity-resolve"), {"text": text}),
    ):
        assert answer.status_code == 200
        assert answer.json()["entity"]["slug"] == "allianz-se"


def test_it_never_picks_one_of_several(client, url, allianz):
    EntityFactory(name="Allianz Bank", slug="allianz-bank")
    answer = client.get(url("entity-resolve"), {"text": "Allianz"}).json()
    assert answer["entity"] is None
    assert {candidate["slug"] for candidate in answer["candidates"]} == {"allianz-se", "allianz-bank"}


def test_it_says_when_nothing_is_meant(client, url):
    answer = client.get(url("entity-resolve"), {"text": "nobody"}).json()
    assert (answer["entity"], answer["candidates"], answer["how"]) == (None, [], "not found")


def test_it_wants_a_text(client, url):
    assert client.get(url("entity-resolve")).status_code == 400
    assert client.post(url("entity-resolve"), {"text": ""}).status_code == 400


def test_it_resolves_only_for_those_who_may_view_entities(client_of, url, allianz):
    outsider = client_of(UserFactory(rights=["view_run"]))
    assert outsider.post(url("entity-resolve"), {"text": "allianz"}).status_code == 403
