"""The choice alone, on made-up candidates."""

import pytest

from entities.gleif.jurisdictions import fits, jurisdiction_code
from research.register_researcher.playbook import Refusal
from research.register_researcher.selection import choose, is_live
from tests.cases import cases


def candidate(lei, score=100.0, place="DE", entity="ACTIVE", registration="ISSUED", name="Acme AG", **more):
    return {
        "lei": lei,
        "name": name,
        "score": score,
        "jurisdiction": place,
        "entity_status": entity,
        "registration_status": registration,
        "matched_name": {"name": name, "type": "LEGAL_NAME"},
        "category": "GENERAL",
        **more,
    }


FORMER = {"matched_name": {"name": "Acme AG", "type": "PREVIOUS_LEGAL_NAME"}}


@cases(
    ("candidates", "chosen"),
    [
        ([], None),
        ([candidate("A", 84.9)], None),
        ([candidate("A", 85.0)], "A"),
        ([candidate("A", 96), candidate("B", 99)], "B"),
        ([candidate("A", entity="INACTIVE", registration="RETIRED"), candidate("B")], "B"),
        ([candidate("A", registration="MERGED"), candidate("B", registration="LAPSED")], "B"),
        ([candidate("A", entity="INACTIVE", registration="RETIRED"), candidate("B", 97)], "B"),
        ([candidate("A", entity="INACTIVE", registration="RETIRED"), candidate("B", 86)], "A"),
        ([candidate("A", entity="INACTIVE"), candidate("B", entity="INACTIVE", place="AT")], "A"),
        ([candidate("A", **FORMER, name="Other"), candidate("B")], "B"),
        ([candidate("A", category="FUND"), candidate("B")], "B"),
        ([candidate("A", name="ACME SE"), candidate("B", name="acme ag")], "B"),
    ],
)
def test_it_prefers_the_live_then_the_closer_then_the_legal_name(candidates, chosen):
    best = choose("Acme AG", candidates)
    assert (best and best["lei"]) == chosen


@pytest.mark.parametrize("place", ["AT", "DE"])
def test_two_equal_live_candidates_are_a_question(place):
    with pytest.raises(Refusal) as refusal:
        choose("Acme AG", [candidate("A"), candidate("B", place=place)])
    assert refusal.value.detail["code"] == "ambiguous"


def test_only_the_wanted_jurisdiction_counts():
    assert choose("Acme AG", [candidate("A"), candidate("B", place="US-NY")], "US")["lei"] == "B"


@cases(
    ("status", "live"),
    [
        ({"entity_status": "ACTIVE", "registration_status": "ISSUED"}, True),
        ({"entity_status": "ACTIVE", "registration_status": "LAPSED"}, True),
        ({"entity_status": "ACTIVE", "registration_status": "PENDING_TRANSFER"}, True),
        ({}, True),
        ({"entity_status": "INACTIVE", "registration_status": "ISSUED"}, False),
        ({"entity_status": "ACTIVE", "registration_status": "DUPLICATE"}, False),
        ({"entity_status": "NULL", "registration_status": "ANNULLED"}, False),
    ],
)
def test_it_knows_the_living_from_the_ended(status, live):
    assert is_live(status) is live


@cases(
    ("hint", "code"),
    [
        ("DE", "DE"),
        (" us-de ", "US-DE"),
        ("Germany", "DE"),
        ("U.K.", "GB"),
        ("UK", "GB"),
        ("United  States", "US"),
        ("Schweiz", "CH"),
        ("", ""),
        ("nowhere", ""),
        ("D", ""),
    ],
)
def test_it_reads_jurisdictions_as_people_write_them(hint, code):
    assert jurisdiction_code(hint) == code


@cases(
    ("place", "wanted", "expected"),
    [
        ("US-DE", "US", True),
        ("US-DE", "US-DE", True),
        ("US", "US-DE", False),
        ("DE", "US-DE", False),
        ("", "DE", False),
    ],
)
def test_a_country_includes_its_subdivisions(place, wanted, expected):
    assert fits(place, wanted) is expected
