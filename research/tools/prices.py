"""Cost of searches, by the prices entered for each provider."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

from django.utils import timezone

from research.models import ModelPrice
from research.tools.tool import Paid
from research.web.search.setup import BILLED

THOUSAND = Decimal(1_000)
ZERO = Decimal(0)


def search_prices(names: Iterable[str]) -> dict[str, Decimal | None]:
    """Price of one search today in US dollars. None if a paid provider has no price, 0 if it is free."""
    day = timezone.localdate()
    known = {name: ModelPrice.on(name, day) for name in names}
    return {
        name: price.search_usd / THOUSAND if price else None if name in BILLED else ZERO
        for name, price in known.items()
    }


def paid_for(billed: Mapping[str, int], maybe: Mapping[str, int]) -> Paid:
    """Cost of answered searches and of failed ones that may be charged, with the number for each provider."""
    asked = [name for name in {**billed, **maybe} if billed.get(name) or maybe.get(name)]
    prices = search_prices(asked)
    counted = {name: billed[name] for name in asked if billed.get(name) and prices[name] != ZERO}
    return Paid(
        cost=sum((number * (prices[name] or ZERO) for name, number in counted.items()), ZERO),
        maybe=sum((maybe.get(name, 0) * (prices[name] or ZERO) for name in asked), ZERO),
        unknown=any(prices[name] is None for name in counted),
        searches=counted,
    )
