"""The shares that count in one dimension, one interval for each holder and held party."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from entities.ownership.interests import (
    COUNTED,
    OF_ARRANGEMENTS,
    Dimension,
    Interest,
    InterestType,
    PartyKind,
    Structure,
)
from entities.ownership.shares import HUNDRED, Share, add_shares, share_between


@dataclass
class Stakes:
    """Direct shares above one subject: ``holders[held][holder]``.

    ``declared`` are shares of which the source says that they are indirect. They count only where no chain leads from
    the holder to what it holds, since the chain is the same share again. ``crowded`` are parties of which more than 100
    percent are held. ``assumed`` are those whose votes are not stated and are taken to go with the capital.
    """

    dimension: Dimension
    holders: dict[str, dict[str, Share]] = field(default_factory=dict)
    declared: dict[str, dict[str, Share]] = field(default_factory=dict)
    crowded: set[str] = field(default_factory=set)
    assumed: set[str] = field(default_factory=set)

    @property
    def is_simple(self) -> bool:
        """Whether all that is held of each party adds up: no share counted twice, and none above 100 percent."""
        return not self.crowded and not any(self.declared.values())


def read_stakes(structure: Structure, subject: str, dimension: Dimension) -> Stakes:
    """The shares above the subject; each maximum is tightened to what the other holders' minima leave."""
    stakes = Stakes(dimension)
    indirect: list[tuple[str, str, Share]] = []
    for held in structure.above(subject):
        counted = _counted(structure, held, dimension, stakes)
        direct = {holder: _agreed(each) for holder, each in _by_holder(counted, direct=True).items()}
        if _crowded(direct):
            stakes.crowded.add(held)
        else:
            direct = tighten(direct)
        stakes.holders[held] = direct
        declared = {holder: _agreed(each) for holder, each in _by_holder(counted, direct=False).items()}
        indirect += [(held, holder, share) for holder, share in declared.items()]
    for held, holder, share in indirect:
        if not _leads_to(stakes.holders, held, holder):
            stakes.declared.setdefault(held, {})[holder] = share
    for held, declared in stakes.declared.items():
        stakes.holders[held] = stakes.holders[held] | declared
    return stakes


def tighten(column: Mapping[str, Share]) -> dict[str, Share]:
    """Shares of one party: none is more than 100 less the least that the others hold."""
    least = sum((share.low for share in column.values()), Decimal(0))
    open_lows = sum(share.low_open for share in column.values())
    tight = {}
    for holder, share in column.items():
        left = HUNDRED - (least - share.low)
        if left > share.high:
            tight[holder] = share
            continue
        others_open = open_lows > share.low_open
        is_open = (share.high_open and left == share.high) or others_open
        tight[holder] = share_between(share.low, left, share.low_open, is_open)
    return tight


def _crowded(column: Mapping[str, Share]) -> bool:
    least = sum((share.low for share in column.values()), Decimal(0))
    return least > HUNDRED or (
        least == HUNDRED and any(share.low_open and share.low > 0 for share in column.values())
    )


def _counted(structure: Structure, held: str, dimension: Dimension, stakes: Stakes) -> list[Interest]:
    interests = structure.held.get(held, ())
    types = COUNTED[dimension]
    if structure.party(held).kind == PartyKind.ARRANGEMENT:
        types = types | OF_ARRANGEMENTS | {InterestType.SHAREHOLDING}
    found = [each for each in interests if each.type in types]
    if dimension == Dimension.VOTES and not found:
        found = [each for each in interests if each.type == InterestType.SHAREHOLDING]
        stakes.assumed |= {held} if found else set()
    return found


def _by_holder(interests: Iterable[Interest], *, direct: bool) -> dict[str, list[Interest]]:
    grouped: dict[str, list[Interest]] = {}
    for interest in interests:
        if (interest.way != "indirect") == direct:
            grouped.setdefault(interest.holder, []).append(interest)
    return dict(sorted(grouped.items()))


def _agreed(interests: Sequence[Interest]) -> Share:
    """One share of several statements: those of one source add up, those of several must agree or all stand."""
    if len(interests) == 1:
        return interests[0].amount
    by_source: dict[str, dict[tuple[str, str], Share]] = {}
    for each in sorted(interests, key=lambda one: (one.amount.low, one.amount.high)):
        key = (each.type, each.details)
        known = by_source.setdefault(each.source, {}).get(key)
        by_source[each.source][key] = _reconciled(known, each.amount)
    sums = sorted((add_shares(parts.values()) for parts in by_source.values()), key=lambda share: share.low)
    agreed: Share | None = sums[0]
    for share in sums[1:]:
        agreed = agreed.meet(share) if agreed else None
    if agreed:
        return agreed
    whole = sums[0]
    for share in sums[1:]:
        whole = whole.hull(share)
    return whole


def _reconciled(known: Share | None, stated: Share) -> Share:
    return stated if known is None else known.meet(stated) or known.hull(stated)


def _leads_to(holders: Mapping[str, Mapping[str, Share]], held: str, holder: str) -> bool:
    """Whether a chain of direct shares leads from the holder to the held party."""
    seen, queue = {held}, [held]
    for each in queue:
        for above in holders.get(each, ()):
            if above == holder:
                return True
            if above not in seen:
                seen.add(above)
                queue.append(above)
    return False
