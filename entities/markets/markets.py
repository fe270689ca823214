"""The five questions that can be asked about a token. Every answer is a value; nothing here raises for trouble outside.

``{success: true, data, source, retrieved_at, http_status}`` or ``{success: false, error: {code, message, retryable,
retry_after?}, source, retrieved_at, http_status}``; ``source`` names who spoke, several with a plus.
"""

import logging
from collections.abc import Callable
from datetime import datetime

from django.conf import settings
from django.utils import timezone

from entities.markets import helius as helius_api
from entities.markets import x as x_api
from entities.markets.asking import SHARED, Call, Manners, Source
from entities.markets.birdeye import Birdeye
from entities.markets.faults import MarketFault
from entities.markets.found import Found
from entities.markets.helius import Helius
from entities.markets.holders import holder_distribution
from entities.markets.jupiter import Jupiter
from entities.markets.metadata import token_metadata
from entities.markets.mint import is_mint
from entities.markets.prices import TIMEFRAMES, price_history
from entities.markets.rugcheck import Rugcheck
from entities.markets.safety import rug_check
from entities.markets.talk import sentiment
from entities.markets.values import JsonObject
from entities.markets.x import X

log = logging.getLogger(__name__)


class Markets:
    """The sources as the settings name them; safe to share between threads."""

    def __init__(
        self,
        sources: dict[str, Source],
        manners: Manners,
        now: Callable[[], datetime] = timezone.now,
    ) -> None:
        self.sources, self._manners, self._now = sources, manners, now
        self._helius, self._jupiter = Helius(sources["helius"]), Jupiter(sources["jupiter"])
        self._birdeye, self._rugcheck = Birdeye(sources["birdeye"]), Rugcheck(sources["rugcheck"])
        self._x = X(sources["x"])

    def token_metadata(self, mint: str) -> JsonObject:
        """Name, symbol, supply, authorities: see ``metadata.token_metadata``."""
        return self._about(mint, "helius", lambda c: token_metadata(c, mint, self._helius, self._jupiter))

    def price_history(self, mint: str, timeframe: str = "7d") -> JsonObject:
        """Price and how it moved over 24h, 7d or 30d: see ``prices.price_history``."""
        if timeframe not in TIMEFRAMES:
            return self._refused(
                "birdeye", f"timeframe: {timeframe[:20]!r} is not one of {', '.join(TIMEFRAMES)}"
            )
        now = int(self._now().timestamp())
        return self._about(mint, "birdeye", lambda c: price_history(c, mint, timeframe, self._birdeye, now))

    def rugcheck(self, mint: str) -> JsonObject:
        """Known risks: see ``safety.rug_check``."""
        return self._about(mint, "rugcheck", lambda c: rug_check(c, mint, self._rugcheck))

    def holder_distribution(self, mint: str) -> JsonObject:
        """Who holds how much: see ``holders.holder_distribution``."""
        return self._about(
            mint, "helius", lambda c: holder_distribution(c, mint, self._helius, self._birdeye)
        )

    def sentiment(self, symbol: str, name: str = "") -> JsonObject:
        """How it is talked about: see ``talk.sentiment``."""
        if not symbol.strip(" $"):
            return self._refused("x", "symbol: must not be empty")
        return self._answered("x", lambda call: sentiment(call, symbol, name, self._x, self._now()))

    def _about(self, mint: str, source: str, ask: Callable[[Call], Found]) -> JsonObject:
        if not is_mint(mint):
            return self._refused(
                source, f"mint: {mint[:50]!r} is not an address of Solana (32 bytes in base58)"
            )
        return self._answered(source, ask)

    def _answered(self, source: str, ask: Callable[[Call], Found]) -> JsonObject:
        try:
            found = ask(Call(self._manners))
        except MarketFault as fault:
            return self._envelope(source, fault.status, {"success": False, "error": _error(fault)})
        except (
            Exception
        ) as error:  # an answer of a shape that nobody foresaw is no reason to stop anybody's run
            log.exception("%s: an answer could not be read", source)
            unread = MarketFault(
                "unreadable", f"{source} gave an answer that cannot be read ({type(error).__name__})."
            )
            return self._envelope(source, 0, {"success": False, "error": _error(unread)})
        return self._envelope("+".join(found.sources), 200, {"success": True, "data": found.as_data()})

    def _refused(self, source: str, message: str) -> JsonObject:
        fault = MarketFault("bad_request", message)
        return self._envelope(source, 0, {"success": False, "error": _error(fault)})

    def _envelope(self, source: str, status: int, value: JsonObject) -> JsonObject:
        moment = self._now().isoformat(timespec="seconds")
        return {**value, "source": source, "retrieved_at": moment, "http_status": status or None}


def open_markets() -> Markets:
    """The sources of this installation. Asks nobody yet."""
    return Markets(open_sources(), SHARED)


def open_sources() -> dict[str, Source]:
    """Each source with what it still needs; Rugcheck needs no key."""
    helius, x = settings.HELIUS_API_KEY, settings.X_BEARER_TOKEN
    return {
        "helius": Source(
            "helius",
            settings.HELIUS_BASE_URL,
            query={"api-key": helius} if helius else {},
            missing=_missing("HELIUS_BASE_URL", "HELIUS_API_KEY"),
            refine=helius_api.refine,
        ),
        "jupiter": Source(
            "jupiter",
            settings.JUPITER_BASE_URL,
            {"x-api-key": settings.JUPITER_API_KEY},
            missing=_missing("JUPITER_BASE_URL", "JUPITER_API_KEY"),
        ),
        "birdeye": Source(
            "birdeye",
            settings.BIRDEYE_BASE_URL,
            {"X-API-KEY": settings.BIRDEYE_API_KEY, "x-chain": "solana"},
            missing=_missing("BIRDEYE_BASE_URL", "BIRDEYE_API_KEY"),
        ),
        "rugcheck": Source("rugcheck", settings.RUGCHECK_BASE_URL, missing=_missing("RUGCHECK_BASE_URL")),
        "x": Source(
            "x",
            settings.X_BASE_URL,
            {"Authorization": f"Bearer {x}"},
            missing=_missing("X_BASE_URL", "X_BEARER_TOKEN"),
            refine=x_api.refine,
        ),
    }


def _missing(*names: str) -> tuple[str, ...]:
    return tuple(name for name in names if not getattr(settings, name))


def _error(fault: MarketFault) -> JsonObject:
    wait = {} if fault.retry_after is None else {"retry_after": round(fault.retry_after, 1)}
    return {"code": fault.kind, "message": fault.message, "retryable": fault.retryable, **wait}
