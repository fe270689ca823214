"""One clock for a family: no researcher has longer than its head, and no time runs while a provider is waited for."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine.runner import perform_run
from research.engine.worker import Child
from research.engine.workflows import WORKFLOWS
from research.llm.interface import ModelFault
from research.models import Run
from research.models.states import RunState
from tests.engine.conftest import answers
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db
LATER = timedelta(hours=2)


@pytest.fixture
def head(monkeypatch):
    """A run with two children, already sent out."""

    def parent(worker):
        worker.spawn("round.1", [Child("a"), Child("b")])
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
    run = RunFactory(workflow="deep")
    perform_run(run.pk)
    run.refresh_from_db()
    return run


def test_the_head_has_longer_by_the_time_that_its_children_wait_together(head, play):
    play(answers("prose")).faults = [
        ModelFault("rate_limit", "later", retry_after=LATER.total_seconds()) for _ in "ab"
    ]
    before = head.deadline
    for child in head.children.all():
        perform_run(child.pk)
    assert {child.state for child in head.children.all()} == {RunState.WAITING}
    head.refresh_from_db()
    longer = head.deadline - before
    assert LATER - timedelta(minutes=1) < longer < LATER + timedelta(minutes=1)


def test_a_child_has_no_longer_than_its_head(head, play):
    play(answers("prose"))
    soon = timezone.now() + timedelta(minutes=5)
    Run.objects.filter(pk=head.pk).update(deadline=soon)
    first, second = head.children.order_by("directive")
    perform_run(first.pk)
    first.refresh_from_db()
    assert first.deadline == soon
    Run.objects.filter(pk=head.pk).update(deadline=soon + timedelta(days=1))
    perform_run(second.pk)
    second.refresh_from_db()
    assert second.deadline < soon + timedelta(hours=12)
