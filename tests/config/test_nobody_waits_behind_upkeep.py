"""Each kind of work has threads of its own: what hangs in one holds up none of the others."""

import threading

import pytest

from config.celery import app
from config.pool import LANES, LONG, POST, PROMPT, THREADS, TaskPool


@pytest.fixture
def pool():
    pool, end = TaskPool(limit=2), threading.Event()
    pool.end = end
    yield pool
    end.set()
    pool.on_stop()


def send(pool, name, do):
    def target(*args, **kwargs):
        do()

    return pool.on_apply(target, (name, "id", {}, b"", "", ""), {}, None, lambda *args: None)


@pytest.mark.parametrize(
    ("hangs", "goes_on"),
    [
        ("entities.tasks.sync_register", "research.tasks.execute_decision"),
        ("entities.tasks.sync_register", "research.tasks.seal_audit"),
        ("entities.tasks.sync_register", "research.tasks.deliver"),
        ("research.tasks.deliver", "research.tasks.execute_decision"),
        ("research.tasks.deliver", "research.tasks.sweep_runs"),
        ("research.tasks.execute_decision", "research.tasks.seal_audit"),
    ],
)
def test_a_hundred_tasks_that_hang_hold_up_no_other_lane(pool, hangs, goes_on):
    for _ in range(100):
        send(pool, hangs, lambda: pool.end.wait(30))
    done = threading.Event()
    send(pool, goes_on, done.set)
    assert done.wait(10)


def test_every_task_that_nobody_waits_for_has_a_lane_and_no_other():
    app.loader.import_default_modules()
    ours = {name for name in app.tasks if not name.startswith("celery.")}
    assert ours - set(LANES) == {"research.tasks.execute_decision"}
    assert set(LANES) <= ours
    assert set(LANES.values()) == {PROMPT, LONG, POST} == set(THREADS)
