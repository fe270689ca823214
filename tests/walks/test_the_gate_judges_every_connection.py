"""The proxy through which a browser's requests go, without a browser."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from research.browsing.chromium.gate import Gate
from research.web.guard import Policy, resolve_checked
from tests.cases import cases
from tests.web.fetch.site import Page, Site


def through(gate, *requests):
    """What comes back for each request, sent through the gate."""

    async def ask():
        await gate.start()
        answers = []
        for request in requests:
            reader, writer = await asyncio.open_connection("127.0.0.1", gate.port)
            writer.write(request.encode())
            answers.append(await asyncio.wait_for(reader.read(), 10))
            writer.close()
        gate.close()
        return answers

    with ThreadPoolExecutor(1) as apart:  # a browser of another test may keep a loop in this thread
        return apart.submit(lambda: asyncio.run(ask())).result()


@pytest.fixture
def site():
    site = Site({"/a?x=1": Page(b"here")})
    yield site
    site.close()


def allowed(site):
    return Policy(frozenset({("127.0.0.1", site.port)}))


def test_what_may_be_read_is_passed_on_without_what_is_for_the_proxy(site):
    lines = (
        f"GET http://127.0.0.1:{site.port}/a?x=1 HTTP/1.1",
        "Host: x",
        "Proxy-Connection: keep-alive",
        "X-A: b",
    )
    head = "\r\n".join(lines) + "\r\n\r\n"
    (answer,) = through(Gate(allowed(site)), head)
    assert answer.endswith(b"here")
    ((path, headers),) = site.asked
    assert (path, headers["host"], headers["x-a"]) == ("/a?x=1", f"127.0.0.1:{site.port}", "b")
    assert "proxy-connection" not in headers


@cases(
    "target",
    [
        "http://10.0.0.1/",
        "http://169.254.169.254/latest",
        "http://localhost/",
        "http://2130706433/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://example.org:22/",
        "http://user:password@example.org/",
    ],
)
def test_a_private_address_is_refused_and_counted(target):
    gate = Gate(Policy())
    connect = target.partition("://")[2].rstrip("/").removesuffix("/latest")
    answers = through(
        gate,
        f"GET {target} HTTP/1.1\r\n\r\n",
        f"CONNECT {connect}{'' if ':2' in connect else ':443'} HTTP/1.1\r\n\r\n",
    )
    assert answers == [b"", b""]
    assert len(gate.refused) == 2


def test_a_name_that_leads_inward_by_now_is_refused(site):
    """DNS rebinding: the first answer was public, the one at the connection counts and is judged."""
    answers = iter([["127.0.0.1"], ["10.1.2.3"], ["93.184.216.34", "127.0.0.1"]])
    gate = Gate(Policy(), partial(resolve_checked, resolver=lambda host, port: next(answers)))
    head = f"CONNECT rebound.example.org:{443} HTTP/1.1\r\n\r\n"
    assert through(gate, head, head, head) == [b"", b"", b""]
    assert [text.rpartition("is ")[2] for text in gate.refused] == ["loopback.", "private.", "loopback."]
    assert site.asked == []


def test_a_page_without_end_is_cut_off_and_noted(site, monkeypatch):
    monkeypatch.setattr("research.browsing.chromium.gate.MAX_BYTES", 100)
    site.pages["/large"] = Page(b"x" * 100_000)
    gate = Gate(allowed(site))
    (answer,) = through(gate, f"GET http://127.0.0.1:{site.port}/large HTTP/1.1\r\n\r\n")
    assert len(answer) < 100_000
    assert "was cut off" in gate.notes()[0]


@cases(
    "head",
    [
        "nonsense\r\n\r\n",
        "GET http://exa mple/ HTTP/1.1 x\r\n\r\n",
        "\r\n\r\n",
        "CONNECT :0 HTTP/1.1\r\n\r\n",
    ],
)
def test_nonsense_is_answered_or_dropped(head):
    (answer,) = through(Gate(Policy()), head)
    assert answer in (b"", b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
