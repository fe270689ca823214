"""A page that stood open: the log-in expired, somebody else logged in, the network went away, a proxy answered.

Nothing is approved on checks that are not those of the edits, and nothing that was typed is lost.
"""

import re

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from research.models import Decision, Draft
from research.services.reviews import reject_result
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
PASSWORD = "correct horse"
NAME = 'input[name="leaf:/name"]'  # and not that of the form in which a script sends the draft


@pytest.fixture
def person():
    person = UserFactory(username="petra", rights=ALL_RIGHTS)
    person.set_password(PASSWORD)
    person.save()
    return person


@pytest.fixture
def result():
    return ResultFactory(data={"name": "Allianz SE", "note": "as found"})


@pytest.fixture
def review(live_server, page, log_in, person, result):
    """The review page, opened by Petra."""
    log_in(person)
    page.goto(live_server.url + reverse("admin:research_researchresult_review", args=[result.pk]))
    return page


def expire():
    """Every session ends, as after its time or where they are kept in a cache that was restarted."""
    Session.objects.all().delete()


def log_in_in_another_tab(page, name="petra"):
    """By the log-in form, which also changes the token of the forms that are open."""
    with page.context.expect_page() as opened:
        page.locator("#trouble").get_by_role("link", name="Log in").click()
    tab = opened.value
    tab.fill("[name=username]", name)
    tab.fill("[name=password]", PASSWORD)
    tab.click("[type=submit]")
    tab.wait_for_load_state()
    tab.close()
    page.bring_to_front()


def go_on(page):
    page.locator("#trouble").get_by_role("button", name="Try again").click()


def expect_trouble(page, words):
    expect(page.locator("#trouble")).to_contain_text(re.compile(words))
    expect(page.locator("#approve")).to_be_disabled()
    expect(page.locator("#bar-state")).not_to_contain_text("No check failed")


def test_a_log_in_that_expired_before_edits_were_checked(review, result):
    expire()
    review.fill(NAME, "Mine")
    expect(review.locator("#approve")).to_be_disabled()
    expect_trouble(review, "You are logged out")
    log_in_in_another_tab(review)
    go_on(review)
    expect(review.locator("#trouble")).to_be_hidden()
    expect(review.locator("#approve")).to_be_enabled()
    expect(review.locator("#bar-state")).to_contain_text("No check failed")
    review.click("#approve")
    review.click("button[value=approve]")
    expect(review.locator("body")).to_contain_text("Approved with 1 edit")
    assert Decision.objects.get().data["name"] == "Mine"


def test_a_log_in_that_expired_before_the_signature(review):
    review.fill(NAME, "Mine")
    expect(review.locator("#approve")).to_be_enabled()
    review.click("#approve")
    review.fill("#reason", "as in the register")
    expire()
    review.click("button[value=approve]")
    expect_trouble(review, "You are logged out")
    assert not Decision.objects.exists()
    log_in_in_another_tab(review)
    go_on(review)
    expect(review.locator("#approve")).to_be_enabled()
    review.click("#approve")
    review.click("button[value=approve]")
    expect(review.locator("body")).to_contain_text("Approved with 1 edit")


def test_a_log_in_that_changed_the_token_does_not_eat_what_is_sent(review, live_server):
    tab = review.context.new_page()
    expire()
    tab.goto(live_server.url + reverse("admin:index"))
    tab.fill("[name=username]", "petra")
    tab.fill("[name=password]", PASSWORD)
    tab.click("[type=submit]")
    tab.wait_for_load_state()
    review.fill(NAME, "Mine")
    expect(review.locator("#approve")).to_be_enabled()
    review.locator("#reject").click()
    review.fill("#reject_reason", "another company")
    tab.reload()
    review.click("button[value=reject]")
    expect(review.locator("body")).to_contain_text("Rejected. The reason is kept")
    assert Decision.objects.get().reason == "another company"


def test_who_leaves_the_page_while_logged_out_finds_the_edits_again(review, live_server, result):
    expire()
    review.on("dialog", lambda dialog: dialog.accept())
    review.fill(NAME, "Mine")
    expect_trouble(review, "You are logged out")
    review.reload()
    review.fill("[name=username]", "petra")
    review.fill("[name=password]", PASSWORD)
    review.click("[type=submit]")
    expect(review.locator(NAME)).to_have_value("Mine")
    expect(review.locator("#approve")).to_contain_text("1 edit")
    assert Draft.objects.get().typed["leaf:/name"] == "Mine"
    review.reload()
    review.goto(live_server.url + reverse("admin:research_researchresult_review", args=[result.pk]))
    expect(review.locator("#draft-note")).to_contain_text("Your draft of")
    review.get_by_role("button", name="Discard it").click()
    expect(review.locator(NAME)).to_have_value("Allianz SE")
    assert not Draft.objects.exists()
    assert "dossier-draft" not in review.evaluate("JSON.stringify(localStorage)")


