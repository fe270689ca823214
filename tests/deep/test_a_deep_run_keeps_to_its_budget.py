"""When the next call does not fit the budget the family waits; then it goes on, or makes do with what there is."""

import json
from datetime import date
from decimal import Decimal

import pytest

from research.errors import InvalidParameters
from research.llm.interface import Turn, Usage
from research.models import ModelPrice, ResearchResult, Run
from research.models.states import RunState
from research.services.checkpoints import waiting_for
from research.services.runs import confirm_checkpoint
from tests.deep.conftest import work
from tests.deep.newsroom import LINES, Sage

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def price(db):
    """A call costs 0.45 cents; 12 cents are reserved for it, and 24 for the report."""
    amounts = {"input_usd": 3, "cached_usd": 3, "cache_write_usd": 3, "output_usd": 15}
    return ModelPrice.objects.create(model="sage", valid_from=date(2026, 1, 1), **amounts)


def spent_out(ask, sage, budget):
    run = work(ask(sage, model="test:sage", budget_usd=Decimal(budget)))
    assert (run.state, run.phase) == (RunState.AWAITING_CONFIRMATION, "budget"), run.error
    return run


def test_it_waits_when_the_money_is_spent_and_goes_on_with_more(ask):
    sage = Sage()
    run = spent_out(ask, sage, "0.2")
    assert run.spent_usd <= Decimal("0.2")
    assert "does not fit into the budget" in waiting_for(run).message
    asked = list(sage.asked)
    with pytest.raises(InvalidParameters):
        confirm_checkpoint(run=run, actor=None)
    run = work(confirm_checkpoint(run=run, actor=None, budget_usd=Decimal(50)))
    assert run.state == RunState.SUCCEEDED
    assert sage.asked[: len(asked)] == asked
    assert sage.asked.count("brief") == 1
    assert not ResearchResult.objects.get(run=run).partial


@pytest.mark.parametrize(("budget", "where"), [("0.155", "dir-1-1"), ("0.3", "report")])
def test_it_makes_do_with_what_there_is(ask, budget, where):
    run = spent_out(ask, Sage(), budget)
    states = set(Run.objects.filter(parent=run).values_list("directive", "state"))
    assert (("dir-1-1", "awaiting_confirmation") in states) is (where == "dir-1-1"), states
    run = work(confirm_checkpoint(run=run, actor=None, answer={"finish": True}, phase="budget"))
    assert run.state == RunState.SUCCEEDED, run.error
    result = ResearchResult.objects.get(run=run)
    assert result.partial
    assert result.schema_valid
    assert [source["number"] for source in result.data["sources"]][:2] == [1, 2]
    assert "Acme SE" in result.data["report"]
    assert "<<<" not in result.data["report"]
    assert result.data["limitations"][0] == "A person had the research finished with what there was."
    assert not Run.objects.filter(parent=run).exclude(state__in=["succeeded", "cancelled"]).exists()


@pytest.mark.parametrize("tries", [1, 2])
def test_a_report_that_was_paid_for_is_kept_also_when_it_had_to_be_mended(ask, tries):
    def report(request):
        if len(request.messages) < 2 * tries - 1:
            return {"report": "Too short."}
        return Turn(text=json.dumps(LINES["report"](request)), usage=Usage(1000, output_tokens=10_000))

    run = spent_out(ask, Sage(report=report), "0.33")
    assert (
        run.steps.filter(kind="model", answer__isnull=False, intent__ask__startswith="report").count()
        == tries
    )
    run = work(confirm_checkpoint(run=run, actor=None, answer={"finish": True}, phase="budget"))
    data = ResearchResult.objects.get(run=run).data
    assert data["report"].startswith("# The mill in Bern")
    assert "The claims of the report were not verified." in data["limitations"]


def test_only_finish_may_be_said_where_the_money_is_spent(ask):
    run = spent_out(ask, Sage(), "0.3")
    with pytest.raises(InvalidParameters):
        confirm_checkpoint(run=run, actor=None, answer={"remarks": "Go on anyway."}, phase="budget")
