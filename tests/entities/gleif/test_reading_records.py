"""A record reads the same whatever surprise the register holds."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entities.gleif.errors import GleifBadAnswer
from entities.gleif.records import (
    Record,
    Successor,
    parse_completion,
    parse_exception,
    parse_record,
    parse_relationship,
)
from entities.names.matching import NameVariant
from tests.cases import cases

LEI = "529900K9B0N5BT694847"


def item(entity: Any = None, registration: Any = None, **attributes: Any) -> dict[str, Any]:
    parts = {"lei": LEI, "entity": entity or {}, "registration": registration or {}, **attributes}
    return {"type": "lei-records", "id": LEI, "attributes": parts}


def test_it_reads_an_empty_record_as_one_on_which_the_register_is_silent() -> None:
    assert parse_record(item()) == Record(lei=LEI, legal_name="", names=())


def test_it_takes_the_lei_from_the_id_when_the_attributes_lack_it() -> None:
    assert parse_record({"id": LEI}).lei == LEI


@cases("broken", [None, [], "record", {}, {"attributes": {"lei": None}}, {"id": ""}])
def test_it_refuses_an_item_without_an_lei(broken: Any) -> None:
    with pytest.raises(GleifBadAnswer):
        parse_record(broken)


def test_it_reads_expiration_where_the_register_nests_it() -> None:
    record = parse_record(item({"expiration": {"date": "2020-03-01T00:00:00Z", "reason": "DISSOLVED"}}))
    assert (record.expiration_date, record.expiration_reason) == (date(2020, 3, 1), "DISSOLVED")


@cases(
    ("entity", "successors"),
    [
        ({}, ()),
        ({"successorEntity": None, "successorEntities": None}, ()),
        ({"successorEntity": {"lei": None, "name": None}}, ()),
        ({"successorEntity": {"lei": LEI, "name": None}}, (Successor(LEI, None),)),
        ({"successorEntity": {"lei": None, "name": "itm8 A/S"}}, (Successor(None, "itm8 A/S"),)),
        ({"successorEntities": [{"lang": "en", "name": "Heir"}]}, (Successor(None, "Heir"),)),
        ({"successorEntities": {"lei": LEI}}, (Successor(LEI, None),)),
        (
            {"successorEntity": {"lei": LEI}, "successorEntities": [{"lei": LEI}, {"name": "Other"}]},
            (Successor(LEI, None), Successor(None, "Other")),
        ),
    ],
)
def test_it_reads_one_successor_or_many_with_or_without_an_lei(entity: Any, successors: Any) -> None:
    assert parse_record(item(entity)).successors == successors


def test_it_collects_every_name_with_its_type_and_language() -> None:
    record = parse_record(
        item(
            {
                "legalName": {"name": "Shell plc", "language": "en"},
                "otherNames": [
                    {"name": "Royal Dutch Shell plc", "language": "en", "type": "PREVIOUS_LEGAL_NAME"},
                    {"name": None, "language": "en", "type": "TRADING_OR_OPERATING_NAME"},
                ],
                "transliteratedOtherNames": [
                    {"name": "SHELL", "type": "AUTO_ASCII_TRANSLITERATED_LEGAL_NAME"}
                ],
            }
        )
    )
    assert record.names == (
        NameVariant("Shell plc", "LEGAL_NAME", "en"),
        NameVariant("Royal Dutch Shell plc", "PREVIOUS_LEGAL_NAME", "en"),
        NameVariant("SHELL", "AUTO_ASCII_TRANSLITERATED_LEGAL_NAME", ""),
    )


def test_it_keeps_enum_values_it_has_never_heard_of() -> None:
    record = parse_record(item({"status": "DORMANT", "category": "SPACESHIP"}, {"status": "TRANSFERRED"}))
    assert (record.entity_status, record.category, record.registration_status) == (
        "DORMANT",
        "SPACESHIP",
        "TRANSFERRED",
    )


@pytest.mark.parametrize(("jurisdiction", "country"), [("US-DE", "US"), ("DE", "DE"), (None, "LU")])
def test_it_knows_the_country_of_a_subdivision_or_else_of_the_address(
    jurisdiction: Any, country: str
) -> None:
    record = parse_record(item({"jurisdiction": jurisdiction, "legalAddress": {"country": "LU"}}))
    assert record.country == country


@pytest.mark.parametrize(
    ("links", "state"),
    [
        ({"lei-record": "u", "relationship-record": "u"}, "record"),
        ({"reporting-exception": "u"}, "exception"),
        ({}, ""),
        (None, ""),
    ],
)
def test_it_tells_the_state_of_each_parent_from_the_links(links: Any, state: str) -> None:
    body = item() | {"relationships": {"ultimate-parent": {"links": links}}}
    record = parse_record(body)
    assert (record.parent_link("direct"), record.parent_link("ultimate")) == ("", state)


@pytest.mark.parametrize(("bic", "bics"), [(None, ()), (["AZSEDEMMXXX"], ("AZSEDEMMXXX",)), ("A", ("A",))])
def test_it_reads_bics_from_null_one_or_a_list(bic: Any, bics: tuple[str, ...]) -> None:
    assert parse_record(item(bic=bic)).bics == bics


@cases("text", ["", "soon", "2025-13-40T00:00:00Z", None, 7, ["2025-01-01"]])
def test_it_reads_a_date_it_cannot_understand_as_none(text: Any) -> None:
    assert parse_record(item(registration={"nextRenewalDate": text})).next_renewal is None


def test_it_drops_what_postgresql_cannot_store() -> None:
    record = parse_record(item({"legalName": {"name": "A\0cme \ud800 AG"}}, x=[{"\0key": float("inf")}]))
    assert record.legal_name == "Acme  AG"
    assert record.attributes["x"] == [{"key": None}]


def test_it_keeps_hostile_text_unchanged() -> None:
    name = '\u202e<script>alert("x")</script> {{x}} ;; \u200b'
    assert parse_record(item({"legalName": {"name": name}})).legal_name == name


def test_it_refuses_a_record_nested_too_deeply() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(GleifBadAnswer, match="nested"):
        parse_record(item(x=deep))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda child: st.lists(child, max_size=3) | st.dictionaries(st.text(), child, max_size=3),
    max_leaves=6,
)
PARTS = [
    "legalName",
    "otherNames",
    "expiration",
    "successorEntity",
    "successorEntities",
    "legalAddress",
    "status",
]


@given(st.dictionaries(st.sampled_from(PARTS), json_values), json_values, json_values)
def test_it_reads_a_record_whatever_its_parts_are(entity: Any, registration: Any, relationships: Any) -> None:
    body = item(entity, registration) | {"relationships": relationships}
    assert parse_record(body).lei == LEI


def test_it_reads_a_relationship_with_its_periods() -> None:
    relationship = parse_relationship(
        {
            "attributes": {
                "relationship": {
                    "startNode": {"id": "CHILD"},
                    "endNode": {"id": "PARENT"},
                    "type": "IS_FUND-MANAGED_BY",
                    "status": "ACTIVE",
                    "periods": [{"startDate": "2019-01-13T23:00:00Z", "type": "RELATIONSHIP_PERIOD"}],
                },
                "registration": {"status": "LAPSED", "corroborationLevel": "FULLY_CORROBORATED"},
            }
        }
    )
    assert (relationship.start, relationship.end, relationship.type) == (
        "CHILD",
        "PARENT",
        "IS_FUND-MANAGED_BY",
    )
    assert (relationship.registration_status, relationship.periods[0].end) == ("LAPSED", None)


@pytest.mark.parametrize("parse", [parse_relationship, parse_exception])
def test_it_refuses_relations_that_name_nobody(parse: Any) -> None:
    with pytest.raises(GleifBadAnswer):
        parse({"attributes": {}})


def test_it_keeps_the_misspelt_reason_of_an_exception() -> None:
    exception = parse_exception(
        {"attributes": {"lei": LEI, "category": "X", "reason": "DISCOLSURE_DETRIMENTAL"}}
    )
    assert exception.reason == "DISCOLSURE_DETRIMENTAL"


def test_it_reads_a_completion_without_its_record() -> None:
    assert parse_completion({"attributes": {"value": "Acme"}}) == ("Acme", None)
