"""No more questions than the rate allows in any stretch of time, for all threads together."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.outside.client import Patience, Traffic
from common.outside.faults import SourceFault
from common.outside.pace import Pace, Rate
from tests.web.search.doubles import Clock


@pytest.fixture
def clock():
    return Clock()


def test_after_the_burst_they_follow_one_by_one(clock):
    pace = Pace("p", Rate(3, 3), clock)
    assert [pace.take() for _ in range(6)] == [0, 0, 0, 1, 2, 3]


def test_what_was_not_used_comes_back_up_to_the_burst(clock):
    pace = Pace("p", Rate(3, 3), clock)
    for _ in range(3):
        pace.take(0)
    clock.now += 2
    assert [pace.take() for _ in range(3)] == [0, 0, 1]
    clock.now += 1_000
    assert [pace.take() for _ in range(4)] == [0, 0, 0, 1]


def test_after_the_burst_they_wait_for_the_window(clock):
    pace = Pace("p", Rate(3, 10, rolling=True), clock)
    assert [pace.take() for _ in range(7)] == [0, 0, 0, 10, 10, 10, 20]


def test_the_window_rolls_instead_of_starting_anew(clock):
    pace = Pace("p", Rate(2, 60, rolling=True), clock)
    pace.take()
    clock.now += 50
    assert [pace.take() for _ in range(3)] == [0, 10, 60]


def test_without_a_limit_nobody_waits(clock):
    pace = Pace("p", Rate(0, 0), clock)
    assert {pace.take(0) for _ in range(1_000)} == {0}
    pace.hold(5)
    assert pace.take() == 5


def test_a_wait_that_is_too_long_is_a_fault_and_takes_nothing(clock):
    pace = Pace("p", Rate(1, 1), clock)
    assert [pace.take(5) for _ in range(6)] == [0, 1, 2, 3, 4, 5]
    for _ in range(3):
        with pytest.raises(SourceFault) as caught:
            pace.take(5)
        assert (caught.value.code, caught.value.retry_after) == ("rate_limited", 6)
    clock.now += 1
    assert pace.take(5) == 5


def test_after_a_hold_they_do_not_all_start_at_once(clock):
    pace = Pace("p", Rate(2, 2), clock)
    pace.hold(3)
    pace.hold(1)
    assert [pace.take(60) for _ in range(4)] == [3, 3, 4, 5]


def test_nobody_is_held_longer_than_an_hour(clock):
    pace = Pace("p", Rate(1, 1), clock)
    pace.hold(1e9)
    assert pace.take() == 3_600


def test_a_question_may_want_more_room_but_not_less(clock):
    pace = Pace("p", Rate(1, 1), clock)
    assert [pace.take(interval=seconds) for seconds in (5.0, 0.0, 0.1, 0.0)] == [0, 5, 6, 7]


steps = st.lists(
    st.one_of(
        st.tuples(st.just("take"), st.floats(0, 20)),
        st.tuples(st.just("pass"), st.floats(0, 10)),
        st.tuples(st.just("hold"), st.floats(0, 10)),
    ),
    max_size=60,
)


@given(steps, st.integers(1, 10), st.sampled_from([0.2, 1.0, 3.0, 60.0]), st.booleans())
def test_in_no_stretch_of_time_are_there_more_than_allowed(plan, limit, seconds, rolling):
    clock = Clock()
    pace = Pace("p", Rate(limit, seconds, rolling), clock)
    starts, held_until = [], 0.0
    for action, amount in plan:
        if action == "pass":
            clock.now += amount
        elif action == "hold":
            pace.hold(amount)
            held_until = max(held_until, clock.now + amount)
        else:
            taken, wait = tried(pace, amount)
            assert (0 <= wait <= amount) if taken else (wait > amount)
            if taken:
                assert clock.now + wait >= held_until - 1e-9
                starts.append(clock.now + wait)
    for place, first in enumerate(starts):
        for count, last in enumerate(starts[place:], 1):
            extra = 0 if rolling and last - first < seconds - 1e-6 else (last - first) * limit / seconds
            assert count <= limit + extra + 1e-6


def tried(pace, amount):
    try:
        return True, pace.take(amount)
    except SourceFault as fault:
        return False, fault.retry_after


def test_threads_line_up(clock):
    pace, waits = Pace("p", Rate(3, 3), clock), []
    threads = [threading.Thread(target=lambda: waits.append(pace.take(60))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(waits) == [0, 0, 0, *range(1, 18)]


def test_each_try_takes_its_turn(clock):
    traffic = Traffic(clock=clock, sleep=clock.sleep, uniform=lambda low, high: 0.5)

    def fail(seconds):
        raise SourceFault("p", "timeout")

    with pytest.raises(SourceFault):
        traffic.call("p", fail, rate=Rate(1, 2), patience=Patience())
    assert clock.slept == [0.5, 1.5, 1.0, 1.0]
