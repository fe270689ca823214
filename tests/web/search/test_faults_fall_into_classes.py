"""Whatever goes wrong at a provider is one of a few classes, in a sentence that holds no key."""

import logging
import socket
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from common.outside.exchange import MAX_BODY, retry_after, session
from common.outside.faults import SourceFault
from research.web.search.brave import Brave
from tests.cases import cases
from tests.web.search.doubles import Reply
from tests.web.search.shapes import KEY, SHAPES

EVERY = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
BY_NAME = {shape.name: shape for shape in SHAPES}


def fault_of(shape, url, seconds=5.0):
    with pytest.raises(SourceFault) as caught:
        shape.make(url).search("q", 5, seconds=seconds)
    assert KEY not in f"{caught.value} {caught.value!r}"
    assert caught.value.__cause__ is None
    return caught.value


STATUSES = [
    (400, "refused"),
    (401, "denied"),
    (402, "quota"),
    (404, "refused"),
    (408, "timeout"),
    (422, "refused"),
    (429, "rate_limited"),
    (500, "server_error"),
    (502, "server_error"),
    (503, "server_error"),
    (504, "timeout"),
    (204, "unreadable"),
    (302, "unreadable"),
]


@EVERY
@cases(("status", "kind"), STATUSES)
def test_a_status_has_a_class(double, shape, status, kind):
    body = b"" if status == 204 else {"error": {"code": status}}
    double.questions.clear()
    double.answers(Reply(body, status, headers={"Location": double.url}))
    assert fault_of(shape, double.url).code == kind
    assert len(double.questions) == 1


SPECIAL = [
    ("tavily", 432, {"detail": {"error": "This request exceeds your plan's set usage limit."}}, "quota"),
    ("tavily", 433, {"detail": {"error": "limit"}}, "quota"),
    ("tavily", 403, {"detail": {"error": "URL is not supported"}}, "denied"),
    ("brave", 422, {"type": "ErrorResponse", "error": {"code": "SUBSCRIPTION_TOKEN_INVALID"}}, "denied"),
    ("brave", 400, {"type": "ErrorResponse", "errors": [{"code": "OPTION_NOT_IN_PLAN"}]}, "denied"),
    ("brave", 429, {"type": "ErrorResponse", "error": {"code": "QUOTA_LIMITED"}}, "quota"),
    ("brave", 429, {"type": "ErrorResponse", "error": {"code": "RATE_LIMITED"}}, "rate_limited"),
    ("brave", 422, {"error": {"code": ["odd"]}}, "refused"),
    ("brave", 422, ["odd"], "refused"),
    ("google", 403, {"error": {"errors": [{"reason": "dailyLimitExceeded"}]}}, "quota"),
    ("google", 403, {"error": {"errors": [{"reason": "userRateLimitExceeded"}]}}, "rate_limited"),
    (
        "google",
        429,
        {"error": {"message": "'Queries per day'", "errors": [{"reason": "rateLimitExceeded"}]}},
        "quota",
    ),
    (
        "google",
        400,
        {"error": {"message": "API key not valid.", "errors": [{"reason": "badRequest"}]}},
        "denied",
    ),
    ("google", 400, {"error": {"message": "Invalid value", "errors": [{"reason": "badRequest"}]}}, "refused"),
    ("google", 400, {"error": {"errors": ["odd"]}}, "refused"),
    ("searxng", 403, b"<h1>Forbidden</h1>", "refused"),
    ("openalex", 403, {"error": "Forbidden", "message": "Rate limit exceeded"}, "rate_limited"),
    ("openalex", 403, {"error": "Forbidden"}, "denied"),
    ("openalex", 429, {"error": "Daily limit exceeded"}, "quota"),
    ("openalex", 429, {"error": "Too many requests"}, "rate_limited"),
    ("semantic_scholar", 403, {"message": "Forbidden"}, "denied"),
    ("semantic_scholar", 429, {"message": "Too Many Requests.", "code": "429"}, "rate_limited"),
]


@cases(("name", "status", "body", "kind"), SPECIAL)
def test_a_provider_may_know_better_than_its_status(double, name, status, body, kind):
    double.answers(Reply(body, status))
    assert fault_of(BY_NAME[name], double.url).code == kind


@EVERY
@cases("body", [b"", b"<html>Sign in</html>", b"[1]", b'"text"', b"null", b"[" * 100_000])
def test_an_answer_that_is_not_its_json_is_no_answer(double, shape, body):
    double.answers(body)
    assert fault_of(shape, double.url).code == "unreadable"


