"""Prices are entered, spending is looked at, and a run shows its money; what is not known is not shown as zero."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from research.admin.spending import bars
from research.models import AuditEvent, Macro, ModelPrice, Run, Step
from research.services.macros import sync_macros
from research.services.spending import Row, Spend
from tests.factories import ALL_RIGHTS, MacroFactory, RunFactory, StepFactory, UserFactory

pytestmark = pytest.mark.django_db
PRICES = [f"{verb}_modelprice" for verb in ("view", "add", "change", "delete")]
LIST, ADD = "admin:research_modelprice_changelist", "admin:research_modelprice_add"
SPENDING = "admin:research_spending"
DAY = {"model": "anthropic:some-model", "valid_from": "2026-11-01", "input_usd": "3", "output_usd": "15"}


@pytest.fixture
def person(client):
    person = UserFactory(rights=[*ALL_RIGHTS, *PRICES])
    client.force_login(person)
    return person


@pytest.fixture
def paid():
    """A run that spent 0.75 of 2 dollars, lost 0.25, and has one call of a model without a price."""
    run = RunFactory(
        macro=MacroFactory(name="dear-question"),
        model="anthropic:some-model",
        budget_usd=Decimal(2),
        spent_usd=Decimal("0.75"),
        lost_usd=Decimal("0.25"),
        reserved_usd=Decimal("0.5"),
    )
    for seq, (cost, lost, sure) in enumerate([("0.75", "0", "known"), ("0", "0.25", "unknown")], start=1):
        Step.objects.create(
            run=run,
            seq=seq,
            kind="model",
            name="turn",
            answer={"text": "", "stop": "end", "model": "some-model-2026"},
            usage={"cost": sure},
            cost_usd=Decimal(cost),
            lost_usd=Decimal(lost),
            fence=1,
            answered_at=timezone.now(),
        )
    return run


def page_of(client, run):
    return client.get(reverse("admin:research_run_change", args=[run.pk])).content.decode()


def test_an_empty_table_says_what_to_enter_and_why(client, person, settings):
    settings.DOSSIER_MODEL = "register,anthropic:some-model"
    page = client.get(reverse(LIST)).content.decode()
    for words in (
        "No price has been entered yet.",
        "per million tokens",
        "enter 0",
        "research prices --import",
    ):
        assert words in page
    assert "<code>anthropic:some-model</code>" in page
    assert reverse(ADD) in page.partition('class="object-tools"')[2]


def test_a_price_is_entered_by_the_form_and_recorded(client, person):
    assert client.post(reverse(ADD), {**DAY, "search_usd": ""}).status_code == 302
    price = ModelPrice.objects.get()
    assert (price.model, price.input_usd, price.cached_usd, price.search_usd) == ("some-model", 3, 3, 0)
    assert AuditEvent.objects.get(action="price.set").actor == person
    assert "No price has been entered yet." not in client.get(reverse(LIST)).content.decode()


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("input_usd", "-1"),
        ("input_usd", ""),
        ("output_usd", "dear"),
        ("cached_usd", "NaN"),
        ("model", " "),
        ("valid_from", "soon"),
    ],
)
def test_a_price_that_is_none_is_refused_at_its_field(client, person, field, text):
    page = client.post(reverse(ADD), {**DAY, field: text})
    assert page.status_code == 200
    assert field in page.context["adminform"].form.errors
    assert not ModelPrice.objects.exists()


def test_a_price_is_corrected_and_taken_back(client, person):
    client.post(reverse(ADD), DAY)
    price = ModelPrice.objects.get()
    changed = {"input_usd": "4", "output_usd": "15", "cached_usd": "0.4"}
    client.post(reverse("admin:research_modelprice_change", args=[price.pk]), changed)
    assert ModelPrice.objects.values_list("model", "valid_from", "input_usd", "cached_usd").get() == (
        "some-model",
        date(2026, 11, 1),
        4,
        Decimal("0.4"),
    )
    client.post(reverse("admin:research_modelprice_delete", args=[price.pk]), {"post": "yes"})
    assert not ModelPrice.objects.exists()
    assert AuditEvent.objects.filter(action="price.removed").exists()


def test_who_may_only_look_changes_no_price(client):
    client.force_login(UserFactory(rights=PRICES[:1]))
    assert client.get(reverse(LIST)).status_code == 200
    assert client.post(reverse(ADD), DAY).status_code == 403


def test_the_page_of_a_run_shows_its_money_and_its_steps(client, person, paid):
    page = page_of(client, paid)
    for words in (
        "spent 0.75 USD and 1 call of unknown cost",
        "possibly paid 0.25 USD",
        "reserved 0.50 USD",
        "budget 2.00 USD",
        "2 of 20 turns",
        "unknown (possibly 0.25 more)",
    ):
        assert words in page
    assert 'width="37.5"' in page
    assert "anthropic:some-model" in page


def test_a_run_without_a_budget_says_so(client, person):
    assert "no budget in USD" in page_of(client, RunFactory())


def test_the_page_on_spending_has_every_sum_and_a_chart(client, person, paid):
    page = client.get(reverse(SPENDING)).content.decode()
    for words in (
        "0.75 USD and 1 call of unknown cost",
        "some-model-2026",
        "dear-question",
        "0.25",
        "<svg",
        "<rect",
    ):
        assert words in page
    assert "style=" not in page.partition('class="dossier-spending"')[2]


def test_the_page_on_spending_is_for_those_who_may_see_runs(client, paid):
    client.force_login(UserFactory(rights=["view_macro"]))
    assert client.get(reverse(SPENDING)).status_code == 403


@pytest.mark.parametrize("days", ["7", "365", "x", ""])
def test_any_time_can_be_asked_for(client, person, paid, days):
    assert client.get(reverse(SPENDING), {"days": days}).status_code == 200


def test_the_chart_has_a_bar_a_day_and_a_trace_of_what_is_unknown():
    first = date(2026, 11, 1)
    rows = [Row("2026-11-01", Spend(Decimal(4), calls=1)), Row("2026-11-03", Spend(calls=2, unknown=2))]
    drawn = bars(rows, first, first + timedelta(days=3))
    assert [bar.height > 0 for bar in drawn] == [True, False, True, False]
    assert drawn[0].height > 10 * drawn[2].height
    assert "unknown" in drawn[2].words


def test_the_page_of_a_macro_says_what_its_questions_cost(client, person, paid):
    page = client.get(reverse("admin:research_macro_change", args=[paid.macro.pk])).content.decode()
    assert "0.75 USD and 1 call of unknown cost; in the last 30 days 0.75 USD" in page


def test_a_budget_is_given_when_asking(client, person, settings):
    sync_macros()
    settings.DOSSIER_MODEL = "register"
    ask = reverse("admin:research_macro_ask", args=[Macro.objects.get(name="client-discovery").pk])
    assert "Answered by <code>register</code>" in client.get(ask).content.decode()
    fields = {"param:client_name": "Allianz SE", "autonomy": "balanced", "depth": "quick"}
    assert client.post(ask, {**fields, "budget_usd": "-1"}).status_code == 400
    client.post(ask, {**fields, "budget_usd": "1.25"})
    assert Run.objects.get().budget_usd == Decimal("1.25")


def test_a_run_whose_money_is_spent_goes_on_with_more(client, person):
    run = RunFactory(
        state="awaiting_confirmation", phase="budget", budget_usd=Decimal(1), spent_usd=Decimal(1)
    )
    page = page_of(client, run)
    assert "The budget does not suffice for the next call." in page
    assert 'name="budget_usd"' in page
    confirm = reverse("admin:research_run_confirm", args=[run.pk])
    for text in ("", "1", "lots", "inf"):
        client.post(confirm, {"budget_usd": text})
        run.refresh_from_db()
        assert run.state == "awaiting_confirmation"
    client.post(confirm, {"budget_usd": "2"})
    run.refresh_from_db()
    assert (run.state, run.budget_usd) == ("queued", 2)


def test_a_parked_run_says_until_when(client, person):
    run = RunFactory(state="waiting", wake_at=timezone.now() + timedelta(hours=2))
    assert "It goes on by itself at" in page_of(client, run)


def test_what_ended_a_run_is_told_with_what_to_do(client, person):
    run = RunFactory(state="failed", error={"code": "quota", "message": "<b>402</b>", "retryable": False})
    page = page_of(client, run)
    assert "The account with the provider of the model is used up." in page
    assert "&lt;b&gt;402&lt;/b&gt;" in page


def test_a_run_whose_budget_is_spent_asks_for_at_least_what_its_next_call_needs(client, person):
    run = RunFactory(state="awaiting_confirmation", phase="budget", budget_usd=1, spent_usd=Decimal("0.9"))
    StepFactory(run=run, kind="phase", name="budget", answer={"needed_usd": "0.403312"})
    page = page_of(client, run)
    assert 'name="budget_usd" type="number" min="1.3034"' in page
    assert "The new budget must be at least 1.3034 USD" in page


def test_a_part_that_waits_for_money_leads_to_the_run_whose_budget_it_is(client, person):
    head = RunFactory(state="awaiting_confirmation", phase="budget", workflow="deep", budget_usd=1)
    part = RunFactory(parent=head, directive="dir-1-1", state="awaiting_confirmation", phase="budget")
    page = page_of(client, part)
    assert 'name="budget_usd"' not in page
    assert f'<a href="{reverse("admin:research_run_change", args=[head.pk])}">Decide at the run' in page
    assert 'name="budget_usd"' in page_of(client, head)
