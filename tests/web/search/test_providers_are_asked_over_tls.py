"""A key travels to whom the public authorities vouch for, and to nobody else."""

import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from common.outside.exchange import session
from common.outside.faults import SourceFault
from research.web.search.searxng import Searxng
from tests.web.fetch.site import Page, Site

CERTIFICATE = Path(__file__).parents[1] / "fetch" / "loopback-certificate.pem"  # for secure.example.com


NAMES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """It names nobody, whatever the machine says; every name leads to loopback."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    look_up = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda name, *rest: look_up("127.0.0.1", *rest))


@pytest.fixture
def site() -> Iterator[Site]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    page = Page(b'{"results": [{"url": "https://e.org/", "title": "t"}]}', "application/json")
    site = Site({"/search?q=q&format=json": page}, tls=context)
    yield site
    site.close()


def test_a_certificate_nobody_vouches_for_is_refused(site):
    with pytest.raises(SourceFault) as caught:
        Searxng(site.url("")).search("q", 5, seconds=5)
    assert caught.value.code == "network"
    assert site.asked == []


@pytest.mark.parametrize(("host", "accepted"), [("secure.example.com", True), ("other.example.com", False)])
def test_a_trusted_one_is_accepted_for_its_own_name(site, monkeypatch, host, accepted):
    monkeypatch.setattr(session(), "verify", str(CERTIFICATE))
    assert accepted is (titles(site.url("", host)) == ["t"])
    assert bool(site.asked) is accepted


def titles(url):
    try:
        return [hit.title for hit in Searxng(url).search("q", 5, seconds=5)]
    except SourceFault as fault:
        return [fault.code]


@pytest.mark.parametrize("name", NAMES)
def test_whom_the_environment_names_is_trusted(site, monkeypatch, name):
    monkeypatch.setenv(name, str(CERTIFICATE))
    assert titles(site.url("", "secure.example.com")) == ["t"]
