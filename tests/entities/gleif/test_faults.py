"""Whatever breaks on the way is "unavailable" after bounded retries, and never "not found"."""

from typing import Any

import pytest

from common.outside.client import Patience
from entities.gleif.client import GleifClient
from entities.gleif.demo.server import DemoServer
from entities.gleif.errors import GleifBadAnswer, GleifBadRequest, GleifError, GleifNotFound, GleifUnavailable
from entities.gleif.register import Register
from tests.cases import cases
from tests.entities.gleif.conftest import at
from tests.web.search.doubles import Double, Reply

ONCE = Patience(tries=1)
ALLIANZ = "529900K9B0N5BT694847"


@pytest.mark.parametrize("fault", ["down", "broken", "html", "truncated"])
def test_it_calls_the_register_unavailable_after_three_retries(
    server: DemoServer, client: GleifClient, clock: Any, fault: Any
) -> None:
    server.fail(fault)
    with pytest.raises(GleifUnavailable) as caught:
        client.get(f"lei-records/{ALLIANZ}")
    assert not isinstance(caught.value, GleifNotFound)
    assert len(server.requests) == 4
    assert clock.slept == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("fault", ["down", "broken", "html", "truncated"])
def test_it_recovers_when_the_register_does(server: DemoServer, client: GleifClient, fault: Any) -> None:
    server.fail(fault, times=2)
    assert Register(client).record(ALLIANZ).legal_name == "Allianz SE"


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408])
def test_it_tries_again_after_every_server_error(
    server: DemoServer, client: GleifClient, status: int
) -> None:
    server.fail("broken", status=status, times=1)
    assert client.get("lei-records")["data"]


def test_it_does_not_wait_for_a_slow_register_longer_than_its_time_out(server: DemoServer) -> None:
    server.fail("slow", seconds=20)
    client = GleifClient(server.url, patience=Patience(attempt=0.05, tries=1))
    with pytest.raises(GleifUnavailable, match="in time"):
        client.get("lei-records")


@pytest.mark.parametrize("slowly", [Reply({"data": []}, drip=True), Reply(late=True)], ids=["body", "head"])
def test_it_does_not_wait_for_a_register_that_drips_longer_than_for_a_whole_answer(slowly: Reply) -> None:
    with Double() as register:
        register.answers(slowly)
        with pytest.raises(GleifUnavailable, match="in time"):
            GleifClient(register.url, patience=Patience(attempt=0.3, tries=1)).get("lei-records")


def test_it_says_so_when_nobody_listens(clock: Any) -> None:
    with DemoServer() as gone:
        url = gone.url
    with pytest.raises(GleifUnavailable, match="reached"):
        GleifClient(url, traffic=at(clock)).get("lei-records")


def test_it_does_not_repeat_a_question_that_was_refused(server: DemoServer, client: GleifClient) -> None:
    with pytest.raises(GleifBadRequest, match=r"Unknown filter: colour"):
        client.get("lei-records", {"filter[colour]": "red"})
    assert len(server.requests) == 1


def test_it_does_not_repeat_a_question_that_has_no_answer(server: DemoServer, client: GleifClient) -> None:
    with pytest.raises(GleifNotFound):
        client.get("lei-records/00000000000000000000")
    assert len(server.requests) == 1


def test_it_does_not_follow_a_redirect(server: DemoServer, clock: Any) -> None:
    server.fail("broken", status=302)
    with pytest.raises(GleifError):
        GleifClient(server.url, traffic=at(clock), patience=ONCE).get("lei-records")
    assert len(server.requests) == 1


def test_it_stops_reading_a_body_without_end(server: DemoServer, clock: Any) -> None:
    client = GleifClient(server.url, traffic=at(clock), max_body=500, patience=ONCE)
    with pytest.raises(GleifBadAnswer, match="more than 500"):
        client.get("lei-records")


@cases("body", [b"[]", b"null", b"{}", b'{"errors": []}', b"[" * 100_000, b"\xff\xfe", b""])
def test_it_refuses_json_that_is_not_the_registers(body: bytes) -> None:
    with Double() as register:
        register.answers(body)
        with pytest.raises(GleifBadAnswer):
            GleifClient(register.url, patience=ONCE).get("lei-records")


def test_it_remembers_nothing_of_a_failure(server: DemoServer, client: GleifClient) -> None:
    register = Register(client)
    server.fail("broken", times=4)
    with pytest.raises(GleifUnavailable):
        register.record(ALLIANZ)
    assert register.record(ALLIANZ).lei == ALLIANZ