def test_somebody_else_who_logs_in_signs_nothing_of_it(review, live_server, result):
    carl = Client()
    carl.force_login(UserFactory(username="carl", rights=ALL_RIGHTS))
    review.fill(NAME, "Mine")
    expect(review.locator("#approve")).to_be_enabled()
    session = carl.cookies[settings.SESSION_COOKIE_NAME].value
    review.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
    )
    review.locator("#reject").click()
    review.fill("#reject_reason", "no")
    review.click("button[value=reject]")
    expect_trouble(review, "logged in as carl")
    assert not Decision.objects.exists()
    review.on("dialog", lambda dialog: dialog.accept())
    review.goto(live_server.url + reverse("admin:research_researchresult_review", args=[result.pk]))
    expect(review.locator(NAME)).to_have_value("Allianz SE")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"status": 500, "content_type": "text/html", "body": "<h1>Sorry</h1>"}, r"failed \(error 500\)"),
        ({"status": 502, "content_type": "text/plain", "body": "Bad gateway"}, r"failed \(error 502\)"),
        ({"status": 200, "content_type": "text/html", "body": "<h1>Welcome to the hotel</h1>"}, "proxy"),
        ({"status": 200, "content_type": "application/json", "body": "{}"}, "proxy"),
        ({"status": 403, "content_type": "text/html", "body": "no"}, "may not review|proxy"),
        (None, "does not answer"),
    ],
)
def test_what_is_no_answer_is_told_and_the_page_goes_on_when_one_comes(review, answer, words):
    def meet(route):
        if route.request.method == "GET" and "standing" not in route.request.url:
            return route.continue_()
        return route.fulfill(**answer) if answer else route.abort()

    review.route("**/review/**", meet)
    review.fill(NAME, "Mine")
    expect_trouble(review, words)
    review.unroute("**/review/**")
    go_on(review)
    expect(review.locator("#trouble")).to_be_hidden()
    expect(review.locator("#approve")).to_be_enabled()
    assert Draft.objects.get().typed["leaf:/name"] == "Mine"


def test_an_old_answer_is_not_taken_for_the_answer(review):
    old = []

    def repeat(route):
        if route.request.method != "POST":
            return route.continue_()
        if not old:
            old.append(route.fetch())
        return route.fulfill(response=old[0])

    review.route("**/review/", repeat)
    review.fill(NAME, "Mine")
    expect(review.locator("#approve")).to_be_enabled()
    review.fill(NAME, "Mine again")
    expect_trouble(review, "proxy")


def test_two_windows_of_one_person(review, live_server, result):
    other = review.context.new_page()
    other.goto(live_server.url + reverse("admin:research_researchresult_review", args=[result.pk]))
    review.fill(NAME, "Mine")
    expect(review.locator("#approve")).to_be_enabled()
    other.fill('[name="leaf:/note"]', "other")
    expect(other.locator("#draft-note")).to_contain_text("Another window of yours")
    assert "leaf:/note" not in Draft.objects.get().typed
    other.get_by_role("button", name="Keep those of this window").click()
    expect(other.locator("#draft-note")).not_to_contain_text("Another window")
    assert Draft.objects.get().typed["leaf:/note"] == "other"


def test_a_decision_made_meanwhile_shows_the_edits_that_came_too_late(review, live_server, result):
    review.fill(NAME, "Mine")
    expire()
    review.fill(NAME, "Mine again")
    expect_trouble(review, "You are logged out")
    carl = UserFactory(username="carl", rights=ALL_RIGHTS)
    reject_result(result=result, reviewer=carl, digest=result.digest, reason="no")
    review.on("dialog", lambda dialog: dialog.accept())
    review.reload()
    review.fill("[name=username]", "petra")
    review.fill("[name=password]", PASSWORD)
    review.click("[type=submit]")
    expect(review.locator("#own-edits")).to_contain_text("Mine again")
    review.goto(live_server.url + reverse("admin:research_researchresult_review", args=[result.pk]))
    expect(review.locator("#leftover")).to_contain_text("Mine again")
    review.get_by_role("button", name="Discard them").click()
    expect(review.locator("#leftover")).to_have_count(0)
