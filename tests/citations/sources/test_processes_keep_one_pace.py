"""Processes that share a cache ask a source no more often together than one of them may alone."""

import os

import pytest
from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache

from citations.sources import setup
from citations.sources.shared_pace import SharedBucket
from common.outside.limits import Bucket, NotNow, Rate

pytestmark = pytest.mark.redis
RATE = Rate(10 / 60, 10)


class Broken:
    def __getattr__(self, name):
        raise ConnectionError


@pytest.fixture
def cache(request):
    found = LocMemCache(request.node.name, {})
    found.clear()
    return found


@pytest.fixture
def now():
    return [1_000_000.0]


@pytest.fixture
def process(cache, now):
    """``process()`` is the bucket of one more process."""
    return lambda rate=RATE, cache=cache: SharedBucket(
        "x", rate, lambda: now[0] - 900_000, cache, lambda: now[0]
    )


def test_two_together_have_one_burst_and_then_line_up(process):
    one, other = process(), process()
    assert [bucket.take(60) for bucket in (one, other) * 5] == [0.0] * 10
    assert [one.take(60), other.take(60), one.take(60)] == [6.0, 12.0, 18.0]


def test_after_a_pause_there_is_a_burst_again(process, now):
    one, other = process(), process()
    for _ in range(10):
        one.take(60)
    now[0] += 3_000
    assert [other.take(60) for _ in range(10)] == [0.0] * 10
    assert one.take(60) == 6.0


def test_who_cannot_wait_that_long_reserves_nothing(process):
    one, other, third = process(), process(), process()
    for _ in range(10):
        one.take(60)
    for _ in range(3):
        with pytest.raises(NotNow) as refused:
            other.take(5)
        assert refused.value.retry_after == 6.0
    assert third.take(60) == 6.0


def test_a_retry_after_holds_for_all(process):
    one, other = process(), process()
    one.hold(30)
    assert other.take(60) == 30.0


def test_the_longest_retry_after_counts(process):
    one, other, third = process(), process(), process()
    one.hold(300)
    other.hold(1)
    with pytest.raises(NotNow) as refused:
        third.take(60)
    assert refused.value.retry_after == 300.0


def test_without_the_cache_each_keeps_its_own_pace(process):
    alone = process(cache=Broken())
    alone.hold(1)
    assert [alone.take(60) for _ in range(11)] == [1.0] * 10 + [7.0]


@pytest.mark.parametrize(("name", "kind"), [("shared", SharedBucket), ("other", Bucket)])
def test_it_is_shared_where_there_is_a_cache_for_it(settings, name, kind):
    local = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    settings.CACHES = {"default": local, name: local}
    settings.ENTSCHEIDSUCHE_BASE_URL = "http://127.0.0.1:1"
    setup.forget()
    bucket = setup.open_entscheidsuche()._asker._bucket
    setup.forget()
    assert type(bucket) is kind


@pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="set TEST_REDIS_URL")
def test_redis_counts_as_the_double_does(process, now):
    shared = caches["shared"]
    for name in ("pace:x", "pace:x:hold"):
        shared.delete(name)
    one, other = process(cache=shared), process(cache=shared)
    assert [bucket.take(60) for bucket in (one, other) * 5] == [0.0] * 10
    assert other.take(60) == 6.0
