"""Birdeye: prices, liquidity and holders on Solana. Its answers are ``{success, data}``; null means not determined."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from common.outside.client import Client
from common.outside.faults import SourceFault
from entities.markets.values import (
    Json,
    JsonObject,
    amount,
    count,
    decimals_of,
    exact_json,
    items,
    number,
    shifted,
)

MAX_POINTS = 1_000
HOLDERS = 100  # the most that the API gives at once


@dataclass(frozen=True)
class Price:
    """In US dollars; ``change_24h`` in percent; ``at`` is a Unix time."""

    value: Decimal
    change_24h: Decimal | None
    liquidity: Decimal | None
    at: int | None


@dataclass(frozen=True)
class Overview:
    """In US dollars."""

    volume_24h: Decimal | None
    market_cap: Decimal | None
    liquidity: Decimal | None


class Birdeye:
    """Asks one address; nothing is kept between questions."""

    def __init__(self, source: Client) -> None:
        self.source = source

    def price(self, mint: str) -> Price:
        """The price now. Raises SourceFault; ``not_found`` when there is no price above 0."""
        data = self._object("/defi/price", {"address": mint, "include_liquidity": "true"})
        value = amount(data.get("value"))
        if not value:
            raise SourceFault("birdeye", "not_found", "has no price of this token", status=200)
        return Price(
            value,
            number(data.get("priceChange24h")),
            amount(data.get("liquidity")),
            count(data.get("updateUnixTime")),
        )

    def history(self, mint: str, step: str, start: int, end: int) -> list[tuple[int, Decimal]]:
        """Points (Unix time, US dollars) from ``start`` to ``end``, oldest first, one a moment. Raises SourceFault."""
        asked: dict[str, str | int] = {
            "address": mint,
            "address_type": "token",
            "type": step,
            "time_from": start,
            "time_to": end,
        }
        data = self._object("/defi/history_price", asked)
        points = {
            at: value
            for item in items(data.get("items"))
            if (at := count(item.get("unixTime"))) is not None and start <= at <= end
            if (value := amount(item.get("value")))
        }
        return sorted(points.items())[-MAX_POINTS:]

    def overview(self, mint: str) -> Overview:
        """What is traded in a day, and what all of it is worth. Raises SourceFault."""
        data = self._object("/defi/token_overview", {"address": mint})
        return Overview(
            amount(data.get("v24hUSD")),
            amount(data.get("marketCap", data.get("mc"))),
            amount(data.get("liquidity")),
        )

    def largest_accounts(self, mint: str) -> list[tuple[str, str, Decimal]]:
        """The 100 largest accounts: (account, owner, whole tokens). Raises SourceFault."""
        asked: dict[str, str | int] = {"address": mint, "offset": 0, "limit": HOLDERS}
        data = self._object("/defi/v3/token/holder", asked)
        rows = [_holder(item, mint) for item in items(data.get("items"))]
        return [row for row in rows if row is not None]

    def supply(self, mint: str) -> Decimal | None:
        """The supply in whole tokens. Raises SourceFault."""
        return amount(self._object("/defi/token_security", {"address": mint}).get("totalSupply"))

    def _object(self, path: str, query: Mapping[str, str | int]) -> JsonObject:
        document = self.source.ask(path, read=exact_json, params=query)
        if not isinstance(document, dict) or not isinstance(document.get("success"), bool):
            raise SourceFault("birdeye", "unreadable", "gave an answer that cannot be read", status=200)
        if not document["success"]:
            raise SourceFault("birdeye", "refused", "refused the question", status=200)
        data: Json = document.get("data")
        if data is None:
            raise SourceFault("birdeye", "not_found", "does not list this token", status=200)
        if not isinstance(data, dict):
            raise SourceFault("birdeye", "unreadable", "gave an answer that cannot be read", status=200)
        return data


def _holder(item: JsonObject, mint: str) -> tuple[str, str, Decimal] | None:
    account, owner = item.get("token_account"), item.get("owner")
    raw, decimals = count(item.get("amount")), decimals_of(item.get("decimals"))
    if not isinstance(account, str) or not isinstance(owner, str) or not owner:
        return None
    if raw is None or decimals is None or item.get("mint", mint) != mint:
        return None
    return account, owner, shifted(Decimal(raw), -decimals)
