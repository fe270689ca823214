"""What a token is called and how much of it there is: Helius first, Jupiter for what it does not say."""

from collections.abc import Sequence
from typing import Any

from common.outside.faults import SourceFault
from entities.markets.authority import agreed
from entities.markets.found import Found
from entities.markets.helius import Helius
from entities.markets.jupiter import Jupiter
from entities.markets.mint import STANDARDS
from entities.markets.sources import not_set_up
from entities.markets.token import TokenFacts
from entities.markets.values import JsonObject, plain, whole

COMPARED = ("symbol", "decimals", "supply")


def token_metadata(mint: str, helius: Helius, jupiter: Jupiter) -> Found:
    """``{mint, name, symbol, decimals, supply, supplyRaw, logoUri, description, standard, mintAuthority, ...}``.

    Amounts are texts. Where both sources speak, the first counts and ``disagreements`` names what differs; supply
    changes from minute to minute, so it is compared only roughly.

    Raises:
        SourceFault: neither source knows the token.
    """
    said: list[TokenFacts] = []
    failed: dict[str, SourceFault] = {}
    for source in (helius, jupiter):
        if said and (_is_complete(said[0]) or source.source.missing):
            break
        try:
            said.append(source.token(mint))
        except SourceFault as fault:
            failed[source.source.name] = fault
    asked = {name: fault for name, fault in failed.items() if fault.code != "not_set_up"}
    if not said:
        raise next(iter(asked.values()), not_set_up(helius.source, jupiter.source))
    return Found(_data(mint, said), tuple(one.source for one in said), asked)


def _is_complete(token: TokenFacts) -> bool:
    known = (token.name, token.symbol, token.decimals, token.supply)
    authorities = (token.mint_authority.state, token.freeze_authority.state)
    return None not in known and "unknown" not in authorities


def _data(mint: str, said: Sequence[TokenFacts]) -> JsonObject:
    supply, decimals = _first(said, "supply"), _first(said, "decimals")
    program = _first(said, "program")
    return {
        "mint": mint,
        "name": _first(said, "name"),
        "symbol": _first(said, "symbol"),
        "decimals": decimals,
        "supply": plain(whole(supply, decimals)),
        "supplyRaw": plain(supply),
        "logoUri": _first(said, "logo"),
        "description": _first(said, "description"),
        "program": program,
        "standard": STANDARDS.get(program or "", "unknown"),
        "extensions": sorted({name for one in said for name in one.extensions}),
        "mutableMetadata": _first(said, "mutable"),
        "listedAsVerified": _first(said, "verified"),
        "mintAuthority": agreed(one.mint_authority for one in said).as_json(),
        "freezeAuthority": agreed(one.freeze_authority for one in said).as_json(),
        "disagreements": _disagreements(said),
    }


def _first(said: Sequence[TokenFacts], name: str) -> Any:
    return next((value for one in said if (value := getattr(one, name)) is not None), None)


def _disagreements(said: Sequence[TokenFacts]) -> list[JsonObject]:
    if len(said) < 2:
        return []
    found = []
    for name in COMPARED:
        values = [getattr(one, name) for one in said]
        if None not in values and _differ(name, *values[:2]):
            found.append({"field": name, **{one.source: str(getattr(one, name)) for one in said}})
    return found


def _differ(name: str, one: Any, other: Any) -> bool:
    if name == "supply":
        return bool(abs(one - other) * 100 > max(one, other))  # more than 1 %
    return bool(str(one).casefold() != str(other).casefold())
