"""A market of doubles, asked without waiting: pauses move a clock and take no time."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from common.outside.client import Traffic
from common.outside.pace import Rate
from entities.markets.markets import Markets
from entities.markets.sources import open_sources
from tests.entities.markets.market import KEYS, NOW, Market
from tests.web.search.doubles import Clock


@pytest.fixture
def market(settings) -> Iterator[Market]:
    """Five sources that are all set up and say what ``GOOD`` says."""
    with Market() as market:
        for name, value in {**KEYS, **market.urls()}.items():
            setattr(settings, name, value)
        yield market


@pytest.fixture
def clock() -> Clock:
    return Clock()


def patience(clock: Clock) -> Traffic:
    rates = dict.fromkeys(("helius", "birdeye", "rugcheck", "x", "jupiter"), Rate(0, 0))
    return Traffic(clock=clock, sleep=clock.sleep, uniform=lambda low, high: 1.0, rates=rates)


@pytest.fixture
def traffic(clock) -> Traffic:
    return patience(clock)


@pytest.fixture
def open_markets(market, clock) -> Callable[[], Markets]:
    """Each time markets that remember no trouble with a source."""
    return lambda: Markets(open_sources(patience(clock)), now=lambda: datetime.fromtimestamp(NOW, UTC))


@pytest.fixture
def markets(market, traffic) -> Markets:
    return Markets(open_sources(traffic), now=lambda: datetime.fromtimestamp(NOW, UTC))
