"""A model that answers in prose, asks the same thing again and again, or never comes to an end is helped to one."""

import json
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from research.api.serializers import RunSerializer
from research.checks.grounds import MAX_LOOKED_UP, known_addresses
from research.engine.conversation import call_key
from research.engine.runner import perform_run
from research.llm.interface import Turn
from research.models import ResearchResult, Step
from research.models.states import RunState, StepKind
from research.services.trouble import explain_end
from tests.cases import cases
from tests.engine.conftest import ALLIANZ, FINAL, answers, asks
from tests.factories import RunFactory
from tests.llm.doubles.server import Double
from tests.llm.talking import MODELS, point_at

pytestmark = pytest.mark.django_db

CALL = ("lei_record", {"lei": ALLIANZ})
PROSE = "I can't find reliable information about this company."


def performed(**values):
    run = RunFactory(**values)
    perform_run(run.pk)
    run.refresh_from_db()
    return run


def codes(run):
    """How the calls of a run were answered, in their order."""
    tools = Step.objects.filter(run=run, kind=StepKind.TOOL).order_by("seq")
    return [(step.answer.get("error") or {}).get("code", "") for step in tools]


# prose


@pytest.mark.parametrize("name", [*MODELS, "text"])
def test_who_answers_in_prose_may_still_call_its_tools(settings, name):
    """With every protocol; the model is told what is missing and that it may look for it."""
    script = [
        {"text": PROSE},
        {"calls": [{"name": "lei_record", "arguments": {"lei": ALLIANZ}}]},
        {"text": json.dumps(FINAL)},
    ]
    if name == "text":
        name, settings.DOSSIER_MODEL_TEXT_PROTOCOL = "openai-chat:m", ["openai-chat:m"]
        script[1] = {
            "text": json.dumps({"tool_calls": [{"tool": "lei_record", "arguments": {"lei": ALLIANZ}}]})
        }
    with Double(script) as double:
        point_at(settings, double)
        run = performed(model=name)
    assert (run.state, run.error) == (RunState.SUCCEEDED, None)
    assert codes(run) == [""]
    assert run.result.data == FINAL
    assert not run.result.ungrounded


def test_it_is_told_which_tools_it_may_still_call(play):
    script = play(answers(PROSE), answers())
    performed()
    told = script.requests[1]
    assert "lei_record" in told.messages[-1].text
    assert [tool.name for tool in told.tools] == [tool.name for tool in script.requests[0].tools]


def test_prose_once_more_is_asked_for_the_document_alone(play, settings):
    settings.DOSSIER_REPAIR_TURNS = 2
    script = play(answers(PROSE))
    run = performed()
    assert [bool(request.tools) for request in script.requests] == [True, True, False]
    assert (run.state, run.error["code"]) == (RunState.FAILED, "invalid_json")


def test_what_was_cut_off_is_only_asked_for_again(play):
    script = play(Turn(text=json.dumps(FINAL)[:-9], stop="max_tokens"), answers())
    performed()
    assert script.requests[1].tools == []


# its own words


@pytest.mark.parametrize(
    ("turn", "code"),
    [
        (answers(PROSE), "invalid_json"),
        (Turn(text=PROSE, stop="refusal"), "refusal"),
        (Turn(text=PROSE, stop="error"), "error"),
        (Turn(text=PROSE, stop="content_filter"), "content_filter"),
        (Turn(text=PROSE, stop="max_tokens"), "max_tokens"),
        (Turn(text=PROSE, stop="error", detail={"parse_failure": "The reply is no JSON."}), "error"),
    ],
)
def test_the_models_own_words_are_kept_beside_the_reason(play, turn, code):
    play(turn)
    run = performed()
    assert (run.state, run.error["code"], run.error["said"]) == (RunState.FAILED, code, PROSE)
    assert PROSE not in run.error["message"]
    assert explain_end(run).said == PROSE


@pytest.mark.parametrize("stop", ["end", "refusal", "error", "content_filter", "max_tokens", "context"])
@pytest.mark.parametrize("text", ["I", "", "…", "}"])
def test_every_failed_run_has_a_reason_that_is_a_sentence(play, stop, text):
    play(Turn(text=text, stop=stop))
    run = performed()
    assert run.state == RunState.FAILED
    message = run.error["message"]
    assert len(message.split()) >= 4, message
    assert message[0].isupper()
    assert explain_end(run).sentence.endswith(".")


def test_the_words_are_those_of_the_last_turn_that_had_any(play):
    turn = asks(CALL)
    play(Turn(text=PROSE, tool_calls=turn.tool_calls, stop="tools"), Turn(stop="refusal"))
    run = performed()
    assert run.error["said"] == PROSE


# the same call again


def same(count):
    return [asks(CALL) for _ in range(count)]


def test_a_call_is_answered_with_that_fact_from_the_third_time_on(play):
    script = play(*same(4), answers())
    run = performed()
    assert codes(run) == ["", "", "repeated", "repeated"]
    told = script.requests[-1].messages[-1].answers[0].content["error"]["message"]
    assert "already made this call 3 times" in told
    assert (run.state, run.result.partial) == (RunState.SUCCEEDED, False)
    assert not any("lei_record" in said for said in run.result.limitations)


def test_who_goes_on_is_asked_for_what_there_is(play):
    """Sixty of sixty-one calls were the same: six turns are enough to see that."""
    script = play(*same(5), lambda request: answers() if not request.tools else asks(CALL))
    run = performed()
    assert codes(run).count("") == 2
    assert len(script.requests) == 6
    assert run.result.data == FINAL
    assert run.result.partial
    assert any("the same calls" in said for said in run.result.limitations)


