"""What is reserved for a sibling's call is soon settled: nobody is asked for money that is going to be there."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from research.engine.runner import perform_run
from research.engine.worker import Child
from research.engine.workflows import WORKFLOWS
from research.llm.interface import Turn, Usage
from research.models import ModelPrice, Run
from research.models.states import RunState
from research.services.runs import sweep_runs
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def siblings(monkeypatch, play):
    """Two children; the second comes to its call while the first, whose budget may be lowered then, is at its own."""
    ModelPrice.objects.create(
        model="script-1",
        valid_from=date(2020, 1, 1),
        input_usd=10,
        cached_usd=1,
        cache_write_usd=12,
        output_usd=100,
    )

    def parent(worker):
        worker.spawn("round.1", [Child("a"), Child("b")])
        worker.wait_for_children("round.1")
        worker.end({})

    def topic(worker):
        worker.ask("brief", worker.request("s", worker.run.directive))
        worker.end({})

    made = {
        name: type(name, (), {"perform": staticmethod(fn)})()
        for name, fn in {"deep": parent, "topic": topic}.items()
    }
    monkeypatch.setattr("research.engine.runner.WORKFLOWS", {**WORKFLOWS, **made})

    def make(budget, used, lowered=None):
        head = RunFactory(model="chat:script-1", workflow="deep", budget_usd=Decimal(budget))

        def answering(request):
            if request.messages[0].text == "a":
                Run.objects.filter(pk=head.pk).update(budget_usd=Decimal(lowered or budget))
                perform_run(head.children.get(directive="b").pk)
            return Turn("prose", usage=Usage(input_tokens=used, output_tokens=0))

        play(answering)
        perform_run(head.pk)
        perform_run(head.children.get(directive="a").pk)
        head.refresh_from_db()
        return head, head.children.get(directive="b")

    return make


def test_it_waits_for_the_call_and_then_makes_its_own(siblings):
    head, second = siblings("1.0", used=1_000)
    assert (head.state, second.state) == (RunState.AWAITING_CHILDREN, RunState.WAITING)
    assert timedelta(0) < second.wake_at - timezone.now() < timedelta(seconds=10)
    Run.objects.filter(pk=second.pk).update(wake_at=timezone.now())
    sweep_runs()
    perform_run(second.pk)
    perform_run(head.pk)
    head.refresh_from_db()
    assert (head.state, head.spent_usd) == (RunState.SUCCEEDED, Decimal("0.02"))


def test_it_asks_a_person_when_the_call_was_as_dear_as_it_might_be(siblings):
    head, second = siblings("1.0", used=50_000)
    Run.objects.filter(pk=second.pk).update(wake_at=timezone.now())
    sweep_runs()
    perform_run(second.pk)
    head.refresh_from_db()
    assert (head.state, head.phase) == (RunState.AWAITING_CONFIRMATION, "budget")


def test_it_asks_a_person_at_once_when_the_call_would_not_fit_without_its_sibling(siblings):
    head, second = siblings("1.0", used=1_000, lowered="0.5")
    assert (head.state, second.state) == (RunState.AWAITING_CONFIRMATION, RunState.AWAITING_CONFIRMATION)
