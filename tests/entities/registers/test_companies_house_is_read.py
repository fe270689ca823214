"""Companies House over a fake of its documented shape."""

from datetime import date

import pytest

from entities.registers.errors import BadNumber, RegisterBadAnswer, RegisterDenied, RegisterNotFound
from tests.cases import cases
from tests.entities.registers.doubles import OFFICERS, company, paged
from tests.entities.registers.fake import Reply

NUMBER = "00012345"


def test_it_finds_companies_by_name(companies_house):
    page = companies_house.search("London Lamps")
    assert [(hit.number, hit.name, hit.standing) for hit in page.items] == [
        (NUMBER, "LONDON LAMPS LIMITED", "live"),
        ("00012346", "LONDON LAMPS (EXPORT) LIMITED", "live"),
    ]
    assert (page.total, page.truncated) == (2, False)


def test_it_says_when_a_search_was_cut(companies_house):
    page = companies_house.search("London", limit=1)
    assert (len(page.items), page.total, page.truncated) == (1, 2, True)


def test_it_reads_a_record_with_its_provenance(companies_house):
    found = companies_house.record("12345")
    assert (found.number, found.name, found.standing) == (NUMBER, "LONDON LAMPS LIMITED", "live")
    assert [(name.name, name.type) for name in found.names[1:]] == [
        ("CANDLE WORKS LIMITED", "PREVIOUS_LEGAL_NAME")
    ]
    assert found.founded == date(1990, 2, 1)
    assert found.address == "1 Lantern Street, London, EC1A 1AA"
    assert found.provenance.register == "companies_house"
    assert found.provenance.url.endswith(f"/company/{NUMBER}")
    assert found.provenance.as_of == "2026-11-21"


def test_a_dissolved_company_has_ended(companies_house):
    found = companies_house.record("SC77")
    assert (found.standing, found.status, found.ended) == ("ended", "dissolved", date(2019, 3, 5))
    assert found.jurisdiction == "GB-SCT"


def test_a_company_in_liquidation_is_neither_live_nor_ended(companies_house, fake):
    fake.route("/company/00000003", company("00000003", "X LTD", company_status="liquidation"))
    found = companies_house.record("3")
    assert (found.standing, found.status) == ("unknown", "liquidation")


def test_it_lists_officers_former_ones_too(companies_house):
    told = companies_house.officers(NUMBER)
    assert [(one.name, one.role, one.natural_person, one.ended) for one in told.officers] == [
        ("LUMEN, Ada", "director", True, None),
        ("WICK SERVICES LTD", "corporate-secretary", False, None),
        ("TALLOW, Ben", "director", True, date(2009, 12, 31)),
    ]
    assert told.officers[1].number == "00000777"
    assert not told.truncated


def test_it_reads_all_pages_of_a_list(companies_house, fake):
    many = [{**OFFICERS[0], "name": f"LUMEN, {number}"} for number in range(230)]
    fake.route(f"/company/{NUMBER}/officers", lambda question: paged(question, many))
    told = companies_house.officers(NUMBER, limit=1000)
    assert [one.name for one in told.officers] == [one["name"] for one in many]
    assert not told.truncated
    assert companies_house.officers(NUMBER, limit=10).truncated


def test_pages_that_never_end_are_given_up(companies_house, fake):
    endless = {"items": [OFFICERS[0]], "total_results": 10_000}
    fake.route(f"/company/{NUMBER}/officers", endless)
    with pytest.raises(RegisterBadAnswer, match="do not come to an end"):
        companies_house.officers(NUMBER, limit=5000)


def test_a_company_that_told_of_no_officers_has_none(companies_house):
    assert companies_house.officers("99999").officers == ()


def test_officers_of_no_company_are_not_an_empty_list(companies_house):
    with pytest.raises(RegisterNotFound):
        companies_house.officers("88888888")


def test_it_sends_the_key_as_user_name(companies_house, fake):
    companies_house.record(NUMBER)
    assert fake.questions[0].headers["authorization"].startswith("Basic ")
    assert "key" not in fake.questions[0].path


def test_a_wrong_key_is_not_absence(companies_house, fake):
    fake.guard = lambda question: Reply({"error": "Invalid Authorization"}, 401)
    with pytest.raises(RegisterDenied):
        companies_house.record(NUMBER)


def test_another_company_than_asked_for_is_refused(companies_house, fake):
    fake.route("/company/00000009", company(NUMBER, "LONDON LAMPS LIMITED"))
    with pytest.raises(RegisterBadAnswer, match="another company"):
        companies_house.record("9")


@pytest.mark.parametrize("number", ["../search", "00012345/officers", "12345?x"])
def test_a_hostile_number_never_reaches_the_register(companies_house, fake, number):
    with pytest.raises(BadNumber):
        companies_house.record(number)
    assert fake.questions == []


@cases("name", ["", "\x00\x1b[2J", "a" * 50_000, "'; DROP TABLE x --", "<script>", "\ud800"])
def test_a_hostile_name_is_only_a_question(companies_house, fake, name):
    page = companies_house.search(name)
    assert page.items == ()
    assert len(fake.questions[-1].query["q"]) <= 200


@cases(
    "body", [{"items": "none"}, {}, {"items": None}, [], b"<html>Sign in</html>", b"", b"{", b"[" * 100_000]
)
def test_what_is_not_its_document_is_trouble(companies_house, fake, body):
    fake.route("/search/companies", Reply(body))
    with pytest.raises(RegisterBadAnswer):
        companies_house.search("London")


@cases("item", [None, 7, "x", {}, {"title": 1}, {"company_number": []}])
def test_a_line_that_is_no_company_is_left_out(companies_house, fake, item):
    fake.route("/search/companies", {"items": [item], "total_results": 1})
    assert companies_house.search("London").items == ()
