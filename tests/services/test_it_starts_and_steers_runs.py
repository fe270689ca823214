from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine.runner import perform_run
from research.errors import InvalidParameters, InvalidTransition, SessionBusy, UnknownMacro
from research.models import Run, Step
from research.services.runs import cancel_run, confirm_checkpoint, resume_run, start_run, sweep_runs
from tests.factories import MacroFactory, ResultFactory, RunFactory, SessionFactory

pytestmark = pytest.mark.django_db


def test_it_creates_a_queued_run_and_rings_for_a_worker(
    started, silent_doorbell, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        run = started()
    assert run.state == "queued"
    assert run.register == "demo"
    assert silent_doorbell == [("perform_run", (str(run.pk),))]


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({}, "client_name"),
        ({"client_name": 7}, "client_name"),
        ({"client_name": "x", "clientname": "x"}, "clientname"),
        ({"client_name": None}, "client_name"),
    ],
)
def test_it_names_the_parameter_that_is_wrong(started, params, name):
    with pytest.raises(InvalidParameters) as caught:
        started(params=params)
    assert [error.name for error in caught.value.errors] == [name]
    assert not Run.objects.exists()


@pytest.mark.parametrize("names", ["nobody:m", "anthropic:m, nobody:n", "register,nobody:n", "", ","])
def test_it_starts_nothing_that_one_of_its_models_could_not_go_on_with(started, settings, names):
    settings.DOSSIER_MODEL = names
    with pytest.raises(InvalidParameters) as caught:
        started()
    assert [error.name for error in caught.value.errors] == ["model"]
    assert not Run.objects.exists()


def test_it_keeps_the_models_in_the_order_in_which_they_are_asked(started, settings):
    settings.DOSSIER_MODEL = " anthropic:m , openai-chat:a:b,, register"
    assert started().model == "anthropic:m,openai-chat:a:b,register"


@pytest.mark.parametrize(
    ("option", "value"), [("autonomy", "reckless"), ("depth", "bottomless"), ("trigger", "x")]
)
def test_it_names_the_option_that_is_wrong(option, value):
    options = {"trigger": "cli", option: value}
    with pytest.raises(InvalidParameters) as caught:
        start_run(macro=MacroFactory().name, params={"client_name": "x"}, **options)
    assert caught.value.errors[0].name == option
    assert caught.value.errors[0].allowed


def test_it_names_the_macros_there_are_when_asked_for_another():
    macro = MacroFactory()
    with pytest.raises(UnknownMacro, match=macro.name):
        start_run(macro="no-such-macro", params={}, trigger="cli")


def test_it_runs_one_thing_at_a_time_in_a_session(started):
    session = SessionFactory()
    started(session=session)
    with pytest.raises(SessionBusy):
        started(session=session)


def test_it_waits_for_the_review_of_a_session_before_the_next_run(started):
    session = SessionFactory()
    ResultFactory(session=session)
    with pytest.raises(SessionBusy, match="review"):
        started(session=session)


def test_it_resumes_nothing_in_a_session_that_waits_for_a_review():
    session = SessionFactory()
    failed = RunFactory(session=session, state="failed")
    ResultFactory(session=session)
    with pytest.raises(SessionBusy, match="review"):
        resume_run(run=failed, actor=None)
    failed.refresh_from_db()
    assert failed.state == "failed"


def test_it_cancels_a_run_that_nobody_works_on_at_once():
    run = cancel_run(run=RunFactory(), actor=None)
    assert (run.state, run.finished_at is not None) == ("cancelled", True)


def test_it_asks_a_worker_to_stop_between_two_steps():
    run = cancel_run(run=RunFactory(state="running"), actor=None)
    assert (run.state, run.cancel_requested) == ("running", True)


@pytest.mark.parametrize("state", ["succeeded", "failed", "cancelled"])
def test_it_does_not_cancel_what_is_over(state):
    with pytest.raises(InvalidTransition, match=state):
        cancel_run(run=RunFactory(state=state), actor=None)


@pytest.mark.parametrize("state", ["queued", "running", "succeeded", "awaiting_confirmation"])
def test_it_resumes_only_what_failed_or_was_cancelled(state):
    with pytest.raises(InvalidTransition, match=state):
        resume_run(run=RunFactory(state=state), actor=None)


def test_it_shows_a_cautious_plan_and_waits_for_a_person(started):
    run = started(autonomy="cautious")
    perform_run(run.pk)
    run.refresh_from_db()
    plan = Step.objects.get(run=run)
    assert run.state == "awaiting_confirmation"
    assert plan.answer["params"] == {"client_name": "Allianz SE"}
    assert not Step.objects.filter(run=run, kind="model").exists()


def test_it_goes_on_with_the_parameters_that_were_confirmed(started):
    run = started(autonomy="cautious")
    perform_run(run.pk)
    confirm_checkpoint(run=Run.objects.get(pk=run.pk), actor=None, params={"client_name": "Shell plc"})
    run.refresh_from_db()
    assert (run.state, run.params) == ("queued", {"client_name": "Shell plc"})
    with pytest.raises(InvalidTransition):
        confirm_checkpoint(run=run, actor=None)


def test_it_takes_no_time_from_a_run_while_a_person_thinks(started):
    run = started(autonomy="cautious")
    perform_run(run.pk)
    Run.objects.filter(pk=run.pk).update(deadline=timezone.now() - timedelta(hours=1))
    confirm_checkpoint(run=Run.objects.get(pk=run.pk), actor=None)
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.error or {}).get("code") != "deadline"
    assert run.deadline > timezone.now() + timedelta(minutes=30)


def test_it_rings_again_for_whatever_was_forgotten(django_capture_on_commit_callbacks, silent_doorbell):
    now = timezone.now()
    old, due, silent = RunFactory(), RunFactory(state="waiting", wake_at=now), RunFactory(state="running")
    Run.objects.filter(pk__in=[old.pk, due.pk]).update(created_at=now - timedelta(hours=1))
    Run.objects.filter(pk=silent.pk).update(lease_until=now - timedelta(seconds=1))
    RunFactory(state="running", lease_until=now + timedelta(hours=1))
    RunFactory(state="waiting", wake_at=now + timedelta(hours=1))
    RunFactory()
    with django_capture_on_commit_callbacks(execute=True):
        assert sweep_runs() == 3
    assert {args[0] for _, args in silent_doorbell} == {str(run.pk) for run in (old, due, silent)}


def test_it_does_not_flood_the_broker_with_rings_for_a_run_that_waits_its_turn():
    run = RunFactory()
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(hours=1))
    assert [sweep_runs(), sweep_runs()] == [1, 0]
    Run.objects.filter(pk=run.pk).update(wake_at=timezone.now())
    assert sweep_runs() == 1


def test_it_rings_for_the_oldest_first(monkeypatch, django_capture_on_commit_callbacks, silent_doorbell):
    monkeypatch.setattr("research.services.runs.MAX_RINGS", 1)
    now = timezone.now()
    newer, older = RunFactory(), RunFactory()
    for run, hours in ((newer, 1), (older, 2)):
        Run.objects.filter(pk=run.pk).update(created_at=now - timedelta(hours=hours))
    with django_capture_on_commit_callbacks(execute=True):
        sweep_runs()
    assert silent_doorbell == [("perform_run", (str(older.pk),))]
