"""Seven hundred funds: parts come when they are opened, by the mouse or on the way to what failed, and stay open."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from research.jsontext import digest
from research.models import Decision
from research.services.reviews import preview_edits
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory, store_checks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
LAST = '[name="leaf:/funds/699/name"]'


@pytest.fixture
def review(live_server, page, log_in):
    funds = [{"name": f"Fund {number}", "isin": "x"} for number in range(700)]
    funds[650]["lei"] = "529900FAHFDMSXCPII15"
    data = {"name": "Allianz SE", "funds": funds}
    result = ResultFactory(data=data, digest=digest(data))
    store_checks(result, preview_edits(result=result).checks)
    log_in(UserFactory(username="petra", rights=ALL_RIGHTS))
    page.goto(live_server.url + reverse("admin:research_researchresult_review", args=[result.pk]))
    return page


def test_parts_are_opened_edited_and_named(review, complaints):
    review.click("#approve")
    expect(review.locator("dialog")).to_contain_text("Open what failed or is unknown")
    review.fill("dialog #reason", "fine")
    review.click("button[value=approve]")
    expect(review.locator("body")).to_contain_text("Not opened and not sound: Funds")
    assert not Decision.objects.exists()

    review.get_by_role("button", name="Back to editing").click()
    review.locator("#looks a").first.click()
    expect(review.locator('[name="leaf:/funds/650/lei"]')).to_be_visible()
    closed = review.locator(".part-closed").count()
    review.locator(".part-closed > summary").last.click()
    expect(review.locator(".part-closed")).to_have_count(closed - 1)
    expect(review.locator(LAST)).to_have_count(1)
    review.locator(f".item:has({LAST}) > summary").click()
    review.fill(LAST, "The last fund")
    expect(review.locator("#approve")).to_contain_text("1 edit")
    expect(review.locator("#approve")).to_be_enabled()
    expect(review.locator('[name="leaf:/funds/650/lei"]')).to_have_count(1)
    expect(review.locator("#bar-state")).to_contain_text("failed")

    review.click("#approve")
    expect(review.locator("dialog")).not_to_contain_text("Open what failed")
    review.fill("dialog #reason", "fine")
    review.click("button[value=approve]")
    expect(review.locator("#bar")).to_contain_text("who had opened")
    kept = Decision.objects.get()
    assert kept.data["funds"][699]["name"] == "The last fund"
    assert kept.displayed["values"] < kept.displayed["of"]
    assert {"/funds/650", "/funds/699"} < set(kept.displayed["places"])
    assert "/funds/698" not in kept.displayed["places"]
    assert [text for text in complaints if "422" not in text] == []
