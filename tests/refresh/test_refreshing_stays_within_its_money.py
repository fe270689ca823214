"""Nobody wakes up to a bill: a day has its budget, and what has no price is not asked unattended."""

from datetime import date
from decimal import Decimal

import pytest

from research.models import ModelPrice, Run, Watch
from research.services.watches import spent_today, sweep_watches
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db
MODEL = "openai-chat:some-model"


@pytest.fixture
def priced(settings):
    settings.DOSSIER_MODEL = MODEL
    settings.OPENAI_CHAT_BASE_URL = "http://127.0.0.1:9/v1"
    ModelPrice.objects.create(
        model="some-model",
        valid_from=date(2020, 1, 1),
        input_usd=1,
        cached_usd=1,
        cache_write_usd=1,
        output_usd=1,
    )


def spent(amount, at, **fields):
    run = RunFactory(trigger="schedule", spent_usd=Decimal(amount), **fields)
    Run.objects.filter(pk=run.pk).update(created_at=at)


def test_it_asks_no_model_without_a_price(watch, later, settings):
    settings.DOSSIER_MODEL = MODEL
    assert sweep_watches(now=later).begun == 0
    assert "some-model" in Watch.objects.get().outcome


def test_it_begins_while_there_is_money(watch, later, priced):
    assert sweep_watches(now=later).begun == 1


@pytest.mark.parametrize(("amount", "begun"), [("4.999", 1), ("5", 0), ("6", 0)])
def test_it_stops_at_the_budget_of_the_day(watch, later, priced, amount, begun):
    spent(amount, later)
    assert sweep_watches(now=later).begun == begun


def test_it_counts_what_the_next_refresh_may_cost(watch, later, priced):
    Watch.objects.update(budget_usd=2)
    spent("3.5", later)
    assert sweep_watches(now=later).begun == 0
    assert "3.5" in Watch.objects.get().outcome


def test_it_counts_one_day_and_a_family_once(later):
    spent("1", later)
    spent("1", later.replace(year=2026))
    spent("1", later, parent=RunFactory(trigger="schedule"))
    assert spent_today(later) == 1


def test_it_spends_nothing_with_the_keyless_researcher(watch, later):
    spent("99", later)
    assert sweep_watches(now=later).begun == 1
