"""The five market sources as the settings name them: how they know us, how often they may be asked, what they refuse.

Nothing is kept between questions. Only ``not_found`` says anything about a token.
"""

from typing import Any

from django.conf import settings

from common.outside.client import TRAFFIC, Client, Patience, Refine, Traffic, fault_of, json_or_none
from common.outside.exchange import Reply
from common.outside.faults import SourceFault
from common.outside.pace import Rate
from entities.markets.helius import refine_helius
from entities.markets.x import refine_x

MAX_BODY = 5_000_000
PATIENCE = Patience()


def open_sources(traffic: Traffic = TRAFFIC) -> dict[str, Client]:
    """Each source with what it still needs; Rugcheck needs no key. The rates are those of plans without a contract."""
    helius, x = settings.HELIUS_API_KEY, settings.X_BEARER_TOKEN

    def opened(name: str, rate: Rate, *needs: str, refine: Refine | None = None, **known: Any) -> Client:
        setting = f"{name.upper()}_BASE_URL"
        missing = tuple(need for need in (setting, *needs) if not getattr(settings, need))
        return Client(
            name,
            getattr(settings, setting),
            rate,
            missing=missing,
            refine=lambda reply: (refine(reply) if refine else None) or _unlisted(name, reply),
            patience=PATIENCE,
            max_body=MAX_BODY,
            traffic=traffic,
            **known,
        )

    birdeye = {"X-API-KEY": settings.BIRDEYE_API_KEY, "x-chain": "solana"}
    found = (
        opened("helius", Rate(2, 1), "HELIUS_API_KEY", query={"api-key": helius}, refine=refine_helius),
        opened("jupiter", Rate(3, 3), "JUPITER_API_KEY", headers={"x-api-key": settings.JUPITER_API_KEY}),
        opened("birdeye", Rate(1, 1), "BIRDEYE_API_KEY", headers=birdeye),
        opened("rugcheck", Rate(3, 3)),
        opened(  # 450 in 15 minutes
            "x", Rate(5, 10), "X_BEARER_TOKEN", headers={"Authorization": f"Bearer {x}"}, refine=refine_x
        ),
    )
    return {source.name: source for source in found}


def not_set_up(*sources: Client) -> SourceFault:
    """The fault of several sources of which one would do."""
    names, needs = [source.name for source in sources], [need for one in sources for need in one.missing]
    return SourceFault(" and ".join(names), "not_set_up", f"are not set up: set {' and '.join(needs)}")


def _unlisted(name: str, reply: Reply) -> SourceFault | None:
    """A 404 says something about a token, unless a gateway gave it."""
    if reply.status != 404:
        return None
    return fault_of(name, "unreadable" if json_or_none(reply) is None else "not_found", reply)
