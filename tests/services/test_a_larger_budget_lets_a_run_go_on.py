"""A run whose money is spent waits; a person who gives it more lets it go on."""

from decimal import Decimal

import pytest

from research.errors import InvalidParameters, InvalidTransition
from research.models import AuditEvent, Step
from research.services.runs import confirm_checkpoint
from tests.factories import RunFactory, StepFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def spent_out():
    return RunFactory(
        state="awaiting_confirmation",
        phase="budget",
        budget_usd=Decimal(1),
        spent_usd=Decimal("0.9"),
        lost_usd=Decimal("0.3"),
    )


def test_it_goes_on_with_more(spent_out, reviewer):
    run = confirm_checkpoint(run=spent_out, actor=reviewer, budget_usd=Decimal("2.50"))
    assert (run.state, run.budget_usd) == ("queued", Decimal("2.50"))
    note = Step.objects.get(run=run, kind="note")
    assert (note.answer["budget_usd"], note.answer["phase"]) == ("2.50", "budget")
    assert AuditEvent.objects.get(action="run.confirmed").detail["budget_usd"] == "2.50"


@pytest.mark.parametrize("amount", [None, "0", "1", "1.2"])
def test_it_needs_more_than_is_spent_or_was_allowed(spent_out, reviewer, amount):
    with pytest.raises(InvalidParameters, match=r"more than 1\.2"):
        confirm_checkpoint(run=spent_out, actor=reviewer, budget_usd=amount and Decimal(amount))
    spent_out.refresh_from_db()
    assert (spent_out.state, spent_out.budget_usd) == ("awaiting_confirmation", Decimal(1))


@pytest.mark.parametrize("amount", [None, "1.3", "1.6033"])
def test_it_names_the_amount_that_the_next_call_needs(spent_out, reviewer, amount):
    StepFactory(run=spent_out, kind="phase", name="budget", answer={"needed_usd": "0.403312"})
    with pytest.raises(
        InvalidParameters, match=r"at least 1\.6034 USD: 1\.20 are used, .* may cost 0\.403312"
    ):
        confirm_checkpoint(run=spent_out, actor=reviewer, budget_usd=amount and Decimal(amount))
    run = confirm_checkpoint(run=spent_out, actor=reviewer, budget_usd=Decimal("1.6034"))
    assert run.budget_usd == Decimal("1.6034")


def test_the_dearest_of_the_calls_that_wait_is_what_it_needs(reviewer):
    head = RunFactory(state="awaiting_confirmation", phase="budget", budget_usd=Decimal(1))
    for directive, needed in (("a", "1.5"), ("b", "1.25")):
        child = RunFactory(parent=head, directive=directive, state="awaiting_confirmation", phase="budget")
        StepFactory(run=child, kind="phase", name="budget", answer={"needed_usd": "7"})
        StepFactory(run=child, kind="phase", name="budget", answer={"needed_usd": needed}, seq=2)
    with pytest.raises(InvalidParameters, match=r"at least 1\.50 USD"):
        confirm_checkpoint(run=head, actor=reviewer, budget_usd=Decimal("1.49"))


def test_a_plan_may_be_confirmed_with_another_budget(reviewer):
    run = RunFactory(state="awaiting_confirmation", phase="plan", budget_usd=Decimal(5))
    assert confirm_checkpoint(run=run, actor=reviewer, budget_usd=Decimal(3)).budget_usd == 3


def test_a_plan_keeps_its_budget_when_nobody_speaks_of_money(reviewer):
    run = RunFactory(state="awaiting_confirmation", phase="plan", budget_usd=Decimal(5))
    assert confirm_checkpoint(run=run, actor=reviewer).budget_usd == 5


def test_a_run_that_does_not_wait_is_not_confirmed_by_money(reviewer):
    with pytest.raises(InvalidTransition):
        confirm_checkpoint(run=RunFactory(state="failed", phase="budget"), actor=reviewer)
