"""Natures of control of the United Kingdom's register as interests, with the ends that the law gives to its bands.

The Companies Act 2006, Schedule 1A, and SI 2016/339 speak of "more than 25 % but not more than 50 %", "more than 50 %
but less than 75 %" and "75 % or more". Conversions often write 25 to 50, 50 to 75 and 75 to 100 with both ends closed,
so that exactly 25 % counts as reached and exactly 75 % stands in two bands.
"""

import re
from collections.abc import Iterable
from decimal import Decimal

from entities.ownership.interests import InterestType
from entities.ownership.shares import HUNDRED, Share, share_between

TYPES = (
    ("ownership-of-shares", InterestType.SHAREHOLDING),
    ("voting-rights", InterestType.VOTING_RIGHTS),
    ("right-to-appoint-and-remove", InterestType.APPOINTMENT_OF_BOARD),
    ("right-to-share-surplus-assets", InterestType.SURPLUS_ASSETS),
    ("part-right-to-share-surplus-assets", InterestType.SURPLUS_ASSETS),
    ("significant-influence-or-control", InterestType.OTHER_INFLUENCE),
)
_BAND = re.compile(r"([0-9]{1,3})-to-([0-9]{1,3})-percent")
_MORE = re.compile(r"more-than-([0-9]{1,3})-percent")


def interests_of(natures: Iterable[str]) -> dict[InterestType, Share | None]:
    """One interest for each type of the natures that somebody has, for example held alone and held as a trust.

    Natures of one type are the same shares or different ones, which nobody states: together they are at least the
    largest of them and at most their sum. A word that is not known is influence of an unknown kind.
    """
    found: dict[InterestType, Share | None] = {}
    for word in natures:
        type = next((type for start, type in TYPES if word.startswith(start)), InterestType.OTHER_INFLUENCE)
        band, known = band_of(word), found.get(type)
        if band and known:
            low = max(known, band, key=lambda each: (each.low, each.low_open))
            band = share_between(
                low.low, known.high + band.high, low.low_open, known.high_open or band.high_open
            )
        found[type] = band or known
    return found


def band_of(word: str) -> Share | None:
    """The band of one nature; None for one that is no share."""
    band = _BAND.search(word)
    if band:
        low, high = Decimal(band[1]), Decimal(band[2])
        if low < high <= HUNDRED:
            return Share(low, high, low_open=low < 75, high_open=high == 75)
    more = _MORE.search(word)
    if more and Decimal(more[1]) < HUNDRED:
        return Share(Decimal(more[1]), HUNDRED, low_open=True)
    return None
