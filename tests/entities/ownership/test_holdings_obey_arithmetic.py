"""What holds for every structure, whatever its links are."""

from dataclasses import replace
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from entities.ownership.assessment import assess
from entities.ownership.integrated import integrated_ownership
from entities.ownership.interests import Dimension, Interest, Party, PartyKind, Structure
from entities.ownership.shares import HUNDRED, Share
from entities.ownership.stakes import read_stakes
from entities.ownership.thresholds import threshold
from tests.entities.ownership.structures import DAY

COMPANIES, PEOPLE = [f"C{number}" for number in range(6)], ["P", "Q", "R"]
MOST = Decimal("0.000001")  # percent that rounding may add


@st.composite
def structures(draw, exact=False):
    """Links of which each company's minima are 90 percent at most, circles among them."""
    links = []
    for held in COMPANIES:
        left = 90
        for holder in draw(st.lists(st.sampled_from(COMPANIES + PEOPLE), unique=True, max_size=4)):
            low = draw(st.integers(0, left))
            left -= low
            high = low if exact else draw(st.integers(low, 100))
            share = Share(Decimal(low), Decimal(high), high > low and draw(st.booleans()))
            links.append(Interest(holder, held, share=share, id=f"{holder}-{held}"))
    parties = {id: Party(id, id, PartyKind.PERSON) for id in PEOPLE}
    return Structure(parties, tuple(links), DAY)


def holdings(structure):
    return integrated_ownership(read_stakes(structure, "C0", Dimension.CAPITAL), "C0")


def holders(structure, found):
    return {id: each for id, each in found.shares.items() if not structure.held.get(id)}


@given(structures())
def test_ultimate_owners_never_hold_more_than_everything(structure):
    shares = holders(structure, holdings(structure)).values()
    assert sum(share.low for share in shares) <= HUNDRED + MOST
    assert all(0 <= share.low <= share.high <= HUNDRED for share in shares)


@given(structures(exact=True))
def test_exact_shares_give_exact_holdings(structure):
    assert all(share.is_exact for share in holdings(structure).shares.values())


@given(structures(), st.randoms())
def test_the_order_of_links_changes_nothing(structure, random):
    links = list(structure.interests)
    random.shuffle(links)
    mixed = Structure(structure.parties, tuple(links), DAY)
    assert holdings(mixed).shares == holdings(structure).shares
    for name in ("eu-amlr", "uk-psc"):
        before, after = (assess(each, "C0", threshold(name)) for each in (structure, mixed))
        assert before.owners == after.owners
        assert before.ends == after.ends


@given(structures(), st.data())
def test_a_wider_band_never_makes_a_narrower_result(structure, data):
    if not structure.interests:
        return
    number = data.draw(st.integers(0, len(structure.interests) - 1))
    link = structure.interests[number]
    low, high = (
        data.draw(st.integers(0, int(link.share.low))),
        data.draw(st.integers(int(link.share.high), 100)),
    )
    wide = Share(Decimal(low), Decimal(high), link.share.low_open and low < high)
    wider = [*structure.interests]
    wider[number] = replace(link, share=wide)
    before, after = holdings(structure), holdings(Structure(structure.parties, tuple(wider), DAY))
    for id, share in before.shares.items():
        assert after.of(id).low <= share.low + MOST
        assert after.of(id).high >= share.high - MOST


@given(structures())
def test_whoever_reaches_the_threshold_for_certain_reaches_it_where_all_bands_are_at_their_least(structure):
    closed = tuple(replace(each, share=replace(each.share, low_open=False)) for each in structure.interests)
    least = tuple(replace(each, share=Share(each.share.low, each.share.low)) for each in closed)
    sure, reached = (
        {owner.party.id for owner in found.owners if owner.answer == "met"}
        for found in (
            assess(Structure(structure.parties, links, DAY), "C0", threshold("eu-amlr"))
            for links in (closed, least)
        )
    )
    assert sure == reached
