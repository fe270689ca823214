"""Forms, lists of hosts, sizes, private addresses: what is refused, by name, with nothing done."""

import pytest

from research.browsing.walks import Owner
from research.errors import WalkRefused
from research.models import Walk
from research.tools.browsing import call_browsing
from tests.cases import cases
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


def refused(walk, name, **arguments):
    with pytest.raises(WalkRefused) as error:
        walk(name, **arguments)
    return error.value


def test_a_search_is_filled_in_and_sent(walk, site, item):
    view = walk("open", url=site.url("/search"))
    view = walk("choose", **item(view, "Name of the company"), value="Alpen")
    view = walk("choose", **item(view, "Canton"), value="ZH")
    view = walk("choose", **item(view, "Also deleted ones"))
    assert [one["actionHint"] for one in view["menuItems"]][:3] == [
        "filled in: Alpen",
        "filled in: ZH",
        "checkbox, checked",
    ]
    found = walk("choose", **item(view, "Look up"))
    assert found["title"] == "Results"
    assert "Alpenblick AG Chur" in found["excerpt"]


def test_a_line_break_sends_the_form(walk, site, item):
    view = walk("open", url=site.url("/search"))
    assert walk("choose", **item(view, "Name of the company"), value="Alpen\n")["title"] == "Results"


@cases(
    ("label", "arguments", "why"),
    [
        ("Everything", {}, "is a download"),
        ("Buy now", {}, "may buy something"),
        ("Send", {}, "only searches are sent"),
        ("Password", {"value": "x"}, "never filled in"),
        ("User", {"value": "x"}, "asks for a password"),
        ("Enter", {}, "asks for a password"),
        ("Mail", {"value": "a@example.org"}, "never filled in"),
        ("Go", {"value": "x"}, "takes no value"),
        ("What", {"value": "x" * 200 + "y"}, "at most 200"),
    ],
)
def test_what_money_an_account_or_an_order_hangs_on_is_not_chosen(walk, site, item, label, arguments, why):
    view = walk("open", url=site.url("/forms"))
    asked = len(site.paths)
    assert why in refused(walk, "choose", **item(view, label), **arguments).message
    assert len(site.paths) == asked


def test_a_disabled_item_is_not_chosen(walk, site, item):
    view = walk("open", url=site.url())
    assert refused(walk, "choose", **item(view, "Closed today")).code == "disabled_item"


def test_a_button_that_only_a_script_handles_says_what_to_install(walk, site, item):
    view = walk("open", url=site.url())
    error = refused(walk, "choose", **item(view, "Show more"))
    assert error.code == "needs_browser"
    assert "pip install 'dossier[browser]'" in error.message
    assert walk("menu")["viewToken"] == "v1"


def test_a_page_that_says_little_without_scripts_says_so(walk, site):
    (note,) = walk("open", url=site.url("/scripted"))["notes"]
    assert "may say more in a browser" in note


@cases(
    ("path", "code"),
    [
        ("/large", "too_large"),
        ("/loop", "redirect_loop"),
        ("/inward", "blocked"),
        ("/login", "not_allowed"),
        ("/none", "status"),
    ],
)
def test_what_is_not_opened_is_a_typed_fault(walk, site, path, code):
    assert refused(walk, "open", url=site.url(path)).code == code


@cases(
    "url",
    [
        "http://127.0.0.1:1/",
        "http://localhost/",
        "file:///etc/passwd",
        "http://u:p@example.org/",
        "http://2130706433/",
    ],
)
def test_no_private_address_is_opened(walk, site, url):
    assert refused(walk, "open", url=url).code in ("blocked", "not_allowed")


def test_lists_of_hosts_decide_and_the_black_one_wins(walk, site, settings):
    settings.DOSSIER_BROWSE_INCLUDE = ["127.0.0.1"]
    settings.DOSSIER_BROWSE_EXCLUDE = ["127.0.0.1/c/*"]
    assert walk("open", url=site.url("/companies"))["title"] == "Companies"
    assert "list of what is not opened" in refused(walk, "navigate", target="/c/1").message
    settings.DOSSIER_BROWSE_INCLUDE = ["*.example.org"]
    assert "allowed are: *.example.org" in refused(walk, "open", url=site.url()).message


def test_orders_of_a_page_are_told_as_what_they_are(walk, site):
    view = walk("open", url=site.url("/orders"))
    assert any("gives orders to a machine" in note for note in view["notes"])


def test_a_run_has_so_many_views_and_goes_so_deep(site, settings):
    settings.DOSSIER_BROWSE_MAX_VIEWS, settings.DOSSIER_BROWSE_MAX_DEPTH = 3, 1
    owner = Owner(run_id=RunFactory(state="running").pk)
    call = lambda name, **arguments: call_browsing(f"research_{name}", arguments, owner)  # noqa: E731
    call("open", url=site.url("/companies"))
    entry = call("choose", menuItemId="m1", viewToken="v1")
    assert entry["title"] in ("Alpenblick AG", "Alpenrose GmbH")
    assert refused(call, "choose", menuItemId="m0", viewToken="v2").code == "limit_reached"
    call("open", url=site.url())
    assert refused(call, "open", url=site.url("/c/1")).code == "limit_reached"


@cases("word", ["NETWORK-QUIET", "dom", "navigation", "DOM_QUIET"])
def test_settle_policies_are_taken_with_either_engine(walk, site, word):
    assert walk("open", url=site.url(), settlePolicy=word)["viewToken"] == "v1"


def test_a_settle_policy_that_is_none_is_refused(walk, site):
    assert refused(walk, "open", url=site.url(), settlePolicy="SOON").code == "bad_arguments"
    assert not Walk.objects.exists()


def test_a_document_that_is_no_html_has_text_and_no_menu(walk, site):
    view = walk("open", url=site.url("/note.txt"))
    assert (view["excerpt"], view["menuItems"]) == ("A plain note about Alpenblick AG.", [])
