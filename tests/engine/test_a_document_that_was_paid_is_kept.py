"""A document that breaks its schema is for a person to see, also when the model's repair of it comes to nothing."""

import pytest

from research.engine.runner import perform_run
from research.llm.interface import Turn
from research.models.states import RunState
from tests.engine.conftest import ALLIANZ, answers, asks
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db
BROKEN = {"lei": ALLIANZ, "confidence": "certain"}
SEARCH = asks(("lei_record", {"lei": ALLIANZ}))


def worked(run):
    perform_run(run.pk)
    run.refresh_from_db()
    return run


@pytest.mark.parametrize(
    "repair",
    [
        answers("no JSON at all"),
        answers('{"name": "cut off'),
        Turn("I will not.", stop="refusal"),
        Turn("", stop="content_filter"),
        Turn('{"name": "Alli', stop="max_tokens"),
    ],
)
def test_it_is_kept_when_the_repair_is_none(play, repair):
    play(answers(BROKEN), repair)
    run = worked(RunFactory())
    assert run.state == RunState.SUCCEEDED, run.error
    assert run.result.data == BROKEN
    assert not run.result.schema_valid


def test_of_several_the_last_is_kept(play):
    play(answers({**BROKEN, "confidence": "sure"}), answers(BROKEN), answers("no JSON"))
    assert worked(RunFactory()).result.data == BROKEN


@pytest.mark.parametrize(
    ("before", "after", "asked"),
    [
        ([], [answers()], 1),
        ([SEARCH], [answers("no JSON")], 5),  # what was found gives it one more turn, and its repairs
    ],
)
def test_it_is_kept_when_there_is_no_time_to_mend_it(play, end_the_time, before, after, asked):
    def late(request):
        end_the_time()
        return answers(BROKEN)

    script = play(*before, late, *after)
    run = worked(RunFactory())
    assert run.state == RunState.SUCCEEDED, run.error
    assert run.result.data == BROKEN
    assert run.result.partial
    assert len(script.requests) == asked


def test_what_was_never_a_document_is_no_result(play):
    play(answers("no JSON at all"))
    run = worked(RunFactory())
    assert (run.state, run.error["code"]) == (RunState.FAILED, "invalid_json")
