"""What a token costs and how that has moved, from Birdeye."""

from contextlib import suppress
from decimal import Decimal

from common.outside.faults import SourceFault
from entities.markets.birdeye import Birdeye, Overview
from entities.markets.found import Found
from entities.markets.values import percent, plain

DAY = 86_400
STEPS = {"24h": ("15m", DAY), "7d": ("1H", 7 * DAY), "30d": ("4H", 30 * DAY)}
TIMEFRAMES = tuple(STEPS)


def price_history(mint: str, timeframe: str, birdeye: Birdeye, now: int) -> Found:
    """``{currentPrice, priceChange, priceChange24h, volume24h, liquidity, marketCap, history, ...}`` in US dollars.

    Changes are in percent; ``priceChange`` is against the first price of the timeframe, and unknown without one.
    ``now`` is a Unix time.

    Raises:
        SourceFault: there is no price.
    """
    price = birdeye.price(mint)
    failed: dict[str, SourceFault] = {}
    step, span = STEPS[timeframe]
    points: list[tuple[int, Decimal]] = []
    overview = Overview(None, None, None)
    try:
        points = birdeye.history(mint, step, now - span, now)
        overview = birdeye.overview(mint)
    except SourceFault as fault:
        failed["birdeye"] = fault
    change = None
    if points:
        with suppress(ArithmeticError):
            change = percent(price.value - points[0][1], points[0][1])
    data = {
        "mint": mint,
        "currency": "USD",
        "timeframe": timeframe,
        "currentPrice": plain(price.value),
        "priceAt": price.at,
        "priceChange": plain(change),
        "priceChange24h": plain(price.change_24h),
        "volume24h": plain(overview.volume_24h),
        "liquidity": plain(price.liquidity if price.liquidity is not None else overview.liquidity),
        "marketCap": plain(overview.market_cap),
        "history": [{"at": at, "price": plain(value)} for at, value in points],
    }
    return Found(data, ("birdeye",), failed)
