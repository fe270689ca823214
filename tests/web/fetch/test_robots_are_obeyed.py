"""What a site's robots.txt says holds; a file that is not there forbids nothing, one in trouble everything for now."""

import pytest

from research.web.faults import FetchFault
from research.web.robots import Robots
from research.web.urls import parse_url
from tests.cases import cases
from tests.web.fetch.site import Page, fetcher_for


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def asking(text, url="https://example.com/private/a", agent="Dossier/0.1"):
    return Robots(agent).check(parse_url(url), lambda address: text)


@cases(
    "text",
    [
        "",
        "User-agent: *\nDisallow:",
        "User-agent: another\nDisallow: /",
        "User-agent: *\nDisallow: /\n\nUser-agent: Dossier\nAllow: /",
        "User-agent: *\nDisallow: /private/\nAllow: /private/a",
        "User-agent: a\nUser-agent: b\nDisallow: /\nUser-agent: c\nDisallow: /private",
        "<html><body>Not a robots file</body></html>",
        "\ufeff\0\0\0",
    ],
)
def test_it_reads_what_it_may(text):
    assert asking(text) == 0.0


@cases(
    "text",
    [
        "User-agent: *\nDisallow: /",
        "user-agent: *\r\ndisallow: /private/\r\n",
        "User-agent: dossier\nDisallow: /private",
        "User-agent: *\nAllow: /\n\nUser-agent: DOSSIER/2\nUser-agent: other\nDisallow: /",
        "User-agent: a\nUser-agent: Dossier\nDisallow: /*/a$",
        "User-agent: other\nUser-agent: *\nDisallow: /private/*",
    ],
)
def test_it_leaves_what_the_site_keeps_to_itself(text):
    if "DOSSIER/2" in text:
        text = text.replace("DOSSIER/2", "DOSSIER")
    with pytest.raises(FetchFault) as caught:
        asking(text)
    assert (caught.value.code, caught.value.retryable) == ("robots", False)


@cases(("wish", "seconds"), [("2", 2.0), ("0.5", 0.5), ("86400", 10.0), ("-1", 0.0), ("x", 0.0)])
def test_a_wish_for_slowness_is_honoured_up_to_a_bound(wish, seconds):
    assert asking(f"User-agent: *\nCrawl-delay: {wish}") == seconds


def test_it_asks_once_a_day_for_each_origin():
    clock, asked = Clock(), []
    robots = Robots("Dossier/0.1", clock=clock)

    def read(url):
        asked.append(url)
        return ""

    for url in ("https://a.example/1", "https://a.example/2", "http://a.example/", "https://a.example:8443/"):
        robots.check(parse_url(url), read)
    assert asked == [
        f"{o}/robots.txt" for o in ("https://a.example", "http://a.example", "https://a.example:8443")
    ]
    clock.now = 86_401.0
    robots.check(parse_url("https://a.example/3"), read)
    assert asked[-1] == "https://a.example/robots.txt"
    assert len(asked) == 4


def test_it_forgets_the_oldest_sites_first():
    robots, asked = Robots("Dossier", max_hosts=2), []
    for host in ("a", "b", "c", "b", "a"):
        robots.check(parse_url(f"https://{host}.example/"), lambda url: asked.append(url) or "")
    assert [url[8] for url in asked] == ["a", "b", "c", "a"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_file_that_is_not_there_forbids_nothing(open_site, status):
    site = open_site({"/robots.txt": Page(b"", status=status), "/": Page(b"<html>")})
    assert fetcher_for(site).fetch(site.url()).status == 200


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_file_in_trouble_forbids_everything_for_now(open_site, status):
    site = open_site({"/robots.txt": Page(b"", status=status), "/": Page(b"<html>")})
    with pytest.raises(FetchFault) as caught:
        fetcher_for(site).fetch(site.url())
    assert (caught.value.code, caught.value.retryable) == ("robots", True)
    assert site.paths == ["/robots.txt"]


def test_trouble_is_remembered_for_a_minute_only():
    clock, answers = Clock(), [FetchFault("timeout", "slow", retryable=True), ""]
    robots = Robots("Dossier", clock=clock)

    def read(url):
        answer = answers.pop(0)
        if isinstance(answer, FetchFault):
            raise answer
        return answer

    for now in (0.0, 59.0):
        clock.now = now
        with pytest.raises(FetchFault, match="cannot be read now") as caught:
            robots.check(parse_url("https://a.example/"), read)
        assert caught.value.retryable
    clock.now = 61.0
    assert robots.check(parse_url("https://a.example/"), read) == 0.0


def test_a_file_that_hangs_forbids_everything_for_now(open_raw):
    class Hanging(type(open_raw())):
        def _answer(self, connection):
            with connection:
                self._over.wait(30)

    site = Hanging()
    try:
        with pytest.raises(FetchFault) as caught:
            fetcher_for(site, limits={"seconds": 0.2}).fetch(site.url())
    finally:
        site.close()
    assert (caught.value.code, caught.value.retryable) == ("robots", True)


def test_each_hop_is_asked_for_at_its_own_site(open_site):
    there = open_site(
        {"/robots.txt": Page(b"User-agent: *\nDisallow: /", "text/plain"), "/": Page(b"<html>")}
    )
    here = open_site({"/": Page(b"", status=302, headers={"Location": there.url()})})
    with pytest.raises(FetchFault) as caught:
        fetcher_for(here, there).fetch(here.url())
    assert caught.value.code == "robots"
    assert there.paths == ["/robots.txt"]


def test_a_file_that_leads_inside_is_refused_like_any_page(open_site):
    site = open_site(
        {
            "/robots.txt": Page(b"", status=302, headers={"Location": "http://169.254.169.254/"}),
            "/": Page(b"<html>"),
        }
    )
    with pytest.raises(FetchFault) as caught:
        fetcher_for(site).fetch(site.url())
    assert caught.value.code == "blocked"
    assert site.paths == ["/robots.txt"]


def test_a_large_file_is_read_as_far_as_the_standard_asks(open_site):
    rules = b"User-agent: *\nDisallow: /early\n" + b"# filler\n" * 100_000 + b"Disallow: /late\n"
    site = open_site({"/robots.txt": Page(rules, "text/plain"), "/late": Page(b"x"), "/early": Page(b"x")})
    fetcher = fetcher_for(site)
    assert fetcher.fetch(site.url("/late")).status == 200
    with pytest.raises(FetchFault, match="asks not to read"):
        fetcher.fetch(site.url("/early"))


def test_thousands_of_robots_in_one_file_cost_no_more_than_one(monkeypatch):
    added = []
    monkeypatch.setattr("protego._ruleset._RuleSet.disallow", lambda self, pattern: added.append(pattern))
    agents = "".join(f"User-agent: r{n}\n" for n in range(20_000))
    asking(agents + "".join(f"Disallow: /{n}\n" for n in range(5_000)))
    assert len(added) == 5_000
