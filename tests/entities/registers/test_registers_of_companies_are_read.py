"""EDGAR, Zefix and the linked data of Zefix over fakes of their documented shapes."""

import json
from datetime import date
from urllib.parse import parse_qs

import pytest

from entities.registers.errors import RegisterBadAnswer, RegisterDenied, RegisterNotFound
from entities.registers.lindas import literal
from tests.cases import cases
from tests.entities.registers.doubles import zefix_company
from tests.entities.registers.fake import Reply

UID = "CHE-123.456.788"


def test_edgar_knows_a_registrant_by_any_spelling_of_its_cik(edgar):
    found = edgar.record("1234567")
    assert (found.number, found.name, found.jurisdiction) == ("0001234567", "Helios Lanterns Inc.", "US-DE")
    assert [name.name for name in found.names] == ["Helios Lanterns Inc.", "Candle Corp"]
    assert found.details["last_annual_report"] == "10-K of 2026-02-20"
    assert found.details["last_ownership_report"] == "SC 13G/A of 2026-02-10"


def test_edgar_does_not_say_that_a_registrant_is_alive(edgar):
    assert edgar.record("1234567").standing == "unknown"


@pytest.mark.parametrize("name", ["Helios Lanterns", "HLIO", "helios"])
def test_edgar_finds_companies_with_a_ticker(edgar, name):
    page = edgar.search(name)
    assert [hit.number for hit in page.items] == ["0001234567"]


def test_edgar_is_asked_with_a_contact(edgar, fake):
    edgar.search("Helios")
    assert "@" in fake.questions[0].headers["user-agent"]


def test_the_page_in_html_for_those_without_a_contact_is_a_refusal(edgar, fake, http):
    edgar._data = http()
    with pytest.raises(RegisterDenied):
        edgar.record("1234567")


def test_edgar_has_no_such_registrant(edgar):
    with pytest.raises(RegisterNotFound):
        edgar.record("99")


@pytest.mark.parametrize("state", ["X0", "", None, "XX", 7])
def test_a_state_that_is_none_is_no_jurisdiction(edgar, fake, state):
    fake.route("/submissions/CIK0000000007.json", {"cik": "7", "name": "X", "stateOfIncorporation": state})
    assert edgar.record("7").jurisdiction == ""


@pytest.mark.parametrize("body", [{"cik": "8", "name": "Other"}, {}, [], b"<html>"])
def test_another_registrant_than_asked_for_is_trouble(edgar, fake, body):
    fake.route("/submissions/CIK0000000007.json", Reply(body))
    with pytest.raises(RegisterBadAnswer):
        edgar.record("7")


@pytest.mark.parametrize("body", [{"0": {"symbol": "A"}}, [], b"<html>"])
def test_a_list_of_tickers_of_another_shape_is_trouble(edgar, fake, body):
    fake.route("/files/company_tickers.json", Reply(body))
    with pytest.raises(RegisterBadAnswer):
        edgar.search("Helios")


def test_zefix_reads_a_company_with_its_former_names(zefix):
    found = zefix.record("CHE123456788")
    assert (found.number, found.standing, found.legal_form) == (UID, "live", "Company limited by shares")
    assert [(name.name, name.type) for name in found.names] == [
        ("Laternen Bank AG", "LEGAL_NAME"),
        ("Öllampen Bank AG", "PREVIOUS_LEGAL_NAME"),
        ("Banque des Lanternes SA", "TRADING_OR_OPERATING_NAME"),
    ]
    assert found.address == "Laternengasse 1, 3011 Bern"
    assert found.provenance.url.startswith("https://www.zefix.ch/")


def test_a_company_that_was_taken_over_names_its_heir(zefix):
    found = zefix.record("CHE-999.999.996")
    assert (found.standing, found.ended, found.successor) == ("ended", date(2015, 6, 30), UID)


def test_zefix_is_asked_for_ended_companies_too(zefix, fake):
    [hit] = zefix.search("Kerzen AG").items
    assert hit.standing == "ended"
    assert json.loads(fake.questions[0].body) == {"name": "Kerzen AG", "activeOnly": False}


def test_a_search_of_zefix_without_a_result_is_an_empty_page(zefix):
    assert zefix.search("Niemand").items == ()


def test_zefix_has_no_such_company(zefix, fake):
    fake.route("/company/uid/CHE112233445", [])
    with pytest.raises(RegisterNotFound):
        zefix.record("CHE-112.233.445")


@pytest.mark.parametrize("body", [{"name": "x"}, b"<html>", [zefix_company("CHE999999996")], [{"uid": 5}]])
def test_what_is_not_the_company_asked_for_is_trouble(zefix, fake, body):
    fake.route("/company/uid/CHE123456788", Reply(body))
    with pytest.raises(RegisterBadAnswer):
        zefix.record(UID)


def test_linked_data_gives_one_company_for_all_its_names(lindas):
    [hit] = lindas.search("Laternen Bank AG").items
    assert (hit.number, hit.name, hit.standing) == (UID, "Laternen Bank AG", "live")
    assert [name.name for name in hit.names] == ["Laternen Bank AG", "Banque des Lanternes SA"]


def test_linked_data_is_asked_by_words_without_the_legal_form(lindas, fake):
    lindas.search("Laternen Bank AG")
    query = parse_qs(fake.questions[0].body)["query"][0]
    assert 'CONTAINS(LCASE(?name), "laternen") && CONTAINS(LCASE(?name), "bank")' in query
    assert '"ag"' not in query


def test_linked_data_holds_live_companies_only_and_says_so(lindas, fake):
    fake.route("/query", {"head": {"vars": []}, "results": {"bindings": []}})
    with pytest.raises(RegisterNotFound, match="live companies"):
        lindas.record(UID)


@cases("name", ['x") } DROP ALL #', "a\\", 'b\\" . ?s ?p ?o', "c\nd", "}}", "{condition}"])
def test_a_name_cannot_leave_its_literal(lindas, fake, name):
    lindas.search(f"laternen {name}")
    query = parse_qs(fake.questions[-1].body)["query"][0]
    filters = query.split("FILTER(")[1].split("OPTIONAL")[0]
    unescaped = filters.replace("\\\\", "").replace('\\"', "")
    assert unescaped.count('"') == 2 * unescaped.count("CONTAINS(")
    assert "\n" not in filters.strip()


def test_a_literal_is_quoted():
    assert literal('a"b\\c\nd') == '"a\\"b\\\\c d"'


@pytest.mark.parametrize("body", [{}, {"results": []}, {"results": {"bindings": {}}}, b"<rdf/>", []])
def test_linked_data_of_another_shape_is_trouble(lindas, fake, body):
    fake.route("/query", Reply(body))
    with pytest.raises(RegisterBadAnswer):
        lindas.record(UID)
