"""A 429 is waited out as long as the register asks, within bounds, and is never an answer about an LEI."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from entities.gleif.client import GleifClient
from entities.gleif.demo.server import DemoServer
from entities.gleif.errors import GleifNotFound, GleifRateLimited, GleifUnavailable


@pytest.mark.parametrize(
    ("retry_after", "slept"),
    [("7", 7.0), ("0", 1.0), ("150", 150.0), (None, 5.0), ("soon", 5.0), ("-4", 5.0)],
)
def test_it_waits_as_told(
    server: DemoServer, client: GleifClient, clock: Any, retry_after: str | None, slept: float
) -> None:
    server.fail("throttled", times=1, retry_after=retry_after)
    assert client.get("lei-records")["data"]
    assert sum(clock.slept) == slept
    assert len(server.requests) == 2


def test_it_understands_a_date(server: DemoServer, client: GleifClient, clock: Any) -> None:
    moment = datetime.now(UTC) + timedelta(seconds=20)
    server.fail("throttled", times=1, retry_after=format_datetime(moment, usegmt=True))
    client.get("lei-records")
    assert 10 < sum(clock.slept) <= 20


def test_it_hands_on_a_wait_that_is_longer_than_a_question_may_last(
    server: DemoServer, client: GleifClient
) -> None:
    server.fail("throttled", retry_after="3600")
    with pytest.raises(GleifRateLimited) as caught:
        client.get("lei-records/529900K9B0N5BT694847")
    assert caught.value.retry_after == 3600
    assert not isinstance(caught.value, GleifNotFound | GleifUnavailable)
    assert len(server.requests) == 1
