"""An outage ends no run: it waits without a worker, with growing pauses, for as long as its depth has time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine import outages
from research.engine.runner import perform_run
from research.llm.interface import ModelFault
from research.models import Run, Step
from research.models.states import RunState
from research.services.runs import resume_run
from research.services.trouble import explain_wait, used_by
from tests.engine.conftest import answers
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db
AWAY = ModelFault("network", "OpenAI could not be reached.")


def later(run, seconds):
    """As if so much time had passed since everything that was written."""
    past = timedelta(seconds=seconds)
    for step in Step.objects.filter(run=run):
        Step.objects.filter(pk=step.pk).update(
            started_at=step.started_at - past, answered_at=step.answered_at - past
        )
    Run.objects.filter(pk=run.pk).update(state="queued", wake_at=None)
    outages._shared().clear()  # what other runs found out is over as well
    outages.OUTAGES._read.clear()


def away(run, kind="network"):
    return Step.objects.filter(run=run, kind="model", answer__error__code=kind).count()


def test_it_parks_where_it_had_failed_after_three_seconds(play, no_pauses):
    script = play(answers())
    script.faults = [AWAY] * 99
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error, run.lease_owner) == (RunState.WAITING, None, "")
    assert away(run) > 4
    assert timedelta(0) < run.wake_at - timezone.now() <= timedelta(minutes=2)


def test_it_goes_on_when_the_provider_is_back(play, no_pauses):
    script = play(answers())
    script.faults = [AWAY] * 12
    run = RunFactory()
    for _ in range(12):
        perform_run(run.pk)
        run.refresh_from_db()
        if run.state != RunState.WAITING:
            break
        later(run, 121)
    assert run.state == RunState.SUCCEEDED
    assert away(run) == 12


def test_an_attempt_that_failed_is_no_turn(play, no_pauses):
    play(answers()).faults = [AWAY] * 3
    run = RunFactory()
    perform_run(run.pk)
    assert away(run) == 3
    assert used_by(run)["turns"] == 1


def test_it_says_what_it_waits_for_and_until_when(play, no_pauses):
    play(answers()).faults = [AWAY] * 99
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    told = explain_wait(run, timezone.now())
    assert told.sentence.startswith("The provider of the model could not be reached.")
    assert f"{run.wake_at:%H:%M} UTC" in told.sentence
    assert told.detail == "OpenAI could not be reached."


@pytest.mark.parametrize(("depth", "minutes"), [("quick", 10), ("standard", 60), ("deep", 360)])
def test_it_gives_up_when_the_time_of_its_depth_is_over_and_can_be_resumed(play, no_pauses, depth, minutes):
    script = play(answers())
    script.faults = [AWAY] * 99
    run = RunFactory(depth=depth)
    perform_run(run.pk)
    first = Step.objects.filter(run=run).order_by("seq").first()
    Step.objects.filter(pk=first.pk).update(started_at=first.started_at - timedelta(minutes=minutes - 1))
    later(run, 60)
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"], run.error["reason"]) == (
        RunState.FAILED,
        "model_unavailable",
        "network",
    )
    script.faults = []
    outages.OUTAGES.answered(run.model)
    resume_run(run=run, actor=None, enqueue=False)
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED


def test_what_may_have_been_paid_is_asked_no_oftener_than_before(play, no_pauses):
    script = play(answers())
    script.faults = [ModelFault("timeout", "no answer", billed=True)] * 99
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, len(script.requests)) == (RunState.FAILED, 4)


def test_a_restart_that_breaks_one_paid_call_is_waited_out(play, no_pauses):
    script = play(answers())
    script.faults = [ModelFault("truncated", "broke off", billed=True), *[AWAY] * 3]
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
