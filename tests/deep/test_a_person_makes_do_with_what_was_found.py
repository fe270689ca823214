"""A run whose provider is gone is resumed, or a person makes do with what is there; the result says what is missing."""

import pytest
from django.test import Client
from django.urls import reverse

from research.errors import InvalidTransition, NotPermitted
from research.llm.interface import ModelFault
from research.models import AuditEvent, ResearchResult, Run, Step
from research.models.states import RunState
from research.services.runs import can_finish, cancel_run, finish_run, resume_run
from tests.deep.conftest import work
from tests.deep.newsroom import Sage
from tests.factories import ALL_RIGHTS, RunFactory, UserFactory

pytestmark = pytest.mark.django_db
GONE = ModelFault("quota", "There is no credit left.")


@pytest.fixture
def failed(ask):
    """A run that has found two topics and whose provider is gone before the report."""
    run = work(ask(Sage(report=GONE)))
    assert run.state == RunState.FAILED
    return run


@pytest.fixture
def petra():
    return UserFactory(username="petra", rights=ALL_RIGHTS)


def test_a_partial_result_is_made_of_it_and_nobody_is_asked(failed, petra):
    asked = Step.objects.filter(run=failed, kind="model").count()
    finish_run(run=failed, actor=petra)
    run = work(failed)
    assert run.state == RunState.SUCCEEDED
    assert Step.objects.filter(run=run, kind="model").count() == asked
    result = ResearchResult.objects.get(run=run)
    assert (result.partial, result.state, result.schema_valid) == (True, "pending_review", True)
    assert "Mill AG belongs to Acme SE, Munich, since 2019 [1][2]." in result.data["report"]
    said = result.data["limitations"][0]
    assert said.startswith(
        "A person had the research finished with what there was. The research ended before"
    )
    assert "There is no credit left." in said


def test_the_trail_says_who_and_why(failed, petra):
    finish_run(run=failed, actor=petra)
    event = AuditEvent.objects.get(action="run.finishing")
    assert (event.actor, event.detail) == (petra, {"ended": "model_unavailable"})


def test_a_cancelled_run_can_be_made_do_with_too(ask, petra):
    run = work(ask(Sage(), autonomy="cautious"))
    cancel_run(run=run, actor=None)
    assert not can_finish(run), "nothing has been found yet"
    with pytest.raises(InvalidTransition, match="found nothing"):
        finish_run(run=run, actor=petra)
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED


def test_of_two_persons_one_decides(failed, petra):
    seen = Run.objects.get(pk=failed.pk)
    resume_run(run=failed, actor=None)
    with pytest.raises(InvalidTransition, match="cannot finish a run that is queued"):
        finish_run(run=seen, actor=petra)
    assert not AuditEvent.objects.filter(action="run.finishing").exists()


def test_a_run_of_another_person_and_a_part_of_one_are_refused(failed, petra):
    Run.objects.filter(pk=failed.pk).update(requested_by=petra)
    failed.refresh_from_db()
    with pytest.raises(NotPermitted):
        finish_run(run=failed, actor=UserFactory(rights=["start_run", "view_run"]))
    part = failed.children.first()
    Run.objects.filter(pk=part.pk).update(state=RunState.FAILED)
    with pytest.raises(InvalidTransition):
        finish_run(run=part, actor=petra)
    direct = RunFactory(state=RunState.FAILED)
    assert not can_finish(direct)


def test_its_page_offers_it_and_does_it(failed, petra, client):
    client.force_login(petra)
    page = reverse("admin:research_run_change", args=[failed.pk])
    assert "Make do with what was found" in client.get(page).content.decode()
    said = client.post(reverse("admin:research_run_finish", args=[failed.pk]), follow=True)
    assert "A partial result is made of what was found" in said.content.decode()
    assert work(failed).state == RunState.SUCCEEDED
    assert "Make do with what was found" not in client.get(page).content.decode()


def test_nothing_happens_by_looking(failed, petra, client):
    client.force_login(petra)
    client.get(reverse("admin:research_run_finish", args=[failed.pk]))
    Client().post(reverse("admin:research_run_finish", args=[failed.pk]))
    failed.refresh_from_db()
    assert failed.state == RunState.FAILED


def test_it_is_a_verb_over_rest(failed, client, petra):
    client.force_login(petra)
    url = reverse("api-run-finish", args=[failed.pk])
    answer = client.post(url, {}, content_type="application/json")
    assert (answer.status_code, answer.json()["state"]) == (202, "queued")
    assert client.post(url, {}, content_type="application/json").status_code == 409
