"""No answer holds a worker longer, or fills its memory further, than the limits say."""

import threading
import zlib

import pytest

from research.web.fetch import FetchFault
from tests.cases import cases
from tests.web.fetch.site import Page, RawSite, fetcher_for

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
SMALL = {"max_bytes": 10_000}


def fault_of(site, url=None, **limits):
    with pytest.raises(FetchFault) as caught:
        fetcher_for(site, limits=limits).fetch(url or site.url())
    return caught.value


def gzipped(data):
    return deflated(data, zlib.MAX_WBITS | 16)


def deflated(data, wbits=zlib.MAX_WBITS):
    stream = zlib.compressobj(9, zlib.DEFLATED, wbits)
    return stream.compress(data) + stream.flush()


@cases(
    ("encoding", "body"),
    [
        ("", b"hello"),
        ("identity", b"hello"),
        ("gzip", gzipped(b"hello")),
        ("X-GZIP", gzipped(b"hello")),
        ("gzip", gzipped(b"hel") + gzipped(b"lo")),
        ("gzip", gzipped(b"hello") + b"\0\0padding"),
        ("deflate", deflated(b"hello")),
        ("deflate", deflated(b"hello", -zlib.MAX_WBITS)),
    ],
)
def test_it_undoes_the_encodings_it_asks_for(open_site, encoding, body):
    site = open_site({"/": Page(body, "text/plain", headers={"Content-Encoding": encoding})})
    assert fetcher_for(site).fetch(site.url()).body == b"hello"


@cases(
    ("encoding", "body", "code"),
    [
        ("br", b"\x0b\x02\x80hello\x03", "encoding"),
        ("zstd", b"x", "encoding"),
        ("gzip, gzip", gzipped(gzipped(b"hello")), "encoding"),
        ("gzip", b"not gzip at all", "encoding"),
        ("deflate", b"\xff\xff\xff\xff", "encoding"),
        ("gzip", gzipped(b"hello")[:-9], "truncated"),
        ("deflate", deflated(b"hello" * 100)[:-5], "truncated"),
    ],
)
def test_it_refuses_encodings_it_did_not_ask_for_and_damaged_ones(open_site, encoding, body, code):
    site = open_site({"/": Page(body, headers={"Content-Encoding": encoding})})
    assert fault_of(site).code == code


@pytest.mark.parametrize(
    "packed",
    [
        gzipped(bytes(10_000_000)),
        b"".join(gzipped(bytes(100_000)) for _ in range(100)),
        deflated(bytes(10_000_000)),
        deflated(bytes(10_000_000), -zlib.MAX_WBITS),
    ],
    ids=["gzip", "many members", "deflate", "raw deflate"],
)
def test_a_small_answer_does_not_unpack_into_a_large_one(open_site, packed):
    encoding = "gzip" if packed.startswith(b"\x1f\x8b") else "deflate"
    site = open_site({"/": Page(packed, headers={"Content-Encoding": encoding})})
    assert fault_of(site, max_bytes=1_000_000).code == "too_large"
    assert "times its size" in fault_of(site, max_bytes=100_000_000).message


def test_an_announced_size_above_the_limit_is_not_read_at_all(open_raw):
    site = open_raw(HEAD + b"Content-Length: 10001\r\n\r\n", hang=True)
    assert fault_of(site, **SMALL).code == "too_large"


def test_the_limit_is_the_last_size_that_is_read(open_site):
    site = open_site({"/": Page(b"x" * 10_000, "text/plain"), "/more": Page(b"x" * 10_001, "text/plain")})
    assert len(fetcher_for(site, limits=SMALL).fetch(site.url()).body) == 10_000
    assert fault_of(site, site.url("/more"), **SMALL).code == "too_large"