@EVERY
def test_a_huge_body_is_not_read_to_its_end(double, shape):
    double.answers(b'{"results": "' + b"x" * (MAX_BODY + 100_000) + b'"}')
    fault = fault_of(shape, double.url)
    assert fault.code == "unreadable"
    assert "5,000,000" in fault.message


@EVERY
def test_half_an_answer_is_a_fault_of_the_network(double, shape):
    double.answers(Reply(shape.answer, cut=True))
    assert fault_of(shape, double.url).code == "network"


@EVERY
def test_silence_ends_in_time(double, shape):
    double.answers(Reply(hang=True))
    before = time.monotonic()
    assert fault_of(shape, double.url, seconds=0.2).code == "timeout"
    assert time.monotonic() - before < 3


@pytest.mark.parametrize("slowly", [Reply(BY_NAME["tavily"].answer, drip=True), Reply(late=True)])
def test_an_answer_that_drips_ends_in_time(double, slowly):
    double.answers(slowly)
    before = time.monotonic()
    fault = fault_of(BY_NAME["tavily"], double.url, seconds=0.3)
    assert fault.code == "timeout"
    assert time.monotonic() - before < 3


@EVERY
def test_nobody_there_is_a_fault_of_the_network(shape):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
        assert fault_of(shape, address).code == "network"


@cases("address", ["", "nonsense", "ftp://example.org", "http://", "http://[::1"])
def test_an_address_nobody_can_ask_is_named(address):
    assert fault_of(BY_NAME["tavily"], address).code == "refused"


def test_a_question_that_no_address_can_hold_is_refused(double):
    double.answers({})
    with pytest.raises(SourceFault) as caught:
        BY_NAME["brave"].make(double.url).search("\ud800", 5, seconds=5)
    assert caught.value.code == "refused"


RETRY_AFTER = [
    ("7", 7.0),
    ("0", 0.0),
    (None, None),
    ("soon", None),
    ("-4", None),
    ("9" * 12, None),
    ("1.5", None),
]


@EVERY
@cases(("header", "seconds"), RETRY_AFTER)
def test_it_says_when_the_provider_wants_to_be_asked_again(double, shape, header, seconds):
    double.answers(Reply({}, 429, {"Retry-After": header} if header else {}))
    assert fault_of(shape, double.url).retry_after == seconds


@EVERY
def test_a_retry_after_may_be_a_date(double, shape):
    moment = datetime.now(UTC) + timedelta(seconds=90)
    double.answers(Reply({}, 429, {"Retry-After": format_datetime(moment, usegmt=True)}))
    assert 80 < fault_of(shape, double.url).retry_after <= 90


@pytest.mark.parametrize("value", ["Fri, 01 Jan 1999 00:00:00 GMT", "Fri, 01 Jan 1999 00:00:00 -0000"])
def test_a_date_that_has_passed_means_now(value):
    assert retry_after(value) == 0.0


@EVERY
def test_no_key_is_logged_at_any_level(double, shape, caplog):
    double.answers(Reply({"error": KEY, "message": KEY, "detail": KEY}, 401))
    with caplog.at_level(logging.DEBUG), caplog.at_level(logging.DEBUG, logger="urllib3"):
        fault_of(shape, double.url)
    assert caplog.records  # urllib3 logs the address it asked
    assert KEY not in caplog.text


def test_no_key_is_shown_with_a_provider():
    shown = " ".join(repr(shape.make("http://127.0.0.1:1")) for shape in SHAPES)
    assert KEY not in shown


def test_a_key_that_no_header_can_hold_is_not_quoted(double):
    with pytest.raises(SourceFault) as caught:
        Brave(double.url, f"{KEY}\n").search("q", 5, seconds=5)
    assert caught.value.code == "refused"
    assert KEY not in str(caught.value)
    assert caught.value.__suppress_context__


def test_the_environment_adds_no_proxy_and_no_password(double, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login somebody password secret")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    double.answers({"results": []})
    assert BY_NAME["searxng"].make(double.url).search("q", 5, seconds=5) == []
    assert "Authorization" not in double.questions[0].headers


def test_a_cookie_is_not_sent_back(double):
    double.answers(Reply({"results": []}, headers={"Set-Cookie": "who=you"}))
    for _ in range(2):
        BY_NAME["searxng"].make(double.url).search("q", 5, seconds=5)
    assert "Cookie" not in double.questions[1].headers


def test_threads_do_not_share_a_session(double):
    double.answers({"results": []})
    sessions = []
    threads = [threading.Thread(target=lambda: sessions.append(session())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(session) for session in sessions}) == 3
