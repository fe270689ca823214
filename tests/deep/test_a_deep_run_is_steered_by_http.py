"""REST shows how far a deep run is and what it waits for, and takes what was edited."""

import pytest

from research.engine.runner import perform_run
from research.models import Run
from research.models.states import RunState
from tests.api.conftest import *  # noqa: F403 - fixtures
from tests.deep.conftest import work
from tests.deep.newsroom import BRIEF, UNCLEAR, Sage

pytestmark = pytest.mark.django_db


def test_it_tells_phases_topics_and_counts(ask, client, url):
    run = ask(Sage())
    perform_run(run.pk)
    perform_run(Run.objects.get(parent=run, directive="dir-1-1").pk)
    answer = client.get(url("run", run.pk)).json()
    assert (answer["state"], answer["workflow"], answer["checkpoint"]) == ("awaiting_children", "deep", None)
    progress = answer["progress"]
    assert {phase["name"]: phase["state"] for phase in progress["phases"]} == {
        "clarification": "done",
        "brief": "done",
        "round": "now",
        "synthesis": "ahead",
        "verification": "ahead",
    }
    assert (progress["round"], progress["rounds"]) == (1, 3)
    assert [(topic["directive"], topic["state"], topic["sources"]) for topic in progress["topics"]] == [
        ("dir-1-1", "succeeded", 2),
        ("dir-1-2", "queued", 0),
    ]
    assert progress["counts"] == {"succeeded": 1, "queued": 1, "sources": 2}


def test_a_run_of_another_workflow_has_no_progress_of_that_kind(client, url):
    from tests.factories import RunFactory

    answer = client.get(url("run", RunFactory().pk)).json()
    assert (answer["progress"], answer["checkpoint"]) == (None, None)


def test_what_is_to_be_confirmed_is_shown_and_can_be_changed(ask, client, url):
    run = work(ask(Sage(clarification=UNCLEAR), autonomy="cautious"))
    shown = client.get(url("run", run.pk)).json()["checkpoint"]
    assert shown == {
        "phase": "clarification",
        "message": "Which mill do you mean?",
        "edit": {"answer": ""},
        "shown": {},
    }
    body = {"answer": {"answer": "The one on the Aare."}, "phase": "clarification"}
    assert client.post(url("run-confirm", run.pk), body).status_code == 202
    work(run)
    shown = client.get(url("run", run.pk)).json()["checkpoint"]
    assert (shown["phase"], shown["edit"]) == ("brief", BRIEF)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"answer": {"research_brief": "x"}}, 400),
        ({"answer": {"directives": []}}, 400),
        ({"answer": ["x"]}, 400),
        ({"phase": "clarification"}, 409),
    ],
)
def test_it_refuses_what_does_not_belong_to_the_checkpoint(ask, client, url, body, status):
    run = work(ask(Sage(), autonomy="cautious"))
    client.post(url("run-confirm", run.pk), {"phase": "clarification"})
    work(run)
    answer = client.post(url("run-confirm", run.pk), body)
    assert answer.status_code == status, answer.content
    run.refresh_from_db()
    assert (run.state, run.phase) == (RunState.AWAITING_CONFIRMATION, "brief")


def test_nobody_without_the_right_confirms(ask, client_of, url):
    from tests.factories import UserFactory

    run = work(ask(Sage(), autonomy="cautious"))
    looker = client_of(UserFactory(rights=["view_run"]))
    assert looker.post(url("run-confirm", run.pk), {}).status_code == 403
