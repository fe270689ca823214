"""Sums of what was booked, under days, macros and models; unknown is never zero."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from research.errors import InvalidParameters
from research.models import Step
from research.services.spending import Spend, amount, spend_of, spending, total
from tests.factories import MacroFactory, RunFactory

pytestmark = pytest.mark.django_db
FIRST, LAST = date(2026, 11, 1), date(2026, 11, 30)


@pytest.fixture
def paid():
    """``paid(run, cost, day=…, model=…)`` books one call of a model."""

    def book(run, cost="0", *, lost="0", day=5, hour=12, model="some-model", kind="model", usage=None):
        step = Step.objects.create(
            run=run,
            seq=run.steps.count() + 1,
            kind=kind,
            name="model" if kind == "model" else "paid_search",
            answer={"text": "", "model": model},
            usage=usage,
            cost_usd=Decimal(cost),
            lost_usd=Decimal(lost),
            fence=1,
        )
        Step.objects.filter(pk=step.pk).update(started_at=datetime(2026, 11, day, hour, tzinfo=UTC))
        return step

    return book


def told(by):
    return {row.key: (row.spend.spent, row.spend.calls) for row in spending(by=by, first=FIRST, last=LAST)}


def test_it_sums_by_day_in_utc(paid):
    run = RunFactory()
    for day, hour, cost in ((5, 0, "1"), (5, 23, "0.5"), (6, 0, "2")):
        paid(run, cost, day=day, hour=hour)
    assert told("day") == {"2026-11-05": (Decimal("1.5"), 2), "2026-11-06": (Decimal(2), 1)}


def test_it_sums_by_macro_the_dearest_first(paid):
    cheap, dear = RunFactory(macro=MacroFactory(name="cheap")), RunFactory(macro=MacroFactory(name="dear"))
    paid(cheap, "1"), paid(dear, "2"), paid(dear, "3")
    assert list(told("macro").items()) == [("dear", (Decimal(5), 2)), ("cheap", (Decimal(1), 1))]


def test_it_sums_by_who_answered_and_names_a_tool_that_costs(paid):
    run = RunFactory(model="anthropic:asked,openai:other")
    paid(run, "1", model="answered"), paid(run, "2", model=""), paid(run, "4", kind="tool")
    assert set(told("model")) == {"answered", "anthropic:asked,openai:other", "paid_search"}


def test_a_tool_that_costs_nothing_is_no_paid_call(paid):
    paid(RunFactory(), "0", kind="tool")
    assert told("day") == {}


def test_the_last_day_counts_whole_and_the_next_not_at_all(paid):
    run = RunFactory()
    paid(run, "1", day=30, hour=23)
    assert total(first=FIRST, last=LAST).spent == 1
    assert total(first=FIRST, last=date(2026, 11, 29)).spent == 0
    assert total(first=date(2026, 11, 30)).spent == 1


def test_a_child_is_counted_once(paid):
    root = RunFactory(spent_usd=Decimal(3), lost_usd=Decimal(1))
    child = RunFactory(parent=root, macro=root.macro, spent_usd=Decimal(2), directive="one")
    paid(root, "1"), paid(child, "2", lost="1")
    everything = total(first=FIRST, last=LAST)
    assert (everything.spent, everything.possibly_paid) == (3, 1)
    family = spend_of(root)
    assert (family.spent, family.possibly_paid, family.calls) == (3, 1, 2)


def test_unknown_is_not_zero(paid):
    run = RunFactory()
    paid(run, usage={"cost": "unknown"})
    assert spend_of(run).words == "unknown: 1 call of unknown cost"
    assert spend_of(run).as_json()["spent"] is None
    paid(run, "0.5", usage={"cost": "known"})
    run.spent_usd = Decimal("0.5")
    assert spend_of(run).words == "0.50 USD and 1 call of unknown cost"
    assert spend_of(run).as_json()["spent"] == "0.500000"
    (row,) = spending(by="model", first=FIRST, last=LAST)
    assert (row.spend.spent, row.spend.unknown) == (Decimal("0.5"), 1)


def test_what_is_free_is_known_to_be_free(paid):
    run = RunFactory()
    paid(run, model="register")
    assert spend_of(run).as_json() == {
        "spent": "0.000000",
        "reserved": "0.000000",
        "possibly_paid": "0.000000",
        "unknown_calls": 0,
        "budget": None,
    }


@pytest.mark.parametrize("last", [date(2026, 10, 31), date(2046, 11, 1)])
def test_it_refuses_a_time_that_is_none(last):
    with pytest.raises(InvalidParameters, match="last day"):
        spending(by="day", first=FIRST, last=last)


@pytest.mark.parametrize(
    ("value", "text"), [("0", "0.00"), ("1.5", "1.50"), ("0.000001", "0.000001"), ("12.345600", "12.3456")]
)
def test_amounts_have_no_more_places_than_they_need(value, text):
    assert amount(Decimal(value)) == text


@pytest.mark.parametrize(
    ("budget", "spent", "share"), [(None, 0, 0.0), (None, 3, 100.0), (4, 1, 25.0), (0, 0, 0.0), (1, 2, 100.0)]
)
def test_the_bar_shows_parts_of_the_budget(budget, spent, share):
    spend = Spend(spent=Decimal(spent), budget=None if budget is None else Decimal(budget))
    assert spend.share(spend.spent) == share
