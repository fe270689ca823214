"""The researchers of a round may use all of their time; what they found is written up all the same."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine.limits import LIMITS
from research.models import ResearchResult, Run
from research.models.states import RunState
from tests.deep.conftest import work
from tests.deep.newsroom import COMPLETE, DIRECTIVES, LINES, Sage

pytestmark = pytest.mark.django_db
MORE = {"research_complete": False, "directives": DIRECTIVES, "rationale": "There is more to find out."}


@pytest.fixture
def clock(monkeypatch):
    """``clock["late"] += timedelta(...)`` lets time pass for the whole house."""
    clock, now = {"late": timedelta(0)}, timezone.now
    monkeypatch.setattr(timezone, "now", lambda: now() + clock["late"])
    return clock


@pytest.fixture
def slow(clock):
    """A model that takes its time over every turn of a researcher, and calls no round enough."""

    def sage(minutes, **lines):
        def research(request):
            clock["late"] += timedelta(minutes=minutes)
            return LINES["research"](request)

        return Sage(research=research, supervision=MORE, **lines)

    return sage


@pytest.mark.parametrize("depth", ["quick", "standard", "deep"])
def test_a_round_that_takes_for_ever_leaves_time_for_the_report(ask, slow, depth):
    minutes = LIMITS[depth].time / timedelta(minutes=1) / 4.5
    sage = slow(minutes)
    run = work(ask(sage, depth=depth))
    assert run.state == RunState.SUCCEEDED, run.error
    result = ResearchResult.objects.get(run=run)
    assert result.data["report"].startswith("# The mill in Bern")
    assert not result.partial
    assert result.checks.filter(kind="claim", verdict="pass").exists()
    ends = Run.objects.filter(parent=run).values_list("finished_at", flat=True)
    assert max(ends) < run.deadline


def test_no_round_begins_in_the_time_of_the_report_and_the_result_says_so(ask, slow):
    sage = slow(7)
    run = work(ask(sage, depth="standard"))
    result = ResearchResult.objects.get(run=run)
    assert sage.asked.count("supervision") == 0
    assert "The time for research was over after round 1 of 3." in result.data["limitations"]


def test_a_run_with_time_enough_says_nothing_of_it(ask, clock):
    run = work(ask(Sage(supervision=COMPLETE)))
    limitations = ResearchResult.objects.get(run=run).data["limitations"]
    assert not [text for text in limitations if "time for research" in text]
