"""Every attempt is a step; what may pass is tried again, what will not goes to the next model of the list."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine.attempts import LONGEST_PAUSE, pause
from research.engine.runner import perform_run
from research.llm.interface import Abilities, ModelFault, ToolCall
from research.models import Run, Step
from research.models.states import RunState
from research.services.runs import resume_run, sweep_runs
from tests.engine.conftest import ALLIANZ, Script, answers, asks
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


def codes(run):
    steps = Step.objects.filter(run=run, kind="model").order_by("seq")
    return [step.answer.get("error", {}).get("code", "ok") for step in steps]


@pytest.fixture
def models(monkeypatch):
    """``models(a=script, b=script)`` are what the run can open by name."""

    def install(**scripts):
        monkeypatch.setattr("research.engine.model_calls.open_model", scripts.__getitem__)
        return scripts

    return install


@pytest.mark.parametrize("kind", ["rate_limit", "overloaded", "server", "timeout", "network", "truncated"])
def test_it_tries_again_what_may_pass_and_journals_each_attempt(play, no_pauses, kind):
    script = play(answers())
    script.faults = [ModelFault(kind, "no", status=503)] * 2
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert codes(run) == [kind, kind, "ok"]
    assert len(no_pauses) == 2
    assert all(0 < seconds <= 1 for seconds in no_pauses)
    assert [len(request.messages) for request in script.requests] == [1, 1, 1]


def test_it_waits_longer_each_time_up_to_a_limit_and_never_quite_the_same():
    rng = random.Random(7)
    pauses = [[pause(failures, rng) for _ in range(50)] for failures in range(10)]
    for failures, seconds in enumerate(pauses):
        longest = min(0.5 * 2**failures, LONGEST_PAUSE)
        assert longest / 2 <= min(seconds) < max(seconds) <= longest


def test_it_waits_as_long_as_the_provider_asks_when_that_is_short(play, no_pauses):
    play(answers()).faults = [ModelFault("rate_limit", "slow down", retry_after=4)]
    run = RunFactory()
    perform_run(run.pk)
    assert codes(run) == ["rate_limit", "ok"]
    assert no_pauses == [pytest.approx(4, abs=0.5)]


def test_a_wait_that_is_over_already_is_no_reason_to_hurry(play, no_pauses):
    play(answers()).faults = [ModelFault("rate_limit", "it was a date of the past", retry_after=0.0)] * 2
    run = RunFactory()
    perform_run(run.pk)
    assert codes(run) == ["rate_limit", "rate_limit", "ok"]
    assert all(seconds > 0 for seconds in no_pauses)
    assert len(no_pauses) == 2


def test_it_parks_for_a_long_wait_and_holds_no_worker(play, no_pauses):
    script = play(answers())
    script.faults = [ModelFault("rate_limit", "come back", retry_after=600)]
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.lease_owner, no_pauses) == (RunState.WAITING, "", [])
    assert timedelta(seconds=590) < run.wake_at - timezone.now() <= timedelta(seconds=600)
    assert run.deadline - timezone.now() > timedelta(
        hours=1, minutes=9
    )  # the provider's time is not the run's
    sweep_runs()
    perform_run(run.pk)
    assert len(script.requests) == 1
    past = timezone.now() - timedelta(seconds=601)
    Step.objects.filter(run=run, kind="model").update(answered_at=past)
    Run.objects.filter(pk=run.pk).update(wake_at=timezone.now())
    sweep_runs()
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert codes(run) == ["rate_limit", "ok"]


def test_it_stops_a_wait_that_nobody_wants_any_more(play):
    run = RunFactory()

    def cancel(request):
        Run.objects.filter(pk=run.pk).update(cancel_requested=True)
        raise ModelFault("rate_limit", "come back", retry_after=600)

    play(cancel)
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED


def test_it_asks_the_next_model_after_as_many_attempts_as_allowed(models, no_pauses, settings):
    settings.DOSSIER_MODEL_ATTEMPTS = 3
    first, second = Script(answers()), Script(asks(("lei_record", {"lei": ALLIANZ})), answers())
    first.faults = [ModelFault("overloaded", "no")] * 99
    models(a=first, b=second)
    run = RunFactory(model="a, b")
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert codes(run) == ["overloaded"] * 3 + ["ok"] * 2
    assert len(first.requests) == 3  # given up for the whole run
    assert [step.intent["model"] for step in Step.objects.filter(run=run, kind="model")] == list("aaabb")


@pytest.mark.parametrize("kind", ["quota", "auth", "invalid"])
def test_it_never_repeats_what_will_not_pass(models, no_pauses, kind):
    first, second = Script(answers()), Script(answers())
    first.faults = [ModelFault(kind, "no")]
    models(a=first, b=second)
    run = RunFactory(model="a,b")
    perform_run(run.pk)
    assert codes(run) == [kind, "ok"]
    assert no_pauses == []


def test_it_does_not_wait_for_days(models, no_pauses):
    first, second = Script(answers()), Script(answers())
    first.faults = [ModelFault("rate_limit", "no", retry_after=4_294_967)]
    models(a=first, b=second)
    run = RunFactory(model="a,b")
    perform_run(run.pk)
    assert codes(run) == ["rate_limit", "ok"]


def test_it_fails_when_nobody_is_left_and_can_be_resumed(play, no_pauses):
    script = play(asks(("lei_record", {"lei": ALLIANZ})), answers())
    run = RunFactory()
    script.faults = [ModelFault("auth", "the key is not accepted")]
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"], run.error["reason"]) == (
        RunState.FAILED,
        "model_unavailable",
        "auth",
    )
    assert "the key is not accepted" in run.error["message"]
    resume_run(run=run, actor=None, enqueue=False)
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED


def test_it_asks_without_what_the_server_refused(play, no_pauses, monkeypatch):
    script, plain = play(answers()), Script(answers())
    fault = ModelFault("unsupported", "no tools here", feature="tools")
    script.faults = [fault]
    asked = []

    def without(model, fault):
        asked.append((model, fault.feature))
        return plain

    monkeypatch.setattr("research.engine.model_calls.without", without)
    run = RunFactory()
    perform_run(run.pk)
    assert codes(run) == ["unsupported", "ok"]
    assert asked == [(script, "tools")]
    assert (len(script.requests), len(plain.requests)) == (1, 1)


def test_it_gives_up_on_a_server_that_refuses_what_it_was_not_asked_for(play, no_pauses, monkeypatch):
    monkeypatch.setattr("research.engine.model_calls.without", lambda model, fault: None)
    script = play(ModelFault("unsupported", "no thinking here", feature="thinking"))
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (RunState.FAILED, "model_unavailable")
    assert len(script.requests) == 2


def test_it_sends_half_of_the_conversation_when_all_of_it_is_too_much(play, no_pauses):
    script = play(asks(*[("lei_record", {"lei": ALLIANZ})] * 3), answers())
    script.abilities = replace(script.abilities, context_tokens=4_000)
    run = RunFactory()
    sizes = []

    def too_long(request):
        sizes.append(len(str([answer.content for message in request.messages for answer in message.answers])))
        if len(sizes) == 1:
            raise ModelFault("context", "too long")
        return answers()

    script.turns = (script.turns[0], too_long)
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert codes(run) == ["ok", "context", "ok"]
    assert sizes[1] < sizes[0]


class Background(Script):
    """A model whose answers are made on the provider's side."""

    abilities = Abilities(background=True)

    def __init__(self, *turns, looks=2):
        super().__init__(*turns)
        self.looks, self.cancelled = looks, []

    def start(self, request):
        self.asked = request
        self.requests.append(request)
        return f"ticket-{len(self.requests)}"

    def collect(self, ticket):
        self.looks -= 1
        if self.looks == 0:
            raise SystemError("killed")
        return None if self.looks > 0 else Script.complete(self, self.asked)

    def cancel(self, ticket):
        self.cancelled.append(ticket)


def test_it_collects_an_answer_that_another_worker_asked_for(models, no_pauses, monkeypatch):
    model = Background(answers())
    models(a=model)
    monkeypatch.setattr("research.engine.runner.Exception", ZeroDivisionError, raising=False)
    run = RunFactory(model="a")
    with pytest.raises(SystemError):
        perform_run(run.pk)
    assert Step.objects.get(run=run).intent["ticket"] == "ticket-1"
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert codes(run) == ["ok"]
    assert sum(request is model.asked for request in model.requests) == 2  # started once, answered once


def test_it_gives_a_call_whose_arguments_cannot_be_read_back_to_the_model(play):
    broken = replace(
        asks(("lei_record", {})), tool_calls=(ToolCall("1", "lei_record", {}, fault="not JSON"),)
    )
    script = play(broken, answers())
    perform_run(RunFactory().pk)
    answer = script.requests[1].messages[-1].answers[0].content
    assert answer["error"] == {"code": "bad_arguments", "message": "not JSON", "retryable": False}
