"""``research prices`` and ``research spending``, and the money of a run."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from research.models import ModelPrice, Step
from tests.factories import MacroFactory, RunFactory

pytestmark = pytest.mark.django_db
SET = ("research", "prices", "--set", "anthropic:some-model", "--input", "3", "--output", "15")


@pytest.fixture
def paid():
    a_run = RunFactory(
        macro=MacroFactory(name="dear-question"), spent_usd=Decimal("0.5"), budget_usd=Decimal(2)
    )
    for seq, (cost, usage) in enumerate([("0.5", None), ("0", {"cost": "unknown"})], start=1):
        Step.objects.create(
            run=a_run,
            seq=seq,
            kind="model",
            name="turn",
            answer={"model": "some-model"},
            usage=usage,
            cost_usd=Decimal(cost),
            fence=1,
        )
    return a_run


def test_an_empty_list_says_what_to_enter(run, db, settings):
    settings.DOSSIER_MODEL = "anthropic:some-model"
    shown = run("research", "prices")
    assert shown.code == 0
    assert "comes without any" in shown.out
    assert "without a price today: anthropic:some-model" in shown.out


def test_a_price_is_entered_listed_and_taken_back(run, admin):
    shown = run(*SET, "--cached", "0.3", "--from", "2026-11-01")
    assert (shown.code, "some-model" in shown.out) == (0, True)
    (listed,) = run("research", "prices", "--json").documents
    assert (listed["model"], listed["valid_from"], listed["cached_usd"]) == (
        "some-model",
        "2026-11-01",
        "0.3000",
    )
    assert run("research", "prices", "--remove", "some-model", "--from", "2026-11-02").code == 1
    assert run("research", "prices", "--remove", "some-model", "--from", "2026-11-01").code == 0
    assert not ModelPrice.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--set", "m", "--input", "3"), "output"),
        (("--set", "m", "--input", "x", "--output", "1"), "input"),
        (("--set", "", "--input", "1", "--output", "1"), "model"),
        (("--input", "1"), "--set MODEL"),
        (("--remove", "m"), "--from"),
        (("--import", "no-such-file.yaml"), "No such file"),
    ],
)
def test_a_mistake_in_a_price_is_exit_2_and_named(run, admin, arguments, word):
    refused = run("research", "prices", *arguments)
    assert (refused.code, word in refused.err) == (2, True)
    assert not ModelPrice.objects.exists()


def test_prices_are_imported_from_a_file(run, admin, tmp_path):
    file = tmp_path / "prices.yaml"
    file.write_text("prices: [{model: a, input: 0, output: 0}, {model: b, input: 1, output: 2.5}]")
    assert run("research", "prices", "--import", str(file)).code == 0
    assert dict(ModelPrice.objects.values_list("model", "output_usd")) == {"a": 0, "b": Decimal("2.5")}


def test_a_price_is_entered_by_somebody(run, db):
    assert run(*SET).code == 2
    assert not ModelPrice.objects.exists()


@pytest.mark.parametrize(("by", "key"), [("macro", "dear-question"), ("model", "some-model"), ("day", "")])
def test_spending_is_told_by_day_macro_and_model(run, paid, by, key):
    shown = run("research", "spending", "--by", by)
    assert shown.code == 0
    assert key in shown.out
    assert "0.500000 USD and 1 of unknown cost, 2 calls" in shown.out
    (row,) = run("research", "spending", "--by", by, "--json").document["rows"]
    assert row == {
        by: key or row["day"],
        "calls": 2,
        "spent": "0.500000",
        "possibly_paid": "0.000000",
        "unknown_calls": 1,
    }


@pytest.mark.parametrize(
    "days", [("--from", "soon"), ("--from", "2026-11-02", "--to", "2026-11-01"), ("--from", "1990-01-01")]
)
def test_a_time_that_is_none_is_exit_2(run, db, days):
    with_days = run("research", "spending", *days)
    assert with_days.code == 2


def test_the_status_of_a_run_has_its_money_and_its_progress(run, paid):
    shown = run("research", "status", str(paid.pk)).out
    assert "0.50 USD and 1 call of unknown cost; budget 2.00 USD" in shown
    assert "of 20 turns" in shown


def test_trouble_is_told_with_what_to_do(run, db):
    failed = RunFactory(state="failed", error={"code": "auth", "message": "HTTP 401", "retryable": False})
    shown = run("research", "status", str(failed.pk)).out
    assert "failed: HTTP 401" in shown
    assert "does not accept the key" in shown
    assert "DOSSIER_MODEL" in shown
    parked = RunFactory(state="waiting", wake_at=timezone.now() + timedelta(hours=1))
    assert "goes on by itself at" in run("research", "status", str(parked.pk)).out


def test_a_run_whose_money_is_spent_goes_on_with_more(run, admin):
    waiting = RunFactory(
        state="awaiting_confirmation", phase="budget", budget_usd=Decimal(1), spent_usd=Decimal(1)
    )
    assert f"confirm {waiting.pk} --budget-usd" in run("research", "status", str(waiting.pk)).out
    refused = run("research", "confirm", str(waiting.pk), "--detach")
    assert (refused.code, "budget_usd" in refused.err) == (2, True)
    assert run("research", "confirm", str(waiting.pk), "--budget-usd", "3", "--detach").code == 0
    waiting.refresh_from_db()
    assert (waiting.state, waiting.budget_usd) == ("queued", 3)
