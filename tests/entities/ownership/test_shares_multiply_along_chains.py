"""Integrated ownership: shares are multiplied along a chain and chains are added. Answers were computed by hand."""

from datetime import date

from entities.ownership.integrated import integrated_ownership
from entities.ownership.interests import Dimension, Structure
from entities.ownership.stakes import read_stakes
from tests.cases import cases
from tests.entities.ownership.structures import share, structure

# The links, the subject, and what each holder has of it in percent.
STRUCTURES = [
    ("P 100 T", "T", {"P": "100"}),
    ("P 60 T; Q 40 T", "T", {"P": "60", "Q": "40"}),
    ("P 50 H; H 50 T", "T", {"P": "25", "H": "50"}),
    ("P 50 H; H 50 T; P 10 T", "T", {"P": "35"}),
    ("P 50 H; P 50 G; H 60 T; G 40 T", "T", {"P": "50"}),
    ("P 90 A; A 90 B; B 90 C; C 90 T", "T", {"P": "65.61", "A": "72.9", "B": "81", "C": "90"}),
    ("P 24 T", "T", {"P": "24"}),
    ("P 33.3333 T; Q 33.3333 T; R 33.3334 T", "T", {"P": "33.3333", "R": "33.3334"}),
    # one diamond: P over two arms that meet again
    ("P 100 H; H 30 A; H 70 B; A 50 T; B 50 T", "T", {"P": "50", "H": "50", "A": "50"}),
    # circles
    ("P 60 X; Q 50 Y; X 50 Y; Y 40 X", "X", {"P": "75", "Q": "25", "Y": "40"}),
    ("P 60 X; Q 50 Y; X 50 Y; Y 40 X", "Y", {"P": "37.5", "Q": "62.5", "X": "50"}),
    ("X 100 Y; Y 99 X; P 1 X", "X", {"P": "100", "Y": "99"}),
    ("X 100 Y; Y 99 X; P 1 X", "Y", {"P": "100", "X": "100"}),
    ("P 90 T; T 10 T", "T", {"P": "100"}),
    ("P 45 T; Q 45 T; T 10 T", "T", {"P": "50", "Q": "50"}),
    ("P 50 A; C 50 A; Q 50 B; A 50 B; R 50 C; B 50 C; C 70 T", "T", {"P": "10", "Q": "20", "R": "40"}),
    ("P 80 X; X 20 X; X 50 T", "T", {"P": "50", "X": "50"}),
    # a company inside a circle counts chains that never come back to it
    ("P 20 A; B 80 A; A 100 B; B 100 T", "T", {"P": "100", "A": "100", "B": "100"}),
    # bands
    ("P (25,50] H; H (50,75] T", "T", {"P": "(12.5,37.5]", "H": "(50,75]"}),
    ("P [75,100] T; Q (0,25] T", "T", {"P": "[75,100)", "Q": "(0,25]"}),
    ("P 70 T; Q (25,50] T", "T", {"Q": "(25,30]"}),
    ("P 100 H; H (25,50] T", "T", {"P": "(25,50]"}),
    ("P (50,75) H; H (50,75) T", "T", {"P": "(25,56.25)"}),
    ("P [40,60] H; Q [40,60] H; H 50 T", "T", {"P": "[20,30]", "Q": "[20,30]"}),
    ("P [0,100] T", "T", {"P": "[0,100]"}),
    ("P [10,20] H; P [10,20] T; H [50,60] T", "T", {"P": "[15,32]"}),
    # a circle of bands: the least from the minima, the most from the maxima that they leave
    ("P [20,60] X; Y [20,40] X; X 50 Y; Q 50 Y", "X", {"P": "[22.222222222222,75]"}),
    # shares of unknown size
    ("P T", "T", {"P": "(0,100]"}),
    ("P 60 T; Q T", "T", {"P": "60", "Q": "(0,40]"}),
    # an indirect share is the chain again, unless no chain is known
    ("P 50 H; H 60 T; P indirect 30 T", "T", {"P": "30"}),
    ("H 60 T; P indirect 30 T", "T", {"P": "30", "H": "60"}),
    # ends in nobody
    ("H 60 T; G 40 T", "T", {"H": "60", "G": "40"}),
    ("P 10 T; ? 90 T", "T", {"P": "10", "?": "90"}),
    ("P votes 90 T; Q 100 T", "T", {"Q": "100"}),
    # an arrangement's beneficiaries hold what it holds
    ("P beneficiaryOfLegalArrangement 50 T; Q 100 T", "T", {"Q": "100"}),
]


