import json
from collections.abc import Callable

import pytest
from django.utils import timezone

from research.api.events import LONGEST_SECONDS, follow
from research.models import Run, Step
from research.models.states import RunState, StepKind
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


class Clock:
    """Time that passes only by sleeping; ``then`` are things that happen meanwhile."""

    def __init__(self, *then: Callable[[], object]) -> None:
        self.now, self.then = 0.0, list(then)

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.then:
            self.then.pop(0)()


def add_step(run, seq):
    Step.objects.create(
        run=run,
        seq=seq,
        kind=StepKind.TOOL,
        name=f"tool{seq}",
        fence=1,
        answer={},
        answered_at=timezone.now(),
    )


def events(run, clock=None, after=0):
    clock = clock or Clock()
    chunks = follow(run.pk, after=after, clock=clock, sleep=clock.sleep)
    lines = [
        dict(line.split(": ", 1) for line in chunk.strip().split("\n")) for chunk in chunks if chunk[0] != ":"
    ]
    return [(line["event"], json.loads(line["data"])) for line in lines]


def test_it_tells_all_there_is_of_a_finished_run_and_ends():
    run = RunFactory(state=RunState.SUCCEEDED)
    add_step(run, 1)
    add_step(run, 2)
    assert [(name, data.get("seq", data.get("state"))) for name, data in events(run)] == [
        ("step", 1),
        ("step", 2),
        ("run", "succeeded"),
    ]


def test_it_tells_each_step_when_it_happens():
    run = RunFactory(state=RunState.RUNNING)
    clock = Clock(
        lambda: add_step(run, 1),
        lambda: add_step(run, 2),
        lambda: Run.objects.update(state=RunState.FAILED, error={"code": "x", "message": "y"}),
    )
    told = events(run, clock)
    assert [name for name, _ in told] == ["run", "step", "step", "run"]
    assert told[-1][1]["error"]["message"] == "y"


def test_it_goes_on_after_the_last_step_that_was_seen():
    run = RunFactory(state=RunState.SUCCEEDED)
    for seq in (1, 2, 3):
        add_step(run, seq)
    assert [data["seq"] for name, data in events(run, after=2) if name == "step"] == [3]


def test_it_does_not_tell_a_step_that_is_not_answered():
    run = RunFactory(state=RunState.SUCCEEDED)
    Step.objects.create(run=run, seq=1, kind=StepKind.TOOL, name="tool", fence=1)
    assert [name for name, _ in events(run)] == ["run"]


def test_it_ends_after_a_while_even_if_the_run_does_not():
    clock = Clock()
    assert [name for name, _ in events(RunFactory(), clock)] == ["run"]
    assert LONGEST_SECONDS <= clock.now < LONGEST_SECONDS + 1


def test_it_keeps_a_text_with_line_breaks_in_one_event():
    run = RunFactory(state=RunState.SUCCEEDED, params={"client_name": "A\n\ndata: B\r\u2028"})
    [(_, shown)] = events(run)
    assert shown["params"]["client_name"] == "A\n\ndata: B\r\u2028"


@pytest.mark.parametrize("last", ["", "1", "nonsense", "9" * 400, "-1"])
def test_it_is_served_as_an_event_stream(client, url, last):
    run = RunFactory(state=RunState.SUCCEEDED)
    headers = {"Accept": "text/event-stream", "Last-Event-ID": last}
    answer = client.get(url("run-events", run.pk), headers=headers)
    assert answer["Content-Type"] == "text/event-stream"
    assert b"event: run" in b"".join(answer.streaming_content)


def test_it_knows_no_other_runs(client, url):
    answer = client.get(url("run-events", "00000000-0000-0000-0000-000000000007"))
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
