"""Every register over its fake, with a clock that only moves when someone sleeps."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from common.outside.client import Traffic
from entities.registers.companies_house import CompaniesHouse
from entities.registers.edgar import Edgar
from entities.registers.fca import Fca
from entities.registers.finma import Finma
from entities.registers.http import RegisterHttp
from entities.registers.lindas import Lindas
from entities.registers.zefix import Zefix
from tests.entities.registers import doubles
from tests.entities.registers.fake import Fake


class Clock:
    """Time for tests: sleeping moves it, nothing else does."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def today() -> datetime:
    return datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def fake() -> Iterator[Fake]:
    with Fake() as fake:
        yield fake


@pytest.fixture
def http(fake, clock):
    """``http(...)`` asks the fake; pauses move the clock and take no time."""

    traffic = Traffic(clock=clock, sleep=clock.sleep, uniform=lambda low, high: 1.0)

    def make(**options) -> RegisterHttp:
        return RegisterHttp("The register", fake.url, **{"traffic": traffic, **options})

    return make


@pytest.fixture
def companies_house(fake, http) -> CompaniesHouse:
    doubles.companies_house_fake(fake)
    return CompaniesHouse(http(auth=(doubles.CH_KEY, "")), now=today)


@pytest.fixture
def edgar(fake, http, clock) -> Edgar:
    doubles.edgar_fake(fake)
    asking = http(headers={"User-Agent": doubles.CONTACT})
    return Edgar(asking, asking, now=today, clock=clock)


@pytest.fixture
def fca(fake, http) -> Fca:
    doubles.fca_fake(fake)
    return Fca(http(headers={"X-Auth-Email": doubles.FCA_EMAIL, "X-Auth-Key": doubles.FCA_KEY}), now=today)


@pytest.fixture
def finma(fake, http, clock) -> Finma:
    doubles.finma_fake(fake)
    return Finma(http(), now=today, clock=clock)


@pytest.fixture
def zefix(fake, http) -> Zefix:
    doubles.zefix_fake(fake)
    return Zefix(http(auth=(doubles.ZEFIX_USER, doubles.ZEFIX_PASSWORD)), now=today)


@pytest.fixture
def lindas(fake, http) -> Lindas:
    doubles.lindas_fake(fake)
    return Lindas(http(headers={"Accept": "application/sparql-results+json"}), now=today)
