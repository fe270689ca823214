"""Providers on loopback, a clock that only sleeping moves, and an installation on which nothing is set up."""

from collections.abc import Iterator

import pytest

from research.web.search import resilience
from research.web.search.resilience import Resilience
from tests.web.search.doubles import Clock, Double


@pytest.fixture
def double() -> Iterator[Double]:
    with Double() as server:
        yield server


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def patient(clock: Clock) -> Resilience:
    """The rules with a fake clock and no jitter."""
    return Resilience(clock=clock, sleep=clock.sleep, uniform=lambda low, high: 1.0)


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests did to the providers does not count here."""
    monkeypatch.setattr(resilience.SHARED, "_states", {})
