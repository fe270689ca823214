"""The preview of a memo template that is refused, or that never comes, says why; the form keeps what was written."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.factories import UserFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def form(live_server, page, log_in):
    """The form of a new template, with its first preview shown."""
    log_in(UserFactory(username="petra", rights=["add_memotemplate", "view_memotemplate"]))
    page.goto(live_server.url + reverse("admin:research_memotemplate_new"))
    expect(page.frame_locator("iframe").locator("h1")).to_be_visible()
    return page


def test_a_refused_preview_says_which_field_and_keeps_the_last_one(form):
    form.fill("[name=summary-place]", "-5")
    expect(form.get_by_role("status")).to_contain_text("Executive summary: place: Ensure this value")
    expect(form.frame_locator("iframe").locator("h1")).to_be_visible()
    form.fill("[name=summary-place]", "1")
    expect(form.locator("#look-refused")).to_be_hidden()


def test_who_was_logged_out_meanwhile_is_told_and_loses_nothing(form):
    form.context.clear_cookies()
    form.fill("[name=header]", "Muster & Partner")
    expect(form.get_by_role("status")).to_contain_text("Log in in another tab")
    assert form.input_value("[name=header]") == "Muster & Partner"


def test_a_server_that_does_not_answer_is_told(form):
    form.context.set_offline(True)
    form.fill("[name=header]", "Muster & Partner")
    expect(form.get_by_role("status")).to_contain_text("Dossier did not answer")
