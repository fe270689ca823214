"""Between the check and the connection nothing can change its mind, and the name stays what it was for the site."""

import ssl
from pathlib import Path

import pytest

from research.web.fetch import FetchFault
from tests.web.fetch.site import Page, fetcher_for

CERTIFICATE = str(
    Path(__file__).with_name("loopback-certificate.pem")
)  # for secure.example.com, signed by itself
NAME = "secure.example.com"
NAMES_AUTHORITIES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


@pytest.fixture
def secure(open_site):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    names: list[str | None] = []
    context.sni_callback = lambda sock, name, context: names.append(name)
    site = open_site({"/": Page(b"<html>secure")}, tls=context)
    site.names = names
    return site


def at_loopback(host, port):
    return ["127.0.0.1"]


class Rebinding:
    """A name server that gives the harmless address once, and another one from then on."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), 0

    def __call__(self, host, port):
        self.asked += 1
        return [self.answers[min(self.asked, len(self.answers)) - 1]]


def test_a_name_that_changes_its_address_is_reached_where_it_was_checked(open_site):
    site = open_site({"/": Page(b"<html>")})
    resolver = Rebinding("127.0.0.1", "127.0.0.1", "10.0.0.1")
    fetcher = fetcher_for(site, hosts=("pages.example.com",), resolver=resolver)
    found = fetcher.fetch(site.url(host="pages.example.com"))
    assert found.body == b"<html>"
    assert (
        resolver.asked == 2
    )  # once for robots.txt, once for the page: never a second time for one connection
    assert site.asked[-1][1]["host"] == f"pages.example.com:{site.port}"


def test_a_name_that_moves_to_a_private_address_is_refused_at_its_next_check(open_site):
    site = open_site({"/": Page(b"<html>")})
    resolver = Rebinding("127.0.0.1", "169.254.169.254")
    fetcher = fetcher_for(site, hosts=("pages.example.com",), resolver=resolver)
    with pytest.raises(FetchFault, match="metadata"):
        fetcher.fetch(site.url(host="pages.example.com"))
    assert site.paths == ["/robots.txt"]


def test_an_address_that_does_not_answer_gives_way_to_the_next(open_site):
    site = open_site({"/": Page(b"<html>")})
    fetcher = fetcher_for(
        site, hosts=("pages.example.com",), resolver=lambda host, port: ["127.0.0.2", "::1", "127.0.0.1"]
    )
    assert fetcher.fetch(site.url(host="pages.example.com")).status == 200


def test_a_certificate_nobody_vouches_for_is_refused(secure):
    fetcher = fetcher_for(secure, hosts=(NAME,), resolver=at_loopback)
    with pytest.raises(FetchFault) as caught:
        fetcher.fetch(secure.url(host=NAME))
    assert caught.value.code == "tls"
    assert secure.asked == []


def test_a_trusted_certificate_is_accepted_for_its_own_name(secure):
    fetcher = fetcher_for(secure, hosts=(NAME,), resolver=at_loopback, trusted=CERTIFICATE)
    assert fetcher.fetch(secure.url(host=NAME)).body == b"<html>secure"
    assert set(secure.names) == {NAME}
    assert secure.asked[-1][1]["host"] == f"{NAME}:{secure.port}"


@pytest.mark.parametrize("host", ["other.example.com", "127.0.0.1"])
def test_a_trusted_certificate_is_refused_for_another_name(secure, host):
    fetcher = fetcher_for(secure, hosts=(host,), resolver=at_loopback, trusted=CERTIFICATE)
    with pytest.raises(FetchFault, match="certificate") as caught:
        fetcher.fetch(secure.url(host=host))
    assert caught.value.code == "tls"
    assert secure.asked == []


def test_a_site_without_tls_is_no_secure_site(open_site):
    site = open_site({"/": Page(b"<html>")})
    with pytest.raises(FetchFault) as caught:
        fetcher_for(site).fetch(site.url().replace("http:", "https:"))
    assert caught.value.code == "tls"


@pytest.mark.parametrize("name", NAMES_AUTHORITIES)
def test_whom_the_environment_names_is_trusted(secure, monkeypatch, name):
    for other in NAMES_AUTHORITIES:
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(name, CERTIFICATE)
    fetcher = fetcher_for(secure, hosts=(NAME,), resolver=at_loopback)
    assert fetcher.fetch(secure.url(host=NAME)).body == b"<html>secure"
