"""Who cancels a run while it asks for its next round pays for no round."""

import pytest

from research.engine.runner import perform_run
from research.engine.worker import Child
from research.engine.workflows import WORKFLOWS
from research.models import Run
from research.models.states import RunState
from research.services.runs import cancel_run
from tests.engine.conftest import answers
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def head(monkeypatch):
    """A run that asks a question before its round and one after the round is sent out."""

    def parent(worker):
        worker.ask("revision", worker.request("s", "before"))
        worker.spawn("round.1", [Child("a")])
        worker.ask("more", worker.request("s", "after"))
        worker.wait_for_children("round.1")
        worker.end({})

    def topic(worker):
        worker.ask("brief", worker.request("s", "child"))
        worker.end({})

    made = {
        name: type(name, (), {"perform": staticmethod(fn)})()
        for name, fn in {"deep": parent, "topic": topic}.items()
    }
    monkeypatch.setattr("research.engine.runner.WORKFLOWS", {**WORKFLOWS, **made})
    return RunFactory(workflow="deep")


@pytest.mark.parametrize(("question", "children"), [("before", []), ("after", [RunState.CANCELLED])])
def test_it_stops_before_the_round_is_worked_on(head, play, question, children):
    def cancelling(request):
        if request.messages[0].text == question:
            cancel_run(run=Run.objects.get(pk=head.pk), actor=None)
        return answers("prose")

    script = play(cancelling)
    perform_run(head.pk)
    for child in head.children.all():
        perform_run(child.pk)
    head.refresh_from_db()
    assert head.state == RunState.CANCELLED
    assert [child.state for child in head.children.all()] == children
    assert "child" not in [request.messages[0].text for request in script.requests]
