"""The primitives that a workflow is written with: each is answered once, whoever works on the run."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine.runner import perform_run
from research.engine.stops import Ended
from research.engine.worker import Brief, Child
from research.engine.workflows import WORKFLOWS
from research.models import ResearchResult, Run, Step
from research.models.states import RunState
from research.services.runs import cancel_run, confirm_checkpoint, sweep_runs
from tests.engine.conftest import FINAL, answers
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """kill -9: no handler of ours sees it."""


@pytest.fixture
def workflow(monkeypatch):
    """``workflow(name=function, ...)`` makes runs of that workflow perform the function."""

    def install(**functions):
        made = {name: type(name, (), {"perform": staticmethod(fn)})() for name, fn in functions.items()}
        monkeypatch.setattr("research.engine.runner.WORKFLOWS", {**WORKFLOWS, **made})

    return install


def taken_up_again(run):
    """Another worker, after the first was killed."""
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    perform_run(run.pk)
    run.refresh_from_db()
    return run


def test_it_asks_and_computes_each_name_once_over_a_kill(play, workflow):
    script = play(answers("first"), answers("second"), answers())
    seen, computed = [], []

    def perform(worker):
        first = worker.ask("brief", worker.request("system", "what?"))
        note = worker.once("note", lambda: computed.append(1) or {"n": len(computed)})
        if not seen:
            seen.append(first.text)
            raise Killed
        assert (first.text, note) == (seen[0], {"n": 1})
        worker.end({"said": first.text})

    workflow(deep=perform)
    run = RunFactory(workflow="deep")
    with pytest.raises(Killed):
        perform_run(run.pk)
    assert taken_up_again(run).state == RunState.SUCCEEDED
    assert len(script.requests) == 1
    assert Step.objects.get(run=run, name="output").answer == {"said": "first"}
    assert not ResearchResult.objects.exists()


def test_it_turns_any_turn_into_a_result(play, workflow):
    play(answers())
    workflow(deep=lambda worker: worker.conclude_with(worker.ask("report", worker.request("s", "p"))))
    run = RunFactory(workflow="deep")
    perform_run(run.pk)
    assert ResearchResult.objects.get(run=run).data == FINAL


def test_it_keeps_what_a_workflow_asks_apart_from_its_conversation(play, workflow):
    script = play(answers("prose"))

    def perform(worker):
        worker.ask("brief", worker.request("system", "what?"))
        worker.conclude(worker.converse(Brief("system", "prompt", worker.tools, None, 5, 5)))

    workflow(deep=perform)
    script.turns = (answers(),)
    run = RunFactory(workflow="deep")
    perform_run(run.pk)
    assert [[message.text for message in request.messages] for request in script.requests] == [
        ["what?"],
        ["prompt"],
    ]


def test_it_fails_with_the_words_of_the_workflow(workflow):
    def perform(worker):
        raise Ended("no_sources", "Nothing to go on.")

    workflow(deep=perform)
    run = RunFactory(workflow="deep")
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == (
        RunState.FAILED,
        {"code": "no_sources", "message": "Nothing to go on."},
    )


def test_it_waits_for_a_person_and_is_told_what_was_answered(workflow):
    said = []

    def perform(worker):
        said.append(worker.ask_person("brief", {"brief": "This is what I will do."}))
        said.append(worker.ask_person("synthesis", {"found": "This is what I found."}))
        worker.end({})

    workflow(deep=perform)
    run = RunFactory(workflow="deep")
    given = {"brief": {"scope_boundaries": "shorter"}, "synthesis": {"remarks": "longer"}}
    for phase, answer in given.items():
        perform_run(run.pk)
        run.refresh_from_db()
        assert (run.state, run.phase) == (RunState.AWAITING_CONFIRMATION, phase)
        confirm_checkpoint(run=run, actor=None, answer=answer)
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert [answer["answer"] for answer in said[-2:]] == list(given.values())
    assert Step.objects.filter(run=run, kind="phase").count() == 3


@pytest.fixture
def family(workflow):
    """A parent that spawns two children and gathers what they gave."""

    def parent(worker):
        worker.spawn("round.1", [Child("a", {"topic": "A"}), Child("b", {"topic": "B"}, max_turns=3)])
        outcomes = worker.wait_for_children("round.1")
        worker.end({"found": [[o.directive, o.state, o.output] for o in outcomes]})

    def topic(worker):
        if worker.run.params["topic"] == "B":
            raise Ended("lost", "no")
        worker.end({"topic": worker.run.params["topic"]})

    workflow(deep=parent, topic=topic)
    return RunFactory(workflow="deep")


def test_it_holds_no_worker_while_its_children_work(
    family, silent_doorbell, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        perform_run(family.pk)
    family.refresh_from_db()
    children = list(family.children.order_by("directive"))
    assert (family.state, family.lease_owner) == (RunState.AWAITING_CHILDREN, "")
    assert {args[0] for _, args in silent_doorbell} == {str(child.pk) for child in children}
    assert [(child.workflow, child.model, child.max_turns) for child in children] == [
        ("topic", family.model, family.max_turns),
        ("topic", family.model, 3),
    ]
    silent_doorbell.clear()
    with django_capture_on_commit_callbacks(execute=True):
        perform_run(children[0].pk)
    assert silent_doorbell == []
    with django_capture_on_commit_callbacks(execute=True):
        perform_run(children[1].pk)
    assert silent_doorbell == [("perform_run", (str(family.pk),))]
    perform_run(family.pk)
    output = Step.objects.get(run=family, name="output").answer
    assert output == {"found": [["a", "succeeded", {"topic": "A"}], ["b", "failed", {}]]}


def test_it_takes_a_parent_up_again_that_nobody_woke(family):
    perform_run(family.pk)
    family.children.update(state=RunState.SUCCEEDED)
    sweep_runs()
    family.refresh_from_db()
    assert family.state == RunState.QUEUED


def test_it_stops_the_children_of_a_parent_that_is_cancelled(family):
    perform_run(family.pk)
    busy, idle = family.children.order_by("directive")
    Run.objects.filter(pk=busy.pk).update(state=RunState.RUNNING)
    cancel_run(run=Run.objects.get(pk=family.pk), actor=None)
    busy.refresh_from_db()
    idle.refresh_from_db()
    assert (busy.state, busy.cancel_requested) == (RunState.RUNNING, True)
    assert idle.state == RunState.CANCELLED


def test_it_wakes_a_parent_whose_last_child_is_cancelled(family):
    perform_run(family.pk)
    for child in family.children.all():
        cancel_run(run=child, actor=None)
    family.refresh_from_db()
    assert family.state == RunState.QUEUED


def test_it_creates_no_child_when_the_step_that_lists_them_is_not_stored(family, monkeypatch):
    def killed(*args, **kwargs):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(Run.objects, "bulk_create", killed)
        with pytest.raises(Killed):
            perform_run(family.pk)
    assert not Step.objects.filter(run=family, name="round.1").exists()
    assert taken_up_again(family).state == RunState.AWAITING_CHILDREN
    assert family.children.count() == 2
