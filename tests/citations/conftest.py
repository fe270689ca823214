"""Clients whose time does not pass."""

from dataclasses import dataclass, field

import pytest

from citations.sources.entscheidsuche import Entscheidsuche
from common.outside.client import Traffic
from tests.court_server import CourtServer


@dataclass
class Clock:
    """Sleeping moves it."""

    now: float = 1_000.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def traffic(clock):
    return Traffic(clock=clock, sleep=clock.sleep, uniform=lambda low, high: 1.0)


@pytest.fixture
def courts():
    with CourtServer() as server:
        yield server


@pytest.fixture
def client(courts, traffic):
    return Entscheidsuche(courts.url, traffic=traffic)
