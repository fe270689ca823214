"""No more than sixty requests in any minute."""

from typing import Any

from entities.gleif.client import GleifClient
from entities.gleif.demo.server import DemoServer
from tests.entities.gleif.conftest import at


def test_it_paces_the_requests_of_a_client(server: DemoServer, clock: Any) -> None:
    client = GleifClient(server.url, traffic=at(clock), per_minute=2)
    for _ in range(5):
        client.get("lei-records")
    assert clock.slept == [60.0, 60.0]