def test_who_calls_even_then_ends_with_a_reason(play):
    script = play(asks(CALL))
    run = performed()
    assert len(script.requests) <= 9
    assert (run.state, run.error["code"]) == (RunState.FAILED, "no_answer")
    assert "went on calling tools" in run.error["message"]


def test_the_same_call_twice_in_one_turn_counts_as_two(play):
    play(asks(CALL, CALL, CALL), answers())
    assert codes(performed()) == ["", "", "repeated"]


def test_blanks_and_case_make_no_new_call(play):
    calls = [("lei_record", {"lei": lei}) for lei in (ALLIANZ, f" {ALLIANZ} ", ALLIANZ.lower(), ALLIANZ)]
    play(*map(asks, calls), answers())
    assert codes(performed())[2:] == ["repeated"] * 2


@pytest.mark.parametrize("call", [("no_such_tool", {"a": 1}), ("lei_record", {"wrong": 1})])
def test_what_cannot_be_called_is_not_asked_for_for_ever_either(play, call):
    script = play(asks(call))
    run = performed()
    assert len(script.requests) <= 9
    assert run.state == RunState.FAILED
    assert codes(run)[2] == "repeated"


def test_other_calls_between_them_are_work(play):
    """A model that also asks for what is new goes on; only turns that bring nothing count."""
    others = [("search_lei", {"name": f"Name {number}"}) for number in range(8)]
    script = play(*[asks(CALL, other) for other in others], answers())
    run = performed()
    assert len(script.requests) == 9
    assert Counter(codes(run))["repeated"] == 6
    assert not run.result.partial


def test_a_worker_that_takes_it_over_counts_the_same(play):
    class Killed(BaseException):
        pass

    script = play(*same(4), Killed())
    run = RunFactory()
    with pytest.raises(Killed):
        perform_run(run.pk)
    type(run).objects.filter(pk=run.pk).update(state="queued", lease_until=None)
    script = play(*same(5), answers())
    perform_run(run.pk)
    assert codes(run) == ["", "", "repeated", "repeated", "repeated"]
    assert len(script.requests) == 2
    assert ResearchResult.objects.get(run=run).partial


@cases(
    ("one", "other", "same_call"),
    [
        ({"query": "Allianz SE"}, {"query": " allianz  se"}, True),
        ({"query": "a", "max_results": 5}, {"max_results": 5.0, "query": "A"}, True),
        ({"query": "a"}, {"query": "a", "domains": [], "since": None}, True),
        ({"query": "a", "deep": False}, {"query": "a", "deep": True}, False),
        ({"urls": ["https://a.example/X"]}, {"urls": ["https://a.example/x"]}, False),
        ({"query": "a"}, {"query": "b"}, False),
        ({"n": 0}, {"n": None}, False),
        ({"a": ["x", "y"]}, {"a": ["y", "x"]}, False),
    ],
)
def test_calls_are_the_same_that_ask_for_the_same_thing(one, other, same_call):
    assert (call_key("t", one) == call_key("t", other)) is same_call


def test_every_face_shows_what_the_model_said(play, admin_client):
    """As text: what a model says may look like a page of ours."""
    hostile = f"{PROSE} <script>alert(1)</script>"
    play(answers(hostile))
    run = performed()
    page = admin_client.get(reverse("admin:research_run_change", args=[run.pk])).content.decode()
    told = StringIO()
    call_command("research", "status", str(run.pk), stdout=told)
    assert "The model said:" in page
    assert PROSE.replace("'", "&#x27;") in page
    assert "<script>alert(1)" not in page
    assert f"The model said: {PROSE}" in " ".join(told.getvalue().split())
    assert RunSerializer(run).data["trouble"]["said"] == hostile


# addresses


def test_an_address_that_was_never_read_fails_a_check(play):
    """The document stays as the model gave it; what stands in a question or in a source is no invention."""
    typed = {**FINAL, "name": "Allianz SE (https://invented.example/a)"}
    play(asks(CALL), answers(typed))
    run = performed()
    assert run.result.data == typed
    (check,) = run.result.checks.filter(code="address-unread")
    assert (check.pointer, check.subject, check.verdict) == ("/name", "https://invented.example/a", "fail")
    again = performed(params={"client_name": "the one at https://invented.example/a"})
    assert not again.result.checks.filter(code="address-unread").exists()


def test_an_address_that_a_tool_gave_is_known_and_one_that_it_only_repeats_is_not():
    run = RunFactory()
    arguments = {"urls": ["https://invented.example/a"]}
    data = {"asked": arguments["urls"], "hits": [{"url": "https://given.example/b"}]}
    step = {"intent": {"arguments": arguments}, "answer": {"success": True, "data": data}}
    Step.objects.create(run=run, seq=1, kind=StepKind.TOOL, name="extract_content", fence=1, **step)
    known = known_addresses(run.pk)
    assert known("https://given.example/b")
    assert not known("https://invented.example/a")


def test_thousands_of_addresses_are_not_all_looked_up(play, django_assert_max_num_queries):
    run = RunFactory()
    known = known_addresses(run.pk)
    with django_assert_max_num_queries(MAX_LOOKED_UP + 5):
        assert not any(known(f"https://invented.example/{number}") for number in range(5_000))
