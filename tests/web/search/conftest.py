"""Providers on loopback, a clock that only sleeping moves, and an installation on which nothing is set up."""

from collections.abc import Iterator

import pytest

from common.outside.client import Traffic
from tests.web.search.doubles import Clock, Double


@pytest.fixture
def double() -> Iterator[Double]:
    with Double() as server:
        yield server


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def patient(clock: Clock) -> Traffic:
    """The rules with a fake clock and no jitter."""
    return Traffic(clock=clock, sleep=clock.sleep, uniform=lambda low, high: 1.0)
