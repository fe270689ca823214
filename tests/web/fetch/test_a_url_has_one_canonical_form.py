"""Two spellings of an address are one address, and writing the canonical form again changes nothing."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from research.web.urls import canonical_url, parse_url
from tests.cases import cases

SAME = [
    ("HTTP://Example.COM/", "http://example.com/"),
    ("http://example.com", "http://example.com/"),
    ("http://example.com.", "http://example.com/"),
    ("http://example.com:80/", "http://example.com/"),
    ("https://example.com:443/a", "https://example.com/a"),
    ("https://example.com:8443/a", "https://example.com:8443/a"),
    ("http://example.com/a/./b/../c", "http://example.com/a/c"),
    ("http://example.com/../../a", "http://example.com/a"),
    ("http://example.com/a/%2e%2E/b", "http://example.com/b"),
    ("http://example.com/a/..", "http://example.com/"),
    ("http://example.com/%7euser/%c3%bc", "http://example.com/~user/%C3%BC"),
    ("http://example.com/ü b", "http://example.com/%C3%BC%20b"),
    ("http://example.com/100%", "http://example.com/100%25"),
    ("http://example.com/a#part", "http://example.com/a"),
    ("http://example.com/?b=2&a=1", "http://example.com/?a=1&b=2"),
    ("http://example.com/?a=2&a=1", "http://example.com/?a=2&a=1"),
    ("http://example.com/?", "http://example.com/"),
    ("http://example.com/?&&a=1&", "http://example.com/?a=1"),
    ("http://example.com/?flag", "http://example.com/?flag"),
    ("http://example.com/?utm_source=x&id=7&UTM_Campaign=y", "http://example.com/?id=7"),
    ("http://example.com/?gclid=1&fbclid=2&msclkid=3", "http://example.com/"),
    ("http://example.com/?%75tm_source=x", "http://example.com/"),
    ("http://example.com/a;jsessionid=0A1B?x=1", "http://example.com/a?x=1"),
    ("http://example.com/a;JSESSIONID=0A1B/b", "http://example.com/a/b"),
    ("http://example.com/?PHPSESSID=abc&q=1", "http://example.com/?q=1"),
    ("http://example.com/?sid=d41d8cd98f00b204e9800998ecf8427e", "http://example.com/"),
    ("http://example.com/?sid=12", "http://example.com/?sid=12"),
    ("http://example.com/?_=1700000000000", "http://example.com/"),
    ("http://example.com/?_=about", "http://example.com/?_=about"),
    ("http://example.com/?cb=1700000000.5", "http://example.com/"),
    ("  http://example.com/a\n", "http://example.com/a"),
    ("https://Müller.example/", "https://xn--mller-kva.example/"),
    ("https://xn--MLLER-kva.example/", "https://xn--mller-kva.example/"),
    ("http://ⓔⓧⓐⓜⓟⓛⓔ.com/", "http://example.com/"),
    ("http://example。com/", "http://example.com/"),
    ("http://2130706433/", "http://127.0.0.1/"),
    ("http://0x7f.0.0.1/", "http://127.0.0.1/"),
    ("http://[2001:DB8:0:0::1]:80/", "http://[2001:db8::1]/"),
]

NOT_ADDRESSES = [
    "",
    "example.com",
    "//example.com/",
    "ftp://example.com/",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "http:///path",
    "http://user:secret@example.com/",
    "http://user@example.com/",
    "http://example.com:99999/",
    "http://example.com:abc/",
    "http://exa mple.com/",
    "http://a..b/",
    "http://-a.example/",
    "http://good.example\\.bad.example/",
    "http://[::1",
    "http://[::1]x/",
    "http://[v1.x]/",
    "http://[1.2.3.4]/",
    "http://[fe80::1%25eth0]/",
    "http://1.2.3.4.5/",
    "http://256.1.1.1/",
    "http://example.com/" + "a" * 9_000,
]


@cases(("url", "canonical"), SAME)
def test_it_gives_spellings_of_one_page_one_form(url, canonical):
    assert canonical_url(url) == canonical


@cases("url", NOT_ADDRESSES)
def test_it_refuses_what_is_no_address_of_a_page(url):
    with pytest.raises(ValueError, match=r"."):
        canonical_url(url)


@pytest.mark.parametrize(("left", "right"), [("?a=1", "?a=2"), ("/a", "/A"), ("/a", "/a/"), ("?v=1", "?v=2")])
def test_it_keeps_different_pages_apart(left, right):
    assert canonical_url(f"http://example.com{left}") != canonical_url(f"http://example.com{right}")


PIECES = st.sampled_from(
    [
        *(
            "%",
            "%2",
            "%25",
            "%2e",
            ".",
            "..",
            "/",
            ";",
            "jsessionid=",
            "?",
            "&",
            "=",
            "#",
            "a",
            "ü",
            "\ud800",
            " ",
        ),
        *("utm_x=1", "_=1234567", "+", "\\", "sid=", "0123456789abcdef", "%C3%28", "@", ":", "[", "'", "\t"),
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
@example("/.;jsessionid=1/..")
@example("?%%32%35")
def test_it_is_stable_once_canonical(rest):
    once = canonical_url(f"http://example.com/{rest}")
    assert canonical_url(once) == once
    assert once.isascii()


@given(st.text(max_size=60))
def test_it_answers_any_text_with_a_form_or_a_refusal(text):
    try:
        once = canonical_url(f"http://{text}")
    except ValueError:
        return
    assert canonical_url(once) == once


def test_what_is_sent_keeps_the_query_as_it_was_given():
    address = parse_url("https://Example.com/x/../sign?z=1&utm_source=a&a=2#f")
    assert address.url == "https://example.com/sign?z=1&utm_source=a&a=2"
