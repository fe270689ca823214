"""One call is one request: what goes wrong is a fault with its kind, and whether it may have been paid for."""

import socket
import sys
import time

import pytest

from research.llm.http import Endpoint
from research.llm.interface import ModelFault
from research.llm.models import open_model
from tests.cases import cases
from tests.llm.doubles.scripts import SCRIPTS
from tests.llm.doubles.server import Double
from tests.llm.talking import MODELS, point_at, request

PAID = True
FAULTS = [  # what the server does, the kind of fault, possibly paid, asked again later, seconds to wait
    ("rate_limit", "rate_limit", False, True, 2.0),
    ("rate_limit_long", "rate_limit", False, True, 3600.0),
    ("quota", "quota", False, False, None),
    ("payment", "quota", False, False, None),
    ("overloaded", "overloaded", False, True, None),
    ("unavailable", "overloaded", False, True, None),
    ("server", "server", False, True, None),
    ("gateway", "server", PAID, True, None),
    ("conflict", "server", False, True, None),
    ("auth", "auth", False, False, None),
    ("forbidden", "auth", False, False, None),
    ("not_found", "invalid", False, False, None),
    ("invalid", "invalid", False, False, None),
    ("context", "context", False, False, None),
    ("no_tools", "unsupported", False, False, None),
    ("no_schema", "unsupported", False, False, None),
    ("never_again", "server", False, False, None),
    ("redirect", "invalid", False, False, None),
    ("hang_up", "network", PAID, True, None),
    ("cut", "truncated", PAID, True, None),
    ("cut_softly", "truncated", PAID, True, None),
]


def fault_of(name, messages=None):
    with pytest.raises(ModelFault) as raised:
        open_model(name).complete(request(messages))
    return raised.value


@cases("stream", ["on", "off"])
@cases("name", MODELS)
@cases("known", FAULTS)
def test_it_asks_once_and_says_what_went_wrong(settings, known, name, stream):
    played, *expected = known
    with Double([{"before": [played] * 2, "text": "{}"}]) as double:
        point_at(settings, double, stream)
        fault = fault_of(name)
    assert [fault.kind, fault.billed, fault.passing, fault.retry_after] == expected
    assert double.bill.requests == 1
    assert len(fault.message) > 20


@cases("stream", ["on", "off"])
@cases("played", ["hang", "drip", "late"])
def test_the_deadline_holds_however_the_server_dawdles(settings, played, stream):
    with Double([{"before": [played], "text": "{}"}]) as double:
        point_at(settings, double, stream)
        settings.DOSSIER_MODEL_TIMEOUT = 0.3
        begun = time.monotonic()
        fault = fault_of("openai-chat:m")
        assert time.monotonic() - begun < 3
    assert (fault.kind, fault.billed, fault.passing) == ("timeout", True, True)
    assert double.bill.lost == 1


@pytest.mark.parametrize(("played", "said"), [("html", "something else than JSON"), ("array", "no object")])
def test_an_answer_that_is_no_answer_is_a_fault(settings, played, said):
    with Double([{"before": [played], "text": "{}"}]) as double:
        point_at(settings, double)
        fault = fault_of("openai-chat:m")
    assert fault.kind == "server"
    assert said in fault.message


DEEP_TO_COPY = 900 if sys.version_info < (3, 12) else 3_000  # Python 3.12 and newer read and copy deeper


@pytest.mark.parametrize(("depth", "inside"), [(DEEP_TO_COPY, '"\\u0000"'), (100_000, "1")])
def test_an_answer_that_is_nested_too_deeply_is_a_fault(depth, inside):
    answer = '{"a": ' + "[" * depth + inside + "]" * depth + "}"
    with pytest.raises(ModelFault, match="nested too deeply"):
        Endpoint("The server", "http://x")._object(answer)


def test_an_answer_without_end_is_not_read_to_its_end(settings):
    with Double([{"text": "x" * 5_000}]) as double:
        endpoint = Endpoint("The server", f"{double.url}/v1", max_answer=4_000)
        with pytest.raises(ModelFault, match="more than 4,000 bytes"):
            endpoint.post(
                "/chat/completions", {"model": "m", "messages": [{"role": "user", "content": "go"}]}
            )


def test_a_server_that_is_not_there_was_not_paid(settings):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
        settings.OPENAI_CHAT_BASE_URL = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        fault = fault_of("openai-chat:m")
    assert (fault.kind, fault.billed, fault.passing) == ("network", False, True)


@pytest.mark.parametrize("base", ["nothing", "ftp://127.0.0.1/", "http://", "http://[::1"])
def test_a_base_url_that_is_none_is_said(settings, base):
    settings.OPENAI_CHAT_BASE_URL = base
    fault = fault_of("openai-chat:m")
    assert (fault.kind, fault.billed) == ("invalid", False)
    assert "base URL" in fault.message


def test_it_uses_no_proxy_and_no_netrc_of_the_environment(settings, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with Double(SCRIPTS["answer"]) as double:
        point_at(settings, double)
        settings.OPENAI_CHAT_API_KEY = ""
        open_model("openai-chat:m").complete(request())
    assert "authorization" not in double.requests[0][1]


def test_a_good_answer_follows_a_bad_one_on_the_same_thread(settings):
    with Double([{"before": ["cut", "hang_up", "server"], "text": "{}"}]) as double:
        point_at(settings, double, "on")
        kinds = [fault_of("anthropic:m").kind for _ in range(3)]
        turn = open_model("anthropic:m").complete(request())
    assert kinds == ["truncated", "network", "server"]
    assert (turn.stop, double.bill.requests) == ("end", 4)
