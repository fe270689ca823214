"""Retry, pauses, Retry-After and the time budget, with a clock that only sleeping moves."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.outside.client import AGAIN, Patience, Traffic
from common.outside.faults import RULES, SourceFault
from common.outside.pace import Rate
from research.web.search.base import Hit
from tests.web.search.doubles import Clock, Scripted

HITS = [Hit("https://e.org/", "t", "s")]


@pytest.fixture
def clock():
    return Clock()


def at(clock, uniform=lambda low, high: 1.0, rates=None):
    return Traffic(clock=clock, sleep=clock.sleep, uniform=uniform, rates=rates)


def ask(traffic, provider, seconds=30.0):
    return traffic.call(
        provider.name,
        lambda left: provider.search("q", 5, seconds=left),
        rate=Rate(0, 0),
        patience=Patience(seconds=seconds),
    )


def fault_of(rules, provider, seconds=30.0):
    with pytest.raises(SourceFault) as caught:
        ask(rules, provider, seconds)
    return caught.value


def test_what_is_found_at_once_needs_no_waiting(clock):
    assert ask(at(clock), Scripted("p", HITS)) == HITS
    assert clock.slept == []


@pytest.mark.parametrize("kind", [kind for kind in RULES if kind != "quota"])
def test_it_tries_three_times_what_may_pass_and_once_what_may_not(clock, kind):
    provider = Scripted("p", SourceFault("p", kind, "no"))
    assert fault_of(at(clock), provider).code == kind
    assert len(provider.asked) == (3 if kind in AGAIN else 1)
    pauses = [5.0, 10.0] if kind == "rate_limited" else [1.0, 2.0]  # nobody says how long to wait
    assert clock.slept == (pauses if kind in AGAIN else [])


def test_a_quota_is_tried_again_only_if_the_provider_says_when(clock):
    provider = Scripted("p", SourceFault("p", "quota", "no"))
    fault_of(at(clock), provider)
    assert len(provider.asked) == 1
    told = Scripted("p", SourceFault("p", "quota", retry_after=3.0), HITS)
    assert ask(at(clock), told) == HITS
    assert clock.slept == [3.0]


def test_a_later_try_may_succeed(clock):
    provider = Scripted("p", SourceFault("p", "timeout", "no"), SourceFault("p", "network", "no"), HITS)
    assert ask(at(clock), provider) == HITS
    assert clock.slept == [1.0, 2.0]


@given(st.randoms(use_true_random=False))
def test_pauses_are_half_to_one_and_a_half_times_what_they_would_be(rnd):
    clock = Clock()
    fault_of(at(clock, uniform=rnd.uniform), Scripted("p", SourceFault("p", "timeout", "no")))
    first, second = clock.slept
    assert 0.5 <= first <= 1.5
    assert 1.0 <= second <= 3.0


def test_jitter_is_asked_for_between_the_bounds(clock):
    bounds = []
    fault_of(
        at(clock, uniform=lambda low, high: bounds.append((low, high)) or high),
        Scripted("p", SourceFault("p", "timeout", "no")),
    )
    assert bounds == [(0.5, 1.5)] * 2
    assert clock.slept == [1.5, 3.0]


def test_a_retry_after_is_the_least_it_waits(clock):
    provider = Scripted("p", SourceFault("p", "rate_limited", retry_after=7.0), HITS)
    assert ask(at(clock), provider) == HITS
    assert clock.slept == [7.0]
    eager = Scripted("p", SourceFault("p", "rate_limited", retry_after=0.0), HITS)
    ask(at(clock), eager)
    assert clock.slept == [7.0, 1.0]


@pytest.mark.parametrize("asked_for", [30.0, 31.0, 3600.0, 9e9])
def test_a_retry_after_beyond_the_budget_is_handed_on_instead_of_slept(clock, asked_for):
    provider = Scripted("p", SourceFault("p", "rate_limited", retry_after=asked_for))
    fault = fault_of(at(clock), provider, seconds=30)
    assert (fault.code, fault.retry_after) == ("rate_limited", asked_for)
    assert clock.slept == []
    assert len(provider.asked) == 1


def test_others_wait_too_when_one_was_told_to(clock):
    rules = at(clock)
    fault_of(rules, Scripted("p", SourceFault("p", "rate_limited", retry_after=40.0)))
    idle = Scripted("p", HITS)
    fault = fault_of(rules, idle)
    assert (fault.code, fault.retry_after) == ("rate_limited", 40.0)
    assert idle.asked == []
    clock.now += 36
    assert ask(rules, idle) == HITS
    assert clock.slept == [4.0]


def test_a_mad_retry_after_does_not_end_a_provider(clock):
    rules = at(clock)
    fault_of(rules, Scripted("p", SourceFault("p", "rate_limited", retry_after=9e9)))
    clock.now += 3_600
    assert ask(rules, Scripted("p", HITS)) == HITS


def test_a_try_gets_what_is_left_but_never_more_than_fifteen_seconds(clock):
    provider = Scripted("p", SourceFault("p", "timeout", "no"))
    fault_of(at(clock), provider, seconds=16.5)
    assert provider.seconds == [15.0, 15.0, 13.5]


def test_no_try_begins_when_the_time_is_up(clock):
    provider = Scripted("p", HITS)
    assert fault_of(at(clock), provider, seconds=0.0).code == "timeout"
    assert provider.asked == []


def test_a_provider_that_breaks_counts_as_unknown(clock):
    provider = Scripted("p", lambda query: 1 // 0)
    fault = fault_of(at(clock), provider)
    assert fault.code == "unreadable"
    assert "ZeroDivisionError" in fault.message


@given(
    seconds=st.floats(0, 60),
    kinds=st.lists(
        st.tuples(st.sampled_from(sorted(RULES)), st.none() | st.floats(0, 1e6)),
        min_size=1,
        max_size=8,
    ),
    seed=st.integers(0, 2**32),
)
def test_it_never_sleeps_past_its_budget(seconds, kinds, seed):
    clock = Clock()
    rules = at(clock, uniform=random.Random(seed).uniform, rates={"p": Rate(1, 1)})
    for kind, retry_after in kinds:
        before = clock.now
        fault_of(rules, Scripted("p", SourceFault("p", kind, retry_after=retry_after)), seconds=seconds)
        assert clock.now <= before + seconds
