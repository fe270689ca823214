"""What research costs, in a real browser: light and dark, empty and full, and a price entered by hand."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from research.models import ModelPrice
from tests.factories import ALL_RIGHTS, MacroFactory, RunFactory, StepFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("page")]
PRICES = [f"{verb}_modelprice" for verb in ("view", "add", "change", "delete")]
SPENDING = "admin:research_spending"
LIST, ADD = "admin:research_modelprice_changelist", "admin:research_modelprice_add"
READABLE = 4.5  # WCAG 2.2, 1.4.3
UNREADABLE = """(elements, readable) => {
  const channels = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
    .map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, at) => sum + c * [.2126, .7152, .0722][at], 0);
  const contrast = element => {
    let behind = element, ground = [255, 255, 255];
    for (; behind; behind = behind.parentElement) {
      const found = channels(getComputedStyle(behind).backgroundColor);
      if (found.length < 4 || found[3] > 0) { ground = found; break; }
    }
    const [a, b] = [light(channels(getComputedStyle(element).color)), light(ground)].sort((x, y) => y - x);
    return (a + .05) / (b + .05);
  };
  return elements.filter(each => each.checkVisibility({visibilityProperty: true}) && each.innerText.trim())
    .map(each => [contrast(each), each.innerText.slice(0, 60)]).filter(([ratio]) => ratio < readable);
}"""


@pytest.fixture
def at(live_server, page, log_in):
    """``at(name)`` opens a page, logged in."""
    log_in(UserFactory(username="petra", rights=[*ALL_RIGHTS, *PRICES]))

    def go(name, *args):
        page.goto(live_server.url + reverse(name, args=args))
        return page

    return go


@pytest.fixture
def spent():
    """Calls of a model, of a search, and of a model without a price, on three days."""
    run = RunFactory(macro=MacroFactory(name="dear-question"), model="anthropic:some-model", budget_usd=2)
    booked = [
        ("model", "turn", "0.75", "0", "known", 0),
        ("tool", "web_search", "0.024", "0", "known", 1),
        ("model", "turn", "0", "0.25", "unknown", 2),
    ]
    for seq, (kind, name, cost, lost, sure, days) in enumerate(booked, start=1):
        step = StepFactory(
            run=run,
            seq=seq,
            kind=kind,
            name=name,
            answer={"model": "some-model-2026"} if kind == "model" else {},
            usage={"cost": sure},
            cost_usd=Decimal(cost),
            lost_usd=Decimal(lost),
        )
        type(step).objects.filter(pk=step.pk).update(started_at=timezone.now() - timedelta(days=days))
    return run


def assert_readable(page, *selectors):
    """The text of all that is shown stands out from its ground, in light and in dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.reload()  # a colour that changes on an open page passes through others
        for selector in selectors:
            assert page.locator(selector).evaluate_all(UNREADABLE, READABLE) == [], (scheme, selector)


def test_spending_is_read_by_day_macro_and_model(at, page, spent, complaints):
    at(SPENDING)
    expect(page.locator(".dossier-total")).to_contain_text("0.774 USD and 1 call of unknown cost")
    expect(page.locator(".dossier-total")).to_contain_text("0.25 USD more possibly paid")
    rows = page.locator("section:has(h2:text('By model or paid tool')) tbody tr")
    assert rows.count() == 2
    expect(rows.filter(has_text="web_search")).to_contain_text("0.024")
    assert page.locator(".dossier-chart rect").count() == 30
    assert_readable(page, ".dossier-total span", ".dossier-periods a", "figcaption span", "td", "th", ".help")
    page.get_by_role("link", name="7 days").click()
    expect(page.get_by_role("link", name="7 days")).to_have_attribute("aria-current", "page")
    assert complaints == []


def test_no_spending_and_no_prices_say_so(at, page, complaints, settings):
    settings.DOSSIER_MODEL = "anthropic:some-model"
    at(SPENDING)
    expect(page.locator(".help").first).to_have_text("Nothing was asked in this time.")
    at(LIST)
    expect(page.locator(".dossier-note").first).to_contain_text("No price has been entered yet.")
    expect(page.locator(".dossier-note.is-warn")).to_contain_text("anthropic:some-model")
    assert_readable(page, ".dossier-note", ".dossier-note p", ".dossier-note code")
    assert complaints == []


def test_a_price_is_entered_and_a_wrong_one_is_refused_at_its_field(at, page, complaints):
    at(ADD)
    page.fill("#id_model", "some-model")
    page.fill("#id_input_usd", "-3")
    page.fill("#id_output_usd", "15")
    page.locator("form#modelprice_form").evaluate("form => form.noValidate = true")
    page.click("input[name=_save]")
    expect(page.locator(".field-input_usd .errorlist")).to_contain_text("not an amount of 0 or more")
    page.fill("#id_input_usd", "3")
    page.click("input[name=_save]")
    expect(page.locator(".messagelist")).to_contain_text("successfully")
    price = ModelPrice.objects.get()
    assert (price.model, price.valid_from, price.input_usd, price.cached_usd) == (
        "some-model",
        timezone.localdate(),
        3,
        3,
    )
    assert complaints == []


def test_it_works_without_scripts(at, page, spent, live_server, chromium):
    at(SPENDING)
    state = page.context.storage_state()
    plain = chromium.new_context(java_script_enabled=False, storage_state=state)
    other = plain.new_page()
    other.goto(live_server.url + reverse(SPENDING))
    expect(other.locator(".dossier-total")).to_contain_text("0.774 USD")
    other.get_by_role("link", name="a year").click()
    expect(other.locator(".dossier-total")).to_contain_text("3 calls")
    plain.close()
