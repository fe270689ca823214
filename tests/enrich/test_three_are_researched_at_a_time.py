"""A batch is sent out in threes, and one that fails stops nobody."""

import pytest

from research.engine.runner import perform_run
from research.engine.workflows.entity import Subject
from research.models import Run
from research.models.states import OPEN_RUN_STATES, RunState
from research.services.enrichment import enrich
from tests.enrich.conftest import told, work

pytestmark = pytest.mark.django_db
NAMES = [f"Nobody Number {number} of Nowhere" for number in range(8)]


@pytest.fixture
def quick(monkeypatch):
    """Every run on one entity ends at once; those named 2 and 5 fail."""

    def perform(self, worker):
        if worker.run.params["identifier"] in (NAMES[2], NAMES[5]):
            raise RuntimeError("a fault of ours")
        worker.end(
            {"status": "not_found", "audit": {"toolsUsed": [], "toolsSucceeded": [], "toolsFailed": []}}
        )

    monkeypatch.setattr(Subject, "perform", perform)


def test_there_are_never_more_than_three_open(macro, quick):
    head = enrich(identifiers=NAMES, trigger="cli", enqueue=False).run
    open_ones = []
    while Run.objects.get(pk=head.pk).state in (RunState.QUEUED, RunState.AWAITING_CHILDREN):
        queued = Run.objects.filter(state=RunState.QUEUED).order_by("parent", "directive")
        open_ones.append(Run.objects.filter(parent=head, state__in=OPEN_RUN_STATES).count())
        perform_run(queued[0].pk)
    assert max(open_ones) == 3
    assert Run.objects.filter(parent=head).count() == 8


def test_one_that_fails_stops_nobody(macro, quick):
    run = work(enrich(identifiers=NAMES, trigger="cli", enqueue=False).run)
    statuses = [entry["status"] for entry in told(run).values()]
    assert run.state == RunState.SUCCEEDED
    assert statuses == ["not_found"] * 2 + ["failed"] + ["not_found"] * 2 + ["failed"] + ["not_found"] * 2
    assert list(told(run)) == NAMES
    assert any(NAMES[2] in sentence for sentence in run.result.limitations)


def test_each_has_limits_of_its_own(macro, quick):
    head = work(enrich(identifiers=NAMES[:1], trigger="cli", enqueue=False).run)
    child = Run.objects.get(parent=head)
    assert (child.workflow, child.max_turns, child.max_tool_calls) == ("subject", 8, 20)