def holdings(text, subject, dimension=Dimension.CAPITAL):
    given = structure(text) if isinstance(text, str) else text
    return integrated_ownership(read_stakes(given, subject, dimension), subject)


@cases("links, subject, expected", STRUCTURES)
def test_it_adds_the_products_of_all_chains(links, subject, expected):
    found = holdings(links, subject)
    assert {holder: str(found.of(holder)) for holder in expected} == {
        holder: str(share(text)) for holder, text in expected.items()
    }


@cases("links, subject, expected", STRUCTURES)
def test_the_order_of_links_changes_nothing(links, subject, expected):
    turned = ";".join(reversed(links.split(";")))
    assert holdings(links, subject).shares == holdings(turned, subject).shares


def test_it_names_the_parties_of_a_circle():
    assert holdings("P 60 X; Q 50 Y; X 50 Y; Y 40 X", "X").circles == (("X", "Y"),)


def test_a_circle_that_owns_itself_wholly_leaves_no_sum():
    found = holdings("X 100 Y; Y 100 X; X 50 T; P 50 T", "T")
    assert found.closed == {"X", "Y"}
    assert str(found.of("P")) == "50 %"
    assert str(found.of("Y")) == "unknown %"


def test_votes_go_with_the_capital_unless_they_are_stated():
    text = "P 60 H; H 100 T; Q votes 100 T"
    assert str(holdings(text, "T", Dimension.VOTES).of("Q")) == "100 %"
    assert holdings(text, "T", Dimension.VOTES).of("P").high == 0
    assert str(holdings("P 60 H; H 100 T", "T", Dimension.VOTES).of("P")) == "60 %"


def test_statements_of_two_sources_that_agree_are_narrowed_to_what_both_say():
    given = structure("P (25,50] T; P 40 T")
    said = tuple(
        type(each)(**{**{name: getattr(each, name) for name in each.__slots__}, "source": str(number)})
        for number, each in enumerate(given.interests)
    )
    assert str(holdings(Structure(given.parties, said, given.as_of), "T").of("P")) == "40 %"


def test_an_interest_counts_from_its_first_day_up_to_its_last():
    given = structure("P 60 T").interests[0]
    dated = type(given)("P", "T", given.type, given.share, start=date(2025, 1, 1), end=date(2026, 1, 1))
    for day, held in [
        (date(2024, 12, 31), "0 %"),
        (date(2025, 1, 1), "60 %"),
        (date(2025, 12, 31), "60 %"),
        (date(2026, 1, 1), "0 %"),
    ]:
        assert str(holdings(Structure({}, (dated,), day), "T").of("P")) == held


def test_a_long_chain_and_a_wide_company_are_computed():
    chain = "; ".join(["P 100 C999", *(f"C{number + 1} 99.9 C{number}" for number in range(999))])
    assert str(holdings(chain, "C0").of("P")) == "36.8063 %"
    wide = "; ".join(f"H{number} 0.01 T" for number in range(10_000))
    assert sum(each.low for each in holdings(wide, "T").shares.values()) == 100


def test_a_large_circle_is_solved_by_iteration():
    ring = "; ".join(f"C{number} 50 C{(number + 1) % 100}" for number in range(100))
    found = holdings(f"{ring}; P 50 C0", "C0")
    assert str(found.of("P")) == "50 %"  # what comes back has been halved a hundred times
    assert found.of("C99").low == 0  # what comes back to a company inside is not computed for so many
