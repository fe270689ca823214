"""How an answer ended is a state with a sentence; what was cut, withheld or refused is never a document."""

import pytest

from research.llm.interface import Message, ModelFault, ToolAnswer
from research.llm.models import open_model
from tests.cases import cases
from tests.llm.doubles.scripts import FOUND
from tests.llm.doubles.server import Double
from tests.llm.talking import MODELS, point_at, request

CALL = {"name": "web_search", "arguments": {"query": "one"}}
CUT = [
    (name, stop)
    for name, stops in {
        "anthropic:m": ("max_tokens", "context", "refusal"),
        "openai:m": ("max_tokens", "content_filter", "refusal"),
        "openai-chat:m": ("max_tokens", "content_filter", "refusal"),
    }.items()
    for stop in stops
]

AS_TEXT = [  # Anthropic's plain answers hold arguments as an object
    (name, stream) for name in MODELS for stream in ("on", "off") if (name, stream) != ("anthropic:m", "off")
]


@pytest.fixture
def first_turn(settings):
    def ask(name, turn, stream="off", **how):
        with Double([turn]) as double:
            point_at(settings, double, stream)
            return open_model(name).complete(request(**how))

    return ask


@cases("stream", ["on", "off"])
@cases(("name", "stop"), CUT)
def test_it_says_why(first_turn, name, stop, stream):
    turn = first_turn(name, {"stop": stop, "text": "I will not help with that."}, stream)
    assert turn.stop == stop
    assert turn.detail["reason"].endswith(".")
    if stop == "refusal":
        assert turn.text == turn.detail["reason"] == "I will not help with that."


@cases("stream", ["on", "off"])
@cases("name", MODELS)
def test_the_calls_of_a_cut_answer_are_not_made_and_do_not_break_what_follows(settings, name, stream):
    with Double([{"stop": "max_tokens", "text": "So", "calls": [CALL]}, {"text": "{}"}]) as double:
        point_at(settings, double, stream)
        cut = open_model(name).complete(request())
        messages = [
            Message("user", "go"),
            Message("assistant", cut.text, turn=cut),
            Message("user", "Shorter."),
        ]
        turn = open_model(name).complete(request(messages))
    assert (cut.stop, cut.tool_calls) == ("max_tokens", ())
    assert (turn.stop, double.bill.violations) == ("end", [])


@pytest.mark.parametrize("name", MODELS)
def test_an_answer_without_a_word_is_an_end(first_turn, name):
    turn = first_turn(name, {"text": ""})
    assert (turn.stop, turn.text, turn.tool_calls) == ("end", "", ())


@pytest.mark.parametrize("name", MODELS)
def test_a_turn_without_a_word_does_not_break_what_follows(settings, name):
    with Double([{"text": ""}, {"text": "{}"}]) as double:
        point_at(settings, double)
        silent = open_model(name).complete(request())
        messages = [Message("user", "go"), Message("assistant", turn=silent), Message("user", "Speak.")]
        open_model(name).complete(request(messages))
    assert double.bill.violations == []


@pytest.mark.parametrize("code", ["server_error", "rate_limit_exceeded"])
@pytest.mark.parametrize("stream", ["on", "off"])
def test_a_failed_response_is_a_fault_though_the_status_is_200(settings, stream, code):
    with Double([{"status": "failed", "error": {"code": code, "message": "No luck."}}]) as double:
        point_at(settings, double, stream)
        with pytest.raises(ModelFault, match="No luck") as raised:
            open_model("openai:m").complete(request())
    assert (raised.value.passing, raised.value.billed) == (True, True)


def test_a_response_that_breaks_a_policy_is_withheld(first_turn):
    failed = {"status": "failed", "error": {"code": "bio_policy", "message": "Not about that."}}
    turn = first_turn("openai:m", failed)
    assert (turn.stop, turn.detail["reason"]) == ("content_filter", "Not about that.")


@pytest.mark.parametrize("stream", ["on", "off"])
@pytest.mark.parametrize(("name", "code"), [("anthropic:m", "max_uses_exceeded"), ("openai:m", "failed")])
def test_a_search_that_fails_inside_a_good_answer_is_kept(first_turn, name, code, stream):
    search = {"query": "x", "error": "max_uses_exceeded"}
    turn = first_turn(name, {"search": search, "text": "{}"}, stream, server_search=True)
    assert turn.detail["search_errors"] == [code]
    assert (turn.stop, turn.text) == ("end", "{}")


@pytest.mark.parametrize("name", ["anthropic:m", "openai:m"])
def test_a_search_that_fails_keeps_what_others_found(first_turn, name):
    turn = first_turn(name, {"search": {"results": FOUND}, "text": "{}"}, server_search=True)
    assert "search_errors" not in turn.detail
    assert len(turn.citations) == 2


@cases("raw", ['{"query": ', "[1]", "nothing", '{"a": NaN}', '{"a": 1, "a": 2}'])
@cases(("name", "stream"), AS_TEXT)
def test_arguments_that_cannot_be_read_are_a_fault_of_the_call(settings, name, stream, raw):
    with Double([{"calls": [{"name": "web_search", "raw": raw}]}, {"text": "{}"}]) as double:
        point_at(settings, double, stream)
        turn = open_model(name).complete(request())
        (call,) = turn.tool_calls
        answer = ToolAnswer(call.id, call.name, {"success": False, "error": {"message": call.fault}})
        messages = [
            Message("user", "go"),
            Message("assistant", turn=turn),
            Message("tool", answers=(answer,)),
        ]
        open_model(name).complete(request(messages))
    assert (call.arguments, call.name) == ({}, "web_search")
    assert call.fault.startswith("The arguments are not")
    assert double.bill.violations == []


@pytest.mark.parametrize("name", MODELS)
def test_a_call_without_arguments_has_none(first_turn, name):
    (call,) = first_turn(name, {"calls": [{"name": "web_search", "arguments": {}}]}).tool_calls
    assert (call.arguments, call.fault) == ({}, "")


@cases("stream", ["on", "off"])
@cases("name", MODELS)
def test_usage_adds_up_and_the_model_that_answered_is_kept(first_turn, name, stream):
    usage = {"input": 70, "cached": 20, "written": 10, "output": 5}
    turn = first_turn(name, {"text": "{}", "usage": usage}, stream)
    assert (turn.usage.input_tokens, turn.usage.cached_tokens, turn.usage.cache_write_tokens) == (70, 20, 10)
    assert (turn.usage.output_tokens, turn.usage.searches, turn.usage.known) == (5, 0, True)
    assert turn.model.startswith("m-2026")


@pytest.mark.parametrize("name", MODELS)
def test_usage_that_nobody_gave_is_unknown_and_not_nothing(first_turn, name):
    turn = first_turn(name, {"text": "{}", "usage": None})
    assert turn.usage
    assert turn.usage.known is False


def test_what_a_local_model_thinks_aloud_is_not_its_answer(first_turn):
    assert first_turn("openai-chat:m", {"text": "<think>\nWho?\n</think>\n\n{}"}).text == "{}"
