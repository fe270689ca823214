"""A phase is one question without tools: a model that calls one all the same, or pauses, is asked for the answer."""

import json

import pytest

from research.llm.interface import ToolCall, Turn, Usage
from research.models.states import RunState
from tests.deep.conftest import work
from tests.deep.newsroom import BRIEF, Sage

pytestmark = pytest.mark.django_db
CALLS = Turn(tool_calls=(ToolCall("c1", "web_search", {"query": "x"}),), stop="tools", usage=Usage(1, 1))
PAUSES = Turn(text="One moment.", stop="paused", usage=Usage(1, 1))


@pytest.mark.parametrize("odd", [CALLS, PAUSES])
def test_it_is_asked_once_more(ask, odd):
    given = iter([odd, Turn(text=json.dumps(BRIEF), usage=Usage(1, 1))])
    sage = Sage(brief=lambda request: next(given))
    run = work(ask(sage))
    assert run.state == RunState.SUCCEEDED, run.error
    again = [one for one, part in zip(sage.requests, sage.asked, strict=True) if part == "brief"][1]
    assert "there is no tool to call" in again.messages[-1].text


def test_one_that_will_not_stop_ends_the_run_so_that_it_can_be_taken_up_again(ask):
    run = work(ask(Sage(brief=CALLS)))
    assert (run.state, run.error["code"], run.error["retryable"]) == (RunState.FAILED, "invalid_answer", True)


@pytest.mark.parametrize("turns", [0, 1, 3])
def test_an_answer_is_mended_as_often_as_the_settings_say(ask, settings, turns):
    settings.DOSSIER_REPAIR_TURNS = turns
    sage = Sage(clarification="I do not know.")
    run = work(ask(sage))
    assert (run.error["code"], sage.asked) == ("invalid_answer", ["clarification"] * (turns + 1))
