"""The demo register speaks the documented shape of the API."""

from collections.abc import Callable
from typing import Any

import pytest

from entities.gleif.demo.answers import DemoRegister
from entities.gleif.demo.facts import AS_OF, Entity
from tests.cases import cases

ALLIANZ = "529900K9B0N5BT694847"


@pytest.fixture(scope="module")
def api() -> DemoRegister:
    return DemoRegister()


def test_it_answers_a_record_with_the_publish_date(api: DemoRegister) -> None:
    status, body = api.answer(f"lei-records/{ALLIANZ}")
    assert (status, body["meta"]) == (200, {"goldenCopy": {"publishDate": AS_OF}})
    assert body["data"]["attributes"]["entity"]["legalName"] == {"name": "Allianz SE", "language": "de"}
    assert body["data"]["attributes"]["entity"]["legalAddress"]["region"] == "DE-BY"
    assert body["data"]["meta"] == {"seen": "2026-01-02"}


def test_it_links_exactly_one_state_of_each_parent(api: DemoRegister) -> None:
    _, body = api.answer("lei-records/254900LNRYNOQ9YPU758")
    relationships = body["data"]["relationships"]
    assert list(relationships["direct-parent"]["links"]) == ["reporting-exception"]
    assert list(relationships["ultimate-parent"]["links"]) == ["lei-record", "relationship-record"]


@cases(
    "path",
    [
        "lei-records/00000000000000000000",
        f"lei-records/{ALLIANZ}/direct-parent",
        f"lei-records/{ALLIANZ}/fund-manager",
        f"lei-records/{ALLIANZ}/successor-entity",
        f"lei-records/{ALLIANZ}/direct-parent-relationship",
        f"lei-records/{ALLIANZ}/moon",
        "lei-records/a/b/c",
        "",
        "moon",
    ],
)
def test_it_answers_404_as_json_api(api: DemoRegister, path: str) -> None:
    status, body = api.answer(path)
    assert (status, body["errors"][0]["status"]) == (404, "404")
    assert set(body["errors"][0]) == {"status", "title", "detail"}


def test_it_pages_by_fifteen_unless_told_otherwise(api: DemoRegister) -> None:
    _, body = api.answer("lei-records")
    pagination = body["meta"]["pagination"]
    assert len(body["data"]) == 15
    assert (pagination["perPage"], pagination["from"], pagination["to"]) == (15, 1, 15)
    assert pagination["total"] == len(api)
    assert "page%5Bnumber%5D=2" in body["links"]["next"]


def test_it_has_no_next_link_on_the_last_page(api: DemoRegister) -> None:
    _, body = api.answer("lei-records", {"page[size]": "200"})
    assert "next" not in body["links"]


def test_it_counts_from_and_to_as_null_when_a_list_is_empty(api: DemoRegister) -> None:
    status, body = api.answer("lei-records/529900FAHFDMSXCPII15/managed-funds")
    pagination = body["meta"]["pagination"]
    assert (status, body["data"]) == (200, [])
    assert (pagination["from"], pagination["to"], pagination["total"], pagination["lastPage"]) == (
        None,
        None,
        0,
        1,
    )


@cases(
    "query",
    [
        {"page[size]": "0"},
        {"page[size]": "many"},
        {"page[number]": "-1"},
        {"page[number]": "1000"},
        {"page[cursor]": "elsewhere"},
        {"filter[colour]": "red"},
    ],
)
def test_it_refuses_questions_it_does_not_understand(api: DemoRegister, query: dict[str, str]) -> None:
    status, body = api.answer("lei-records", query)
    assert (status, body["errors"][0]["status"]) == (400, "400")


@cases(
    ("query", "leis"),
    [
        ({"filter[lei]": f"{ALLIANZ},00000000000000000000"}, {ALLIANZ}),
        (
            {"filter[entity.legalName]": "allianz se"},
            {ALLIANZ, "F240A7PWJB2BLKELB442"} - {"F240A7PWJB2BLKELB442"},
        ),
        ({"filter[entity.names]": "royal dutch"}, {"21380068P1DRHMJ8KU70"}),
        ({"filter[fulltext]": "herzogenaurach europe"}, {"529900BMH4WOV2MWXU51"}),
        ({"filter[isin]": "DE0005773303"}, {"5299001ERX0K10IZUL40"}),
        ({"filter[entity.category]": "SOLE_PROPRIETOR"}, {"335800CCCPHKUOXPC332"}),
        ({"filter[entity.jurisdiction]": "CH"}, {"529900HTG21VUCKUSU16"}),
        ({"filter[entity.legalAddress.country]": "PE"}, {"254900RX3NW13DDG3905"}),
        (
            {"filter[registration.status]": "PENDING_TRANSFER", "filter[entity.jurisdiction]": "SE"},
            {"549300SG5Z5ZSA8WRC71"},
        ),
    ],
)
def test_it_filters(api: DemoRegister, query: dict[str, str], leis: set[str]) -> None:
    _, body = api.answer("lei-records", query)
    found = {item["id"] for item in body["data"]}
    assert leis <= found
    assert len(found) <= 2


def test_it_completes_names_with_errors_and_links_the_record(api: DemoRegister) -> None:
    _, body = api.answer("fuzzycompletions", {"field": "entity.legalName", "q": "microsft corporatoin"})
    first: Any = body["data"][0]
    assert first["attributes"]["value"] == "MICROSOFT CORPORATION"
    assert first["relationships"]["lei-records"]["data"]["id"] == "INR2EJN1ERAN0W5ZP974"
    assert "meta" not in body


@pytest.mark.parametrize(
    ("relation", "type_"),
    [
        ("direct-child-relationships", "IS_DIRECTLY_CONSOLIDATED_BY"),
        ("ultimate-child-relationships", "IS_ULTIMATELY_CONSOLIDATED_BY"),
    ],
)
def test_it_lists_relationships_towards_the_parent(api: DemoRegister, relation: str, type_: str) -> None:
    _, body = api.answer(f"lei-records/529900GRZ2BQY5ZM9N49/{relation}")
    edges = [item["attributes"]["relationship"] for item in body["data"]]
    assert edges
    assert {(edge["endNode"]["id"], edge["type"]) for edge in edges} == {("529900GRZ2BQY5ZM9N49", type_)}


@pytest.mark.parametrize("status", ["ANNULLED", "DUPLICATE", "MERGED"])
def test_it_marks_invented_records(invent: Callable[[int], str], status: str) -> None:
    invented = Entity(
        invent(1), "Invented", registration=status, expired="2020-01-31 CORPORATE_ACTION", synthetic=True
    )
    _, body = DemoRegister([invented]).answer(f"lei-records/{invented.lei}")
    assert body["data"]["meta"]["synthetic"] is True
    assert body["data"]["attributes"]["registration"]["status"] == status
    assert body["data"]["attributes"]["entity"]["expiration"] == {
        "date": "2020-01-31T00:00:00Z",
        "reason": "CORPORATE_ACTION",
    }
