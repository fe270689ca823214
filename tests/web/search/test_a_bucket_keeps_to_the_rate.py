"""No more than the burst at once and the rate in the long run, for all threads together."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.web.search.base import SearchFault
from research.web.search.resilience import DEFAULT_RATE, MAX_WAIT, RATES, Bucket, Rate, Resilience
from research.web.search.setup import NAMES
from tests.web.search.doubles import Clock, Scripted

LIMITS = {
    "tavily": (1, 3),
    "perplexity": (1, 3),
    "google": (1, 3),
    "semantic_scholar": (0.9, 2),
    "openalex": (50, 10),
    "crossref": (3, 3),
    "brave": (1, 1),
    "searxng": (1, 3),
    "archive": (1_000, 1_000),
}


def test_every_provider_has_its_rate():
    assert {name: tuple(rate) for name, rate in RATES.items()} == LIMITS
    assert set(RATES) == set(NAMES)
    assert tuple(DEFAULT_RATE) == (1, 3)


def test_after_the_burst_they_follow_at_the_rate():
    bucket = Bucket("p", Rate(1, 3), Clock())
    assert [bucket.take(60) for _ in range(6)] == [0, 0, 0, 1, 2, 3]


def test_what_was_not_used_comes_back_up_to_the_burst(clock):
    bucket = Bucket("p", Rate(1, 3), clock)
    for _ in range(3):
        bucket.take(0)
    clock.now += 2
    assert [bucket.take(60) for _ in range(3)] == [0, 0, 1]
    clock.now += 1_000
    assert [bucket.take(60) for _ in range(4)] == [0, 0, 0, 1]


def test_a_wait_that_is_too_long_is_a_fault_and_takes_nothing(clock):
    bucket = Bucket("p", Rate(1, 1), clock)
    waits = [bucket.take(MAX_WAIT) for _ in range(6)]
    assert waits == [0, 1, 2, 3, 4, 5]
    for _ in range(3):
        with pytest.raises(SearchFault) as caught:
            bucket.take(MAX_WAIT)
        assert (caught.value.kind, caught.value.retry_after) == ("rate_limit", 6)
    clock.now += 1
    assert bucket.take(MAX_WAIT) == 5


def test_after_a_hold_they_do_not_all_start_at_once(clock):
    bucket = Bucket("p", Rate(1, 2), clock)
    bucket.hold(3)
    assert [bucket.take(60) for _ in range(4)] == [3, 3, 4, 5]


steps = st.lists(
    st.one_of(
        st.tuples(st.just("take"), st.floats(0, 20)),
        st.tuples(st.just("pass"), st.floats(0, 10)),
        st.tuples(st.just("hold"), st.floats(0, 10)),
    ),
    max_size=60,
)


@given(steps, st.sampled_from([0.5, 0.9, 1.0, 3.0, 50.0]), st.integers(1, 10))
def test_in_no_stretch_of_time_are_there_more_than_allowed(plan, per_second, burst):
    clock = Clock()
    bucket = Bucket("p", Rate(per_second, burst), clock)
    starts, held_until = [], 0.0
    for action, amount in plan:
        if action == "pass":
            clock.now += amount
        elif action == "hold":
            bucket.hold(amount)
            held_until = max(held_until, clock.now + amount)
        else:
            taken, wait = tried(bucket, amount)
            assert (0 <= wait <= amount) if taken else (wait > amount)
            if taken:
                assert clock.now + wait >= held_until - 1e-9
                starts.append(clock.now + wait)
    for i, first in enumerate(starts):
        for count, last in enumerate(starts[i:], 1):
            assert count <= burst + (last - first) * per_second + 1e-6


def tried(bucket, amount):
    try:
        return True, bucket.take(amount)
    except SearchFault as fault:
        return False, fault.retry_after


def test_threads_line_up_for_one_bucket(clock):
    bucket, waits = Bucket("p", Rate(1, 3), clock), []
    threads = [threading.Thread(target=lambda: waits.append(bucket.take(60))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(waits) == [0, 0, 0, *range(1, 18)]


def test_each_try_takes_its_turn(clock):
    rules = Resilience(
        clock=clock, sleep=clock.sleep, uniform=lambda low, high: 0.5, rates={"p": Rate(0.5, 1)}
    )
    with pytest.raises(SearchFault):
        rules.call(Scripted("p", SearchFault("timeout", "no")), "q", 5)
    assert clock.slept == [0.5, 1.5, 1.0, 1.0]
