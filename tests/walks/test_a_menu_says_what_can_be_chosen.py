"""Items of a page that is read on the server: their names, kinds and order, and what is left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.browsing.menu import arrange
from research.browsing.view import Form, shown
from research.errors import WalkRefused
from research.web.outline import outline
from research.web.selector import xpath_of
from tests.cases import cases

LINK = {"type": "LINK", "hint": "", "disabled": False, "how": {"kind": "link"}}


def items_of(html):
    return outline(html.encode(), url="http://town.example/")["items"]


@pytest.mark.django_db
def test_sections_come_first_and_junk_last_and_each_link_once(walk, site):
    view = walk("open", url=site.url())
    told = [(one["type"], one["label"]) for one in view["menuItems"]]
    assert told == [
        ("LINK", "Companies"),
        ("LINK", "Search"),
        ("BUTTON", "Closed today"),
        ("BUTTON", "Show more"),
        ("LINK", "The fair"),
        ("LINK", "The canton"),
        ("LINK", "Log in"),
        ("LINK", "Privacy"),
    ]
    assert [one["menuItemId"] for one in view["menuItems"]] == [f"m{number}" for number in range(8)]
    assert view["menuItems"][2]["disabled"] is True
    assert view["menuItems"][0]["href"] == site.url("/companies")


@pytest.mark.django_db
def test_names_are_those_of_the_accessibility_tree(walk, site):
    view = walk("open", url=site.url("/names"))
    named = {(one["type"], one["label"]) for one in view["menuItems"]}
    assert named == {
        ("BUTTON", "Open report"),
        ("BUTTON", "Close"),
        ("LINK", "Annual report"),
        ("LINK", "Chart"),
        ("INPUT", "Your town"),
        ("INPUT", "Year"),
        ("BUTTON", "Submit"),
        ("BUTTON", "Two lines"),
        ("LINK", "c"),
        ("TAB", "Directors"),
        ("MENUITEM", "Export"),
        ("BUTTON", "More"),
        ("BUTTON", "Off"),
    }
    assert next(one for one in view["menuItems"] if one["label"] == "Off")["disabled"] is True


@cases(
    ("html", "hint"),
    [
        ('<a href="/x" target="_blank">x</a>', "new window"),
        ('<a href="/x" download>x</a>', "download"),
        ('<input type="password" aria-label="x">', "password field"),
        ('<input type="checkbox" checked aria-label="x">', "checkbox, checked"),
        ('<button aria-expanded="false">x</button>', "collapsed"),
        ('<a href="/x" aria-current="page">x</a>', "current page"),
    ],
)
def test_a_hint_says_what_choosing_would_do(html, hint):
    assert items_of(html)[0]["hint"] == hint


@cases(
    ("html", "why"),
    [
        ("<p>text</p>", ""),
        ('<div id="app"></div><script src="/a.js"></script>', "it says little without its scripts"),
        (f"<p>{'word ' * 200}</p><script src='/a.js'></script>", ""),
        (
            f"<p>{'word ' * 200}</p><script></script><noscript>Please enable JavaScript</noscript>",
            "it asks for scripts",
        ),
        ("<my-list></my-list><script></script>", "it has elements of its own"),
        ('<iframe src="/f"></iframe>', "it has frames"),
        ('<div><template shadowrootmode="open"><a href="/x">x</a></template></div>', "it has shadow roots"),
        ('<p>text</p><script type="application/ld+json">{}</script>', ""),
    ],
)
def test_a_page_that_is_little_without_its_scripts_says_why(html, why):
    assert outline(html.encode(), url="http://town.example/")["scripted"] == why


def test_a_cut_menu_leaves_each_group_its_share():
    links = [{**LINK, "label": f"s{n}", "href": f"http://a.example/{n}"} for n in range(100)]
    others = [{**LINK, "label": f"d{n}", "href": f"http://a.example/x/{n}"} for n in range(5)]
    buttons = [{**LINK, "type": "BUTTON", "label": f"b{n}", "href": ""} for n in range(30)]
    kept = shown(arrange([*links, *others, *buttons], "http://a.example/"), 30)
    labels = [item["label"][0] for item in kept]
    assert (len(kept), labels.count("d"), labels.count("b")) == (30, 5, 10)


@pytest.mark.django_db
def test_few_items_and_a_short_text_are_told_when_the_settings_say_so(walk, site, settings):
    settings.DOSSIER_BROWSE_ITEMS, settings.DOSSIER_BROWSE_EXCERPT = 3, 20
    view = walk("open", url=site.url())
    assert (len(view["menuItems"]), view["menuItemsTotal"], view["excerpt"]) == (
        3,
        8,
        "Town of Example\nThe ",
    )


@given(st.text(max_size=300), st.integers(1, 20))
def test_any_text_is_a_page_and_no_label_breaks_a_line(text, limit):
    found = outline(
        f"<button>{text}</button><a href='{text}'>{text}</a>".encode("utf-8", "replace"),
        url="http://a.example/",
    )
    for item in shown(arrange(found["items"], "http://a.example/"), limit):
        assert "\n" not in item["label"]
        assert len(item["label"]) <= 80


def test_deep_nesting_ends():
    found = outline(b"<div>" * 5_000 + b"<a href=/x>end</a>", url="http://a.example/")
    assert len(found["items"]) <= 1


@cases(
    ("selector", "path"),
    [
        ("main", "//main"),
        ("#a .b", "//*[@id='a']//*[contains(concat(' ', normalize-space(@class), ' '), ' b ')]"),
        ("ul > li", "//ul/li"),
        ("a[href='x'], [role=tab]", "//a[@href='x'] | //*[@role='tab']"),
    ],
)
def test_a_selector_names_a_part(selector, path):
    assert xpath_of(selector) == path


@cases("selector", ["", "a:hover", "a + b", "//a", "a[", "x" * 201])
def test_what_is_no_selector_is_refused(selector):
    with pytest.raises(ValueError, match="selector"):
        xpath_of(selector)


@pytest.mark.django_db
def test_a_selector_that_is_none_is_a_refusal(walk, site):
    walk("open", url=site.url())
    with pytest.raises(WalkRefused, match="not a selector"):
        walk("menu", selector="//a")


def test_the_full_form_is_the_default():
    assert Form() == Form(50, 3_000, compact=False)
