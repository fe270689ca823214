"""What one run finds out about a model that is away, no other run needs to find out; the first success ends it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from research.engine import outages
from research.engine.outages import FAILURES, LONGEST_REST, TRIAL, Outages
from research.engine.runner import perform_run
from research.llm.interface import ModelFault
from research.models import Step
from research.models.states import RunState
from research.services.trouble import explain_wait
from tests.engine.conftest import answers
from tests.factories import RunFactory

HOUR = timedelta(hours=1)
AWAY = {"code": "network", "message": "could not be reached"}


class Clock:
    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def two(clock):
    """Two processes."""
    return Outages(clock), Outages(clock)


def seconds(moment, clock):
    return (moment - datetime.fromtimestamp(clock.now, UTC)).total_seconds()


def break_down(one, times=FAILURES):
    for _ in range(times):
        one.failed("m", AWAY)


def test_a_few_failures_keep_nobody_away(two):
    break_down(two[0], FAILURES - 1)
    assert two[1].rests_until("m", HOUR) is None


def test_after_five_in_a_row_all_processes_rest_and_longer_each_time(two, clock):
    one, other = two
    break_down(one)
    assert 0 < seconds(other.rests_until("m", HOUR), clock) <= 4
    break_down(one, 20)
    clock.now += 1.1
    assert LONGEST_REST - 2 <= seconds(other.rests_until("m", HOUR), clock) <= LONGEST_REST + 2
    assert other.rests_until("another", HOUR) is None


def test_one_asks_whether_it_is_back_and_the_others_wait(two, clock):
    one, other = two
    break_down(one)
    clock.now += 2.5
    assert one.rests_until("m", HOUR) is None
    assert 0 < seconds(other.rests_until("m", HOUR), clock) <= TRIAL
    assert 0 < seconds(one.rests_until("m", HOUR), clock) <= TRIAL


def test_the_first_answer_ends_it_for_all(two, clock):
    one, other = two
    break_down(one)
    clock.now += 2.5
    assert one.rests_until("m", HOUR) is None
    one.answered("m")
    clock.now += 1.1
    assert [each.rests_until("m", HOUR) for each in (one, other, other)] == [None] * 3


def test_nobody_waits_for_ever_for_others_to_find_out(two, clock):
    one, other = two
    break_down(one)
    for _ in range(70):
        clock.now += 60
        one.failed("m", AWAY)
    clock.now += 1.1
    assert other.rests_until("m", HOUR) is None
    assert other.rests_until("m", 2 * HOUR) is not None


def test_a_cache_that_is_down_is_asked_once_in_a_while_and_keeps_nobody_away(two, clock, monkeypatch):
    asked = []

    def down():
        asked.append(clock.now)
        raise ConnectionError

    monkeypatch.setattr(outages, "_shared", down)
    one = two[0]
    for _ in range(20):
        clock.now += 1.1
        assert one.rests_until("m", HOUR) is None
        one.answered("m")
    assert len(asked) == 1


def test_it_is_read_once_a_second_however_often_it_is_asked(two, clock, monkeypatch):
    reads, shared = [], outages._shared()
    monkeypatch.setattr(outages, "_shared", lambda: reads.append(1) or shared)
    for _ in range(100):
        two[0].rests_until("m", HOUR)
    assert len(reads) == 1


@pytest.mark.django_db
def test_a_new_run_waits_without_asking_and_says_why(play, no_pauses):
    script = play(answers())
    script.faults = [ModelFault("network", "OpenAI could not be reached.")] * 99
    perform_run(RunFactory().pk)
    asked = len(script.requests)
    run = RunFactory()
    break_down_model(run.model)
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, len(script.requests)) == (RunState.WAITING, asked)
    assert not Step.objects.filter(run=run, kind="model").exists()
    assert explain_wait(run, timezone.now()).sentence.startswith(
        "The provider of the model could not be reached."
    )
    assert run.wake_at - timezone.now() < timedelta(seconds=LONGEST_REST + 2)


def break_down_model(name):
    for _ in range(FAILURES + 10):
        outages.OUTAGES.failed(name, AWAY)


@pytest.mark.django_db
def test_where_another_model_can_be_asked_nobody_waits(monkeypatch, no_pauses):
    from tests.engine.conftest import Script

    first, second = Script(answers()), Script(answers())
    monkeypatch.setattr("research.engine.model_calls.open_model", {"a": first, "b": second}.__getitem__)
    break_down_model("a")
    run = RunFactory(model="a,b")
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert (len(first.requests), len(second.requests)) == (1, 0)
