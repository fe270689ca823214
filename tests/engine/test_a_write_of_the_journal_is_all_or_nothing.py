"""An answer, what it cost, and what is to be done next are one write, in one statement where the database can."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from research.engine import lease
from research.engine.journal import Entry, Journal
from research.engine.stops import Cancelled, OutOfTime, OverBudget
from research.models import Run, Step
from research.models.states import RunState, StepKind
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db
ASK = Entry(StepKind.MODEL, "model", reserve=Decimal("0.25"))


@pytest.fixture
def begin():
    """A run under way, its journal, and its first call, of which 0.25 are reserved."""

    def start(**fields):
        run = RunFactory(budget_usd=Decimal(1), **fields)
        journal = Journal(run, lease.claim(run.pk))
        return run, journal, journal.intend(ASK)[0]

    return start


def account(run):
    run.refresh_from_db()
    return run.reserved_usd, run.spent_usd, run.lost_usd


def test_it_books_an_answer_and_reserves_the_next_call(begin):
    run, journal, step = begin()
    journal.answer(step, {"text": "one"}, cost=Decimal("0.10"), hold_back=True)
    assert account(run) == (Decimal("0.25"), 0, 0)
    journal.intend(ASK, Entry(StepKind.NOTE, "note", answer={"text": "a note"}))
    assert account(run) == (Decimal("0.25"), Decimal("0.10"), 0)
    stored = list(Step.objects.filter(run=run).order_by("seq"))
    assert [(one.seq, one.kind, one.answer) for one in stored] == [
        (1, "model", {"text": "one"}),
        (2, "model", None),
        (3, "note", {"text": "a note"}),
    ]
    assert [(one.reserved_usd, one.cost_usd) for one in stored[:2]] == [
        (0, Decimal("0.10")),
        (Decimal("0.25"), 0),
    ]


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"cancel_requested": True}, Cancelled),
        ({"budget_usd": Decimal("0.30")}, OverBudget),
        ({}, OutOfTime),
    ],
)
def test_it_keeps_the_answer_and_its_cost_when_the_next_call_is_refused(begin, change, refusal):
    run, journal, step = begin()
    if change:
        Run.objects.filter(pk=run.pk).update(**change)
    else:
        journal.deadline = timezone.now() - timedelta(hours=1)
    journal.answer(step, {"text": "one"}, cost=Decimal("0.10"), hold_back=True)
    with pytest.raises(refusal):
        journal.intend(ASK)
    assert account(run) == (0, Decimal("0.10"), 0)
    assert [one.answer for one in Step.objects.filter(run=run)] == [{"text": "one"}]
    assert len(journal.live) == 1


def test_it_reserves_nothing_for_a_call_that_is_repeated_beyond_the_budget(begin):
    run, journal, step = begin()
    journal.answer(step, {"text": "one"}, cost=Decimal("0.90"))
    left = journal.intend(Entry(StepKind.TOOL, "search"))[0]
    with pytest.raises(OverBudget):
        journal.again((left, Decimal("0.20")))
    assert account(run) == (0, Decimal("0.90"), 0)
    stored = Step.objects.get(run=run, seq=left.seq)
    assert (stored.reserved_usd, stored.attempt) == (0, 1)
    assert (left.reserved_usd, left.attempt) == (0, 1)


def test_it_reserves_for_all_calls_that_are_repeated_or_for_none(begin):
    run, journal, step = begin()
    journal.answer(step, {"text": "one"}, cost=Decimal("0.50"), hold_back=True)
    calls = journal.intend(Entry(StepKind.TOOL, "search"), Entry(StepKind.TOOL, "search"))
    with pytest.raises(OverBudget):
        journal.again(*((call, Decimal("0.30")) for call in calls))
    assert account(run) == (0, Decimal("0.50"), 0)
    journal.again(*((call, Decimal("0.20")) for call in calls))
    assert account(run) == (Decimal("0.40"), Decimal("0.50"), 0)
    stored = Step.objects.filter(run=run, kind="tool").values_list("reserved_usd", "attempt")
    assert list(stored) == [(Decimal("0.20"), 2)] * 2


def test_it_writes_nothing_under_an_old_fence(begin):
    run, journal, step = begin()
    Run.objects.filter(pk=run.pk).update(fence=7)
    with pytest.raises(lease.LeaseLost):
        journal.answer(step, {"text": "late"}, cost=Decimal("0.10"))
    assert account(run) == (Decimal("0.25"), 0, 0)
    assert Step.objects.get(run=run).answer is None


def test_it_writes_nothing_for_a_run_that_has_ended(begin):
    run, journal, _ = begin()
    Run.objects.filter(pk=run.pk).update(state=RunState.CANCELLED)
    with pytest.raises(lease.LeaseLost):
        journal.intend(ASK)
    assert Step.objects.filter(run=run).count() == 1


def test_it_is_one_statement_on_postgresql(begin):
    _, journal, step = begin()
    journal.answer(step, {"text": "one"}, cost=Decimal("0.10"), hold_back=True)
    with CaptureQueriesContext(connection) as asked:
        journal.intend(ASK)
    assert (len(asked) == 1) is (connection.vendor == "postgresql")


@pytest.mark.parametrize("count", [2, 3, 5, 8, 9])
def test_it_writes_as_many_steps_as_there_are_calls(begin, count):
    run, journal, step = begin()
    journal.answer(step, {"text": "one"}, cost=Decimal("0.10"), hold_back=True)
    calls = journal.intend(*(Entry(StepKind.TOOL, f"tool {number}") for number in range(count)))
    for call in calls:
        journal.answer(call, {"data": call.name}, hold_back=True)
    journal.flush()
    stored = Step.objects.filter(run=run, kind=StepKind.TOOL).order_by("seq")
    assert list(stored.values_list("seq", "name", "answer")) == [
        (2 + number, f"tool {number}", {"data": f"tool {number}"}) for number in range(count)
    ]
    assert account(run) == (0, Decimal("0.10"), 0)


def test_it_touches_no_index_of_the_run():
    # PostgreSQL would write all of them anew, with every step
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, Run._meta.db_table).values()
    indexed = {column for one in constraints if one["index"] or one["unique"] for column in one["columns"]}
    assert "state" in indexed
    assert not indexed & {"lease_until", "reserved_usd", "spent_usd", "lost_usd"}
