import pytest

from research.models import Run, Step
from research.models.states import RunState, StepKind
from tests.factories import MacroFactory, ResultFactory, RunFactory, SessionFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def body():
    return {"macro": MacroFactory().name, "params": {"client_name": "Allianz SE"}}


def test_it_accepts_a_run_and_says_where_to_follow_it(client, url, body, person):
    answer = client.post(url("runs"), body)
    assert answer.status_code == 202, answer.json()
    run = Run.objects.get()
    assert answer["Location"] == url("run", run.pk)
    assert client.get(answer["Location"]).json() == answer.json()
    assert (run.requested_by, run.trigger, run.state) == (person, "api", "queued")
    assert answer.json()["params"] == {"client_name": "Allianz SE"}


def test_it_rings_a_worker(client, url, body, silent_doorbell, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        client.post(url("runs"), body)
    assert silent_doorbell == [("perform_run", (str(Run.objects.get().pk),))]


def test_it_takes_every_option(client, url, body):
    session = SessionFactory()
    options = {"session": str(session.pk), "autonomy": "cautious", "depth": "quick", "budget_usd": "1.50"}
    answer = client.post(url("runs"), {**body, **options, "register": "demo"})
    assert answer.status_code == 202, answer.json()
    run = Run.objects.get()
    assert (run.session, run.autonomy, run.depth, run.register) == (session, "cautious", "quick", "demo")
    assert answer.json()["budget_usd"] == "1.5000"


def test_it_refuses_somebody_who_may_not_start(client_of, url, body):
    answer = client_of(UserFactory(rights=["view_run"])).post(url("runs"), body)
    assert answer.status_code == 403
    assert answer.json()["type"] == "urn:dossier:not-permitted"
    assert not Run.objects.exists()


def test_it_refuses_a_session_that_is_busy(client, url, body):
    session = SessionFactory()
    RunFactory(session=session)
    answer = client.post(url("runs"), {**body, "session": str(session.pk)})
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:dossier:session-busy")


def test_it_refuses_a_session_that_is_not_there(client, url, body):
    answer = client.post(url("runs"), {**body, "session": "00000000-0000-0000-0000-000000000007"})
    assert answer.status_code == 404
    assert "session" in answer.json()["title"]


def test_it_shows_the_journal_in_order(client, url):
    run = RunFactory()
    for seq in (2, 1, 3):
        Step.objects.create(run=run, seq=seq, kind=StepKind.TOOL, name=f"tool{seq}", fence=1)
    rows = client.get(url("run-steps", run.pk), {"page_size": 2}).json()
    assert [row["seq"] for row in rows["results"]] == [1, 2]
    assert [row["seq"] for row in client.get(rows["next"]).json()["results"]] == [3]


def test_it_names_the_result_of_a_run(client, url):
    result = ResultFactory()
    assert client.get(url("run", result.run_id)).json()["result"] == str(result.pk)


def test_it_says_why_a_run_failed(client, url):
    run = RunFactory(state=RunState.FAILED, error={"code": "not_found", "message": "No such entity."})
    shown = client.get(url("run", run.pk)).json()
    assert (shown["state"], shown["error"]["code"], shown["result"]) == ("failed", "not_found", None)
