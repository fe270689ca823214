"""Pages that need a browser: it is taken by itself, sees what a person sees, and is bounded in all it does."""

import os
import signal
from pathlib import Path
from uuid import UUID

import pytest

from research.browsing.chromium.browser import the_chromium
from research.errors import WalkRefused
from research.models import WalkView
from research.tools.browsing import call_browsing
from tests.walks.machines import INWARD
from tests.web.fetch.site import Page, Site

pytestmark = [pytest.mark.django_db, pytest.mark.browser]


@pytest.fixture
def press(walk, item):
    """Choose one item after the other by its label; the last view."""

    def pressed(view, *labels, **arguments):
        for label in labels:
            view = walk("choose", **item(view, label), settlePolicy="DOM_QUIET", **arguments)
        return view

    return pressed


def labels(view):
    return [one["label"] for one in view["menuItems"]]


def test_an_app_of_one_page_is_walked(walk, machine, press):
    start = walk("open", url=machine.url("/app"))
    rows = press(start, "List", "Show more")
    assert (start["engine"], rows["viewToken"]) == ("browser", "v3")
    assert rows["url"] == machine.url("/app#/list")
    assert "Alpenblick AG CHE-111.222.333" in rows["excerpt"]
    assert labels(walk("navigate", action="back")) == ["List"]
    assert walk("doc_get", documentId=rows["documentId"])["text"] == rows["excerpt"]


def test_a_page_that_is_whole_without_scripts_stays_with_the_plain_engine(walk, machine):
    assert walk("open", url=machine.url())["engine"] == "plain"


def test_a_button_of_a_plain_page_is_pressed_in_a_browser(walk, machine, press):
    machine.pages["/"] = Page(machine.pages["/"].body.replace(b"go()", b"this.after('Pressed')"))
    home = walk("open", url=machine.url())
    view = press(home, "Show more")
    assert (home["engine"], view["engine"], view["viewToken"]) == ("plain", "browser", "v2")
    assert "Pressed" in view["excerpt"]


def test_roles_and_states_are_those_of_the_accessibility_tree(walk, machine, press):
    view = walk("open", url=machine.url("/aria"))
    told = {(one["label"], one["type"], one["actionHint"]) for one in view["menuItems"]}
    assert told == {
        ("One", "TAB", "selected"),
        ("Two", "TAB", ""),
        ("Actions", "BUTTON", "collapsed"),
        ("Branch", "OTHER", "collapsed"),
        ("Open dialog", "BUTTON", ""),
    }
    assert "Panel 2" in press(view, "Two")["excerpt"]
    assert "Exported" in press(walk("menu"), "Actions", "Export")["excerpt"]
    dialog = press(walk("menu"), "Open dialog")
    assert labels(dialog) == ["Yes, close"]
    assert "Closed" in press(dialog, "Yes, close")["excerpt"]


@pytest.mark.parametrize(
    ("path", "label", "said"),
    [("/shadow", "Inside", "Pressed inside"), ("/frames", "In the frame", "Pressed in the frame")],
)
def test_shadow_roots_and_frames_are_part_of_the_page(walk, machine, press, path, label, said):
    view = walk("open", url=machine.url(path))
    assert labels(view) == [label]
    assert said in press(view, label)["excerpt"]


def test_fields_are_filled_in_and_lists_chosen(walk, machine, press):
    view = press(walk("open", url=machine.url("/fill")), "New", value="Alpen\n")
    view = press(press(view, "Colour", value="Blue"), "Tick")
    assert view["excerpt"].split()[-3:] == ["Alpen", "b", "ticked"]
    with pytest.raises(WalkRefused, match="there are: Red, Blue"):
        press(view, "Colour", value="Green")


def test_what_moves_by_itself_keeps_nobody_waiting(walk, machine):
    for path, policy in (("/clock", "DOM_QUIET"), ("/polls", "NETWORK_QUIET")):
        assert "notes" not in walk("open", url=machine.url(path), settlePolicy=policy)


def test_a_page_that_never_settles_is_told_as_far_as_it_came(walk, machine):
    view = walk("open", url=machine.url("/mutates"), settlePolicy="DOM_QUIET")
    assert "First words." in view["excerpt"]
    assert "had not settled after 5 s" in view["notes"][0]


