"""A register that can be asked and broken, a clock that only moves when someone sleeps, and invented LEIs."""

from collections.abc import Callable, Iterator

import pytest

from common.outside.client import Traffic
from entities.gleif.client import GleifClient
from entities.gleif.demo.answers import DemoRegister
from entities.gleif.demo.facts import Entity, load
from entities.gleif.demo.server import DemoServer
from entities.gleif.register import Register, demo_register


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


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server() -> Iterator[DemoServer]:
    with DemoServer() as server:
        yield server


def at(clock: Clock) -> Traffic:
    """Pauses of this traffic move the clock and take no time."""
    return Traffic(clock=clock, sleep=clock.sleep, uniform=lambda low, high: 1.0)


@pytest.fixture
def client(server: DemoServer, clock: Clock) -> GleifClient:
    return GleifClient(server.url, traffic=at(clock))


@pytest.fixture
def demo() -> Register:
    return demo_register()


@pytest.fixture
def invent() -> Callable[..., str]:
    """A well-formed LEI that nobody has, numbered."""
    return synthetic_lei


@pytest.fixture
def register_with() -> Callable[..., Register]:
    """The demo register with invented entities added to the real ones."""
    return lambda *entities: demo_register(DemoRegister((*load(), *entities)))


@pytest.fixture
def fund_family() -> tuple[Entity, ...]:
    """A manager with 250 funds: more than fit on two pages."""
    manager = synthetic_lei(900)
    funds = (
        Entity(synthetic_lei(number), f"Fund {number}", category="FUND", manager=manager, synthetic=True)
        for number in range(250)
    )
    return (Entity(manager, "Fund Manager", synthetic=True), *funds)


def synthetic_lei(number: int) -> str:
    stem = f"0000TEST{number:010d}"
    digits = "".join(str(int(char, 36)) for char in stem + "00")
    return f"{stem}{98 - int(digits) % 97:02d}"
