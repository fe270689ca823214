"""The contract of views: a token each, items that are good in their own view only, and ends of the history."""

import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from research.browsing.walks import Owner, take_number
from research.errors import WalkRefused
from research.models import Walk, WalkView
from research.tools.browsing import call_browsing
from tests.factories import RunFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_each_step_makes_a_view_with_a_new_token(walk, site, item):
    home = walk("open", url=site.url())
    companies = walk("choose", **item(home, "Companies"))
    entry = walk("choose", **item(companies, "Alpenblick AG"))
    back = walk("navigate", action="back")
    again = walk("navigate", action="reload")
    forward = walk("navigate", action="forward")
    views = [home, companies, entry, back, again, forward]
    assert [view["viewToken"] for view in views] == ["v1", "v2", "v3", "v4", "v5", "v6"]
    assert [view["title"] for view in views][2:] == [
        "Alpenblick AG",
        "Companies",
        "Companies",
        "Alpenblick AG",
    ]
    assert "CHE-111.222.333" in entry["excerpt"]
    assert {view["engine"] for view in views} == {"plain"}
    assert len({view["sessionId"] for view in views}) == 1


def test_a_menu_is_the_same_view_again(walk, site):
    home = walk("open", url=site.url())
    asked = len(site.paths)
    assert walk("menu") == home
    assert len(site.paths) == asked


def test_a_menu_can_be_that_of_a_part_of_the_page(walk, site):
    walk("open", url=site.url())
    labels = [one["label"] for one in walk("menu", selector="main")["menuItems"]]
    assert labels == ["Closed today", "Show more", "The canton"]


def test_an_old_token_is_refused_with_both_tokens_and_nothing_happens(walk, site, item):
    home = walk("open", url=site.url())
    walk("choose", **item(home, "Companies"))
    asked = len(site.paths)
    with pytest.raises(WalkRefused, match="Call research_menu") as refused:
        walk("choose", **item(home, "Search"))
    assert (refused.value.code, refused.value.detail) == (
        "stale_view_token",
        {"given": "v1", "current": "v2"},
    )
    assert len(site.paths) == asked
    assert walk("menu")["viewToken"] == "v2"


def test_an_unknown_item_is_another_refusal_that_names_it(walk, site):
    walk("open", url=site.url())
    with pytest.raises(WalkRefused, match="no item 'm99'") as refused:
        walk("choose", menuItemId="m99", viewToken="v1")
    assert (refused.value.code, refused.value.detail["current"]) == ("unknown_item", "v1")


@pytest.mark.parametrize("action", ["back", "forward"])
def test_both_ends_of_the_history_are_guarded(walk, site, action):
    walk("open", url=site.url())
    with pytest.raises(WalkRefused, match=f"nothing to go {action} to") as refused:
        walk("navigate", action=action)
    assert refused.value.code == "no_history"
    assert walk("menu")["viewToken"] == "v1"


def test_a_new_address_forgets_what_lay_ahead(walk, site):
    for path in ("/", "/companies"):
        walk("open", url=site.url(path))
    walk("navigate", action="back")
    walk("navigate", target="c/2")
    with pytest.raises(WalkRefused, match="nothing to go forward to"):
        walk("navigate", action="forward")
    assert walk("navigate", action="back")["title"] == "Town of Example"


def test_a_page_that_cannot_be_opened_leaves_the_view_as_it_is(walk, site, item):
    home = walk("open", url=site.url())
    with pytest.raises(WalkRefused) as refused:
        walk("navigate", target="/missing")
    assert (refused.value.code, refused.value.detail["current"]) == ("status", "v1")
    assert walk("choose", **item(home, "Companies"))["viewToken"] == "v2"


def test_nothing_can_be_asked_of_a_session_without_a_view(walk):
    for name, arguments in (
        ("menu", {}),
        ("choose", {"menuItemId": "m0", "viewToken": "v0"}),
        ("navigate", {"action": "back"}),
    ):
        with pytest.raises(WalkRefused, match="Call research_open"):
            walk(name, **arguments)


