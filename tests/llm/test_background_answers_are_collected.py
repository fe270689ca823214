"""With a ticket in the journal the answer of a call in flight is fetched, not paid for again."""

import pytest

from research.llm.interface import LookFailed, ModelFault
from research.llm.models import open_model
from tests.llm.doubles.scripts import SCRIPTS
from tests.llm.doubles.server import Double
from tests.llm.talking import point_at, request


@pytest.fixture
def serve(settings):
    settings.DOSSIER_MODEL_BACKGROUND = True

    def point(double):
        point_at(settings, double)
        return open_model("openai:m")

    return point


def test_it_is_offered_only_when_it_is_switched_on(settings):
    assert not open_model("openai:m").abilities.background
    settings.DOSSIER_MODEL_BACKGROUND = True
    assert open_model("openai:m").abilities.background
    assert not open_model("anthropic:m").abilities.background
    assert not open_model("openai-chat:m").abilities.background


def test_another_process_collects_what_this_one_started(serve):
    with Double(SCRIPTS["thinking"], polls=2) as double:
        ticket = serve(double).start(request())
        after_a_crash = serve(double)
        answers = [after_a_crash.collect(ticket) for _ in range(3)]
    assert answers[:2] == [None, None]
    assert answers[2].stop == "tools"
    assert answers[2].tool_calls[0].arguments == {"query": "question 1"}
    assert (double.bill.answered, double.bill.polls) == (1, 3)
    sent = double.bodies()[0]
    assert (sent["background"], sent["store"]) == (True, True)


def test_a_collected_turn_goes_on_like_any_other(serve):
    from research.llm.interface import Message, ToolAnswer

    with Double(SCRIPTS["thinking"], polls=0) as double:
        model = serve(double)
        turn = model.collect(model.start(request()))
        answers = (ToolAnswer(turn.tool_calls[0].id, "web_search", {"success": True}),)
        talked = [Message("user", "go"), Message("assistant", turn=turn), Message("tool", answers=answers)]
        assert model.collect(model.start(request(talked))).stop == "tools"
    assert double.bill.violations == []


def test_a_cancelled_answer_is_none(serve):
    with Double(SCRIPTS["answer"], polls=5) as double:
        model = serve(double)
        ticket = model.start(request())
        model.cancel(ticket)
        with pytest.raises(ModelFault, match="cancelled") as raised:
            model.collect(ticket)
    assert double.bill.cancelled == 1
    assert raised.value.passing


def test_an_answer_that_the_provider_no_longer_has_must_be_asked_for_again(serve):
    with Double(SCRIPTS["answer"]) as double, pytest.raises(ModelFault, match="no longer has") as raised:
        serve(double).collect("resp_gone")
    assert (raised.value.kind, raised.value.billed, raised.value.passing) == ("truncated", True, True)


def test_a_failed_answer_is_a_fault(serve):
    failed = {"status": "failed", "error": {"code": "server_error", "message": "No luck."}}
    with Double([failed], polls=0) as double:
        model = serve(double)
        ticket = model.start(request())
        with pytest.raises(ModelFault, match="No luck"):
            model.collect(ticket)


@pytest.mark.parametrize("fault", ["cut", "busy"])
def test_a_look_that_fails_is_no_failed_answer(serve, fault):
    with Double(SCRIPTS["answer"], polls=0) as double:
        model = serve(double)
        ticket = model.start(request())
        double.looks.append(fault)
        with pytest.raises(LookFailed) as raised:
            model.collect(ticket)
        assert model.collect(ticket).text
    assert (double.bill.answered, double.bill.requests) == (1, 1)
    assert (raised.value.kind, raised.value.retry_after) == {
        "cut": ("truncated", None),
        "busy": ("rate_limit", 7.0),
    }[fault]
