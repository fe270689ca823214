"""Questions that are asked at once: a fault of ours in one of them does not throw away what the others gave."""

from threading import Event

import pytest

from research.engine.runner import perform_run
from research.engine.workflows import WORKFLOWS
from research.llm.faults import ModelFault
from research.models import Step
from research.models.states import RunState
from research.services.runs import resume_run
from tests.engine.conftest import answers
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db(transaction=True)


class Fan:
    """Asks three questions at once."""

    names = ("good", "fine", "bad")

    def perform(self, worker):
        asked = {name: worker.request("system", name) for name in self.names}
        turns = worker.ask_all(asked)
        worker.end({name: turn.text for name, turn in turns.items()})


def test_what_the_others_gave_is_kept_and_not_asked_again(play, monkeypatch):
    monkeypatch.setattr("research.engine.runner.WORKFLOWS", {**WORKFLOWS, "deep": Fan()})
    broken, mended, asked = Event(), Event(), []

    def say(request):
        name = request.messages[0].text
        asked.append(name)
        if name == "bad" and not mended.is_set():
            broken.set()
            raise RuntimeError("a fault of ours")
        assert broken.wait(10)
        return answers(name)

    play(say)
    run = RunFactory(workflow="deep")
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (RunState.FAILED, "internal")
    kept = {step.name for step in Step.objects.filter(run=run) if (step.answer or {}).get("text")}
    assert kept == {"good", "fine"}
    mended.set()
    resume_run(run=run, actor=None, enqueue=False)
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert sorted(asked) == ["bad", "bad", "fine", "good"]


class BadFirst(Fan):
    names = ("bad", "good", "fine")


@pytest.mark.parametrize("kind", ["quota", "auth"])
def test_a_resume_asks_again_what_nobody_answered_and_nothing_else(play, monkeypatch, kind):
    monkeypatch.setattr("research.engine.runner.WORKFLOWS", {**WORKFLOWS, "deep": BadFirst()})
    failed, mended, asked = Event(), Event(), []

    def say(request):
        name = request.messages[0].text
        asked.append(name)
        if name == "bad" and not mended.is_set():
            failed.set()
            raise ModelFault(kind, "The credit is spent.")
        assert failed.wait(10)
        return answers(name)

    play(say)
    run = RunFactory(workflow="deep")
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["reason"]) == (RunState.FAILED, kind)
    mended.set()
    resume_run(run=run, actor=None, enqueue=False)
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == (RunState.SUCCEEDED, None)
    assert sorted(asked) == ["bad", "bad", "fine", "good"]
