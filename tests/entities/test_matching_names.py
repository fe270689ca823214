"""How well a claimed name fits a record, and why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entities.names.matching import (
    LEGAL_NAME,
    OTHER,
    RELATED,
    SAME,
    SPELLING,
    NameVariant,
    best_name,
    compare,
    score,
)
from tests.cases import cases


def likeness(one, other):
    return compare(one, NameVariant(other)).score


@cases(
    ("one", "other"),
    [
        ("ALLIANZ SE", "Allianz SE"),
        ("Allianz", "Allianz SE"),
        ("Allianz Aktiengesellschaft", "ALLIANZ AG"),
        ("Munchener Ruck", "Münchener Rück AG"),
        ("Muenchener Rueck", "Münchener Rück AG"),
        ("Orsted", "Ørsted A/S"),
        ("Oersted", "Ørsted A/S"),
        ("Nestle SA", "Nestlé S.A."),
        ("BlackRock", "Black Rock, Inc."),
        ("L'Oréal", "L Oreal"),
        ("Johnson and Johnson", "Johnson & Johnson"),
        ("Allianz Debt Fund 2", "Allianz Debt Fund II"),
        ("Investors Global Allianz", "Allianz Global Investors GmbH"),
        ("Bank of Cyprus Public Company Limited", "Bank of Cyprus PLC"),
        ("Gazprom", "Газпром ПАО"),
        ("Foo Anonim Şirketi", "FOO A.Ş."),
        ("ООО Ромашка", "Общество с ограниченной ответственностью «Ромашка»"),
        ("Romashka", "Акционерное общество «Ромашка»"),
        ("Foo AG in Liquidation", "Foo AG i.L."),
    ],
)
def test_it_knows_the_same_name_written_otherwise(one, other):
    assert likeness(one, other) >= SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alianz SE", "Allianz SE"),
        ("Allianz Global Investrs GmbH", "Allianz Global Investors GmbH"),
        ("Deutsche Bnak AG", "Deutsche Bank AG"),
    ],
)
def test_a_slip_of_the_pen_is_near_but_not_the_same(one, other):
    assert RELATED < likeness(one, other) <= SPELLING


@cases(
    "legal",
    [
        "Foo Handel GmbH in Liquidation",
        "Foo Handel GmbH i.L.",
        "Foo Handel S.A. en liquidation",
        "FOO HANDEL S.R.L. - IN LIQUIDAZIONE",
        "Foo Handel B.V. in liquidatie",
        "Foo Handel Sp. z o.o. w likwidacji",
        "ООО Фоо Хандел в ликвидации",
    ],
)
def test_a_company_that_is_being_wound_up_is_near_but_not_the_same(legal):
    match = compare("Foo Handel", NameVariant(legal))
    assert RELATED < match.score <= SPELLING
    assert "only one side says that it is being wound up" in match.relation


@cases(
    ("one", "other"),
    [
        ("Allianz GmbH", "Allianz SE"),  # another legal form is another company
        ("UBS AG", "UBS Group AG"),
        ("Allianz Global Investors", "Allianz Global Investors Asia Pacific"),
        ("Allianz Holding", "Allianz SE"),
        ("Allianz Fund", "Allianz Fund II"),
    ],
)
def test_a_relative_is_no_match(one, other):
    assert likeness(one, other) <= RELATED


@cases(
    ("one", "other"),
    [
        ("Proton Group", "PROTON BANK SOCIETE ANONYME"),  # every other word differs; a token set gives 100
        ("Fund I", "Fund II"),
        ("Allianz Debt Fund 2021", "Allianz Debt Fund 2022"),
        ("Fidelity Leveraged Company Stock Fund", "Fidelity Large Company Stock Fund"),
        ("Series A", "Series B"),
        ("Allianz LAD Fonds", "AllianzGI-Fonds OAD"),
        ("Allianz Bank", "Allianz Leben"),
    ],
)
def test_other_words_are_another_company(one, other):
    assert likeness(one, other) <= OTHER


@pytest.mark.parametrize(("one", "other"), [("", "Allianz SE"), ("Allianz", ""), ("-", "-"), ("", "")])
def test_nothing_fits_nothing(one, other):
    assert likeness(one, other) == 0.0


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_score_stays_within_its_bounds(one, other):
    assert 0 <= likeness(one, other) <= 100


@given(st.text("abcdefg ", min_size=1, max_size=40).filter(str.strip))
def test_every_name_is_the_same_as_itself(name):
    assert likeness(name, name.upper()) == 100


def test_the_best_of_all_names_counts_and_is_named(record):
    muster = record(
        legal_name="Muster SE",
        names=[("Beispiel AG", "PREVIOUS_LEGAL_NAME"), ("Sample Corp", "TRADING_OR_OPERATING_NAME")],
    )
    points, variant, why = score("Beispiel Aktiengesellschaft", muster.names)
    assert points == 100
    assert (variant.name, variant.type) == ("Beispiel AG", "PREVIOUS_LEGAL_NAME")
    assert (
        why == "100 of 100 against the previous legal name (de) “Beispiel AG”, compared without ag: the same"
    )


@pytest.mark.parametrize(
    "other", [("Muster SE", "PREVIOUS_LEGAL_NAME"), ("MUSTER", "TRADING_OR_OPERATING_NAME")]
)
def test_the_legal_name_goes_first_among_names_that_are_the_same(record, other):
    assert best_name("Muster", record(names=[other]).names).variant.type == LEGAL_NAME


def test_a_record_without_names_fits_nothing(record):
    assert best_name("Muster", ()).score == 0


def test_a_very_long_name_gives_a_short_reason(record):
    assert len(best_name("word " * 2_000, record().names).relation) < 200
