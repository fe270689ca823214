"""Registers, entity memory, the archive and citations are offered to agents as they are to macros."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from entities.models import Entity
from research.mcp.catalogue import call, offered_to, offers
from research.mcp.registry import OF_THE_LOOP
from research.tools.tool import REGISTRY
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
LATER = datetime(2026, 11, 21, 12, 1, 0, tzinfo=UTC)
MEMORY = (
    "resolve_entity",
    "search_entities",
    "check_research_freshness",
    "get_cached_research",
    "get_entity_representations",
    "query_entity_timeline",
    "get_related_entities",
)
WRITING = (
    "create_entity",
    "add_representation",
    "store_research_results",
    "invalidate_research",
    "deactivate_representation",
)


WRITER = ["view_entity", "add_entity", "add_representation", "add_entityresearch"]


def names(person) -> set[str]:
    return {offer.name for offer in offered_to(person)}


def test_a_reader_is_offered_what_reads(person):
    offered = names(person)
    assert {*MEMORY, "lei_search", "lei_record", "lei_check", "archive_search"} <= offered
    assert not offered & set(WRITING)


def test_somebody_who_may_change_entities_is_offered_what_writes():
    assert set(WRITING) <= names(UserFactory(rights=WRITER))


def test_nobody_is_offered_what_belongs_to_a_run(person):
    assert not OF_THE_LOOP & set(offers())
    assert set(REGISTRY) >= OF_THE_LOOP


def test_somebody_without_rights_is_offered_nothing():
    assert names(UserFactory(rights=[])) == set()


def test_it_finds_an_entity(ask):
    entity = EntityFactory(name="Allianz SE")
    found = ask("resolve_entity", identifier="Allianz SE")
    assert found["data"]["entity"]["id"] == str(entity.pk)


def test_it_asks_the_register(ask):
    found = ask("lei_record", lei="529900K9B0N5BT694847")
    assert found["success"], found
    assert "Allianz SE" in str(found["data"])


def test_a_failure_is_a_value(ask):
    refused = ask("lei_record", lei="529900K9B0N5BT694848")
    assert refused["success"] is False
    assert refused["error"]["message"]


def test_it_creates_an_entity_that_nobody_vouches_for():
    writer = UserFactory(rights=WRITER)
    told = call("create_entity", {"name": "Seeker", "type": "crypto-token"}, writer)
    assert told["success"], told
    assert not Entity.objects.get(name="Seeker").verified


def test_too_many_calls_in_a_minute_are_refused(ask, settings, monkeypatch):
    settings.DOSSIER_MCP_CALLS_PER_MINUTE = 2
    clock = iter([datetime(2026, 11, 21, 12, 0, second, tzinfo=UTC) for second in (1, 2, 3)] + [LATER])
    monkeypatch.setattr("research.mcp.catalogue.timezone", SimpleNamespace(now=lambda: next(clock)))
    answers = [ask("search_entities", query="x") for _ in range(4)]
    assert [answer["success"] for answer in answers] == [True, True, False, True]
    assert answers[2]["error"]["code"] == "rate_limited"


def test_every_tool_describes_itself():
    for offer in offers().values():
        assert offer.description.strip()
        assert offer.parameters["type"] == "object"
        assert offer.parameters["additionalProperties"] is False
