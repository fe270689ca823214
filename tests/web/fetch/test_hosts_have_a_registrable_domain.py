"""Who is behind a host: the part of its name that somebody registered."""

from research.web.urls import registrable_domain
from tests.cases import cases

DOMAINS = [
    ("www.example.com", "example.com"),
    ("example.com", "example.com"),
    ("news.bbc.co.uk", "bbc.co.uk"),
    ("a.b.admin.ch", "admin.ch"),
    ("alice.github.io", "alice.github.io"),
    ("WWW.Müller.DE", "xn--mller-kva.de"),
    ("www.example.com.", "example.com"),
    ("192.0.2.1", "192.0.2.1"),
    ("::1", "::1"),
    ("localhost", "localhost"),
    ("a.unknownsuffix", "a.unknownsuffix"),
    ("co.uk", "co.uk"),
    ("not a host", "not a host"),
]


@cases(("host", "domain"), DOMAINS)
def test_it_knows_public_suffixes(host, domain):
    assert registrable_domain(host) == domain


def test_it_never_asks_the_network(monkeypatch):
    from research.web import urls

    def refuse(*args, **kwargs):
        raise AssertionError("the public suffix list must not be fetched")

    monkeypatch.setattr("requests.Session.send", refuse)
    urls._suffixes.cache_clear()
    assert registrable_domain("deep.example.co.jp") == "example.co.jp"
