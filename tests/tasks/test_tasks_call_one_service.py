import pytest
from django.conf import settings

from config.celery import app
from research import tasks
from research.audit import record
from research.models import AuditSeal, Decision, ResearchResult, VerbCall
from research.models.states import RunState
from research.services.reviews import approve_result
from tests.factories import ALL_RIGHTS, DocumentFactory, MacroFactory, ResultFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def approved():
    result, reviewer = ResultFactory(), UserFactory(rights=ALL_RIGHTS)
    return approve_result(result=result, reviewer=reviewer, digest=result.digest, reason="x")


def test_it_knows_every_task_that_beat_and_doorbell_name():
    app.loader.import_default_modules()
    named = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    named |= {"research.tasks.perform_run", "research.tasks.execute_decision"}
    assert named <= set(app.tasks)


def test_it_works_on_a_run(run_macros):
    run = RunFactory(macro=run_macros)
    tasks.perform(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED, run.error
    assert ResearchResult.objects.filter(run=run).exists()


def test_it_does_nothing_for_a_run_that_is_over():
    run = RunFactory(state=RunState.FAILED)
    tasks.perform(run.pk)
    run.refresh_from_db()
    assert (run.state, run.fence) == (RunState.FAILED, 0)


def test_a_ring_only_has_the_lane_look(monkeypatch):
    rung = []
    monkeypatch.setattr(tasks.LANE, "ring", lambda: rung.append(True))
    tasks.perform_run(str(RunFactory().pk))
    assert rung == [True]


def test_it_executes_a_decision_and_again_changes_nothing(approved):
    for _ in range(2):
        tasks.execute_decision(approved.pk, approved.reviewer_id)
    assert list(VerbCall.objects.values_list("state", "attempts")) == [("succeeded", 1)]


def test_it_rings_again_for_a_forgotten_run(silent_doorbell, django_capture_on_commit_callbacks):
    run = RunFactory(state=RunState.RUNNING, lease_until="2020-01-01T00:00:00Z")
    with django_capture_on_commit_callbacks(execute=True):
        assert tasks.sweep_runs() == 1
    assert silent_doorbell == [("perform_run", (str(run.pk),))]


def test_it_seals_what_happened():
    record("test", MacroFactory())
    assert tasks.seal_audit() == 1
    assert AuditSeal.objects.count() == 1


def test_it_takes_new_texts_into_the_index():
    DocumentFactory.create_batch(3)
    assert (tasks.index_archive(), tasks.index_archive()) == (3, 0)


def test_it_fails_loudly_for_a_decision_that_is_not_there():
    with pytest.raises(Decision.DoesNotExist):
        tasks.execute_decision(7, 7)


@pytest.fixture
def run_macros():
    """The client discovery that comes with Dossier."""
    from research.services.macros import active_macro, sync_macros

    sync_macros()
    return active_macro("client-discovery")
