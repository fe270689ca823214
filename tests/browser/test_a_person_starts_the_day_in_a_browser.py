"""The start page in a real browser: narrow and wide, light and dark, and from there to a question and a review."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from research.models import Macro, Run
from research.models.states import Verdict
from research.services.macros import sync_macros
from research.services.reviews import approve_result, reject_result
from tests.browser.test_a_person_looks_at_money_in_a_browser import assert_readable
from tests.factories import ALL_RIGHTS, CheckFactory, ResultFactory, RunFactory, StepFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("page")]
PASSWORD = "correct horse"
WIDER = "document.documentElement.scrollWidth - window.innerWidth"


@pytest.fixture
def person():
    return UserFactory(username="petra", rights=[*ALL_RIGHTS, "view_watch", "view_goldencopyimport"])


@pytest.fixture
def start(live_server, log_in, person):
    """The start page of somebody who is logged in."""
    sync_macros()
    page = log_in(person)
    page.goto(live_server.url)
    expect(page.locator(".start")).to_be_visible()
    return page


def test_whoever_logs_in_comes_to_it(live_server, page, person, complaints):
    person.set_password(PASSWORD)
    person.save()
    page.goto(live_server.url)
    page.fill("#id_username", person.username)
    page.fill("#id_password", PASSWORD)
    page.click("input[type=submit]")
    expect(page.locator(".start")).to_be_visible()
    assert complaints == []


def test_it_is_read_in_every_light_and_on_every_screen(start, complaints):
    ResultFactory(run__params={"client_name": "Donaudampfschifffahrtsgesellschaft" * 3})
    RunFactory(state="failed", finished_at=timezone.now(), error={"code": "network", "message": "x" * 200})
    start.reload()
    expect(start.locator("#waiting")).to_contain_text("2")
    for width in (390, 1440):
        start.set_viewport_size({"width": width, "height": 900})
        assert start.evaluate(WIDER) <= 0, width
        assert_readable(
            start,
            ".start h1",
            ".start-button",
            ".start-list a",
            ".start-list small",
            ".start-list p",
            ".start-count",
        )
    assert complaints == []


def test_no_page_is_wider_than_a_phone(start, live_server, complaints):
    person = User.objects.get(username="petra")
    result = ResultFactory()
    reject_result(result=result, reviewer=person, digest=result.digest, reason="a reason of many words " * 8)
    person.is_superuser = True
    person.save()
    start.set_viewport_size({"width": 390, "height": 844})
    for name, args in (
        ("entities_goldencopyimport_changelist", []),
        ("research_memotemplate_new", []),
        ("research_macro_ask", [Macro.objects.get(name="legal-research").pk]),
        ("research_run_change", [result.run_id]),
        ("research_researchresult_review", [result.pk]),
        ("research_spending", []),
    ):
        start.goto(live_server.url + reverse(f"admin:{name}", args=args))
        assert start.evaluate(WIDER) <= 0, name
    assert complaints == []


LISTS = ("run", "researchresult", "check", "step", "document", "watch", "verbcall", "auditevent")
SCROLLS = """() => [...document.querySelectorAll("#changelist .results, .inline-group")]
    .filter((box) => box.scrollWidth > box.clientWidth + 1).length"""


def test_no_list_scrolls_sideways(start, live_server, complaints):
    person = User.objects.get(username="petra")
    person.is_superuser = True
    person.save()
    result = ResultFactory(run__params={"client_name": "Donaudampfschifffahrtsgesellschaft" * 2})
    approve_result(result=result, reviewer=person, digest=result.digest, edits=[], reason="as it is")
    CheckFactory(result=result, verdict=Verdict.FAIL, message="too-long-a-word-for-a-cell" * 4)
    StepFactory(run=result.run, kind="tool", name="get_holder_distribution")
    lists = [reverse(f"admin:research_{name}_changelist") for name in LISTS]
    for address in [*lists, reverse("admin:research_run_change", args=[result.run_id])]:
        start.goto(live_server.url + address)
        for width in (390, 1024, 1440):
            start.set_viewport_size({"width": width, "height": 900})
            assert start.evaluate(SCROLLS) == 0, (address, width)
            assert start.evaluate(WIDER) <= 0, (address, width)
    assert complaints == []


def test_the_cells_of_a_narrow_list_say_of_which_column_they_are(start, live_server):
    RunFactory(state="running")
    start.set_viewport_size({"width": 390, "height": 844})
    start.goto(live_server.url + reverse("admin:research_run_changelist"))
    cell = start.locator("#result_list td.field-status")
    expect(cell).to_have_attribute("data-label", "State")
    shown = "cell => getComputedStyle(cell, '::before').content"
    assert "State" in cell.evaluate(shown) or "data-label" in cell.evaluate(shown)
    start.set_viewport_size({"width": 1440, "height": 900})
    assert cell.evaluate(shown) == "none"


def test_a_question_is_asked_from_it(start, complaints):
    start.set_viewport_size({"width": 390, "height": 844})
    start.get_by_role("link", name="Start research").click()
    start.get_by_role("link", name="Client discovery").click()
    start.fill("[name='param:client_name']", "Allianz SE")
    start.get_by_role("button", name="Start the run").click()
    expect(start.locator(".messagelist")).to_contain_text("The run is queued.")
    assert Run.objects.get().title == "Allianz SE"
    start.goto(start.url.partition("/admin/")[0] + reverse("admin:index"))
    expect(start.locator("#running")).to_contain_text("1")
    assert complaints == []


def test_a_review_is_opened_from_it(start, complaints):
    result = ResultFactory(run__params={"client_name": "Muster SE"})
    start.reload()
    start.get_by_role("link", name="Muster SE").click()
    expect(start).to_have_url(
        start.url.partition("/admin/")[0] + reverse("admin:research_researchresult_review", args=[result.pk])
    )
    expect(start.locator("#approve")).to_be_visible()
    assert complaints == []
