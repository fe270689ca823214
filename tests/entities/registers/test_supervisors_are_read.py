"""FINMA and the FCA register: who is authorised, what was done, and that silence is no judgement."""

from datetime import date

import pytest

from entities.registers.errors import (
    RegisterBadAnswer,
    RegisterBadRequest,
    RegisterDenied,
    RegisterNotFound,
    RegisterUnavailable,
)
from tests.cases import cases
from tests.entities.registers.doubles import FINMA_LIST, FINMA_WARNINGS, envelope, firm
from tests.entities.registers.fake import Reply


def test_an_authorised_firm_is_told_with_its_date(fca):
    told = fca.authorisation("100001")
    assert (told.licence, told.status, told.since) == ("authorised", "Authorised", date(2001, 12, 1))
    assert told.measures == ()
    assert told.types == ("Regulated",)


def test_a_firm_that_lost_its_authorisation_keeps_its_history(fca):
    told = fca.authorisation("100002")
    assert told.licence == "formerly"
    [measure] = told.measures
    assert (measure.kind, measure.text, measure.on) == (
        "Fine, FSMA",
        "A fine for dim lamps.",
        date(2019, 8, 12),
    )
    assert told.notices == ("CAUTION: Dissolved.",)


@cases(
    ("status", "licence"),
    [
        ("Authorised", "authorised"),
        ("Registered", "authorised"),
        ("EEA Authorised", "authorised"),
        ("No longer authorised", "formerly"),
        ("Registration cancelled", "formerly"),
        ("Unauthorised", "warned"),
        ("Something new", "unknown"),
        ("", "unknown"),
    ],
)
def test_the_status_is_read_in_our_words(fca, fake, status, licence):
    fake.route(
        "/Firm/100001", envelope("FSR-API-02-01-00", "Ok. Firm Found", [firm("100001", "X", Status=status)])
    )
    assert fca.authorisation("100001").licence == licence


def test_the_companies_house_number_gets_its_zeros_back(fca):
    assert fca.record("100001").details["companies_house_number"] == "00012345"


def test_it_searches_firms_and_no_persons(fca):
    [hit] = fca.search("Lamp Bank").items
    assert (hit.number, hit.name) == ("100001", "Lamp Bank plc")


def test_a_search_without_a_result_is_an_empty_page(fca):
    assert fca.search("Nobody").items == ()


def test_it_reads_all_pages_of_individuals(fca):
    told = fca.officers("100001")
    assert [one.number for one in told.officers] == [f"PER{number:05d}" for number in range(25)]
    assert fca.officers("100001", limit=5).truncated


@pytest.mark.parametrize("code", ["FSR-API-02-01-11", "FSR-API-02-01-21"])
def test_not_found_is_told_by_the_sentence_whatever_the_code(fca, fake, code):
    fake.route("/Firm/100003", envelope(code, "ERROR : Account Not Found"))
    with pytest.raises(RegisterNotFound):
        fca.record("100003")


@cases(
    ("body", "error"),
    [
        (envelope("FSR-API-01-01-11", "Unauthorised"), RegisterDenied),
        (envelope("FSR-API-02-01-21", "Bad request. Invalid Input"), RegisterBadRequest),
        (envelope("FSR-API-02-01-00", "Ok. Firm Found", []), RegisterBadAnswer),
        (envelope("FSR-API-02-01-00", "Ok. Firm Found", None), RegisterBadAnswer),
        (envelope("FSR-API-02-01-00", "Ok. Firm Found", [firm("999", "Other")]), RegisterBadAnswer),
        ({"Status": "Success"}, RegisterBadAnswer),
        (b"<html>", RegisterBadAnswer),
    ],
)
def test_other_envelopes_are_never_absence(fca, fake, body, error):
    fake.route("/Firm/100001", Reply(body))
    with pytest.raises(error):
        fca.record("100001")


def test_one_institution_may_hold_several_authorisations(finma):
    told = finma.authorisation("CHE-123.456.788")
    assert told.licence == "authorised"
    assert told.types == ("Bank", "Securities firm")
    assert told.provenance.as_of == "2026-11-15"


def test_not_on_the_list_is_an_answer_and_no_judgement(finma):
    told = finma.authorisation("CHE-112.233.445", name="Irgendwer AG")
    assert (told.licence, told.measures) == ("not_listed", ())


def test_a_warned_name_is_told_also_without_a_number(finma):
    told = finma.authorisation("", name="Dunkel Invest Group")
    assert told.licence == "warned"
    [warning] = told.measures
    assert (warning.text, warning.on) == ("Dunkel Invest Group", date(2024, 5, 17))
    assert warning.url.startswith("https://www.finma.ch/en/")


def test_a_name_that_only_resembles_is_not_warned_about(finma):
    assert finma.authorisation("CHE-123.456.788").measures == ()


def test_a_link_of_the_warning_list_is_an_address_of_the_web(finma):
    [warning] = finma.warnings("Laternen Bank Online")
    assert warning.url.startswith("https://www.finma.ch/")


def test_it_reads_quotes_and_semicolons_in_names(finma):
    assert finma.record("CHE-999.999.996").name == 'Kerzen "Licht" Fondsleitung; AG'


def test_it_searches_the_list_by_name(finma):
    assert [hit.number for hit in finma.search("Laternen Bank").items] == ["CHE-123.456.788"]
    assert finma.search("Nobody at all").items == ()


def test_the_list_is_fetched_once_in_a_while(finma, fake, clock):
    for _ in range(3):
        finma.search("Laternen Bank")
    assert len(fake.questions) == 1
    clock.now += 13 * 3600
    finma.search("Laternen Bank")
    assert len(fake.questions) == 2


def test_a_warning_list_in_trouble_leaves_the_authorisation(finma, fake):
    fake.route(FINMA_WARNINGS, Reply(b"", 500))
    told = finma.authorisation("CHE-123.456.788")
    assert told.licence == "authorised"
    assert "could not be read" in told.notices[0]


@pytest.mark.parametrize("body", [b"<html>", b"Name;City\r\nA;B\r\n", b"\xff\xfe", b""])
def test_a_list_of_another_shape_is_trouble(finma, fake, body):
    fake.route(FINMA_LIST, Reply(body))
    with pytest.raises(RegisterBadAnswer):
        finma.search("Laternen Bank")


def test_a_list_that_failed_is_asked_for_again(finma, fake):
    good = fake.routes[FINMA_LIST]
    fake.route(FINMA_LIST, Reply(b"", 503))
    with pytest.raises(RegisterUnavailable):
        finma.search("Laternen Bank")
    fake.routes[FINMA_LIST] = good
    assert finma.search("Laternen Bank").total == 1
