"""A search of a provider with a price is reserved before it is made and booked after it, like a call of a model."""

from datetime import date, timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.utils import timezone

from common.outside.client import Traffic
from common.outside.faults import SourceFault
from research.engine.runner import perform_run
from research.errors import InvalidParameters
from research.models import ModelPrice, Run, Step
from research.models.states import RunState
from research.services.runs import confirm_checkpoint
from research.services.spending import spend_of, spending
from research.web.search.base import Hit
from research.web.search.search import web_search
from tests.engine.conftest import answers, asks
from tests.factories import MACRO_TEXT, MacroFactory, RunFactory

pytestmark = pytest.mark.django_db
DEAR, CHEAP = Decimal("0.008"), Decimal("0.005")
BOTH = DEAR + CHEAP


class Killed(BaseException):
    """kill -9: no handler of ours sees it."""


class Engine:
    """A search provider that does what it is told for each question, and finds something for all others."""

    def __init__(self, name, told):
        self.name, self.told, self.asked = name, told, []

    def search(self, query, max_results, *, seconds):
        self.asked.append(query)
        act = self.told.pop(0) if self.told else None
        if isinstance(act, BaseException):
            raise act
        if act is not None:
            return act()
        return [Hit(f"https://{self.name}.test/{query}", query, "A snippet.", provider=self.name)]


@pytest.fixture
def engines(monkeypatch):
    """``engines(tavily=[...], brave=[...])`` sets up providers, in that order."""

    def install(**told):
        made = [Engine(name, list(acts)) for name, acts in told.items()]
        monkeypatch.setattr("research.tools.web_search.providers", lambda archive=None: made)
        search = partial(web_search, traffic=Traffic(sleep=lambda seconds: None))
        monkeypatch.setattr("research.tools.web_search.web_search", search)
        return made

    return install


@pytest.fixture
def prices(db):
    for name, amount in (("tavily", 8), ("brave", 5)):
        ModelPrice.objects.create(
            model=name,
            valid_from=date(2020, 1, 1),
            input_usd=0,
            cached_usd=0,
            cache_write_usd=0,
            output_usd=0,
            search_usd=amount,
        )


def searching(**fields):
    text = MACRO_TEXT.replace("[lei_search, lei_record]", "[web_search]")
    name = "searching"
    macro = MacroFactory(name=name, text=text.format(name=name, schema_name="company"), schema_name="company")
    return RunFactory(macro=macro, **fields)


def account(run):
    run.refresh_from_db()
    return run.reserved_usd, run.spent_usd, run.lost_usd


def search(*queries):
    return asks(("web_search", {"queries": list(queries)}))


def test_it_books_what_was_asked_and_says_of_whom(play, engines, prices):
    engines(tavily=[list], brave=[])
    play(search("a", "b"), answers())
    run = searching()
    perform_run(run.pk)
    assert account(run) == (0, 2 * DEAR + CHEAP, 0)  # tavily found nothing for "a", so brave was asked too
    step = Step.objects.get(run=run, kind="tool")
    assert step.usage == {"searches": {"tavily": 2, "brave": 1}, "cost": "known"}
    today = timezone.now().date()
    rows = {row.key: row.spend for row in spending(by="model", first=today, last=today)}
    assert rows["web_search"].spent == 2 * DEAR + CHEAP


def test_it_has_the_worst_case_reserved_while_it_searches(play, engines, prices):
    run, seen = searching(), []

    def look():
        seen.append(account(run))
        return []

    engines(tavily=[look], brave=[])
    play(search("a", "b"), answers())
    perform_run(run.pk)
    assert seen == [(2 * BOTH, 0, 0)]


def test_a_search_that_does_not_fit_waits_for_a_larger_budget(play, engines, prices):
    tavily, _ = engines(tavily=[], brave=[])
    play(search("a", "b"), answers())
    run = searching(budget_usd=Decimal("0.02"))
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.phase, tavily.asked) == (RunState.AWAITING_CONFIRMATION, "budget", [])
    with pytest.raises(InvalidParameters, match=r"the next call may cost 0\.026"):
        confirm_checkpoint(run=run, actor=None, budget_usd=Decimal("0.025"))
    confirm_checkpoint(run=run, actor=None, budget_usd=Decimal("0.026"))
    perform_run(run.pk)
    assert account(run) == (0, 2 * DEAR, 0)
    assert run.state == RunState.SUCCEEDED


def test_a_search_that_was_in_flight_when_a_worker_died_is_possibly_paid(play, engines, prices):
    tavily, _ = engines(tavily=[Killed()], brave=[])
    play(search("a"), answers())
    run = searching(budget_usd=Decimal(1))
    with pytest.raises(Killed):
        perform_run(run.pk)
    assert account(run) == (BOTH, 0, 0)
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    perform_run(run.pk)
    assert account(run) == (0, DEAR, BOTH)
    assert tavily.asked == ["a", "a"]


def test_a_search_that_brought_no_answer_in_time_is_possibly_paid_up_to_what_was_reserved(
    play, engines, prices
):
    slow = [SourceFault("tavily", "timeout", "did not answer in time")] * 10
    engines(tavily=slow, brave=[SourceFault("brave", "refused", "refused the question")])
    play(search("a"), answers())
    run = searching()
    perform_run(run.pk)
    assert account(run) == (0, 0, BOTH)  # tavily was asked three times
    assert not Step.objects.get(run=run, kind="tool").answer["success"]


def test_a_search_without_a_price_is_unknown_and_not_nothing(play, engines):
    engines(tavily=[], searxng=[])
    play(search("a"), answers())
    run = searching()
    perform_run(run.pk)
    assert account(run) == (0, 0, 0)
    assert Step.objects.get(run=run, kind="tool").usage == {"searches": {"tavily": 1}, "cost": "unknown"}
    assert spend_of(run).unknown == 1


def test_a_search_of_ones_own_engine_is_free(play, engines):
    engines(searxng=[])
    play(search("a"), answers())
    run = searching()
    perform_run(run.pk)
    assert Step.objects.get(run=run, kind="tool").usage is None
    assert spend_of(run).unknown == 0