@pytest.mark.parametrize(
    "parts",
    [
        [HEAD + b"\r\n", b"x" * 20_000],
        [HEAD + b"Transfer-Encoding: chunked\r\n\r\n", *[b"1000\r\n" + b"x" * 4096 + b"\r\n"] * 100],
        [HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1;" + b"a" * 60_000 + b"\r\nx\r\n"] * 20,
        [b"HTTP/1.1 100 Continue\r\n\r\n"] * 30_000,
        [HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", *[b"Trailer: x\r\n" * 1_000] * 100],
    ],
    ids=["unannounced", "chunks", "chunk extensions", "endless continue", "endless trailers"],
)
def test_an_endless_answer_ends_at_the_limit(open_raw, parts):
    site = open_raw(*parts, hang=True)
    assert fault_of(site, **SMALL).code in {"too_large", "connection", "truncated"}


@cases(
    ("parts", "code"),
    [
        ([HEAD + b"Content-Length: 100\r\n\r\n", b"only this"], "truncated"),
        ([HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"64\r\nonly this"], "truncated"),
        ([HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"zz\r\nwhat\r\n"], "truncated"),
        ([HEAD + b"Transfer-Encoding: gzip\r\n\r\n", b"x"], "encoding"),
        ([b""], "connection"),
        ([b"SSH-2.0-OpenSSH_9.2\r\n"], "connection"),
        ([b"HTTP/1.1 200 OK\r\n" + b"X-H: 1\r\n" * 200 + b"\r\n"], "connection"),
        ([b"HTTP/1.1 200 OK\r\nX-H: " + b"x" * 70_000 + b"\r\n\r\n"], "connection"),
    ],
)
def test_an_answer_that_breaks_off_or_makes_no_sense_is_never_a_page(open_raw, parts, code):
    fault = fault_of(open_raw(*parts))
    assert fault.code == code
    assert fault.retryable == (code != "encoding")


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [b"HTTP/1.1 200 OK\r\nX-Slow:"],
        [HEAD + b"Content-Length: 9\r\n\r\n", b"slow"],
        [HEAD + b"\r\n", b"slow"],
    ],
    ids=["no answer", "half a header", "half a body", "no end"],
)
def test_a_site_that_hangs_is_left_at_the_deadline(open_raw, parts):
    fault = fault_of(open_raw(*parts, hang=True), seconds=0.2)
    assert (fault.code, fault.retryable) == ("timeout", True)


class Drip(RawSite):
    """Sends one byte at a time, each soon enough for any time-out between two reads."""

    def _answer(self, connection):
        with connection:
            if connection.recv(65_536).startswith(b"GET /robots.txt"):
                connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                return
            try:
                connection.sendall(HEAD + b"X-Drip: ")
                while not self._over.wait(0.01):
                    connection.sendall(b"x")
            except OSError:
                return


def test_a_site_that_drips_does_not_outlast_the_deadline():
    site = Drip()
    try:
        assert fault_of(site, seconds=0.3).code == "timeout"
    finally:
        site.close()


def test_the_deadline_is_one_for_all_hops(open_site):
    """Each hop alone is quick; a clock that counts a second a look runs out over all of them."""

    ticks = iter(range(10_000))
    site = open_site({f"/{n}": Page(b"", status=302, headers={"Location": f"/{n + 1}"}) for n in range(5)})
    fetcher = fetcher_for(site, limits={"seconds": 20.0}, clock=lambda: float(next(ticks)))
    with pytest.raises(FetchFault) as caught:
        fetcher.fetch(site.url("/0"))
    assert caught.value.code == "timeout"
    assert "/0" in site.paths
    assert "/4" not in site.paths


def test_nobody_listening_is_a_connection_fault(open_site):
    site = open_site()
    url = site.url()
    fetcher = fetcher_for(site)
    site.close()
    with pytest.raises(FetchFault) as caught:
        fetcher.fetch(url)
    assert (caught.value.code, caught.value.retryable) == ("connection", True)


def test_many_threads_share_one_fetcher(open_site):
    site = open_site({f"/{n}": Page(f"page {n}".encode(), "text/plain") for n in range(20)})
    fetcher, found = fetcher_for(site), {}

    def ask(n):
        found[n] = fetcher.fetch(site.url(f"/{n}")).body

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: f"page {n}".encode() for n in range(20)}
