"""A model may ask what was approved before."""

from datetime import timedelta

import pytest
from django.utils import timezone

from entities import memory
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
LEI, MINT = "529900K9B0N5BT694847", "So11111111111111111111111111111111111111112"
TWO = [{"tool": "a", "success": True}, {"tool": "b", "success": True}]


@pytest.fixture
def token():
    entity = memory.create_entity(name="Seeker", type="crypto-token", symbol="SKR")
    memory.add_representation(
        entity=entity, type="spot-token", authority="spl", chain="solana", key=MINT, context={"mint": MINT}
    )
    return entity


@pytest.fixture
def researched(token):
    def at(moment):
        return memory.store_research_results(
            entity=token, findings={"summary": "It trades.", "confidence": 80}, sources=TWO, now=moment
        )

    return at


def test_it_gives_the_one_entity_that_an_identifier_means(call):
    EntityFactory(name="Allianz SE", slug="allianz-se", lei=LEI)
    data = call("resolve_entity", identifier=LEI)["data"]
    assert data["entity"]["slug"] == "allianz-se"
    assert data["how"] == "lei"


def test_it_gives_candidates_instead_of_choosing(call):
    EntityFactory(name="Acme", slug="acme-1")
    EntityFactory(name="Acme", slug="acme-2")
    data = call("resolve_entity", identifier="Acme")["data"]
    assert data["entity"] is None
    assert {entity["slug"] for entity in data["candidates"]} == {"acme-1", "acme-2"}
    assert data["message"] == "2 entities could be meant (name): choose one."


def test_an_entity_that_is_not_known_is_an_answer_and_no_error(call):
    answer = call("resolve_entity", identifier="Nobody")
    assert answer["success"] is True
    assert answer["data"]["entity"] is None
    assert "sources" not in answer


def test_a_mint_leads_to_its_entity_and_form(call, token):
    data = call("resolve_entity", identifier=MINT)["data"]
    assert (data["entity"]["slug"], data["how"]) == ("seeker", "key")
    assert data["representation"]["context"] == {"mint": MINT}


def test_it_names_what_looks_the_same(call, token):
    memory.create_entity(name="Seeker", type="crypto-token", key="Fake11")
    [fake] = call("resolve_entity", identifier="Seeker")["data"]["lookalikes"]
    assert (fake["slug"], fake["tags"]) == ("seeker-unverified-fake11", ["pending-verification"])


@pytest.mark.parametrize("reference", ["slug", "pk"])
def test_an_entity_is_named_by_slug_or_uuid(call, token, reference):
    data = call("get_entity_representations", entityId=str(getattr(token, reference)))["data"]
    assert data["count"] == 1


@pytest.mark.parametrize(
    "name",
    [
        "check_research_freshness",
        "get_cached_research",
        "get_entity_representations",
        "query_entity_timeline",
        "get_related_entities",
    ],
)
def test_an_entity_that_is_not_there_is_named_in_the_refusal(call, name):
    answer = call(name, entityId="nobody")
    assert (answer["success"], answer["error"]["code"]) == (False, "not_found")
    assert "nobody" in answer["error"]["message"]


def test_freshness_is_told_in_milliseconds(call, token, researched):
    assert call("check_research_freshness", entityId="seeker")["data"] == {
        "exists": False,
        "fresh": False,
        "message": "No research is stored.",
    }
    stored = researched(timezone.now() - timedelta(minutes=30))
    data = call("check_research_freshness", entityId="seeker")["data"]
    assert (data["exists"], data["fresh"], data["ageHours"]) == (True, True, 0.5)
    assert data["expiresAt"] == stored.expires_at.isoformat()
    assert data["age"] + data["expiresIn"] == 3_600_000
    assert not call("check_research_freshness", entityId="seeker", maxAgeMs=60_000)["data"]["fresh"]


def test_stored_findings_are_read_whole(call, token, researched):
    assert call("get_cached_research", entityId="seeker")["data"]["found"] is False
    researched(timezone.now())
    data = call("get_cached_research", entityId="seeker")["data"]
    assert (data["found"], data["research"]["summary"], data["sources"]) == (True, "It trades.", TWO)
    memory.invalidate_research(entity=token, reason="a rug")
    assert call("get_cached_research", entityId="seeker")["data"] == {
        "found": False,
        "message": "It was invalidated: a rug",
    }


def test_forms_are_listed_by_type_and_state(call, token):
    market = memory.add_representation(entity=token, type="perp-contract", authority="drift", key="SKR-PERP")
    memory.deactivate_representation(representation=market, reason="delisted")
    forms = call("get_entity_representations", entityId="seeker")["data"]
    assert (forms["count"], forms["representations"][0]["protocol"]) == (1, "spl")
    assert call("get_entity_representations", entityId="seeker", activeOnly=False)["data"]["count"] == 2
    perps = call("get_entity_representations", entityId="seeker", type="perp-contract")["data"]
    assert perps == {"count": 0, "representations": []}


def test_the_timeline_is_told_newest_first_and_filtered(call, token):
    now = timezone.now()
    other = EntityFactory()
    for days, kind, importance in ((3, "news", 2), (2, "listing", 8), (1, "news", 9)):
        memory.add_event(
            entity=token, type=kind, summary=f"{days}", importance=importance, at=now - timedelta(days=days)
        )
    memory.add_event(entity=other, type="news", summary="mentioned", importance=9, related=[token], at=now)

    def told(**more):
        events = call("query_entity_timeline", entityId="seeker", **more)["data"]["events"]
        return [event["summary"] for event in events]

    assert told() == ["mentioned", "1", "2", "3"]
    assert told(types=["news"]) == ["mentioned", "1", "3"]
    assert told(minImportance=8) == ["mentioned", "1", "2"]
    assert told(limit=1) == ["mentioned"]


def test_relatives_are_told_from_both_sides(call, token):
    fund, parent = EntityFactory(slug="fund"), EntityFactory(slug="parent")
    memory.link(subject=token, object=parent, type="owned-by", percentage=30)
    memory.link(subject=fund, object=token, type="fund-managed-by")
    data = call("get_related_entities", entityId="seeker")["data"]
    rows = [(row["direction"], row["entity"]["slug"], row["percentage"]) for row in data["related"]]
    assert rows == [("in", "fund", None), ("out", "parent", "30")]
    out = call("get_related_entities", entityId="seeker", direction="out", types=["owned-by"])["data"]
    assert out["count"] == 1


def test_memory_is_searched(call, token):
    data = call("search_entities", query="seek")["data"]
    assert [entity["slug"] for entity in data["entities"]] == ["seeker"]
    assert call("search_entities", query="seek", type="person")["data"]["count"] == 0
    assert call("search_entities", query="seek", type="spaceship")["error"]["code"] == "bad_arguments"
