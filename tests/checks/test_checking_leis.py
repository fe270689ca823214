"""Verdicts on the LEIs of a document."""

from datetime import date

from entities.gleif.errors import GleifUnavailable
from entities.gleif.register import demo_register
from research.checks import leis
from research.checks.leis import check_leis
from research.jsontext import check_json
from tests.cases import cases

ALLIANZ, RETIRED, CURRENT = "529900K9B0N5BT694847", "529900FAHFDMSXCPII15", "OJ2TIQSVQND4IZYYK658"
TODAY = date(2026, 1, 2)


class CountingRegister:
    """The demo register, or one that is down; keeps what it was asked."""

    as_of = "2026-01-02T00:00:00Z"

    def __init__(self, *, down=False):
        self.down, self.asked = down, []

    def records(self, leis):
        self.asked.append(list(leis))
        if self.down:
            raise GleifUnavailable("The register is down.")
        return demo_register().records(self.asked[-1])


def verdicts_at(verdicts, pointer):
    return {verdict.code: verdict.verdict for verdict in verdicts if verdict.pointer == pointer}


def test_each_place_gets_its_own_verdicts_and_the_register_one_question():
    register = CountingRegister()
    data = {
        "apex_entity": {"name": "Allianz SE", "jurisdiction": "DE", "lei": ALLIANZ},
        "funds": [{"name": "Something Else", "lei": ALLIANZ}],
        "summary": f"Allianz ({ALLIANZ}) is fine.",
    }
    found = check_leis(data, register, today=TODAY)
    assert register.asked == [[ALLIANZ]]
    assert verdicts_at(found, "/apex_entity/lei")["name"] == "pass"
    assert verdicts_at(found, "/apex_entity/lei")["jurisdiction"] == "pass"
    assert verdicts_at(found, "/funds/0/lei")["name"] == "fail"
    assert "name" not in verdicts_at(found, "/summary")
    assert verdicts_at(found, "/summary")["existence"] == "pass"


def test_the_retired_lei_of_the_right_name_fails_at_its_place():
    data = {
        "management_companies": [
            {"name": "Allianz Global Investors GmbH", "jurisdiction": "DE", "lei": RETIRED}
        ]
    }
    found = check_leis(data, demo_register(), today=TODAY)
    at = verdicts_at(found, "/management_companies/0/lei")
    assert (at["existence"], at["name"], at["jurisdiction"]) == ("pass", "pass", "pass")
    assert (at["registration_status"], at["entity_status"], at["successor"]) == ("fail", "fail", "fail")
    assert any(CURRENT in verdict.message for verdict in found if verdict.code == "successor")


def test_a_slip_is_answered_with_what_was_meant():
    found = check_leis({"lei": "529900K9BON5BT694847"}, demo_register(), today=TODAY)
    assert verdicts_at(found, "/lei") == {"format": "pass", "check_digits": "fail", "did_you_mean": "warn"}


@cases("stated", ["", "nonsense", "x" * 10_000, "<script>", 12, ALLIANZ[:-1]])
def test_a_malformed_lei_in_its_field_fails_by_form(stated):
    found = check_leis({"lei": stated}, demo_register(), today=TODAY)
    assert verdicts_at(found, "/lei").get("format") == ("fail" if stated else None)


def test_a_register_that_is_down_is_unknown_and_form_is_still_checked():
    found = check_leis({"lei": ALLIANZ, "owner_lei": "bad"}, CountingRegister(down=True), today=TODAY)
    assert verdicts_at(found, "/lei")["existence"] == "unknown"
    assert verdicts_at(found, "/lei")["check_digits"] == "pass"
    assert verdicts_at(found, "/owner_lei") == {"format": "fail"}


def test_more_leis_than_can_be_checked_are_said_to_be_unchecked(monkeypatch):
    monkeypatch.setattr(leis, "MAX_CLAIMS", 3)
    found = check_leis({"leis": ["bad"] * 5}, demo_register(), today=TODAY)
    assert [verdict.verdict for verdict in found] == ["fail"] * 3 + ["unknown"]


def test_verdicts_can_be_stored():
    hostile = {"lei": ALLIANZ, "name": "\u202e<script>\n" * 5_000, "jurisdiction": "}" * 5_000}
    for verdict in check_leis(hostile, demo_register(), today=TODAY):
        check_json(verdict.as_json())
        assert verdict.kind == "lei"
        assert verdict.subject == ALLIANZ
        assert verdict.as_of.startswith("2026-01-02")
        assert len(verdict.message) <= 500
        assert len(str(verdict.evidence)) < 5_000


def test_an_ended_lei_that_prose_tells_of_is_worth_a_look_and_no_failure():
    text = f"The LEI {RETIRED} was retired; {CURRENT} took over."
    found = check_leis(
        {"lei": CURRENT, "key_findings": [text], "owner_lei": RETIRED}, demo_register(), today=TODAY
    )
    told, field = verdicts_of(found, "/key_findings/0", RETIRED), verdicts_of(found, "/owner_lei", RETIRED)
    ended = ("registration_status", "entity_status", "successor")
    assert [told[code] for code in ended] == ["warn"] * 3
    assert [field[code] for code in ended] == ["fail"] * 3
    assert "fail" not in told.values()


def test_an_lei_that_prose_gets_wrong_still_fails():
    found = check_leis({"note": "its LEI 529900K9BON5BT694847"}, demo_register(), today=TODAY)
    assert verdicts_at(found, "/note")["check_digits"] == "fail"


def verdicts_of(verdicts, pointer, subject):
    return verdicts_at((verdict for verdict in verdicts if verdict.subject == subject), pointer)
