"""Each hop is judged as the first address was; there are few of them, and none leads back."""

import pytest

from research.web.fetch import FetchFault
from tests.cases import cases
from tests.web.fetch.site import Page, fetcher_for


def to(location, status=302):
    return Page(b"", status=status, headers={"Location": location})


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_it_follows_a_redirect_and_says_where_it_came_to(open_site, status):
    site = open_site({"/a": to("/b?x=1", status), "/b?x=1": Page(b"<html>")})
    found = fetcher_for(site).fetch(site.url("/a"))
    assert (found.url, found.final_url) == (site.url("/a"), site.url("/b?x=1"))
    assert found.redirects == (site.url("/b?x=1"),)


def test_it_follows_to_another_site(open_site):
    there = open_site({"/": Page(b"<html>there")})
    here = open_site({"/": to(there.url())})
    assert fetcher_for(here, there).fetch(here.url()).body == b"<html>there"


def test_a_relative_redirect_is_read_from_where_it_stands(open_site):
    site = open_site({"/a/b": to("../c/ü"), "/c/%C3%BC": Page(b"<html>")})
    site.pages["/a/b"] = to("../c/ü".encode().decode("latin-1"))
    assert fetcher_for(site).fetch(site.url("/a/b")).final_url == site.url("/c/%C3%BC")


@cases(
    "location",
    [
        "http://127.0.0.1:{other}/",
        "http://2130706433:{other}/",
        "http://localhost:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://169.254.169.254/latest/meta-data/",
        "http://user:pw@127.0.0.1:{port}/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:{port}/",
        "data:text/html,hello",
        "javascript:alert(1)",
        "//10.0.0.1/",
        "http://[::1",
    ],
)
def test_a_redirect_out_of_bounds_is_refused_before_anything_connects(open_site, location):
    other = open_site({"/": Page(b"<html>secret")})
    site = open_site({})
    site.pages["/"] = to(location.format(port=site.port, other=other.port))
    with pytest.raises(FetchFault) as caught:
        fetcher_for(site).fetch(site.url())
    assert caught.value.code == "blocked"
    assert (site.paths, other.paths) == (["/robots.txt", "/"], [])


def test_a_page_that_leads_to_itself_ends(open_site):
    site = open_site({"/a": to("/b"), "/b": to("/a#again")})
    with pytest.raises(FetchFault) as caught:
        fetcher_for(site).fetch(site.url("/a"))
    assert (caught.value.code, site.paths) == ("redirect_loop", ["/robots.txt", "/a", "/b"])


def test_it_follows_five_redirects_and_not_six(open_site):
    site = open_site({f"/{n}": to(f"/{n + 1}") for n in range(6)} | {"/6": Page(b"<html>end")})
    fetcher = fetcher_for(site)
    assert fetcher.fetch(site.url("/1")).body == b"<html>end"
    with pytest.raises(FetchFault, match="More than 5") as caught:
        fetcher.fetch(site.url("/0"))
    assert caught.value.code == "redirect_loop"


def test_a_redirect_that_leads_nowhere_is_a_status(open_site):
    site = open_site({"/": Page(b"", status=302)})
    with pytest.raises(FetchFault) as caught:
        fetcher_for(site).fetch(site.url())
    assert (caught.value.code, caught.value.status) == ("status", 302)
