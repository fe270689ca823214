"""Workers that learn the same thing at the same time write it once."""

import threading

import pytest
from django.db import connection

from entities.memory import RefusedWrite, add_representation, create_entity, ensure_entity, link
from entities.models import Entity, Relationship, Representation
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db(transaction=True)
LEI = "529900K9B0N5BT694847"
CROWD = 6


@pytest.fixture
def at_once():
    """Calls a function in many threads at the same moment; gives what each returned or raised."""

    def run(*calls):
        start, answers = threading.Barrier(len(calls)), [None] * len(calls)

        def one(number, call):
            start.wait(timeout=30)
            try:
                answers[number] = call()
            except Exception as error:  # noqa: BLE001 - the test looks at it
                answers[number] = error
            finally:
                connection.close()

        threads = [threading.Thread(target=one, args=each) for each in enumerate(calls)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    return run


@pytest.mark.parametrize(
    "make",
    [
        lambda: ensure_entity(name="Acme"),
        lambda: ensure_entity(name="Acme", jurisdiction="DE"),
        lambda: ensure_entity(name="Acme", lei=LEI),
        lambda: create_entity(name="Acme", type="crypto-token", symbol="ACM"),
    ],
)
def test_an_entity_is_created_once(at_once, make):
    answers = at_once(*[make] * CROWD)
    assert Entity.objects.count() == 1
    assert {str(answer) for answer in answers} == {"Acme"}


def test_two_spellings_of_one_name_are_one_entity(at_once):
    forms = ("Ltd", "Ltd.", "Limited", "LTD", "L.t.d.", "ltd")
    at_once(*[lambda form=form: ensure_entity(name=f"Alpha Holding {form}") for form in forms])
    assert Entity.objects.count() == 1


def test_two_names_for_one_lei_are_one_entity(at_once):
    at_once(*[lambda n=n: ensure_entity(name=f"Acme {n}", lei=LEI) for n in range(CROWD)])
    assert Entity.objects.get().lei == LEI
    assert Representation.objects.count() == 1


def test_different_entities_of_one_slug_all_come_into_being(at_once):
    kinds = ["person", "fund", "protocol", "concept"]
    at_once(*[lambda kind=kind: ensure_entity(name="Acme", type=kind) for kind in kinds])
    assert set(Entity.objects.values_list("type", flat=True)) == set(kinds)
    assert Entity.objects.values("slug").distinct().count() == len(kinds)


@pytest.mark.parametrize(
    ("kind", "places"),
    [
        ("spot-token", [("spl", "solana")] * CROWD),
        ("isin", [("", ""), ("XETRA", "")] * 3),
        ("perp-contract", [("drift", "solana"), ("drift", "ethereum")] * 3),
    ],
)
def test_a_form_is_added_once(at_once, kind, places):
    entity, key = EntityFactory(), "LU0256839274"
    at_once(
        *[
            lambda a=a, c=c: add_representation(entity=entity, type=kind, authority=a, chain=c, key=key)
            for a, c in places
        ]
    )
    assert Representation.objects.count() == 1


def test_of_two_entities_one_gets_the_key(at_once):
    rivals = [EntityFactory(), EntityFactory()]
    answers = at_once(
        *[lambda one=one: add_representation(entity=one, type="bic", key="ALLVDEMM") for one in rivals]
    )
    assert sorted(type(answer) for answer in answers if isinstance(answer, Exception)) == [RefusedWrite]
    assert Representation.objects.count() == 1


def test_a_relationship_is_stated_once(at_once):
    one, other = EntityFactory(), EntityFactory()
    at_once(*[lambda: link(subject=one, object=other, type="member-of")] * CROWD)
    assert Relationship.objects.count() == 1
