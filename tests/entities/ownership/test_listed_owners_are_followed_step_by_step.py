"""The 50 percent rules of sanctions: what is owned to the half counts from then on with its whole stake."""

from entities.ownership.control import CASCADES, cascade
from entities.ownership.interests import Dimension
from entities.ownership.stakes import read_stakes
from tests.cases import cases
from tests.entities.ownership.structures import structure


def owned(links, rule, listed=("P", "Q"), subject="T"):
    stakes = read_stakes(structure(links), subject, Dimension.CAPITAL)
    return cascade(stakes, [each for each in listed if each in links], CASCADES[rule]).get(subject)


@cases(
    "links, ofac, uk",
    [
        ("P 50 T", "met", "not met"),
        ("P 50.01 T", "met", "met"),
        ("P 49.99 T", "not met", "not met"),
        (
            "P 25 T; Q 25 T",
            "met",
            "not met",
        ),  # OFAC adds up what listed persons hold, the United Kingdom does not
        ("P 25 T; Q 30 T", "met", "not met"),
        ("P 50 A; A 50 T", "met", "not met"),  # 25 by multiplication
        ("P 60 A; A 60 T", "met", "met"),
        # 25 of A and 25 of B, each with 50 of T: nothing reaches T
        ("P 25 A; P 25 B; A 50 T; B 50 T", "not met", "not met"),
        ("P 50 A; P 10 B; A 25 T; B 75 T", "not met", "not met"),
        ("P 50 A; P 50 B; A 25 T; B 25 T", "met", "not met"),
        ("P 50 A; P 25 T; A 25 T", "met", "not met"),
        ("P (25,50] T", "undecided", "not met"),
        ("P (50,75] T", "met", "met"),
        ("P [75,100] A; A (25,75] T", "undecided", "undecided"),
        ("P 60 X; X 60 Y; Y 40 X; Y 60 T", "met", "met"),
        ("R 100 T", "not met", "not met"),
    ],
)
def test_the_rules_disagree_as_their_authors_do(links, ofac, uk):
    assert (owned(links, "ofac"), owned(links, "uk")) == (ofac, uk)
    assert owned(links, "eu") == ofac


def test_a_chain_of_a_thousand_is_followed_in_one_pass():
    chain = "; ".join(["P 50 C999", *(f"C{number + 1} 50 C{number}" for number in range(999))])
    assert owned(chain, "ofac", subject="C0") == "met"
