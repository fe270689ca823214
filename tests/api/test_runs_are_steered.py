import pytest

from research.models import Run
from research.models.states import RunState
from tests.factories import RunFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_it_lets_a_waiting_run_go_on(client, url):
    run = RunFactory(state=RunState.AWAITING_CONFIRMATION)
    answer = client.post(url("run-confirm", run.pk))
    assert (answer.status_code, answer.json()["state"]) == (202, "queued")


def test_it_lets_a_waiting_run_go_on_with_other_parameters(client, url):
    run = RunFactory(state=RunState.AWAITING_CONFIRMATION)
    answer = client.post(url("run-confirm", run.pk), {"params": {"client_name": "Siemens AG"}})
    assert answer.json()["params"] == {"client_name": "Siemens AG"}


def test_it_refuses_other_parameters_that_do_not_fit(client, url):
    run = RunFactory(state=RunState.AWAITING_CONFIRMATION)
    answer = client.post(url("run-confirm", run.pk), {"params": {"name": "Siemens AG"}})
    assert answer.status_code == 400
    assert Run.objects.get().state == RunState.AWAITING_CONFIRMATION


def test_it_stops_a_run(client, url):
    run = RunFactory()
    answer = client.post(url("run-cancel", run.pk))
    assert (answer.status_code, answer.json()["state"]) == (202, "cancelled")


def test_it_asks_a_running_run_to_stop(client, url):
    run = RunFactory(state=RunState.RUNNING)
    answer = client.post(url("run-cancel", run.pk))
    assert (answer.json()["state"], answer.json()["cancel_requested"]) == ("running", True)


@pytest.mark.parametrize("state", [RunState.FAILED, RunState.CANCELLED])
def test_it_takes_a_run_up_again(client, url, state):
    run = RunFactory(state=state, error={"code": "register_unavailable", "message": "down"})
    answer = client.post(url("run-resume", run.pk), {})
    assert (answer.status_code, answer.json()["state"], answer.json()["error"]) == (202, "queued", None)


@pytest.mark.parametrize(
    ("action", "state"),
    [
        ("confirm", RunState.QUEUED),
        ("confirm", RunState.SUCCEEDED),
        ("cancel", RunState.SUCCEEDED),
        ("cancel", RunState.CANCELLED),
        ("resume", RunState.QUEUED),
        ("resume", RunState.SUCCEEDED),
    ],
)
def test_it_refuses_what_the_state_does_not_allow(client, url, action, state):
    run = RunFactory(state=state)
    answer = client.post(url(f"run-{action}", run.pk))
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:dossier:invalid-transition")
    assert answer.json()["state"] == state
    assert Run.objects.get().state == state


@pytest.mark.parametrize("action", ["confirm", "cancel", "resume"])
def test_it_refuses_somebody_who_may_not_start(client_of, url, action):
    run = RunFactory(state=RunState.FAILED)
    answer = client_of(UserFactory(rights=["view_run"])).post(url(f"run-{action}", run.pk))
    assert answer.status_code == 403


@pytest.mark.parametrize("action", ["confirm", "cancel", "resume"])
def test_it_refuses_words_it_does_not_know(client, url, action):
    run = RunFactory(state=RunState.FAILED)
    answer = client.post(url(f"run-{action}", run.pk), {"force": True})
    assert (answer.status_code, [error["name"] for error in answer.json()["errors"]]) == (400, ["force"])
