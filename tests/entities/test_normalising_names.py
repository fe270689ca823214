"""Names as they are compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entities.names.matching import normalise_name
from tests.cases import cases


@cases(
    ("name", "text", "forms"),
    [
        ("Allianz SE", "allianz", ("se",)),
        ("ALLIANZ AKTIENGESELLSCHAFT", "allianz", ("ag",)),
        ("Allianz Versicherungs-Aktiengesellschaft", "allianz versicherungs", ("ag",)),
        ("Försäkringsaktiebolaget Skandia", "forsakringsaktiebolaget skandia", ()),
        ("Skandia Försäkringsaktiebolag", "skandia forsakrings", ("ab",)),
        ("Nestlé S.A.", "nestle", ("sa",)),
        ("NESTLE S. A.", "nestle", ("sa",)),
        ("Société Générale, société anonyme", "societe generale", ("sa",)),
        ("Allianz Private Debt SCSp, SICAV-RAIF", "allianz private debt", ("raif", "sicav", "scsp")),
        ("PIMCO Funds S.à r.l.", "pimco funds", ("sarl",)),
        ("Ørsted A/S", "orsted", ("as",)),
        ("G-Invest spółka z ograniczoną odpowiedzialnością", "g invest", ("sp zoo",)),
        ("G-Invest Sp. z o.o.", "g invest", ("sp zoo",)),
        ("PREMIUM FOODS PRIVATE LIMITED", "premium foods", ("pvt ltd",)),
        ("Grupo Bimbo, S.A.B. de C.V.", "grupo bimbo", ("sab de cv",)),
        ("Müller GmbH & Co. KG", "muller", ("kg", "co", "gmbh")),
        ("AB Volvo", "volvo", ("ab",)),
        ("Johnson & Johnson", "johnson johnson", ()),
        ("L'Oréal", "loreal", ()),
        ("J.P. Morgan", "jp morgan", ()),
        ("Straßen-Bau", "strassen bau", ()),
        ("日本電信電話株式会社", "日本電信電話", ("kk",)),
        ("Газпром ПАО", "gazprom", ("pao",)),
        ("Ελλάδα", "ellada", ()),
        ("Norway Holdco I S.à r.l.", "norway holdco i", ("sarl",)),
        ("Holdco X S.p.A.", "holdco x", ("spa",)),
        ("Studio Rossi S.R.L.S.", "studio rossi", ("srls",)),
        ("Muster Life Designated Activity Company", "muster life", ("dac",)),
        ("Tremblay et fils Ltée", "tremblay fils", ("ltd",)),
        ("Franz Muster e.K.", "franz muster", ("ek",)),
        ("Dr. Muster, PLLC", "dr muster", ("pllc",)),
        ("Muster Società Cooperativa Sociale", "muster", ("cooperativa",)),
        ("Invest ANS", "invest", ("ans",)),
    ],
)
def test_it_takes_away_what_names_do_not_differ_by(name, text, forms):
    found = normalise_name(name)
    assert (found.text, found.forms) == (text, forms)


@cases(
    "name",
    [
        "Northern Trust",  # what is a form in some places is part of the name in others
        "Muster Handel EU",
        "Muster Bank",
        "Muster Foundation",
        "V.S.A.",
        "Alpha U.S.A.",
        "Alpha IS",
    ],
)
def test_what_may_belong_to_the_name_stays(name):
    assert normalise_name(name).forms == ()


def test_that_a_company_is_being_wound_up_is_no_part_of_its_name():
    assert normalise_name("Muster AG in Liquidation").words == ("muster",)
    assert normalise_name("Muster AG in Liquidation").winding_up
    assert normalise_name("Muster Ltd (in administration)").winding_up
    for name in (
        "Muster iL",
        "Institute of Excellence in Administration",
        "In Liquidation",
        "Liquid Gold GmbH",
        "In Liquidation GmbH",
    ):
        assert not normalise_name(name).winding_up  # no legal form before it, or no name


def test_umlauts_are_read_both_ways():
    assert normalise_name("Münchener Rück").text == "munchener ruck"
    assert normalise_name("Münchener Rück", german=True).text == "muenchener rueck"


@pytest.mark.parametrize("name", ["S.A.", "Limited", "AG", "SE"])
def test_a_name_that_is_a_legal_form_keeps_it(name):
    assert normalise_name(name).words


PARTS = (
    "Allianz",
    "S.A.",
    "GmbH",
    "& Co.",
    "KG",
    "AG",
    "J.P.",
    "Müller",
    "und",
    "II",
    "Société anonyme",
    "日本",
    "x",
)


@given(st.lists(st.sampled_from(PARTS), max_size=6).map(" ".join) | st.text(max_size=60))
def test_normalising_is_idempotent(name):
    once = normalise_name(name).text
    assert normalise_name(once).text == once


@given(st.text(max_size=80))
def test_case_and_blanks_never_matter(name):
    assert normalise_name(f"  {name}\t") == normalise_name(name)


def test_a_name_of_ten_thousand_characters_is_cut():
    assert len(normalise_name("x" * 10_000).text) == 500
