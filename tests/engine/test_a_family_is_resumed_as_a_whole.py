"""A family is resumed as a whole: what a researcher was at is not thrown away, and nobody works for the dead."""

import pytest

from research.engine import pauses
from research.engine.runner import perform_run
from research.engine.worker import Child
from research.engine.workflows import WORKFLOWS
from research.errors import InvalidTransition
from research.models import Run, Step
from research.models.states import RunState
from research.services.runs import cancel_run, resume_run
from tests.engine.conftest import answers
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def head(monkeypatch):
    """A run whose only child asks two questions."""

    def parent(worker):
        worker.spawn("round.1", [Child("a")])
        worker.end({"found": [one.state for one in worker.wait_for_children("round.1")]})

    def topic(worker):
        worker.ask("first", worker.request("s", "first"))
        worker.ask("second", worker.request("s", "second"))
        worker.end({})

    made = {
        name: type(name, (), {"perform": staticmethod(fn)})()
        for name, fn in {"deep": parent, "topic": topic}.items()
    }
    monkeypatch.setattr("research.engine.runner.WORKFLOWS", {**WORKFLOWS, **made})
    return RunFactory(workflow="deep")


def test_it_lets_a_child_go_on_that_had_not_noticed_the_cancel(head, play):
    def hesitating(request):
        if request.messages[0].text == "first":
            cancel_run(run=Run.objects.get(pk=head.pk), actor=None)
            resume_run(run=Run.objects.get(pk=head.pk), actor=None)
        return answers("prose")

    play(hesitating)
    perform_run(head.pk)
    perform_run(head.children.get().pk)
    perform_run(head.pk)
    assert Step.objects.get(run=head, name="output").answer == {"found": [RunState.SUCCEEDED]}


def test_it_lets_a_child_go_on_that_had_noticed_the_cancel_but_was_not_over(head, play, monkeypatch):
    def cancelled(request):
        cancel_run(run=Run.objects.get(pk=head.pk), actor=None)
        return answers("prose")

    play(cancelled, answers("prose"))
    leaving = pauses.stop

    def resumed_first(run, journal):
        resume_run(run=Run.objects.get(pk=head.pk), actor=None)
        leaving(run, journal)

    monkeypatch.setattr("research.engine.runner.stop", resumed_first)
    perform_run(head.pk)
    child = head.children.get()
    perform_run(child.pk)
    child.refresh_from_db()
    assert (child.state, child.finished_at) == (RunState.QUEUED, None)
    play(answers("prose"))
    perform_run(child.pk)
    perform_run(head.pk)
    assert Step.objects.get(run=head, name="output").answer == {"found": [RunState.SUCCEEDED]}
    assert [step.name for step in Step.objects.filter(run=child, kind="model")] == ["first", "second"]


def test_it_resumes_no_child_of_a_run_that_is_over(head, play):
    script = play(answers("prose"))
    perform_run(head.pk)
    cancel_run(run=head, actor=None)
    child = head.children.get()
    with pytest.raises(InvalidTransition, match=f"{head.pk}, which is cancelled"):
        resume_run(run=child, actor=None)
    perform_run(child.pk)
    child.refresh_from_db()
    assert (child.state, script.requests) == (RunState.CANCELLED, [])
