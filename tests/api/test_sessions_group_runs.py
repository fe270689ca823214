import pytest

from research.models import ResearchSession
from tests.factories import ResultFactory, RunFactory, SessionFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_it_opens_a_session(client, url, person):
    answer = client.post(url("sessions"), {"title": "Client 4711"})
    assert answer.status_code == 201
    session = ResearchSession.objects.get()
    assert answer["Location"] == url("session", session.pk)
    assert (session.title, session.created_by) == ("Client 4711", person)
    assert answer.json()["status"] == "idle"


def test_it_needs_the_right_to_start_research(client_of, url):
    answer = client_of(UserFactory(rights=["view_researchsession"])).post(url("sessions"), {})
    assert answer.status_code == 403


def test_it_shows_a_session_with_its_runs_and_results(client, url):
    session = SessionFactory()
    run = RunFactory(session=session, state="succeeded")
    result = ResultFactory(run=run, session=session)
    shown = client.get(url("session", session.pk)).json()
    assert shown["status"] == "pending_review"
    assert [entry["id"] for entry in shown["runs"]] == [str(run.pk)]
    assert [entry["id"] for entry in shown["results"]] == [str(result.pk)]


def test_it_lists_the_newest_first(client, url):
    sessions = [SessionFactory() for _ in range(3)]
    listed = client.get(url("sessions")).json()["results"]
    assert [entry["id"] for entry in listed] == [str(session.pk) for session in reversed(sessions)]


def test_it_refuses_a_title_that_is_too_long(client, url):
    assert client.post(url("sessions"), {"title": "x" * 201}).status_code == 400
