"""What can go wrong on the way to a register, and what each of it is called."""

import socket
import threading

import pytest

from common.outside.client import Traffic
from entities.registers.errors import (
    RegisterBadAnswer,
    RegisterBadRequest,
    RegisterDenied,
    RegisterError,
    RegisterNotFound,
    RegisterRateLimited,
    RegisterUnavailable,
)
from entities.registers.http import RegisterHttp
from tests.cases import cases
from tests.entities.registers.fake import Reply


@cases(
    ("status", "error"),
    [
        (401, RegisterDenied),
        (403, RegisterDenied),
        (404, RegisterNotFound),
        (400, RegisterBadRequest),
        (410, RegisterBadRequest),
        (429, RegisterRateLimited),
        (408, RegisterUnavailable),
        (500, RegisterUnavailable),
        (503, RegisterUnavailable),
        (302, RegisterBadAnswer),
        (204, RegisterBadAnswer),
    ],
)
def test_every_status_has_its_error(http, fake, status, error):
    fake.route("/x", Reply({}, status, {"Location": "/y"}))
    with pytest.raises(error) as caught:
        http().get("/x")
    assert type(caught.value) is error
    assert isinstance(caught.value, RegisterNotFound) is (status == 404)


def test_trouble_that_passes_is_waited_out(http, fake, clock):
    fake.route("/x", {"ok": True})
    fake.trouble = [Reply(b"", 503), Reply(b"", 429, {"Retry-After": "7"})]
    assert http().get("/x").object() == {"ok": True}
    assert clock.slept == [1.0, 7.0]


def test_a_wish_for_a_longer_pause_than_a_question_lasts_is_handed_on(http, fake, clock):
    fake.route("/x", Reply(b"", 429, {"Retry-After": "86400"}))
    for _ in range(2):  # nor is the register asked meanwhile
        with pytest.raises(RegisterRateLimited) as caught:
            http().get("/x")
        assert caught.value.retry_after >= 3_600
    assert (clock.slept, len(fake.questions)) == ([], 1)


def test_one_that_keeps_failing_is_left_alone_for_a_while(http, fake, clock):
    fake.route("/x", Reply(b"", 500))
    for _ in range(6):
        with pytest.raises(RegisterUnavailable):
            http().get("/x")
    assert len(fake.questions) == 5 * 3
    fake.route("/x", {"ok": True})
    clock.now += 31
    assert http().get("/x").object() == {"ok": True}


@pytest.mark.parametrize("value", ["soon", "-1", "", "9" * 400])
def test_an_unreadable_retry_after_is_an_ordinary_pause(http, fake, clock, value):
    fake.route("/x", {})
    fake.trouble = [Reply(b"", 429, {"Retry-After": value})]
    http().get("/x")
    assert clock.slept == [5.0]


def test_a_retry_after_that_is_over_is_a_short_pause(http, fake, clock):
    fake.route("/x", {})
    fake.trouble = [Reply(b"", 429, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})]
    http().get("/x")
    assert clock.slept == [1.0]


def test_a_refusal_is_not_repeated(http, fake):
    fake.route("/x", Reply({}, 403))
    with pytest.raises(RegisterDenied):
        http().get("/x")
    assert len(fake.questions) == 1


def test_nobody_listening_is_unavailable(clock):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
        asking = RegisterHttp("The register", address, traffic=Traffic(clock=clock, sleep=clock.sleep))
        with pytest.raises(RegisterUnavailable, match="cannot be reached"):
            asking.get("/x")


def test_an_address_that_is_none_is_refused(clock):
    asking = RegisterHttp("The register", "http://", traffic=Traffic(clock=clock, sleep=clock.sleep))
    with pytest.raises(RegisterBadRequest, match="cannot be sent"):
        asking.get("/x")


def test_a_body_is_bounded(http, fake):
    fake.route("/x", Reply(b"x" * 2_000))
    with pytest.raises(RegisterBadAnswer, match="more than 1,000"):
        http(max_body=1_000).get("/x")


def test_a_key_does_not_travel_with_a_redirect(http, fake):
    fake.route("/x", Reply(b"", 302, {"Location": f"{fake.url}/elsewhere"}))
    with pytest.raises(RegisterBadAnswer):
        http(auth=("secret", "")).get("/x")
    assert [question.path for question in fake.questions] == ["/x"]


def test_a_message_holds_no_key(http, fake):
    fake.route("/x", Reply(b"", 500))
    with pytest.raises(RegisterError) as caught:
        http(auth=("very-secret", ""), headers={"X-Auth-Key": "also-secret"}).get("/x")
    assert "secret" not in str(caught.value)


def test_a_cookie_is_not_kept(http, fake):
    fake.route("/x", Reply({}, headers={"Set-Cookie": "track=1"}))
    asking = http()
    asking.get("/x")
    asking.get("/x")
    assert "cookie" not in fake.questions[1].headers


def test_questions_keep_to_the_limit(http, fake, clock):
    fake.route("/x", {})
    asking = http(limit=2, window=10.0)
    for _ in range(5):
        asking.get("/x")
    assert clock.slept == [10.0, 10.0]


def test_threads_share_one_client(http, fake):
    fake.route("/x", {"ok": True})
    asking, answers = http(limit=0), []
    threads = [threading.Thread(target=lambda: answers.append(asking.get("/x").object())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [{"ok": True}] * 8
