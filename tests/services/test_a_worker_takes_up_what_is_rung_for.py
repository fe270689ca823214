"""The real broker (a folder, or Redis when TEST_REDIS_URL is set) and a real worker in a thread of this process."""

import threading
from collections import Counter
from uuid import uuid4

import pytest
from celery import current_app
from celery.contrib.testing.worker import start_worker
from celery.signals import before_task_publish, task_postrun

from config import lane
from research import doorbell, tasks
from research.engine.lease_renewal import HEART
from research.models import AuditEvent, AuditSeal, ResearchResult, VerbCall
from research.services.execution import enqueue_execution
from research.services.reviews import approve_result
from research.services.runs import start_run, sweep_runs
from tests.factories import ALL_RIGHTS, MacroFactory, ResultFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)
RING = doorbell._ring


class Done:
    """Which tasks are done, and how many are still to be; waiting is bounded."""

    def __init__(self) -> None:
        self.names: Counter[str] = Counter()
        self.open = 0
        self.changed = threading.Condition()

    def sent(self, **kwargs):
        with self.changed:
            self.open += 1

    def done(self, task=None, **kwargs):
        with self.changed:
            self.open -= 1
            self.names[task.name] += 1
            self.changed.notify_all()

    def __call__(self, name):
        with self.changed:
            return self.changed.wait_for(
                lambda: self.names[name] or self.names[f"research.tasks.{name}"], timeout=30
            )

    def settle(self):
        """Until the worker has nothing left: a task at work would hold tables that the next test empties."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.open == 0, timeout=30)
            self.names.clear()


@pytest.fixture(scope="module")
def running_worker(tmp_path_factory):
    """One worker for this file, on a queue of its own."""
    app, done = current_app._get_current_object(), Done()
    before = {key: app.conf[key] for key in ("task_default_queue", "broker_transport_options")}
    app.conf.task_default_queue = queue = f"test-{uuid4().hex[:8]}"
    if str(app.conf.broker_url).startswith("filesystem"):
        folder = tmp_path_factory.mktemp("broker")
        (folder / "control").mkdir()
        folders = {
            "data_folder_in": str(folder),
            "data_folder_out": str(folder),
            "control_folder": str(folder / "control"),
        }
        app.conf.broker_transport_options = {**folders, "polling_interval": 0.02}
    before_task_publish.connect(done.sent)
    task_postrun.connect(done.done)
    options = {"pool": "threads", "concurrency": 2, "perform_ping_check": False, "loglevel": "ERROR"}
    with start_worker(app, queues=[queue], shutdown_timeout=30, **options):
        yield done
    lane.wait()
    HEART.leaving.clear()
    before_task_publish.disconnect(done.sent)
    task_postrun.disconnect(done.done)
    app.conf.update(before)


@pytest.fixture
def worker(running_worker, monkeypatch):
    """Rings reach the worker; ``worker(task)`` waits until a task of that name is done."""
    monkeypatch.setattr(doorbell, "_ring", RING)

    def perform(run_id):
        tasks.perform(run_id)
        with running_worker.changed:
            running_worker.names["a run"] += 1
            running_worker.changed.notify_all()

    monkeypatch.setattr(tasks.LANE, "_perform", perform)
    lane.open_here()
    yield running_worker
    lane.wait()
    running_worker.settle()


def test_it_performs_a_run_that_was_started(worker):
    params = {"client_name": "Allianz SE"}
    run = start_run(macro=MacroFactory().name, params=params, trigger="api")
    assert worker("a run")
    run.refresh_from_db()
    assert run.started_at
    assert run.fence == 1


def test_it_performs_a_run_that_was_forgotten(worker):
    run = RunFactory(state="running", lease_until="2020-01-01T00:00:00Z", fence=4)
    sweep_runs()  # it may have been found already: the lane looks by itself each second
    assert worker("a run")
    run.refresh_from_db()
    assert run.fence == 5


def test_it_executes_an_approval(worker):
    person, result = UserFactory(rights=ALL_RIGHTS), ResultFactory()
    decision = approve_result(result=result, reviewer=person, digest=result.digest)
    enqueue_execution(decision=decision, actor=person)
    assert worker("execute_decision")
    assert VerbCall.objects.get().state == "succeeded"
    assert ResearchResult.objects.get().state == "executed"


def test_it_seals_the_audit_trail(worker):
    RunFactory()
    start_run(macro=MacroFactory().name, params={"client_name": "x"}, trigger="api")
    assert AuditEvent.objects.count() == 1
    doorbell.ring_on_commit("seal_audit")
    assert worker("seal_audit")
    assert AuditSeal.objects.exists()


def test_it_loses_nothing_when_the_broker_is_down(monkeypatch):
    from kombu.exceptions import OperationalError

    def down(*args, **kwargs):
        raise OperationalError("no broker")

    monkeypatch.setattr(doorbell, "_ring", RING)
    monkeypatch.setattr(current_app._get_current_object(), "send_task", down)
    run = start_run(macro=MacroFactory().name, params={"client_name": "x"}, trigger="api")
    run.refresh_from_db()
    assert run.state == "queued"
