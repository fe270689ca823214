"""Between calls and their answers nothing is said: providers refuse a conversation in any other order."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine.conversation import SAID, rebuild
from research.engine.runner import perform_run
from research.llm.interface import ModelFault, Turn
from research.models import Run, Step
from research.models.states import RunState, StepKind
from research.services.runs import sweep_runs
from tests.engine.conftest import answers
from tests.factories import RunFactory

NOTE = {"about": "partial", "budget": "time", "text": "Time is over."}


def model(*calls):
    return Step(
        kind=StepKind.MODEL, name="m", answer={"text": "", "stop": "tools", "tool_calls": list(calls)}
    )


def call(key):
    return {"id": key, "name": "look", "arguments": {}}


def tool(key):
    return Step(
        kind=StepKind.TOOL, name="look", intent={"id": key, "arguments": {}}, answer={"success": True}
    )


def said():
    return Step(kind=StepKind.NOTE, name=SAID, answer=NOTE)


def test_it_puts_a_journal_right_in_which_it_came_before_the_answers():
    talk = rebuild([model(call("a"), call("b")), tool("a"), said(), tool("b")], "go")
    assert [message.role for message in talk.messages] == ["user", "assistant", "tool", "user"]
    assert [answer.call_id for answer in talk.messages[2].answers] == ["a", "b"]
    assert talk.messages[3].text == "Time is over."
    assert talk.said == [NOTE]
    assert talk.waits


def test_it_is_known_but_not_shown_while_calls_are_open():
    talk = rebuild([model(call("a")), said()], "go")
    assert [message.role for message in talk.messages] == ["user", "assistant"]
    assert [one.id for one in talk.pending] == ["a"]
    assert talk.said == [NOTE]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "faulty",
    [
        answers({"lei": "x"}),
        Turn(text="hm", stop="error", detail={"parse_failure": "The reply is not JSON."}),
    ],
)
def test_what_a_parked_run_was_told_is_asked_again_and_not_told_twice(play, settings, faulty):
    settings.DOSSIER_REPAIR_TURNS = 1
    script = play(faulty, answers())
    run = RunFactory()
    plain = script.complete

    def complete(request):
        if len(script.requests) == 1:
            script.requests.append(request)
            raise ModelFault("rate_limit", "later", retry_after=60)
        return plain(request)

    script.complete = complete
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.WAITING
    Run.objects.filter(pk=run.pk).update(wake_at=timezone.now() - timedelta(seconds=1))
    Step.objects.filter(run=run, answer__success=False).update(
        answered_at=timezone.now() - timedelta(minutes=2)
    )
    sweep_runs()
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert run.result.schema_valid
    assert [message.role for message in script.requests[-1].messages] == ["user", "assistant", "user"]
