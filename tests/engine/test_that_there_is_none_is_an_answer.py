"""A source that says that it has none has answered; what is told as a limitation is what could not be asked."""

import pytest

from research.engine.runner import perform_run
from research.tools.tool import REGISTRY, Answer, Tool, ToolError, free
from tests.engine.conftest import answers, asks
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def limitations(play, monkeypatch):
    """``limitations(error)``: of a run in which the only tool refuses with it."""

    def told(error: ToolError) -> list[str]:
        def refuse(arguments, context) -> Answer:
            raise error

        parameters = {"type": "object"}
        tool = Tool("lei_record", "Looks.", parameters, "read", free, refuse)
        monkeypatch.setitem(REGISTRY, "lei_record", tool)
        play(asks(("lei_record", {})), answers())
        run = RunFactory()
        perform_run(run.pk)
        return [text for text in run.result.limitations if "lei_record" in text]

    return told


@pytest.mark.parametrize("code", ["not_found", "not_listed"])
def test_what_a_source_does_not_have_is_no_limitation(limitations, code):
    assert limitations(ToolError(code, "Fedlex has no article 336.")) == []


def test_what_may_exist_all_the_same_is_told_in_its_own_words(limitations):
    missing = ToolError("not_found", "BGE 1 I 1 is not in entscheidsuche; it may exist.", may_exist=True)
    assert limitations(missing) == ["lei_record: BGE 1 I 1 is not in entscheidsuche; it may exist."]


@pytest.mark.parametrize(
    "code", ["timeout", "rate_limited", "refused", "denied", "not_set_up", "not_offered", "bad_arguments"]
)
def test_what_could_not_be_asked_is_one(limitations, code):
    assert limitations(ToolError(code, "Nobody knows.")) == ["lei_record gave no answer: Nobody knows."]