def test_nobody_steers_or_reads_the_session_of_somebody_else(walk, site):
    mine = walk("open", url=site.url())
    for stranger in (
        Owner(person_id=UserFactory().pk),
        Owner(run_id=RunFactory(state="running").pk),
        Owner(),
    ):
        for name in ("menu", "open", "navigate"):
            arguments = {"menu": {}, "open": {"url": site.url()}, "navigate": {"action": "reload"}}[name]
            with pytest.raises(WalkRefused) as refused:
                call_browsing(f"research_{name}", {**arguments, "sessionId": mine["sessionId"]}, stranger)
            assert refused.value.code == "unknown_session"
        links = call_browsing("research_external_links", {"sessionId": mine["sessionId"]}, stranger)
        assert links["links"] == []
    assert walk("menu")["viewToken"] == "v1"


def test_a_session_ends_when_nobody_has_used_it_for_long(walk, site, settings):
    mine = walk("open", url=site.url())
    past = timezone.now() - timedelta(minutes=settings.DOSSIER_BROWSE_IDLE_MINUTES + 1)
    Walk.objects.update(used_at=past)
    with pytest.raises(WalkRefused, match="ended at") as refused:
        walk("menu", sessionId=mine["sessionId"])
    assert refused.value.code == "ended_session"
    assert walk("open", url=site.url())["sessionId"] != mine["sessionId"]


def test_the_session_of_a_run_ends_with_it(site):
    run = RunFactory(state="running")
    owner = Owner(run_id=run.pk)
    view = call_browsing("research_open", {"url": site.url()}, owner)
    type(run).objects.update(state="succeeded")
    with pytest.raises(WalkRefused, match="ended at"):
        call_browsing("research_menu", {"sessionId": view["sessionId"]}, owner)


def test_of_two_with_the_same_token_one_goes_on(walk, site):
    view = walk("open", url=site.url())
    one, other = (Walk.objects.get(pk=view["sessionId"]) for _ in range(2))
    assert take_number(one) == 2
    with pytest.raises(WalkRefused) as refused:
        take_number(other)
    assert refused.value.detail == {"given": "v1", "current": "v2"}


def test_a_walk_whose_worker_died_goes_on_at_its_last_address(walk, site, item):
    home = walk("open", url=site.url("/companies"))
    take_number(Walk.objects.get(pk=home["sessionId"]))  # and then kill -9
    with pytest.raises(WalkRefused, match="Call research_menu"):
        walk("choose", **item(home, "Alpenblick AG"))
    again = walk("menu")
    assert (again["title"], again["viewToken"]) == ("Companies", "v3")
    assert "interrupted" in again["notes"][0]
    assert walk("choose", **item(again, "Alpenblick AG"))["title"] == "Alpenblick AG"


def test_every_view_is_archived_and_kept_as_a_step_of_the_walk(walk, site, item):
    home = walk("open", url=site.url("/companies"))
    entry = walk("choose", **item(home, "Alpenblick AG"))
    rows = list(WalkView.objects.order_by("number").values_list("number", "act", "chosen", "document"))
    assert rows == [(1, "open", "", home["documentId"]), (2, "choose", "Alpenblick AG", entry["documentId"])]
    found = walk("doc_get", documentId=entry["documentId"])
    assert (found["state"], found["text"]) == ("ok", entry["excerpt"])


@pytest.mark.django_db(transaction=True)
def test_calls_at_the_same_time_wait_for_each_other(site, owner):
    from django.db import connection

    def opened(path):
        answers.append(call_browsing("research_open", {"url": site.url(path)}, owner)["viewToken"])
        connection.close()

    answers: list[str] = []
    threads = [threading.Thread(target=opened, args=(path,)) for path in ("/", "/companies", "/c/1")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["v1", "v2", "v3"]
