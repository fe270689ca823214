"""What the page shows in a browser is what the decision says was shown, under every filter and in every fold."""

import pytest
from django.urls import reverse

from research.admin.gate.fields import FILTERS
from research.jsontext import digest
from research.models import Decision
from research.services.reviews import approve_result, preview_edits
from tests.factories import ALL_RIGHTS, ResultFactory, RunFactory, UserFactory, store_checks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
RETIRED = "529900FAHFDMSXCPII15"
SEEN = """() => [...document.querySelectorAll("[data-row].row-leaf")].filter((row) => row.checkVisibility())
  .map((row) => row.querySelector("[data-leaf]")).filter((field) => field.value).map((field) => field.name.slice(5))"""


def seen(page):
    return set(page.evaluate(SEEN))


@pytest.fixture
def petra():
    return UserFactory(username="petra", rights=ALL_RIGHTS)


@pytest.fixture
def review(live_server, page, log_in, petra):
    """The page of an answer that was approved before: one fund is new, one is retired, twenty are as they were."""
    funds = [{"name": f"Fund {number}", "isin": "x"} for number in range(20)]
    funds[4]["lei"] = RETIRED
    before = {"name": "Allianz SE", "country": "DE", "funds": funds}
    run = RunFactory(state="succeeded")
    old = ResultFactory(run=run, data=before, digest=digest(before))
    baseline = approve_result(result=old, reviewer=petra, digest=old.digest, reason="Funds", shown=[""])
    data = {**before, "funds": [*funds, {"name": "The new fund"}]}
    rerun = RunFactory(macro=run.macro, state="succeeded")
    result = ResultFactory(run=rerun, data=data, digest=digest(data), baseline=baseline)
    store_checks(result, preview_edits(result=result).checks)
    log_in(petra)
    page.goto(live_server.url + reverse("admin:research_researchresult_review", args=[result.pk]))
    return page


def sign(page):
    page.click("#approve")
    page.fill("dialog #reason", "The funds are as they were.")
    page.click("button[value=approve]")
    page.wait_for_selector(".bar-told")
    return Decision.objects.latest("pk")


def values(kept):
    """The places of a decision, each down to its values."""

    def below(place, value):
        if not isinstance(value, dict | list):
            return {place}
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return set().union(*(below(f"{place}/{key}", item) for key, item in items))

    def at(place):
        value = kept.data
        for key in place.split("/")[1:]:
            value = value[int(key)] if isinstance(value, list) else value[key]
        return value

    return set().union(*(below(place, at(place)) for place in kept.displayed["places"]))


def test_each_filter_shows_what_the_decision_says(review, complaints):
    shown = seen(review)
    assert shown == {"/funds/20/name"}, "only what changed is shown when the page is opened"
    for name in FILTERS[1:]:
        review.click(f"label[for=show-{name}]")
        shown |= seen(review)
    assert "/funds/4/lei" in shown
    assert "/name" not in shown

    kept = sign(review)
    assert values(kept) == shown
    assert kept.displayed["values"] == len(shown)
    assert complaints == []


def test_a_fold_that_is_opened_and_shut_again_counts_as_it_was_seen(review):
    review.click("label[for=show-all]")
    shown = seen(review)
    assert "/funds/7/name" not in shown
    summary = review.locator('.item:has([name="leaf:/funds/7/name"]) > summary')
    summary.click()
    shown |= seen(review)
    summary.click()
    assert "/funds/7/name" in shown - seen(review)

    assert values(sign(review)) == shown | {"/funds/20/name"}


def test_a_fold_that_a_filter_opens_shows_only_what_the_filter_shows(review):
    review.click("label[for=show-all]")
    shown = seen(review)
    review.click("label[for=show-failed]")
    review.click("label[for=show-all]")
    assert seen(review) == shown
    assert values(sign(review)) == shown
