"""A child that waits for a larger budget never leaves its family parked where no person looks."""

from datetime import date
from decimal import Decimal

import pytest

from research.engine.runner import perform_run
from research.engine.worker import Child
from research.engine.workflows import WORKFLOWS
from research.errors import InvalidTransition
from research.llm.interface import Turn, Usage
from research.models import ModelPrice, Run
from research.models.states import RunState
from research.services.checkpoints import waiting_for
from research.services.runs import cancel_run, confirm_checkpoint, sweep_runs
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db
NAME = "chat:script-1"
NEEDED = Decimal("0.8")  # 8,000 tokens of output at 100 dollars a million, and a little for the input


@pytest.fixture
def quick(monkeypatch, play):
    """Children that a quick worker performs between the spawn and the parent's waiting while the list is not empty."""
    ModelPrice.objects.create(
        model="script-1",
        valid_from=date(2020, 1, 1),
        input_usd=10,
        cached_usd=1,
        cache_write_usd=12,
        output_usd=100,
    )
    play(Turn("prose", usage=Usage(input_tokens=1_000, output_tokens=100)))
    quick: list[str] = []

    def parent(worker):
        worker.spawn("round.1", [Child("a")])
        while quick:
            perform_run(worker.run.children.get(directive=quick.pop()).pk)
        worker.wait_for_children("round.1")
        worker.end({})

    def topic(worker):
        worker.ask("brief", worker.request("s", "p"))
        worker.end({})

    made = {
        name: type(name, (), {"perform": staticmethod(fn)})()
        for name, fn in {"deep": parent, "topic": topic}.items()
    }
    monkeypatch.setattr("research.engine.runner.WORKFLOWS", {**WORKFLOWS, **made})
    return quick


@pytest.fixture
def head(quick):
    return RunFactory(model=NAME, workflow="deep", budget_usd=Decimal("0.5"))


def seen(run):
    run.refresh_from_db()
    return run.state, run.phase


WAITS = (RunState.AWAITING_CONFIRMATION, "budget")


def test_it_waits_for_a_person_when_the_child_was_refused_before_the_parent_parked(head, quick):
    quick.append("a")
    perform_run(head.pk)
    assert seen(head) == seen(head.children.get()) == WAITS


def test_it_waits_for_a_person_again_when_the_new_budget_is_used_up_too(head):
    perform_run(head.pk)
    child = head.children.get()
    perform_run(child.pk)
    assert seen(head) == WAITS
    confirm_checkpoint(run=head, actor=None, budget_usd=Decimal("0.9"))
    Run.objects.filter(pk=head.pk).update(spent_usd=Decimal("0.5"))  # by another of the family
    perform_run(child.pk)  # while the parent is queued
    perform_run(head.pk)
    assert seen(head) == seen(child) == WAITS
    confirm_checkpoint(run=head, actor=None, budget_usd=Decimal(5))
    perform_run(child.pk)
    perform_run(head.pk)
    assert seen(head)[0] == seen(child)[0] == RunState.SUCCEEDED


def test_it_shows_at_the_head_what_the_child_needs(head, quick):
    quick.append("a")
    perform_run(head.pk)
    head.refresh_from_db()
    checkpoint = waiting_for(head)
    assert checkpoint.phase == "budget"
    assert Decimal(checkpoint.shown["needed_usd"]) > NEEDED
    assert Decimal(checkpoint.shown["budget_usd"]) == Decimal("0.5")


def test_the_sweep_shows_a_parent_that_was_parked_over_a_waiting_child(head):
    perform_run(head.pk)
    perform_run(head.children.get().pk)
    Run.objects.filter(pk=head.pk).update(state=RunState.AWAITING_CHILDREN, phase="round 1/2")
    sweep_runs()
    assert seen(head) == WAITS


def test_the_head_goes_on_when_the_only_child_that_waited_is_cancelled(head, silent_doorbell):
    perform_run(head.pk)
    child = head.children.get()
    perform_run(child.pk)
    assert seen(head) == WAITS
    cancel_run(run=child, actor=None)
    assert (seen(head)[0], seen(child)[0]) == (RunState.QUEUED, RunState.CANCELLED)
    perform_run(head.pk)
    assert seen(head)[0] == RunState.SUCCEEDED


@pytest.mark.parametrize(
    ("other", "left"),
    [
        (RunState.AWAITING_CONFIRMATION, WAITS),
        (RunState.WAITING, (RunState.AWAITING_CHILDREN, "")),
        (RunState.FAILED, (RunState.QUEUED, "")),
    ],
)
def test_the_head_waits_for_the_other_children_when_one_that_waited_is_cancelled(head, other, left):
    perform_run(head.pk)
    child = head.children.get()
    perform_run(child.pk)
    RunFactory(parent=head, directive="b", state=other, phase="budget")
    cancel_run(run=child, actor=None)
    assert seen(head) == left


def test_a_head_whose_own_call_does_not_fit_goes_on_waiting_when_a_child_is_cancelled(head):
    own = RunFactory(state=RunState.AWAITING_CONFIRMATION, phase="budget")
    cancel_run(run=RunFactory(parent=own, directive="a", state=RunState.WAITING), actor=None)
    assert seen(own) == WAITS


def test_it_names_the_head_when_a_person_confirms_the_child(head):
    perform_run(head.pk)
    child = head.children.get()
    perform_run(child.pk)
    child.refresh_from_db()
    with pytest.raises(InvalidTransition, match=str(head.pk)):
        confirm_checkpoint(run=child, actor=None, budget_usd=Decimal(5))
    assert seen(child) == WAITS
