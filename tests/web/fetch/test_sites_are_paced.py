"""One site is not asked faster than its pace, by all threads together, and nobody waits for ever."""

import threading

import pytest

from research.web.faults import FetchFault
from research.web.pacing import HostPacer


class Clock:
    def __init__(self):
        self.now, self.slept = 0.0, []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


def pacer_of(clock, per_minute=60, **options):
    return HostPacer(per_minute, clock=clock, sleep=clock.sleep, **options)


def test_the_first_request_waits_for_nothing_and_the_next_for_its_turn(clock):
    pacer = pacer_of(clock, per_minute=30)
    for _ in range(3):
        pacer.wait("a.example", at_most=10)
    assert clock.slept == [2.0, 2.0]


def test_hosts_do_not_wait_for_each_other(clock):
    pacer = pacer_of(clock)
    for host in ("a.example", "b.example", "c.example"):
        pacer.wait(host, at_most=10)
    assert clock.slept == []


def test_a_site_may_ask_for_more_room_but_not_for_less(clock):
    pacer = pacer_of(clock)
    for interval in (5.0, 0.0, 0.1, 0.0):
        pacer.wait("a.example", at_most=10, interval=interval)
    assert clock.slept == [5.0, 1.0, 1.0]


def test_a_turn_too_far_away_is_not_taken(clock):
    pacer = pacer_of(clock)
    pacer.hold("a.example", 100)
    for _ in range(2):
        with pytest.raises(FetchFault) as caught:
            pacer.wait("a.example", at_most=10)
        assert (caught.value.code, caught.value.retryable, caught.value.retry_after) == ("busy", True, 100)
    clock.now = 100.0
    pacer.wait("a.example", at_most=0)
    assert clock.slept == []


def test_no_site_holds_us_longer_than_an_hour(clock):
    pacer = pacer_of(clock)
    pacer.hold("a.example", 1e9)
    clock.now = 3_600.0
    pacer.wait("a.example", at_most=0)
    assert clock.slept == []


def test_no_limit_means_no_waiting(clock):
    pacer = pacer_of(clock, per_minute=0)
    for _ in range(100):
        pacer.wait("a.example", at_most=0)
    assert clock.slept == []


def test_what_it_remembers_is_bounded(clock):
    pacer = pacer_of(clock, max_hosts=100)
    for n in range(5_000):
        pacer.wait(f"{n}.example", at_most=10)
        clock.now += 0.001
    assert len(pacer._paces) <= 100


def test_threads_line_up_for_one_site(clock):
    """Each gets a turn of its own: forty threads at a second each reach forty different seconds."""
    starts = []
    pacer = HostPacer(60, clock=lambda: 0.0, sleep=starts.append)
    threads = [threading.Thread(target=pacer.wait, args=("a",), kwargs={"at_most": 100}) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(starts) == [float(n) for n in range(1, 40)]
