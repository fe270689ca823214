"""A page comes with what its answer says about it; everything else is a typed fault."""

from datetime import UTC, datetime

import pytest

from common.outside.exchange import retry_after
from research.web.fetch import FetchFault, open_fetcher
from tests.cases import cases
from tests.web.fetch.site import Page, fetcher_for


def test_a_page_comes_with_its_type_charset_and_validators(open_site):
    site = open_site(
        {
            "/a?z=1&a=2": Page(
                b"<html>hello</html>",
                "Text/HTML; Charset=ISO-8859-1",
                headers={
                    "ETag": '"v1"',
                    "Last-Modified": "Sat, 21 Nov 2026 07:00:00 GMT",
                    "Set-Cookie": "a=b",
                },
            )
        }
    )
    found = fetcher_for(site).fetch(site.url("/x/../a?z=1&a=2#part"))
    assert (found.status, found.mime, found.charset) == (200, "text/html", "iso-8859-1")
    assert found.body == b"<html>hello</html>"
    assert found.url == found.final_url == site.url("/a?a=2&z=1")
    assert (found.etag, found.last_modified) == ('"v1"', "Sat, 21 Nov 2026 07:00:00 GMT")
    assert set(found.headers) == {"content-type", "content-length", "etag", "last-modified"}


def test_the_site_sees_who_asks_and_nothing_personal(open_site, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    site = open_site({"/": Page(b"<html>", headers={"Set-Cookie": "id=1"})})
    fetcher = fetcher_for(site, user_agent="Dossier/0.1 (+https://example.org/bot)")
    fetcher.fetch(site.url())
    fetcher.fetch(site.url())
    path, headers = site.asked[-1]
    assert (path, headers["user-agent"]) == ("/", "Dossier/0.1 (+https://example.org/bot)")
    assert not {"authorization", "cookie", "referer", "proxy-authorization"} & set(headers)


KINDS = [
    ("text/html", b"<p>x", "text/html"),
    ("application/xhtml+xml", b"<html/>", "application/xhtml+xml"),
    ("text/plain", b"<html>", "text/plain"),
    ("application/json", b"{}", "application/json"),
    ("application/ld+json", b"{}", "application/json"),
    ("application/rss+xml", b"<rss/>", "application/xml"),
    ("application/atom+xml", b"<feed/>", "application/xml"),
    ("text/csv", b"a,b", "text/csv"),
    ("application/pdf", b"%PDF-1.7\n", "application/pdf"),
    ("application/x-pdf", b"%PDF-1.7\n", "application/pdf"),
    ("text/html", b"%PDF-1.7\n", "application/pdf"),
    ("application/pdf", b"<!DOCTYPE html><p>gone", "text/html"),
    ("application/octet-stream", b"%PDF-1.4\n", "application/pdf"),
    ("", b"<!doctype html><title>x</title>", "text/html"),
    ("", b"\xef\xbb\xbf <HTML>", "text/html"),
    ("", b"<?xml version='1.0'?><a/>", "application/xml"),
    ("", b' {"a": 1}', "application/json"),
    ("", b"plain words", "text/plain"),
    ("", "\ufeffwords".encode("utf-16"), "text/plain"),
    ("", b"", "text/plain"),
]


@cases(("declared", "body", "mime"), KINDS)
def test_the_type_is_what_the_header_says_unless_the_body_knows_better(open_site, declared, body, mime):
    site = open_site({"/": Page(body, declared)})
    assert fetcher_for(site).fetch(site.url()).mime == mime


@cases(
    ("declared", "body"),
    [
        ("image/png", b"\x89PNG"),
        ("image/svg+xml", b"<svg/>"),
        ("video/mp4", b"x"),
        ("application/zip", b"PK\3\4"),
        ("application/javascript", b"x"),
        ("text/css", b"x"),
        ("application/octet-stream", b"MZ\0\0\1\2"),
        ("", b"\x7fELF\1\2\3"),
        ("", b"PK\3\4" + bytes(range(32)) * 10),
        ("application/pdf", b"PK\3\4\0\0"),
    ],
)
def test_it_refuses_what_it_cannot_read(open_site, declared, body):
    site = open_site({"/": Page(body, declared)})
    with pytest.raises(FetchFault) as caught:
        fetcher_for(site).fetch(site.url())
    assert (caught.value.code, caught.value.retryable) == ("mime", False)


@cases(
    ("status", "retryable"),
    [
        *((status, False) for status in (204, 206, 300, 304, 400, 401, 403, 404, 410, 418, 451, 599)),
        *((status, True) for status in (408, 425, 429, 500, 502, 503, 504)),
    ],
)
def test_any_other_status_is_a_fault_that_says_whether_to_ask_again(open_site, status, retryable):
    site = open_site({"/": Page(b"", status=status)})
    with pytest.raises(FetchFault) as caught:
        fetcher_for(site).fetch(site.url())
    assert (caught.value.code, caught.value.status, caught.value.retryable) == ("status", status, retryable)
    assert str(status) in caught.value.message


def test_a_site_that_wants_to_be_left_alone_is(open_site):
    site = open_site({"/": Page(b"", status=429, headers={"Retry-After": "120"}), "/b": Page(b"b")})
    fetcher = fetcher_for(site)
    with pytest.raises(FetchFault) as caught:
        fetcher.fetch(site.url())
    assert caught.value.retry_after == 120
    with pytest.raises(FetchFault) as caught:
        fetcher.fetch(site.url("/b"))
    assert (caught.value.code, caught.value.retryable) == ("busy", True)
    assert caught.value.retry_after == pytest.approx(120, abs=10)
    assert "/b" not in site.paths


def test_another_port_of_its_host_is_another_site(open_site):
    site = open_site({"/": Page(b"", status=429, headers={"Retry-After": "120"})})
    other = open_site({"/": Page(b"b")})
    fetcher = fetcher_for(site, other)
    with pytest.raises(FetchFault):
        fetcher.fetch(site.url())
    assert fetcher.fetch(other.url()).body == b"b"


NOW = datetime(2026, 11, 21, 8, 0, 0, tzinfo=UTC)


@cases(
    ("text", "seconds"),
    [
        ("5", 5.0),
        (" 60 ", 60.0),
        ("Sat, 21 Nov 2026 08:01:00 GMT", 60.0),
        ("Sat, 21 Nov 2026 07:00:00 GMT", 0.0),
        ("", None),
        ("soon", None),
        ("-1", None),
        ("９", None),
    ],
)
def test_it_reads_both_forms_of_retry_after(text, seconds):
    assert retry_after(text, NOW) == seconds


def only_if_changed(handler):
    known = handler.headers.get("If-None-Match") == '"v1"'
    return Page(b"" if known else b"<html>", status=304 if known else 200, headers={"ETag": '"v1"'})


def test_it_asks_only_whether_a_known_page_has_changed(open_site):
    site = open_site({"/": only_if_changed})
    fetcher = fetcher_for(site)
    first = fetcher.fetch(site.url())
    again = fetcher.fetch(site.url(), etag=first.etag, last_modified="Sat, 21 Nov 2026 07:00:00 GMT")
    assert (first.unchanged, again.unchanged, again.body) == (False, True, b"")
    assert site.asked[-1][1]["if-modified-since"] == "Sat, 21 Nov 2026 07:00:00 GMT"


def test_validators_go_only_to_the_page_they_are_about(open_site):
    site = open_site({"/old": Page(b"", status=302, headers={"Location": "/new"}), "/new": only_if_changed})
    found = fetcher_for(site).fetch(site.url("/old"), etag='"v1"', known_at=site.url("/new"))
    assert found.unchanged
    asked = {path: "if-none-match" in headers for path, headers in site.asked}
    assert asked == {"/robots.txt": False, "/old": False, "/new": True}


@pytest.mark.parametrize("etag", ['"a"\r\nX-Evil: 1', "é", "x" * 400])
def test_a_validator_that_is_no_header_is_not_sent(open_site, etag):
    site = open_site({"/": Page(b"<html>")})
    assert fetcher_for(site).fetch(site.url(), etag=etag).status == 200
    assert not {"if-none-match", "x-evil"} & set(site.asked[-1][1])


def test_the_settings_say_what_the_fetcher_may_do(open_site, settings):
    site = open_site({"/": Page(b"<html>")})
    settings.DOSSIER_USER_AGENT = "Example/2"
    with pytest.raises(FetchFault) as caught:
        open_fetcher().fetch(site.url())
    assert caught.value.code == "blocked"
    settings.DOSSIER_FETCH_ALLOW = [f"127.0.0.1:{site.port}"]
    settings.DOSSIER_FETCH_PER_MINUTE = 0
    assert open_fetcher().fetch(site.url()).status == 200
    assert site.asked[-1][1]["user-agent"] == "Example/2"
    assert open_fetcher() is open_fetcher()
