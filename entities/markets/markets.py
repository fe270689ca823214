"""The five questions that can be asked about a token. Every answer is a value; nothing here raises for trouble outside.

``{success: true, data, source, retrieved_at, http_status}`` or ``{success: false, error: {code, message, retryable,
retry_after?}, source, retrieved_at, http_status}``; ``source`` names who spoke, several with a plus.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime

from django.utils import timezone

from common.outside.client import Client
from common.outside.deadline import within
from common.outside.faults import SourceFault
from entities.markets.birdeye import Birdeye
from entities.markets.found import Found
from entities.markets.helius import Helius
from entities.markets.holders import holder_distribution
from entities.markets.jupiter import Jupiter
from entities.markets.metadata import token_metadata
from entities.markets.mint import is_mint
from entities.markets.prices import TIMEFRAMES, price_history
from entities.markets.rugcheck import Rugcheck
from entities.markets.safety import rug_check
from entities.markets.sources import open_sources
from entities.markets.talk import sentiment
from entities.markets.values import JsonObject
from entities.markets.x import X

CALL_SECONDS = 60.0  # for one question, through whichever sources it goes

log = logging.getLogger(__name__)


class Markets:
    """The sources as the settings name them; safe to share between threads."""

    def __init__(self, sources: Mapping[str, Client], now: Callable[[], datetime] = timezone.now) -> None:
        self._clock, self._now = sources["helius"].traffic.clock, now
        self._helius, self._jupiter = Helius(sources["helius"]), Jupiter(sources["jupiter"])
        self._birdeye, self._rugcheck = Birdeye(sources["birdeye"]), Rugcheck(sources["rugcheck"])
        self._x = X(sources["x"])

    def token_metadata(self, mint: str) -> JsonObject:
        """Name, symbol, supply, authorities: see ``metadata.token_metadata``."""
        return self._about(mint, "helius", lambda: token_metadata(mint, self._helius, self._jupiter))

    def price_history(self, mint: str, timeframe: str = "7d") -> JsonObject:
        """Price and how it moved over 24h, 7d or 30d: see ``prices.price_history``."""
        if timeframe not in TIMEFRAMES:
            return self._refused(
                "birdeye", f"timeframe: {timeframe[:20]!r} is not one of {', '.join(TIMEFRAMES)}"
            )
        now = int(self._now().timestamp())
        return self._about(mint, "birdeye", lambda: price_history(mint, timeframe, self._birdeye, now))

    def rugcheck(self, mint: str) -> JsonObject:
        """Known risks: see ``safety.rug_check``."""
        return self._about(mint, "rugcheck", lambda: rug_check(mint, self._rugcheck))

    def holder_distribution(self, mint: str) -> JsonObject:
        """Who holds how much: see ``holders.holder_distribution``."""
        return self._about(mint, "helius", lambda: holder_distribution(mint, self._helius, self._birdeye))

    def sentiment(self, symbol: str, name: str = "") -> JsonObject:
        """How it is talked about: see ``talk.sentiment``."""
        if not symbol.strip(" $"):
            return self._refused("x", "symbol: must not be empty")
        return self._answered("x", lambda: sentiment(symbol, name, self._x, self._now()))

    def _about(self, mint: str, source: str, ask: Callable[[], Found]) -> JsonObject:
        if not is_mint(mint):
            return self._refused(
                source, f"mint: {mint[:50]!r} is not an address of Solana (32 bytes in base58)"
            )
        return self._answered(source, ask)

    def _answered(self, source: str, ask: Callable[[], Found]) -> JsonObject:
        try:
            with within(CALL_SECONDS, clock=self._clock):
                found = ask()
        except SourceFault as fault:
            return self._envelope(source, fault.status, {"success": False, "error": _error(fault)})
        except Exception as error:  # a shape that nobody foresaw is no reason to stop anybody's run
            log.exception("%s: an answer could not be read", source)
            said = f"gave an answer that cannot be read ({type(error).__name__})"
            unread = SourceFault(source, "unreadable", said)
            return self._envelope(source, 0, {"success": False, "error": _error(unread)})
        return self._envelope("+".join(found.sources), 200, {"success": True, "data": found.as_data()})

    def _refused(self, source: str, message: str) -> JsonObject:
        error = {"code": "bad_request", "message": message, "retryable": False}
        return self._envelope(source, 0, {"success": False, "error": error})

    def _envelope(self, source: str, status: int, value: JsonObject) -> JsonObject:
        moment = self._now().isoformat(timespec="seconds")
        return {**value, "source": source, "retrieved_at": moment, "http_status": status or None}


def open_markets() -> Markets:
    """The sources of this installation. Asks nobody yet."""
    return Markets(open_sources())


def _error(fault: SourceFault) -> JsonObject:
    wait = {} if fault.retry_after is None else {"retry_after": round(fault.retry_after, 1)}
    return {"code": fault.code, "message": fault.message, "retryable": fault.retryable, **wait}
