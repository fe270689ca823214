import pytest

from entities.memory import ensure_entity
from entities.models import EntityPair
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
SEE = ("view_entity", "view_entitypair")


@pytest.fixture
def judge(client_of):
    return client_of(UserFactory(rights=(*SEE, "merge_entity")))


@pytest.fixture
def pair():
    EntityFactory(name="Allianz SE", slug="allianz-se")
    ensure_entity(name="Alianz SE", metadata={"stated_by": "decision 7"})
    return EntityPair.objects.get()


def test_the_queue_says_why_two_are_alike(judge, url, pair):
    [shown] = judge.get(url("pairs")).json()["results"]
    assert (shown["other"], shown["state"], shown["found_by"]) == ("allianz-se", "open", "decision 7")
    assert "spelled otherwise" in shown["explanation"]
    assert judge.get(url("pairs"), {"state": "different"}).json()["results"] == []


def test_a_pair_tells_what_a_merge_would_do_and_is_merged(judge, url, pair):
    shown = judge.get(url("pair", pair.pk)).json()
    assert shown["entity"]["name"] == "Alianz SE"
    way = next(way for way in shown["merges"] if way["into"] == "allianz-se")
    assert way["blockers"] == []
    said = {"judgement": "same", "reason": "a slip", "into": way["into"], "digest": way["digest"]}
    answer = judge.post(url("pair-judgement", pair.pk), said)
    assert (answer.status_code, answer.json()["state"], answer.json()["merges"]) == (200, "same", [])
    assert judge.get(url("pairs")).json()["results"] == []


def test_who_comes_second_gets_a_conflict_with_the_reason(judge, url, pair):
    said = {"judgement": "different", "reason": "two companies"}
    assert judge.post(url("pair-judgement", pair.pk), said).status_code == 200
    answer = judge.post(url("pair-judgement", pair.pk), {**said, "reason": "again"})
    assert answer.status_code == 409
    assert "has judged this pair already: different" in answer.content.decode()


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({"judgement": "perhaps", "reason": "x"}, 400),
        ({"judgement": "different"}, 400),
        ({"judgement": "same", "reason": "x"}, 409),
        ({"judgement": "same", "reason": "x", "into": "somebody-else"}, 409),
    ],
)
def test_what_is_wrong_is_refused(judge, url, pair, said, status):
    assert judge.post(url("pair-judgement", pair.pk), said).status_code == status
    pair.refresh_from_db()
    assert pair.state == "open"


def test_judging_needs_the_right_to_merge(client_of, url, pair):
    looker = client_of(UserFactory(rights=SEE))
    said = {"judgement": "different", "reason": "x"}
    assert looker.get(url("pair", pair.pk)).status_code == 200
    assert looker.post(url("pair-judgement", pair.pk), said).status_code == 403


def test_resolving_says_how_like_each_name_is(judge, url, pair):
    found = judge.get(url("entity-resolve"), {"text": "Alllianz SE"}).json()
    assert found["entity"] is None
    assert {each["slug"] for each in found["alike"]} >= {"allianz-se"}
    assert all(each["score"] < 95 and each["explanation"] for each in found["alike"])
