"""No more than sixty requests in any minute, over all threads."""

import threading
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from entities.gleif.client import GleifClient
from entities.gleif.demo.server import DemoServer
from entities.gleif.pacing import Pacer


def test_it_lets_a_minutes_worth_through_and_then_waits_for_the_window(clock: Any) -> None:
    pacer = Pacer(60, clock=clock, sleep=clock.sleep)
    for _ in range(60):
        pacer.wait()
    assert clock.slept == []
    pacer.wait()
    assert clock.slept == [60.0]


def test_it_rolls_the_window_instead_of_resetting_it(clock: Any) -> None:
    pacer = Pacer(2, clock=clock, sleep=clock.sleep)
    pacer.wait()
    clock.now += 50
    pacer.wait()
    pacer.wait()
    pacer.wait()
    assert clock.slept == [10.0, 50.0]


def test_it_does_not_pace_without_a_limit(clock: Any) -> None:
    pacer = Pacer(0, clock=clock, sleep=clock.sleep)
    for _ in range(1000):
        pacer.wait()
    assert clock.slept == []


def test_it_makes_everyone_wait_when_one_was_told_to(clock: Any) -> None:
    pacer = Pacer(60, clock=clock, sleep=clock.sleep)
    pacer.hold(7)
    pacer.hold(3)
    pacer.wait()
    assert clock.slept == [7.0]


def test_it_gives_every_thread_a_moment_of_its_own() -> None:
    starts: list[float] = []
    pacer = Pacer(3, clock=lambda: 0.0, sleep=starts.append)
    threads = [threading.Thread(target=pacer.wait) for _ in range(9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(starts) == [60.0] * 3 + [120.0] * 3


def test_it_paces_the_requests_of_a_client(server: DemoServer, clock: Any) -> None:
    client = GleifClient(server.url, clock=clock, sleep=clock.sleep, per_minute=2)
    for _ in range(5):
        client.get("lei-records")
    assert clock.slept == [60.0, 60.0]


@given(st.lists(st.floats(0, 40), max_size=40), st.integers(1, 5))
def test_it_never_starts_more_than_the_limit_within_a_window(gaps: list[float], limit: int) -> None:
    now = 0.0
    starts: list[float] = []

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    pacer = Pacer(limit, clock=lambda: now, sleep=sleep)
    for gap in gaps:
        now += gap
        pacer.wait()
        starts.append(now)
    assert all(later - earlier >= 59.999 for earlier, later in zip(starts, starts[limit:], strict=False))
