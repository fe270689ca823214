"""Persons with significant control: in bands as the register states them, and never in percentages of ours."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entities.registers.psc import control_of, owner_kind
from entities.registers.records import Control
from tests.cases import cases


@cases(
    ("word", "kind", "band", "through"),
    [
        ("ownership-of-shares-25-to-50-percent", Control.SHARES, "25–50 %", ""),
        ("ownership-of-shares-50-to-75-percent-as-trust", Control.SHARES, "50–75 %", "trust"),
        ("ownership-of-shares-75-to-100-percent-as-firm", Control.SHARES, "75–100 %", "firm"),
        ("voting-rights-25-to-50-percent-limited-liability-partnership", Control.VOTES, "25–50 %", ""),
        (
            "ownership-of-shares-more-than-25-percent-registered-overseas-entity",
            Control.SHARES,
            "more than 25 %",
            "",
        ),
        (
            "right-to-share-surplus-assets-75-to-100-percent-limited-liability-partnership",
            Control.SURPLUS,
            "75–100 %",
            "",
        ),
        ("right-to-appoint-and-remove-directors", Control.APPOINTS, "", ""),
        ("significant-influence-or-control-as-control-over-trust", Control.INFLUENCE, "", "trust"),
        ("ownership-of-shares", Control.SHARES, "", ""),
        ("ownership-of-shares-90-to-10-percent", Control.SHARES, "", ""),
        ("ownership-of-shares-25-to-500-percent", Control.SHARES, "", ""),
        ("something-quite-new", Control.OTHER, "", ""),
        ("", Control.OTHER, "", ""),
    ],
)
def test_it_reads_a_nature_of_control(word, kind, band, through):
    read = control_of(word)
    assert (read.kind, read.band, read.through, read.stated) == (kind, band, through, word)


@given(st.text(max_size=80))
def test_no_word_gives_a_share_beyond_its_bounds(word):
    read = control_of(word)
    assert read.low is None or 0 <= read.low < (read.high or Decimal(101)) <= 101


@cases(
    ("word", "kind"),
    [
        ("individual-person-with-significant-control", "natural_person"),
        ("super-secure-person-with-significant-control", "natural_person"),
        ("super-secure-beneficial-owner", "unknown"),
        ("corporate-entity-beneficial-owner", "legal_entity"),
        ("legal-person-person-with-significant-control", "government"),
        ("", "unknown"),
    ],
)
def test_it_tells_persons_from_companies(word, kind):
    assert owner_kind(word) == kind


def test_it_lists_owners_with_what_they_control(companies_house):
    told = companies_house.owners("12345")
    ada, beacon, secret, ben = told.owners
    assert [nature.band for nature in ada.control] == ["25–50 %", "50–75 %"]
    assert (ada.kind, ada.nationality, ada.ended) == ("natural_person", "British", None)
    assert (beacon.kind, beacon.number, beacon.country) == ("legal_entity", "B12345", "Luxembourg")
    assert secret.withheld
    assert "protected" in secret.name
    assert ben.ended is not None
    assert told.current == (ada, beacon, secret)


def test_what_stands_instead_of_names_is_told(companies_house):
    assert companies_house.owners("12345").statements == ("psc-details-not-confirmed",)


def test_a_statement_that_was_withdrawn_is_not_told(companies_house, fake):
    path = "/company/00012345/persons-with-significant-control-statements"
    fake.route(
        path,
        {
            "items": [{"statement": "no-one", "ceased_on": "2020-01-01"}, {"statement": []}],
            "total_results": 2,
        },
    )
    assert companies_house.owners("12345").statements == ()


def test_a_company_that_told_of_nobody_has_no_owners(companies_house):
    told = companies_house.owners("99999")
    assert (told.owners, told.statements) == ((), ())


@pytest.mark.parametrize("natures", [None, "x", [None, 7], [{}]])
def test_natures_that_are_no_words_are_no_control(companies_house, fake, natures):
    fake.route(
        "/company/00012345/persons-with-significant-control",
        {"items": [{"kind": "individual", "name": "A", "natures_of_control": natures}], "total_results": 1},
    )
    [owner] = companies_house.owners("12345").owners
    assert all(nature.low is None for nature in owner.control)