def test_dialogs_walls_windows_files_and_forms_are_dealt_with_and_told(walk, machine, press):
    view = walk("open", url=machine.url("/dialogs"))
    assert view["notes"] == ["A dialog of the page was dismissed (alert): Welcome"]
    assert "You said false" in press(view, "Ask")["excerpt"]
    wall = walk("open", url=machine.url("/wall"))
    assert (wall["excerpt"].splitlines()[-1], labels(wall)) == ("Stored: none", ["Home"])
    assert "“Reject all”" in wall["notes"][0]
    windows = walk("open", url=machine.url("/windows"))
    followed = press(windows, "Other window")
    assert (followed["title"], "new window" in followed["notes"][0]) == ("Scroll", True)
    many = press(walk("navigate", action="back"), "Open many")
    assert many["url"].startswith(machine.url("/frame")) or many["title"] == "Windows"
    saves = press(walk("open", url=machine.url("/saves")), "Get it")
    assert saves["notes"] == ["The page wanted to save a file; downloads are refused."]
    sends = press(walk("open", url=machine.url("/sends")), "Do it")
    assert (sends["title"], sends["notes"]) == (
        "Sends",
        ["The page wanted to send a form; only searches are sent."],
    )
    assert "/order" not in machine.paths


def test_a_script_that_blocks_the_page_is_stopped(walk, machine, press):
    view = press(walk("open", url=machine.url("/blocks")), "Block")
    assert view["notes"] == ["A script of the page blocked it and was stopped."]
    assert "Before" in view["excerpt"]


def test_a_page_that_goes_on_by_itself_or_would_not_be_left_is_bounded(walk, machine, press):
    view = walk("open", url=machine.url("/reloads"))
    assert (view["title"], "its scripts were stopped" in view["notes"][0]) == ("Reloads", True)
    left = press(walk("open", url=machine.url("/stays")), "App")
    assert (left["title"], left["notes"]) == ("App", ["The page asked to stay; it was left."])


def test_no_request_of_a_page_reaches_a_private_address(walk, machine):
    inside = Site({"/secret": Page(b"secret")})
    machine.pages["/inward2"] = Page(INWARD.format(port=inside.port).encode())
    view = walk("open", url=machine.url("/inward2"), settlePolicy="NETWORK_QUIET")
    inside.close()
    assert inside.asked == []
    assert view["excerpt"] == "start refused refused refused refused refused refused refused done"
    assert "requests of the page were refused" in view["notes"][0]
    assert "169.254.169.254" in view["notes"][0]


@pytest.mark.parametrize("target", ["http://10.0.0.1/#/", "http://127.0.0.1:1/#/a"])
def test_a_private_address_is_not_opened_in_a_browser_either(walk, machine, target):
    with pytest.raises(WalkRefused) as refused:
        walk("open", url=target)
    assert refused.value.code == "blocked"


def test_an_item_that_is_gone_is_not_pressed(walk, machine, item):
    view = walk("open", url=machine.url("/loses"))
    again = item(view, "Once")
    chromium = the_chromium()
    chromium._wait(chromium._tabs[UUID(view["sessionId"])][0].page.evaluate("b.remove()"))
    with pytest.raises(WalkRefused, match="changed by itself") as refused:
        walk("choose", **again)
    assert refused.value.code == "changed"
    assert walk("menu")["menuItems"] == []


def test_a_browser_that_is_killed_in_mid_walk_is_replaced(walk, machine, press):
    rows = press(walk("open", url=machine.url("/app")), "List")
    killed = [int(one.name) for one in Path("/proc").glob("[0-9]*") if _is_our_browser(int(one.name))]
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    assert killed
    view = press(rows, "Show more")
    assert view["viewToken"] == "v3"
    assert "started anew" in view["notes"][0]
    assert "Alpenblick AG" in press(view, "Show more")["excerpt"]


def _is_our_browser(pid):
    """Whether this is the main process of a browser that descends from this process."""
    try:
        said = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
        if "--remote-debugging-pipe" not in said or any(word.startswith("--type=") for word in said):
            return False
        while pid not in (1, os.getpid()):
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError):
        return False
    return pid == os.getpid()


def test_sessions_share_no_cookies(machine, walk, db):
    from research.browsing.walks import Owner
    from tests.factories import UserFactory

    script = "o.textContent = 'was: ' + document.cookie; document.cookie = 'a=1'"
    machine.pages["/cookie"] = Page(f"<title>C</title><p id=o></p><script>{script}</script>".encode())
    other = Owner(person_id=UserFactory().pk)
    assert walk("open", url=machine.url("/cookie"))["excerpt"] == "was:"
    assert call_browsing("research_open", {"url": machine.url("/cookie")}, other)["excerpt"] == "was:"
    assert walk("navigate", action="reload")["excerpt"] == "was: a=1"


def test_a_picture_is_kept_when_it_is_wanted(walk, machine, settings):
    settings.DOSSIER_BROWSE_SCREENSHOTS = "always"
    walk("open", url=machine.url("/app"))
    (row,) = WalkView.objects.all()
    assert bytes(row.screenshot)[:3] == b"\xff\xd8\xff"
