"""Jupiter: its list of tokens. It finds by name and symbol too, so a hit counts only when it is the very mint."""

from common.outside.client import Client
from common.outside.faults import SourceFault
from entities.markets.authority import disabled
from entities.markets.token import TokenFacts
from entities.markets.values import (
    address,
    count,
    decimals_of,
    exact_json,
    inner,
    items,
    number,
    shifted,
    text,
)


class Jupiter:
    """Asks one address; nothing is kept between questions."""

    def __init__(self, source: Client) -> None:
        self.source = source

    def token(self, mint: str) -> TokenFacts:
        """What the list says of this mint.

        Raises:
            SourceFault: no answer; ``not_found`` when none of the hits is this mint.
        """
        document = self.source.ask("/tokens/v2/search", read=exact_json, params={"query": mint})
        if not isinstance(document, list):
            raise SourceFault("jupiter", "unreadable", "sent no list of tokens", status=200)
        hit = next((item for item in items(document) if item.get("id") == mint), None)
        if hit is None:
            raise SourceFault("jupiter", "not_found", "does not list this mint", status=200)
        decimals, supply = decimals_of(hit.get("decimals")), number(hit.get("totalSupply"))
        audit, verified = inner(hit, "audit"), hit.get("isVerified")
        return TokenFacts(
            source="jupiter",
            name=text(hit.get("name"), 200),
            symbol=text(hit.get("symbol"), 30),
            decimals=decimals,
            supply=None if supply is None or decimals is None else count(shifted(supply, decimals)),
            logo=address(hit.get("icon")),
            program=text(hit.get("tokenProgram"), 44),
            verified=verified if isinstance(verified, bool) else None,
            mint_authority=disabled(audit.get("mintAuthorityDisabled"), "jupiter"),
            freeze_authority=disabled(audit.get("freezeAuthorityDisabled"), "jupiter"),
        )
