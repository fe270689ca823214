"""The LEI tools: what they tell, and that they stay small."""

import json

import pytest

from entities.gleif.records import Record
from entities.lei import complete
from entities.names.matching import NameVariant
from research.tools.lei import brief_record, full_record

ALLIANZ = "529900K9B0N5BT694847"
MANAGER = "OJ2TIQSVQND4IZYYK658"
RETIRED = "529900FAHFDMSXCPII15"
PUMA_UK = "213800LD7FMIZDDCQD70"


def test_it_finds_a_name_with_score_and_the_name_that_matched(call):
    best = call("lei_search", name="allianz se")["data"]["candidates"][0]
    assert best["lei"] == ALLIANZ
    assert best["score"] == 100
    assert best["matched_name"] == {"name": "Allianz SE", "type": "LEGAL_NAME"}


def test_it_shows_both_records_of_a_shared_name_with_status_and_successor(call):
    candidates = {
        c["lei"]: c for c in call("lei_search", name="Allianz Global Investors GmbH")["data"]["candidates"]
    }
    assert candidates[MANAGER]["registration_status"] == "ISSUED"
    assert candidates[RETIRED]["entity_status"] == "INACTIVE"
    assert candidates[RETIRED]["successors"][0]["lei"] == MANAGER


def test_it_gives_the_nearest_names_when_none_is_good(call):
    data = call("lei_search", name="Alianz Weltanlagen")["data"]
    assert any("Allianz" in candidate["name"] for candidate in data["nearest"])


def test_it_gives_no_nearest_names_when_one_is_good(call):
    assert "nearest" not in call("lei_search", name="Allianz SE")["data"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [({"jurisdiction": "AT"}, {"AT"}), ({"jurisdiction": "DE"}, {"DE"}), ({}, {"AT", "DE"})],
)
def test_it_honours_the_jurisdiction_filter(call, filters, expected):
    name = "Allianz Pensionskasse Aktiengesellschaft"
    candidates = call("lei_search", name=name, **filters)["data"]["candidates"]
    assert {c["jurisdiction"] for c in candidates if c["score"] == 100} == expected


def test_it_tells_a_record_with_its_dates_and_parent_state(call):
    data = call("lei_record", lei=ALLIANZ)["data"]
    assert data["name"] == "Allianz SE"
    assert data["registered_as"] == "HRB 164232"
    assert data["next_renewal"] == "2026-12-04"
    assert data["direct_parent"] == "exception"
    assert data["bics"] == ["AZSEDEMMXXX"]


def test_it_reads_an_lei_as_people_type_it(call):
    assert call("lei_record", lei="5299 00k9 b0n5 bt69 4847")["data"]["lei"] == ALLIANZ


def test_it_refuses_an_impossible_lei_and_names_what_may_be_meant(call):
    error = call("lei_record", lei="529900FAHFDMSXCPII16")["error"]
    assert error["code"] == "bad_arguments"
    assert RETIRED in [record["lei"] for record in error["meant"]]


def test_it_tells_absence_of_a_well_formed_lei(call):
    error = call("lei_record", lei=complete("529900ZZZZZZZZZZZZ"))["error"]
    assert error["code"] == "not_found"


def test_it_tells_manager_and_umbrella_of_a_fund(call):
    data = call("lei_record", lei="5299002YFR7XDEA6EC13")["data"]
    assert data["fund_manager"]["lei"] == MANAGER


def test_it_tells_a_parent_on_record_and_the_reason_for_a_missing_one(call):
    data = call("lei_parents", lei=PUMA_UK)["data"]
    assert data["direct"]["kind"] == "exception"
    assert data["ultimate"]["kind"] == "record"
    assert data["ultimate"]["record"]["name"] == "PUMA SE"


def test_it_keeps_the_register_word_for_a_missing_parent(call):
    data = call("lei_parents", lei="335800CCCPHKUOXPC332")["data"]
    assert data["direct"] == {"kind": "exception", "reason": "NATURAL_PERSONS"}


def test_it_counts_children_beyond_the_limit(call):
    data = call("lei_children", lei=ALLIANZ, limit=5)["data"]
    assert len(data["records"]) == 5
    assert data["total"] > 5
    assert data["truncated"] is True


def test_it_gives_an_empty_list_for_an_entity_that_manages_no_fund(call):
    data = call("lei_managed_funds", lei=RETIRED)["data"]
    assert data["records"] == []
    assert data["total"] == 0


def test_it_gives_the_funds_of_a_manager(call):
    data = call("lei_managed_funds", lei=MANAGER, limit=200)["data"]
    assert data["total"] >= 10
    assert {fund["category"] for fund in data["records"]} == {"FUND"}


def test_a_long_list_stays_small(call):
    assert len(json.dumps(call("lei_children", lei=ALLIANZ, limit=200)["data"])) < 100_000


def test_hostile_register_text_stays_whole_but_bounded(register):
    name = '<script>alert("x")</script>\n;; ' + "ä" * 5_000
    names = tuple(NameVariant(f"{name} {i}", "TRADING_OR_OPERATING_NAME") for i in range(100))
    record = Record(
        ALLIANZ, name, names, jurisdiction="DE", attributes={"entity": {"eventGroups": [None, {"events": 3}]}}
    )
    assert brief_record(record)["name"].startswith('<script>alert("x")</script>\n;; ä')
    assert len(json.dumps(full_record(record, register), ensure_ascii=False)) < 10_000


def test_a_silent_register_leaves_parts_out(register):
    assert full_record(Record(ALLIANZ, "X", ()), register) == {
        "lei": ALLIANZ,
        "name": "X",
        "url": f"{register.base_url}/lei-records/{ALLIANZ}",
    }


def test_the_source_of_a_record_is_the_register_item_as_it_was_sent(call, register):
    [source] = call("lei_record", lei=ALLIANZ)["sources"]
    assert source["key"] == ALLIANZ
    assert json.loads(source["text"]) == register.record(ALLIANZ).attributes
