from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.utils import timezone

from entities.memory import (
    add_event,
    add_representation,
    create_entity,
    deactivate_representation,
    link,
    merge_entities,
    plan_merge,
    store_research_results,
    verify_entity,
)
from entities.models import Entity, EntityResearch, Relationship
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


def test_lists_are_narrowed_by_an_lei_and_a_code_as_people_type_them(client, url):
    EntityFactory(slug="asked-for", lei="529900K9B0N5BT694847", jurisdiction="DE")
    EntityFactory(slug="another", jurisdiction="CH")
    for query in ({"lei": "5299 00k9 b0n5 bt69 4847"}, {"jurisdiction": "de "}):
        rows = client.get(url("entities"), query).json()["results"]
        assert [row["slug"] for row in rows] == ["asked-for"]


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


def test_a_former_slug_and_a_merged_one_lead_to_the_one_that_stays(client, url, allianz, person):
    person.user_permissions.add(*Permission.objects.filter(codename__in=["merge_entity", "verify_entity"]))
    person = type(person).objects.get(pk=person.pk)
    create_entity(name="Twin", type="protocol")
    apart = create_entity(name="Twin", type="protocol", key="abc123")
    verify_entity(entity=apart, actor=person, reason="Another person.")
    assert client.get(url("entity", "twin-unverified-abc123")).json()["slug"] == "twin-2"
    other = EntityFactory(slug="allianz-old", name="Allianz AG")
    digest = plan_merge(into=allianz, other=other).digest
    merge_entities(into=allianz, other=other, actor=person, reason="The same.", digest=digest)
    assert client.get(url("entity", "allianz-old")).json()["slug"] == "allianz-se"
    assert client.get(url("entity-timeline", "allianz-old")).json()["results"][0]["type"] == "merged"
    listed = {row["slug"] for row in client.get(url("entities")).json()["results"]}
    assert "allianz-old" not in listed
    merged = client.get(url("entities"), {"merged": "true"}).json()["results"]
    assert [(row["slug"], row["merged_into"]) for row in merged] == [("allianz-old", "allianz-se")]


def test_what_waits_says_so(client, url):
    create_entity(name="Seeker", type="crypto-token", symbol="SKR")
    create_entity(name="Seeker", type="crypto-token", symbol="SKR", key="Fake11")
    answer = client.get(url("entity-resolve"), {"text": "SKR"}).json()
    assert (answer["entity"]["slug"], answer["entity"]["tags"]) == ("seeker", [])
    assert [one["tags"] for one in answer["lookalikes"]] == [["pending-verification"]]
    waiting = client.get(url("entities"), {"pending_verification": "true"}).json()["results"]
    assert [row["slug"] for row in waiting] == ["seeker-unverified-fake11"]


@pytest.mark.parametrize("text", ["lianz", "ALV", "allianz-se", "ALLVDEMM", "Allianz Aktiengesellschaft"])
def test_a_list_is_searched_by_every_name_and_key(client, url, text):
    entity = EntityFactory(
        name="Allianz SE",
        slug="allianz-se",
        symbol="ALV",
        aliases=[{"name": "Allianz Aktiengesellschaft"}],
    )
    EntityFactory(name="Other")
    add_representation(entity=entity, type="bic", key="ALLVDEMM")
    assert [row["slug"] for row in client.get(url("entities"), {"q": text}).json()["results"]] == [
        "allianz-se"
    ]


def test_a_timeline_is_narrowed_and_tells_whom_else_it_is_about(client, url, allianz):
    other = EntityFactory(slug="other")
    add_event(entity=allianz, type="news", summary="small", importance=1)
    add_event(entity=allianz, type="listing", summary="middle", importance=5)
    add_event(entity=other, type="merger", summary="large", importance=9, related=[allianz])
    path = url("entity-timeline", "allianz-se")
    assert {row["summary"] for row in client.get(path, {"type": "news,listing"}).json()["results"]} == {
        "small",
        "middle",
    }
    [row] = client.get(path, {"min_importance": "8"}).json()["results"]
    assert (row["entity"], row["related"]) == ("other", ["allianz-se"])
    assert client.get(path, {"min_importance": "many"}).status_code == 400


def test_forms_are_narrowed(client, url, allianz):
    form = add_representation(entity=allianz, type="bic", key="ALLVDEMM")
    add_representation(entity=allianz, type="isin", key="DE0008404005")
    deactivate_representation(representation=form, reason="wrong")
    path = url("entity-forms", "allianz-se")
    for query, keys in (({"active": "true"}, ["DE0008404005"]), ({"type": "bic"}, ["ALLVDEMM"])):
        assert [row["key"] for row in client.get(path, query).json()["results"]] == keys


def test_relatives_are_listed_from_both_sides(client, url, allianz, person):
    person.user_permissions.add(Permission.objects.get(codename="view_relationship"))
    link(subject=EntityFactory(slug="child"), object=allianz, type="owned-by")
    link(subject=allianz, object=EntityFactory(slug="group"), type="member-of")
    path = url("entity-related", "allianz-se")
    assert len(client.get(path).json()["results"]) == 2
    assert client.get(path, {"type": "member-of"}).json()["results"][0]["object"] == "group"
    assert client.get(path, {"current": "false"}).json()["results"] == []


def test_freshness_is_asked_with_an_age(client, url, allianz):
    path = url("entity-freshness", "allianz-se")
    assert client.get(path).json() == {
        "exists": False,
        "fresh": False,
        "age": None,
        "expires_at": None,
        "expires_in": None,
        "message": "No research is stored.",
    }
    sources = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]
    half_an_hour_ago = timezone.now() - timedelta(minutes=30)
    store_research_results(
        entity=allianz, findings={"summary": "x", "confidence": 1}, sources=sources, now=half_an_hour_ago
    )
    assert client.get(path).json()["fresh"] is True
    assert client.get(path, {"max_age": "60"}).json()["fresh"] is False
    assert client.get(path, {"max_age": "-1"}).status_code == 400


def test_thousands_of_children_are_counted_and_the_first_are_shown(
    client, url, allianz, django_assert_max_num_queries
):
    rows = Entity.objects.bulk_create(
        [Entity(slug=f"f{n}", name=f"F {n}", type="fund") for n in range(1_500)]
    )
    Relationship.objects.bulk_create(
        [Relationship(subject=row, object=allianz, type="fund-managed-by") for row in rows]
    )
    with django_assert_max_num_queries(20):
        shown = client.get(url("entity", "allianz-se")).json()
    assert (len(shown["related_from"]), shown["counts"]["related_from"]) == (100, 1_500)


@pytest.mark.parametrize("name", ["entity-related", "entity-freshness", "entity-timeline", "entity-research"])
def test_each_part_needs_its_own_right(client_of, url, allianz, name):
    reader = client_of(UserFactory(rights=["view_entity"]))
    assert reader.get(url("entity", "allianz-se")).status_code == 200
    assert reader.get(url(name, "allianz-se")).status_code == 403
