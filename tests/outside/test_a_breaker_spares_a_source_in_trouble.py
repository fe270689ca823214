"""Open after five failures in a row, left alone for 30 s, then three may try."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.outside.breaker import Breaker
from common.outside.client import Patience, Traffic
from common.outside.faults import RULES, SourceFault
from common.outside.pace import Rate
from research.web.search.base import Hit
from tests.cases import cases
from tests.web.search.doubles import Clock, Scripted

HITS = [Hit("https://e.org/", "t", "s")]


@pytest.fixture
def clock():
    return Clock()


def opened(clock):
    breaker = Breaker("p", clock)
    for _ in range(5):
        breaker.leave(breaker.enter(), ok=False)
    return breaker


def refused(breaker):
    with pytest.raises(SourceFault) as caught:
        breaker.enter()
    return caught.value


def test_four_failures_are_borne_and_the_fifth_opens_it(clock):
    breaker = Breaker("p", clock)
    for _ in range(4):
        breaker.leave(breaker.enter(), ok=False)
    assert breaker.health.breaker == "closed"
    breaker.leave(breaker.enter(), ok=False)
    assert breaker.health.breaker == "open"
    fault = refused(breaker)
    assert (fault.code, fault.retry_after) == ("left_alone", 30.0)


def test_a_success_between_them_starts_the_count_again(clock):
    breaker = Breaker("p", clock)
    for ok in [False] * 4 + [True] + [False] * 4:
        breaker.leave(breaker.enter(), ok=ok)
    assert breaker.health.breaker == "closed"


def test_what_says_nothing_of_health_does_not_count(clock):
    breaker = Breaker("p", clock)
    for ok in [False] * 4 + [None] * 10:
        breaker.leave(breaker.enter(), ok=ok)
    assert breaker.health.breaker == "closed"
    breaker.leave(breaker.enter(), ok=False)
    assert breaker.health.breaker == "open"


def test_it_stays_open_for_thirty_seconds(clock):
    breaker = opened(clock)
    clock.now += 29.9
    assert refused(breaker).retry_after == pytest.approx(0.1)
    clock.now += 0.1
    assert breaker.health.breaker == "half_open"


def test_then_three_may_try_and_no_more(clock):
    breaker = opened(clock)
    clock.now += 30
    tickets = [breaker.enter() for _ in range(3)]
    assert refused(breaker).retry_after > 0
    breaker.leave(tickets[0], ok=None)
    assert breaker.enter() == tickets[0]


def test_one_success_closes_it(clock):
    breaker = opened(clock)
    clock.now += 30
    breaker.leave(breaker.enter(), ok=True)
    assert breaker.health.breaker == "closed"
    for _ in range(4):
        breaker.leave(breaker.enter(), ok=False)
    assert breaker.health.breaker == "closed"


def test_one_failure_opens_it_again_for_as_long(clock):
    breaker = opened(clock)
    clock.now += 30
    breaker.leave(breaker.enter(), ok=False)
    assert refused(breaker).retry_after == 30.0


def test_a_verdict_of_an_earlier_round_is_too_late(clock):
    breaker = Breaker("p", clock)
    late = breaker.enter()
    for _ in range(5):
        breaker.leave(breaker.enter(), ok=False)
    breaker.leave(late, ok=True)
    assert breaker.health.breaker == "open"
    clock.now += 30
    trials = [breaker.enter() for _ in range(3)]
    breaker.leave(trials[0], ok=False)
    breaker.leave(trials[1], ok=True)
    assert breaker.health.breaker == "open"


@given(
    st.lists(
        st.one_of(
            st.just("enter"),
            st.tuples(st.integers(0, 9), st.sampled_from([True, False, None])),
            st.floats(0, 40),
        ),
        max_size=80,
    )
)
def test_it_never_lets_more_than_three_try_nor_locks_up(plan):
    clock = Clock()
    breaker, inside = Breaker("p", clock), []
    for step in plan:
        if step == "enter":
            state = breaker.health.breaker
            ticket, wait = tried(breaker)
            assert (ticket is None) if state == "open" else (state == "half_open" or ticket is not None)
            if ticket is None:
                assert wait > 0
            else:
                inside.append(ticket)
        elif isinstance(step, tuple) and inside:
            breaker.leave(inside.pop(step[0] % len(inside)), ok=step[1])
        elif isinstance(step, float):
            clock.now += step
        assert breaker._trying <= 3
    for ticket in inside:
        breaker.leave(ticket, ok=None)
    clock.now += 31
    assert breaker._trying == 0
    breaker.enter()


def tried(breaker):
    try:
        return breaker.enter(), 0
    except SourceFault as fault:
        return None, fault.retry_after


def rules(clock):
    return Traffic(clock=clock, sleep=clock.sleep, uniform=lambda low, high: 1.0)


def ask(traffic, provider):
    return traffic.call(
        provider.name,
        lambda seconds: provider.search("q", 5, seconds=seconds),
        rate=Rate(0, 0),
        patience=Patience(),
    )


@cases("kind", sorted(RULES))
def test_only_what_trips_it_opens_it(clock, kind):
    shared, provider = rules(clock), Scripted("p", SourceFault("p", kind, "no"))
    for _ in range(5):
        with pytest.raises(SourceFault):
            ask(shared, provider)
    asked = len(provider.asked)
    with pytest.raises(SourceFault) as caught:
        ask(shared, provider)
    assert (len(provider.asked) == asked) is RULES[kind].trips
    assert caught.value.code == ("left_alone" if RULES[kind].trips else kind)


def test_an_open_breaker_is_no_matter_of_another_provider(clock):
    shared = rules(clock)
    for _ in range(5):
        with pytest.raises(SourceFault):
            ask(shared, Scripted("p", SourceFault("p", "network", "no")))
    assert ask(shared, Scripted("q", HITS)) == HITS


def test_a_trial_that_is_interrupted_gives_its_place_back(clock):
    shared = rules(clock)
    for _ in range(5):
        with pytest.raises(SourceFault):
            ask(shared, Scripted("p", SourceFault("p", "unreadable", "no")))
    clock.now += 30
    for _ in range(4):
        with pytest.raises(KeyboardInterrupt):
            ask(shared, Scripted("p", KeyboardInterrupt()))
    assert ask(shared, Scripted("p", HITS)) == HITS


def test_health_is_of_the_last_twenty_calls(clock):
    shared = rules(clock)
    for _ in range(4):
        with pytest.raises(SourceFault):
            ask(shared, Scripted("p", SourceFault("p", "refused", "no")))
    assert not shared.health()["p"].degraded  # too few to say
    for _ in range(30):
        with pytest.raises(SourceFault):
            ask(shared, Scripted("p", SourceFault("p", "denied", "no")))
    health = shared.health()["p"]
    assert (health.breaker, health.recent, health.failures, health.last) == ("closed", 20, 20, "denied")
    assert health.degraded
    for _ in range(4):
        ask(shared, Scripted("p", HITS))
    assert not shared.health()["p"].degraded  # 16 of 20 is not more than 80 %


def test_the_log_tells_once_of_a_provider_in_trouble(clock, caplog):
    shared = rules(clock)
    for _ in range(30):
        with pytest.raises(SourceFault):
            ask(shared, Scripted("p", SourceFault("p", "denied", "no")))
    assert [record.getMessage() for record in caplog.records] == [
        "p: 5 of the last 5 questions failed (denied)"
    ]
    caplog.clear()
    for _ in range(6):
        with pytest.raises(SourceFault):
            ask(shared, Scripted("q", SourceFault("p", "network", "no")))
    assert "q failed 5 times in a row; left alone for 30 s" in caplog.text


def test_it_remembers_little_however_often_it_is_asked(clock):
    shared = rules(clock)
    for _ in range(500):
        ask(shared, Scripted("p", HITS))
    assert shared.health()["p"].recent == 20


def test_many_threads_ask_through_one_set_of_rules():
    clock = Clock()
    shared, answers = rules(clock), []
    provider = Scripted("p", HITS)
    threads = [threading.Thread(target=lambda: answers.extend(ask(shared, provider))) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 30
    assert shared.health()["p"].breaker == "closed"
