"""Control at each link: who controls a company is attributed all that it holds. Answers were computed by hand."""

from entities.ownership.control import Attribution
from entities.ownership.interests import Dimension
from entities.ownership.stakes import read_stakes
from tests.cases import cases
from tests.entities.ownership.structures import share, structure


def attributed(links, holder, subject="T"):
    given = structure(links)
    votes = read_stakes(given, subject, Dimension.VOTES)
    capital = read_stakes(given, subject, Dimension.CAPITAL)
    return Attribution(given, subject, votes, capital).to(holder)


@cases(
    "links, holder, expected",
    [
        ("P 60 H; H 40 T", "P", "40"),  # 24 by multiplication
        ("P 50 H; H 40 T", "P", "0"),  # half is no majority
        ("P 50.01 H; H 40 T; P 5 T", "P", "45"),
        ("P 60 A; A 60 B; B 60 C; C 30 T", "P", "30"),
        ("P 60 A; A 49 B; B 60 T", "P", "0"),
        # two companies that it controls hold a majority of a third together
        ("P 60 A; P 60 B; A 30 C; B 30 C; C 26 T", "P", "26"),
        ("P 60 A; A 26 C; P 25 C; C 40 T", "P", "40"),
        # the votes decide who controls, the capital what is attributed
        ("P 10 H; P votes 60 H; Q 90 H; Q votes 40 H; H 40 T", "P", "40"),
        ("P 10 H; P votes 60 H; Q 90 H; Q votes 40 H; H 40 T", "Q", "0"),
        # control without a share
        ("P appointmentOfBoard H; H 40 T", "P", "40"),
        ("P otherInfluenceOrControl H; H 40 T", "P", "40"),
        ("P trustee F; F 100 H; H 40 T", "P", "40"),
        ("P boardMember H; H 40 T", "P", "0"),
        ("P seniorManagingOfficial H; H 40 T", "P", "0"),
        ("P appointmentOfBoard 40 H; H 40 T", "P", "0"),
        ("P appointmentOfBoard 60 H; H 40 T", "P", "40"),
        # bands
        ("P (50,75] H; H (25,50] T", "P", "(25,50]"),
        ("P (25,50] H; H (25,50] T", "P", "0"),
        ("P (25,75] H; H (25,50] T", "P", "[0,50]"),
        ("P appointmentOfBoard [40,60] H; H 40 T", "P", "[0,40]"),
        # circles end
        ("P 60 X; X 60 Y; Y 40 X; Y 30 T", "P", "30"),
        ("P 60 T; T 40 T", "P", "60"),
    ],
)
def test_it_attributes_what_a_controlled_company_holds(links, holder, expected):
    assert str(attributed(links, holder).share) == str(share(expected))


def test_it_tells_what_is_controlled_for_certain_from_what_may_be():
    found = attributed("P 60 A; P (25,75] B; A 20 T; B 30 T", "P")
    assert (found.controlled, found.possible) == ({"A"}, {"A", "B"})
    assert str(found.share) == "20 to 50 %"
