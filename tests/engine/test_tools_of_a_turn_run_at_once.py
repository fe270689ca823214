import threading

import pytest
from django.db import connection

from research.engine import tool_calls
from research.engine.runner import perform_run
from research.models import Run, Step
from research.models.states import RunState
from tests.engine.conftest import ALLIANZ, answers, asks
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db(transaction=True)
CALLS = [
    ("lei_record", {"lei": ALLIANZ}),
    ("lei_search", {"name": "Allianz SE"}),
    ("lei_parents", {"lei": ALLIANZ}),
]


def test_it_runs_them_side_by_side_and_keeps_their_order(play, monkeypatch):
    together = threading.Barrier(2, timeout=30)
    call, connections = tool_calls.call, []

    def meet(tool, arguments, context):
        together.wait()
        connections.append(connection.connection)
        return call(tool, arguments, context)

    monkeypatch.setattr(tool_calls, "call", meet)
    script = play(asks(*CALLS[:2]), answers())
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert [a.name for a in script.requests[1].messages[-1].answers] == ["lei_record", "lei_search"]
    assert connections == [None, None]  # nothing is held while a tool works


def test_it_commits_each_answer_as_it_arrives(play, monkeypatch):
    first_is_there = threading.Event()
    call = tool_calls.call

    def slow_first(tool, arguments, context):
        if tool.name == "lei_record":
            for _ in range(3_000):
                if Step.objects.filter(name="lei_search", answered_at__isnull=False).exists():
                    first_is_there.set()
                    break
                threading.Event().wait(0.01)
            connection.close()
        return call(tool, arguments, context)

    monkeypatch.setattr(tool_calls, "call", slow_first)
    script = play(asks(*CALLS[:2]), answers())
    run = RunFactory()
    perform_run(run.pk)
    assert first_is_there.is_set()
    assert Run.objects.get(pk=run.pk).state == RunState.SUCCEEDED
    assert [a.name for a in script.requests[1].messages[-1].answers] == ["lei_record", "lei_search"]


def test_it_runs_again_only_what_had_no_answer_when_the_worker_died(play, monkeypatch):
    class Killed(BaseException):
        pass

    call, asked = tool_calls.call, []
    alone = threading.Lock()

    def deadly(tool, arguments, context):
        with alone:
            asked.append(tool.name)
        if tool.name == "lei_search" and asked.count("lei_search") == 1:
            for _ in range(3_000):
                if Step.objects.filter(kind="tool", answered_at__isnull=False).count() == 1:
                    break
                threading.Event().wait(0.01)
            connection.close()
            raise Killed
        return call(tool, arguments, context)

    monkeypatch.setattr(tool_calls, "call", deadly)
    script = play(asks(*CALLS[:2]), answers())
    run = RunFactory()
    with pytest.raises(Killed):
        perform_run(run.pk)
    Run.objects.filter(pk=run.pk).update(state=RunState.QUEUED)
    perform_run(run.pk)
    assert sorted(asked) == ["lei_record", "lei_search", "lei_search"]
    assert Run.objects.get(pk=run.pk).state == RunState.SUCCEEDED
    assert [a.name for a in script.requests[-1].messages[-1].answers] == ["lei_record", "lei_search"]
    assert Step.objects.get(run=run, name="lei_search").attempt == 2
