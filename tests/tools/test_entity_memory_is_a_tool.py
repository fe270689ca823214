"""A model may ask what was approved before."""

import pytest

from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db


def test_it_gives_the_one_entity_that_an_identifier_means(call):
    EntityFactory(name="Allianz SE", slug="allianz-se", lei="529900K9B0N5BT694847")
    data = call("resolve_entity", identifier="529900K9B0N5BT694847")["data"]
    assert data["entity"]["slug"] == "allianz-se"
    assert data["how"] == "lei"


def test_it_gives_candidates_instead_of_choosing(call):
    EntityFactory(name="Acme", slug="acme-1")
    EntityFactory(name="Acme", slug="acme-2")
    data = call("resolve_entity", identifier="Acme")["data"]
    assert data["entity"] is None
    assert {entity["slug"] for entity in data["candidates"]} == {"acme-1", "acme-2"}


def test_an_entity_that_is_not_known_is_an_answer_and_no_error(call):
    answer = call("resolve_entity", identifier="Nobody")
    assert answer["success"] is True
    assert answer["data"]["entity"] is None
    assert "sources" not in answer
