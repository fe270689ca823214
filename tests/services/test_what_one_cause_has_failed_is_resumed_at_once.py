"""A provider was away, a key was refused: what failed by it goes on in one act, each run as it would by itself."""

import pytest
from django.urls import reverse

from research.errors import NotPermitted
from research.models import AuditEvent, Run
from research.models.states import RunState
from research.services.resuming import cause_of, failed_by, resume_failed
from tests.factories import RunFactory, UserFactory

pytestmark = pytest.mark.django_db


def failed(code="model_unavailable", reason="network", **fields):
    error = {"code": code, "message": "<script>no</script>", **({"reason": reason} if reason else {})}
    return RunFactory(state=RunState.FAILED, error=error, **fields)


def states():
    return {run.pk: run.state for run in Run.objects.all()}


def test_it_resumes_what_failed_by_the_cause_and_nothing_else():
    person = UserFactory(rights=["start_run", "decide_researchresult"])
    ours = [failed(), failed(requested_by=person)]
    others = [failed(reason="auth"), failed("stuck", ""), failed(parent=ours[0], directive="part")]
    done = resume_failed(cause="network", actor=person)
    assert (done.count, done.left) == (2, {})
    assert {states()[run.pk] for run in ours} == {RunState.QUEUED}
    assert {states()[run.pk] for run in others} == {RunState.FAILED}
    assert AuditEvent.objects.filter(action="run.resumed", actor=person).count() == 2


def test_what_a_person_may_not_steer_is_left_and_said():
    person = UserFactory(rights=["start_run"])
    mine, theirs = failed(requested_by=person), failed(requested_by=UserFactory())
    done = resume_failed(cause="network", actor=person)
    assert (done.count, list(done.left)) == (1, [str(theirs.pk)])
    assert states() == {mine.pk: RunState.QUEUED, theirs.pk: RunState.FAILED}
    assert done.sentence.startswith("1 run goes on. 1 does not: ")


def test_it_asks_for_the_right_to_start_runs():
    run = failed()
    with pytest.raises(NotPermitted):
        resume_failed(cause="network", actor=UserFactory())
    assert states() == {run.pk: RunState.FAILED}


def test_two_people_at_once_resume_each_run_once():
    person = UserFactory(rights=["start_run", "decide_researchresult"])
    failed()
    assert [resume_failed(cause="network", actor=person).count for _ in range(2)] == [1, 0]


def test_a_run_without_a_reason_is_named_by_its_code():
    run = failed("stuck", "")
    assert cause_of(run) == "stuck"
    assert list(failed_by("stuck")) == [run]


def test_the_page_of_a_run_offers_it(client):
    person = UserFactory(rights=["start_run", "view_run", "decide_researchresult"], is_staff=True)
    client.force_login(person)
    run = failed()
    page = reverse("admin:research_run_change", args=[run.pk])
    assert "that failed like this" not in client.get(page).content.decode()
    failed()
    assert "Resume all 2 that failed like this" in client.get(page).content.decode()
    client.get(reverse("admin:research_run_resume_alike", args=[run.pk]))
    assert set(states().values()) == {RunState.FAILED}  # looking changes nothing
    told = client.post(reverse("admin:research_run_resume_alike", args=[run.pk]), follow=True)
    assert "2 runs go on." in told.content.decode()
    assert set(states().values()) == {RunState.QUEUED}
