"""Control passed on at each link: who controls a company is attributed all that the company holds.

This is the test of the United Kingdom's register of people with significant control (an indirect interest counts
through a majority stake at each link) and of § 3 of the German Geldwäschegesetz. It is no product: 60 percent of H,
which holds 40 percent of T, is 40 percent of T here and 24 percent in ``integrated_ownership``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

from entities.ownership.interests import CONTROL, Interest, InterestType, Structure
from entities.ownership.shares import NOTHING, Answer, Share, add_shares, compare, share_between
from entities.ownership.stakes import Stakes

MAJORITY = Decimal(50)


@dataclass(frozen=True)
class CascadeRule:
    """Ownership by listed persons: 50 percent or ``more_than`` 50, their stakes added (``together``) or each alone."""

    name: str
    more_than: bool
    together: bool
    source: str


CASCADES: Mapping[str, CascadeRule] = MappingProxyType(
    {
        rule.name: rule
        for rule in (
            CascadeRule("ofac", False, True, "OFAC, FAQ 398 to 402"),
            CascadeRule("eu", False, True, "EU best practices on restrictive measures, July 2024"),
            CascadeRule("uk", True, False, "OFSI general guidance, 4.1"),
        )
    }
)


@dataclass(frozen=True)
class Attributed:
    """What is attributed to one holder: ``share`` of the subject, and whether it controls the subject itself.

    ``controlled`` are the companies that it controls for certain, ``possible`` those that it may control, if bands are
    at their upper ends.
    """

    share: Share
    controlled: frozenset[str]
    possible: frozenset[str]


class Attribution:
    """Control above one subject, by the votes (``votes``) and by control that is no share (``links``)."""

    def __init__(self, structure: Structure, subject: str, votes: Stakes, counted: Stakes) -> None:
        column = counted.holders.get(subject, {})
        self._column = {each: share for each, share in column.items() if each != subject}
        self._votes: dict[str, list[tuple[str, Share]]] = {}
        self._links: dict[str, list[tuple[str, bool]]] = {}
        for held, column in votes.holders.items():
            for holder, share in column.items():
                self._votes.setdefault(holder, []).append((held, share))
            for interest in structure.held.get(held, ()):
                if controls(interest) is not False:
                    self._links.setdefault(interest.holder, []).append((held, controls(interest) is True))

    def to(self, holder: str) -> Attributed:
        """What is attributed to the holder: its own shares and those of all that it controls, at any depth."""
        certain, possible = self._reach(holder, certain=True), self._reach(holder, certain=False)
        least = add_shares(self._column[each] for each in sorted(certain) if each in self._column)
        most = add_shares(self._column[each] for each in sorted(possible) if each in self._column)
        share = share_between(least.low, most.high, least.low_open, most.high_open)
        return Attributed(share, frozenset(certain - {holder}), frozenset(possible - {holder}))

    def _reach(self, holder: str, *, certain: bool) -> set[str]:
        """The fixed point: stakes of what is controlled are added to the holder's own."""
        enough = ("met",) if certain else ("met", "undecided")
        reached, queue = {holder}, [holder]
        votes: dict[str, Share] = {}
        for each in queue:
            found = [held for held, sure in self._links.get(each, ()) if sure or not certain]
            for held, share in self._votes.get(each, ()):
                votes[held] = votes.get(held, NOTHING) + share
                if compare(votes[held], MAJORITY, more_than=True) in enough:
                    found.append(held)
            for held in found:
                if held not in reached:
                    reached.add(held)
                    queue.append(held)
        return reached


def controls(interest: Interest) -> bool | None:
    """Whether an interest is control without a share; None for a band of board seats that may be the majority."""
    if interest.type not in CONTROL or interest.way == "indirect":
        return False
    if interest.type != InterestType.APPOINTMENT_OF_BOARD or interest.share is None:
        return True
    return {"met": True, "undecided": None, "not met": False}[
        compare(interest.share, MAJORITY, more_than=True)
    ]


def cascade(stakes: Stakes, listed: Iterable[str], rule: CascadeRule) -> dict[str, Answer]:
    """Whether each party is owned by listed persons to the extent of the rule, step by step.

    A party that is so owned counts from then on with its whole stake; one that is not counts with nothing.
    """
    groups = [frozenset(listed)] if rule.together else [frozenset({each}) for each in sorted(listed)]
    certain = {party for group in groups for party in _cascade(stakes, group, rule, ("met",))}
    possible = {party for group in groups for party in _cascade(stakes, group, rule, ("met", "undecided"))}
    return {
        party: "met" if party in certain else "undecided" if party in possible else "not met"
        for party in stakes.holders
    }


def _cascade(stakes: Stakes, group: frozenset[str], rule: CascadeRule, enough: Sequence[Answer]) -> set[str]:
    reached, moved = set(group), True
    while moved:
        moved = False
        for held, column in reversed(stakes.holders.items()):  # owners come before what they own
            if held not in reached:
                total = add_shares(share for holder, share in column.items() if holder in reached)
                if compare(total, MAJORITY, more_than=rule.more_than) in enough:
                    reached.add(held)
                    moved = True
    return reached
