"""Who holds a token. Token accounts are not owners: they are added up by owner, empty ones left out.

Helius lists every account, so its answer is exact when the list is whole; of a token with more accounts than are read,
Birdeye's 100 largest accounts are told instead, and how many holders there are is unknown.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal

from common.outside.faults import SourceFault
from entities.markets.birdeye import Birdeye
from entities.markets.found import Found
from entities.markets.helius import Helius
from entities.markets.sources import not_set_up
from entities.markets.values import JsonObject, percent, plain, shifted, whole

TOP = 10
ALL = "every account, added up by owner; an owner may be a pool, an exchange or a lock"
LARGEST = "the 100 largest accounts, added up by owner; an owner may be a pool, an exchange or a lock"
SOME = "the first accounts that were listed, in no order, added up by owner"


def holder_distribution(mint: str, helius: Helius, birdeye: Birdeye) -> Found:
    """``{totalHolders, top10Concentration, topHolders[{owner, amount, percent}], complete, basis}``.

    Concentration is in percent of the supply, and unknown where the supply is, or is less than its parts.

    Raises:
        SourceFault: neither source can tell.
    """
    failed: dict[str, SourceFault] = {}
    partial: JsonObject | None = None
    try:
        found, complete = _by_helius(mint, helius)
        if complete:
            return Found(found, ("helius",))
        partial = found
    except SourceFault as fault:
        failed["helius"] = fault
    try:
        return Found(_by_birdeye(mint, birdeye), ("birdeye",), _asked(failed))
    except SourceFault as fault:
        failed["birdeye"] = fault
    asked = _asked(failed)
    if partial is not None:
        return Found(partial, ("helius",), asked)
    if not asked:
        raise not_set_up(helius.source, birdeye.source)
    raise next(iter(asked.values()))


def _asked(failed: Mapping[str, SourceFault]) -> dict[str, SourceFault]:
    return {name: fault for name, fault in failed.items() if fault.code != "not_set_up"}


def _by_helius(mint: str, helius: Helius) -> tuple[JsonObject, bool]:
    """The holders, and whether these are all there are."""
    token = helius.token(mint)
    accounts = helius.accounts(mint)
    raw = by_owner((owner, Decimal(amount)) for owner, amount in accounts.held.values())
    basis = ALL if accounts.complete else SOME
    if token.decimals is None:
        supply = None if token.supply is None else Decimal(token.supply)
        return _data(mint, raw, supply, basis=basis, unit="base units"), accounts.complete
    held = {owner: shifted(amount, -token.decimals) for owner, amount in raw.items()}
    return _data(mint, held, whole(token.supply, token.decimals), basis=basis), accounts.complete


def _by_birdeye(mint: str, birdeye: Birdeye) -> JsonObject:
    rows = birdeye.largest_accounts(mint)
    if not rows:
        raise SourceFault("birdeye", "not_found", "lists no holders of this token", status=200)
    once = {account: (owner, amount) for account, owner, amount in rows}
    return _data(mint, by_owner(once.values()), birdeye.supply(mint), basis=LARGEST)


def by_owner(accounts: Iterable[tuple[str, Decimal]]) -> dict[str, Decimal]:
    """What each owner holds, most first; who holds nothing is left out."""
    held: dict[str, Decimal] = {}
    for owner, amount in accounts:
        held[owner] = held.get(owner, Decimal(0)) + amount
    return dict(sorted(((o, a) for o, a in held.items() if a > 0), key=lambda one: (-one[1], one[0])))


def _data(
    mint: str, held: Mapping[str, Decimal], supply: Decimal | None, *, basis: str, unit: str = "tokens"
) -> JsonObject:
    """Of some accounts in no order, concentration could only be too low: it is unknown then."""
    known = supply if basis != SOME else None
    if known is not None and (not known or sum(held.values(), Decimal(0)) > known):
        known = None  # parts that exceed the whole say nothing about shares
    largest = list(held.items())[:TOP]
    together = sum((amount for _, amount in largest), Decimal(0))
    return {
        "mint": mint,
        "totalHolders": len(held) if basis == ALL else None,
        "holdersSeen": len(held),
        "top10Concentration": plain(percent(together, known)) if known else None,
        "topHolders": [
            {
                "owner": owner,
                "amount": plain(amount),
                "percent": plain(percent(amount, known)) if known else None,
            }
            for owner, amount in largest
        ],
        "supply": plain(supply),
        "unit": unit,
        "complete": basis == ALL,
        "basis": basis,
    }
