"""Trouble that may pass is asked again, a quota is not, and one that keeps failing is left alone."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from common.outside.client import Traffic
from common.outside.deadline import within
from common.outside.faults import SourceFault
from common.outside.pace import Rate
from entities.markets.markets import Markets
from entities.markets.sources import open_sources
from tests.entities.markets.market import GOOD, MINT
from tests.web.search.doubles import Reply


def first(bad: Reply, times: int, good: object):
    """Bad answers, then good ones."""
    left = [bad] * times

    def play(question):
        return left.pop() if left else good

    return play


@pytest.mark.parametrize("status", [500, 503, 429])
def test_what_may_pass_is_asked_again(market, markets, status):
    market.says(report=first(Reply({}, status), 2, GOOD["report"]))
    assert markets.rugcheck(MINT)["success"] is True
    assert market.asked == ["report"] * 3


def test_it_waits_as_long_as_the_source_asks(market, markets, clock):
    market.says(report=first(Reply({}, 429, {"Retry-After": "7"}), 1, GOOD["report"]))
    assert markets.rugcheck(MINT)["success"] is True
    assert sum(clock.slept) >= 7


def test_a_wait_beyond_the_deadline_is_told_not_slept(market, markets, clock):
    market.says(report=Reply({}, 429, {"Retry-After": "900"}))
    error = markets.rugcheck(MINT)["error"]
    assert error["retry_after"] == 900
    assert clock.slept == []


def test_the_window_of_x_is_waited_for_and_its_month_is_not(market, markets, monkeypatch):
    monkeypatch.setattr("entities.markets.x.time.time", lambda: 1_000.0)
    market.says(posts=Reply({"title": "Too Many Requests"}, 429, {"x-rate-limit-reset": "1600"}))
    window = markets.sentiment("MILL")["error"]
    assert (window["code"], window["retryable"], window["retry_after"]) == ("rate_limited", True, 600)


@pytest.mark.parametrize("status", [402, 403, 429])
@pytest.mark.parametrize(
    "body",
    [
        {"title": "UsageCapExceeded", "period": "Monthly", "scope": "Product"},
        {"type": "https://api.twitter.com/2/problems/usage-capped"},
        {"errors": [{"title": "CreditsDepleted"}]},
    ],
)
def test_a_quota_of_x_is_no_rate_limit(market, markets, status, body):
    market.says(posts=Reply(body, status, {"x-rate-limit-reset": "9999999999"}))
    error = markets.sentiment("MILL")["error"]
    assert (error["code"], error["retryable"]) == ("quota", False)
    assert market.asked == ["posts"]


def test_a_forbidden_answer_of_x_without_a_cap_is_the_key(market, markets):
    market.says(posts=Reply({"title": "Client Forbidden"}, 403))
    assert markets.sentiment("MILL")["error"]["code"] == "denied"


def test_a_source_that_keeps_failing_is_left_alone_for_a_while(market, markets, clock):
    market.says(report=Reply({}, 404), summary=Reply({}, 404), posts=b"<html>")
    for _ in range(5):
        assert markets.sentiment("MILL")["error"]["code"] == "unreadable"
    asked = len(market.asked)
    error = markets.sentiment("MILL")["error"]
    assert (error["code"], error["retryable"]) == ("left_alone", True)
    assert len(market.asked) == asked
    assert markets.rugcheck(MINT)["error"]["code"] == "not_found"  # another source has a breaker of its own
    clock.now += 31
    market.says(posts=GOOD["posts"])
    assert markets.sentiment("MILL")["success"] is True


@pytest.mark.parametrize("status", [401, 404, 429, 402])
def test_refusals_do_not_open_the_breaker(market, markets, clock, status):
    market.says(posts=Reply({}, status))
    for _ in range(8):
        markets.sentiment("MILL")
        clock.now += 100
    market.says(posts=GOOD["posts"])
    assert markets.sentiment("MILL")["success"] is True


def test_it_keeps_to_the_pace_of_a_source(market, clock):
    traffic = Traffic(clock=clock, sleep=clock.sleep, rates={"birdeye": Rate(1, 1)})
    assert Markets(open_sources(traffic)).price_history(MINT)["success"] is True
    assert market.asked == ["price", "history", "overview"]
    assert clock.slept == [1.0, 1.0]


def test_the_time_of_one_question_is_shared_by_its_exchanges(market, traffic, clock):
    rugcheck = open_sources(traffic)["rugcheck"]
    with within(10, clock=clock):
        clock.now += 11
        with pytest.raises(SourceFault, match="used up") as caught:
            rugcheck.json("/x")
    assert caught.value.code == "timeout"
    assert market.asked == []


def test_many_threads_ask_through_one_breaker_and_one_pace(market, clock):
    traffic = Traffic(clock=clock, sleep=lambda seconds: None, rates={"rugcheck": Rate(2, 2)})
    markets = Markets(open_sources(traffic))
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: markets.rugcheck(MINT), range(16)))
    assert all(answer["success"] for answer in answers)
    assert market.asked == ["report"] * 16
    with pytest.raises(SourceFault) as refused:  # all sixteen reserved a moment of the same pace
        traffic.of("rugcheck", Rate(2, 2), f"{market.url}/rugcheck")[1].take(0)
    assert refused.value.retry_after == 15
