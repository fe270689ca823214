"""Where each chain of owners ends, and why. A gap is named, never filled."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from entities.ownership.integrated import Holdings
from entities.ownership.interests import REASONS, Party, PartyKind, Structure, UnspecifiedReason
from entities.ownership.shares import HUNDRED, NOTHING, Share, add_shares, share_between
from entities.ownership.stakes import Stakes


class EndReason(StrEnum):
    """Why a chain goes no further."""

    NATURAL_PERSON = "natural person"
    LISTED = "listed"
    STATE = "state"
    DISPERSED = "dispersed"
    NOT_DISCLOSED = "not disclosed"
    NOT_LOOKED_FOR = "not looked for"
    CIRCLE = "owns itself in a circle"


GAPS = frozenset({EndReason.NOT_DISCLOSED, EndReason.NOT_LOOKED_FOR})  # behind these a person may be hidden


@dataclass(frozen=True, slots=True)
class End:
    """The end of a chain at ``party``: ``share`` of the subject ends there, in percent."""

    party: Party
    reason: EndReason
    words: str
    share: Share


def find_ends(structure: Structure, subject: str, stakes: Stakes, holdings: Holdings) -> list[End]:
    """All ends above the subject, the largest first. A company of which a part is known ends for the rest."""
    found = []
    for id, column in stakes.holders.items():
        party = structure.party(id)
        share = Share(HUNDRED, HUNDRED) if id == subject else holdings.of(id)
        if party.kind in (PartyKind.PERSON, PartyKind.STATE, PartyKind.UNKNOWN):
            if id != subject:
                found.append(End(party, *_of_itself(party), share))
        elif id in holdings.closed:
            words = "its owners own each other in a circle that leaves nothing to anybody else"
            found.append(End(party, EndReason.CIRCLE, words, share))
        elif _rest(column).high > 0:
            named = _unnamed(structure, id)
            if named is None or not any(structure.party(each).kind == PartyKind.UNKNOWN for each in column):
                found.append(End(party, *_of_the_rest(party, column, named), _times(share, _rest(column))))
    found = [end for end in found if end.share != NOTHING]
    return sorted(found, key=lambda end: (-end.share.high, -end.share.low, end.party.name, end.party.id))


def _of_itself(party: Party) -> tuple[EndReason, str]:
    if party.kind == PartyKind.PERSON:
        return EndReason.NATURAL_PERSON, "the chain goes no further"
    if party.kind == PartyKind.STATE:
        return EndReason.STATE, "a state or one of its bodies"
    if party.reason == UnspecifiedReason.NO_BENEFICIAL_OWNERS:
        return EndReason.DISPERSED, REASONS[party.reason]
    return EndReason.NOT_DISCLOSED, REASONS[party.reason or UnspecifiedReason.UNKNOWN]


def _of_the_rest(party: Party, column: Mapping[str, Share], named: Party | None) -> tuple[EndReason, str]:
    """Why nothing is known of what the known holders leave."""
    what = "the rest of its owners" if column else "its owners"
    if named:
        return _of_itself(named)
    if party.listed:
        return EndReason.LISTED, f"its shares are listed; {what} change daily"
    if party.looked_for:
        return EndReason.NOT_DISCLOSED, f"{what} were looked for on {party.looked_for:%Y-%m-%d} and not found"
    return EndReason.NOT_LOOKED_FOR, f"nobody has looked for {what}"


def _unnamed(structure: Structure, held: str) -> Party | None:
    """The owner whom a source mentions without a name, with its reason."""
    holders = (structure.party(each.holder) for each in structure.held.get(held, ()))
    return next((each for each in holders if each.kind == PartyKind.UNKNOWN), None)


def _rest(column: Mapping[str, Share]) -> Share:
    """What the known holders leave of one party."""
    known = add_shares(column.values())
    return share_between(HUNDRED - known.high, HUNDRED - known.low, known.high_open, known.low_open)


def _times(one: Share, other: Share) -> Share:
    low, high = one.low * other.low / HUNDRED, one.high * other.high / HUNDRED
    return share_between(
        low, high, bool(low) and (one.low_open or other.low_open), one.high_open or other.high_open
    )
