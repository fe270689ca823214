"""Processes that share a Redis ask a source no more often together than one of them may alone."""

import os
import uuid

import pytest

from common.outside.client import Traffic
from common.outside.faults import SourceFault
from common.outside.pace import Pace, Rate, SharedPace
from tests.web.search.doubles import Clock

pytestmark = pytest.mark.redis
URL = os.environ.get("REDIS_URL", "")
needs_redis = pytest.mark.skipif(not URL, reason="set TEST_REDIS_URL")
RATE = Rate(10, 60)
NOBODY = "redis://127.0.0.1:1/0"


@pytest.fixture
def process():
    """``process()`` is the pace of one more process; none of them remembers what it did itself."""
    name = uuid.uuid4().hex
    return lambda rate=RATE: SharedPace(name, rate, Clock(), URL)


def about(*seconds):
    return pytest.approx(list(seconds), abs=1)


@needs_redis
def test_two_together_have_one_burst_and_then_line_up(process):
    one, other = process(), process()
    assert [pace.take(90) for pace in (one, other) * 5] == [0.0] * 10
    assert [one.take(90), other.take(90), one.take(90)] == about(6, 12, 18)


@needs_redis
def test_who_cannot_wait_that_long_reserves_nothing(process):
    one, other = process(Rate(1, 60)), process(Rate(1, 60))
    one.take(90)
    for _ in range(3):
        with pytest.raises(SourceFault) as refused:
            other.take(5)
        assert (refused.value.code, refused.value.retry_after) == ("rate_limited", pytest.approx(60, abs=1))
    assert [other.take(90)] == about(60)


@needs_redis
def test_the_longest_retry_after_holds_for_all(process):
    one, other, third = process(), process(), process()
    one.hold(300)
    other.hold(1)
    with pytest.raises(SourceFault) as refused:
        third.take(60)
    assert refused.value.retry_after == pytest.approx(300, abs=1)


@needs_redis
def test_a_rolling_window_is_kept_together(process):
    rate = Rate(2, 60, rolling=True)
    one, other = process(rate), process(rate)
    assert [pace.take(90) for pace in (one, other) * 2] == about(0, 0, 60, 60)


@needs_redis
def test_a_question_may_want_more_room(process):
    one, other = process(Rate(1, 1)), process(Rate(1, 1))
    one.take(interval=30)
    assert [other.take(90)] == about(30)


@needs_redis
def test_the_room_that_is_free_again_is_taken_anew(process):
    one, other = process(Rate(1, 0.001)), process(Rate(1, 0.001))
    assert [pace.take(1) for pace in (one, other) * 50] == pytest.approx([0.0] * 100, abs=0.5)


def test_without_redis_each_process_keeps_its_own_pace(caplog):
    clock = Clock()
    alone = SharedPace("p", Rate(2, 10), clock, NOBODY)
    alone.hold(1)
    assert [alone.take(60) for _ in range(3)] == [1.0, 1.0, 6.0]
    assert caplog.text.count("Redis did not answer") == 1  # nor is it asked again for a while
    clock.now += 31
    alone.take(60)
    assert caplog.text.count("Redis did not answer") == 2


@pytest.mark.parametrize(
    ("url", "shared", "kind"), [(NOBODY, True, SharedPace), ("", True, Pace), (NOBODY, False, Pace)]
)
def test_it_is_shared_where_there_is_a_redis(settings, url, shared, kind):
    settings.REDIS_URL = url
    assert type(Traffic(shared=shared).of("p", Rate(1, 1))[1]) is kind
