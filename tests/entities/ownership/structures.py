"""Structures in one line: "P 60 X" is that P holds 60 percent of X. Names in P to S are persons, ? is an unnamed owner.

A band is written as in mathematics: (25,50] is more than 25, up to 50. A word before the share names the interest.
"""

import re
from datetime import date
from decimal import Decimal

from entities.ownership.interests import (
    Interest,
    InterestType,
    Party,
    PartyKind,
    Structure,
    UnspecifiedReason,
)
from entities.ownership.shares import Share

DAY = date(2026, 3, 1)
BAND = re.compile(r"([(\[])([0-9.]+),([0-9.]+)([)\]])")
TYPES = {"votes": InterestType.VOTING_RIGHTS, "profit": InterestType.PROFIT}


def share(text):
    """ "60" or "(25,50]"."""
    band = BAND.fullmatch(text)
    if band:
        return Share(Decimal(band[2]), Decimal(band[3]), band[1] == "(", band[4] == ")")
    return Share.exactly(text)


def structure(text, *, day=DAY, **parties):
    """A structure of links divided by semicolons; a keyword replaces what a party is."""
    interests = [interest(link) for link in text.split(";") if link.strip()]
    ids = dict.fromkeys(id for each in interests for id in (each.holder, each.held))
    made = {id: parties.get(id) or Party(id, id, kind_of(id), reason_of(id)) for id in ids}
    return Structure(made, tuple(interests), day)


def interest(link):
    holder, *words, held = link.split()
    number = next((word for word in words if word[0] in "([0123456789"), None)
    kinds = [word for word in words if word != number and word not in ("indirect", "unknown")]
    return Interest(
        holder,
        held,
        TYPES.get(kinds[0]) or InterestType(kinds[0]) if kinds else InterestType.SHAREHOLDING,
        share(number) if number else None,
        next((word for word in words if word in ("indirect", "unknown")), "direct"),
        id=link.strip(),
    )


def kind_of(id):
    if id.startswith("?"):
        return PartyKind.UNKNOWN
    return PartyKind.PERSON if id[0] in "PQRS" else PartyKind.ENTITY


def reason_of(id):
    return UnspecifiedReason.NOT_PROVIDED if id.startswith("?") else None
