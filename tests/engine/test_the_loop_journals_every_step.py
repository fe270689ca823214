import pytest

from research.engine.runner import perform_run
from research.llm.interface import ToolCall, Turn
from research.models import ResearchResult, Step
from research.models.states import RunState, StepKind
from tests.engine.conftest import ALLIANZ, FINAL, answers, asks
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


def steps(run):
    return list(Step.objects.filter(run=run).values_list("kind", "name"))


def test_it_records_turns_tools_and_checks_in_order(play):
    play(asks(("lei_record", {"lei": ALLIANZ})), answers())
    run = RunFactory()
    perform_run(run.pk)
    assert steps(run) == [
        (StepKind.MODEL, "script"),
        (StepKind.TOOL, "lei_record"),
        (StepKind.MODEL, "script"),
        (StepKind.CHECK, "leis"),
        (StepKind.CHECK, "schema"),
        (StepKind.CHECK, "origin"),
    ]
    assert all(step.answered_at for step in Step.objects.filter(run=run))


def test_it_ends_with_a_pending_result_that_holds_exactly_what_the_model_gave(play):
    play(asks(("lei_record", {"lei": ALLIANZ})), answers())
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    result = ResearchResult.objects.get(run=run)
    assert run.state == RunState.SUCCEEDED
    assert result.state == "pending_review"
    assert result.data == FINAL
    assert result.schema_valid
    assert "(gleif.enrich" in result.suggested_verbs
    assert result.checks.filter(kind="lei", verdict="pass").exists()


def test_it_hands_the_answers_of_the_tools_to_the_model(play):
    script = play(asks(("lei_record", {"lei": ALLIANZ})), answers())
    perform_run(RunFactory().pk)
    answer = script.requests[1].messages[-1].answers[0]
    assert answer.content["success"]
    assert answer.content["sources"] == [{"number": 1, "key": ALLIANZ}]
    assert "text" not in answer.content["sources"][0]


def test_it_archives_what_the_tools_read(play):
    play(asks(("lei_record", {"lei": ALLIANZ})), answers())
    run = RunFactory()
    perform_run(run.pk)
    source = run.sources.get()
    assert source.number == 1
    assert ALLIANZ in source.document.text
    assert not run.result.ungrounded


def test_it_marks_an_answer_without_sources_as_ungrounded(play):
    play(answers())
    run = RunFactory()
    perform_run(run.pk)
    assert run.result.ungrounded


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (("no_such_tool", {}), "unknown_tool"),
        (("resolve_entity", {"identifier": "x"}), "unknown_tool"),
        (("lei_record", {"wrong": 1}), "bad_arguments"),
        (("lei_record", {"lei": "529900K9B0N5BT694840"}), None),
    ],
)
def test_it_gives_failures_back_to_the_model_as_values(play, call, code):
    script = play(asks(call), answers())
    run = RunFactory()
    perform_run(run.pk)
    content = script.requests[1].messages[-1].answers[0].content
    assert content["success"] is False
    assert code is None or content["error"]["code"] == code
    assert any(call[0] in said for said in run.result.limitations) is (code != "unknown_tool")


@pytest.mark.parametrize(
    "text",
    [
        "no JSON at all",
        '{"name": "cut off',
        "[1, 2]",
        '{"a": NaN}',
        "[" * 100_000,
        '{"a": "\\u0000"}',
        "```\n{}\n```\n```\n{}\n```",
    ],
)
def test_it_fails_with_a_reason_when_the_final_answer_is_no_document(play, text):
    play(answers(text))
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (RunState.FAILED, "invalid_json")
    assert not ResearchResult.objects.filter(run=run).exists()


def test_it_keeps_a_refusal_as_long_as_a_page_can_bear_and_as_both_databases_can(play):
    play(Turn(text="I will not \0 \ud800" + "!" * 100_000, stop="refusal", detail={"score": float("nan")}))
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (RunState.FAILED, "refusal")
    assert run.error["message"] == "The model refused to answer."
    assert run.error["said"].startswith("I will not")
    assert len(run.error["said"]) <= 2_000


def test_it_says_of_a_fault_of_ours_only_what_kind_it_was(play):
    play(RuntimeError("SELECT secret FROM table"))
    run = RunFactory()
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (RunState.FAILED, "internal")
    assert "RuntimeError" in run.error["message"]
    assert "secret" not in run.error["message"]


def test_it_answers_every_call_of_a_turn_that_gives_two_the_same_id(play):
    twins = tuple(ToolCall("same", "lei_record", {"lei": ALLIANZ}) for _ in range(2))
    script = play(Turn(tool_calls=twins, stop="tools"), answers())
    run = RunFactory()
    perform_run(run.pk)
    assert [len(message.answers) for message in script.requests[1].messages] == [0, 0, 2]


def test_it_takes_a_document_out_of_a_fence_and_says_so(play):
    play(answers('Here it is:\n```json\n{"name": "Allianz SE"}\n```\n'))
    run = RunFactory()
    perform_run(run.pk)
    assert run.result.repaired


def test_it_keeps_a_document_that_breaks_the_schema_for_a_person_to_see(play):
    play(answers({"lei": ALLIANZ, "confidence": "certain"}))
    run = RunFactory()
    perform_run(run.pk)
    assert not run.result.schema_valid
    assert {error["pointer"] for error in run.result.schema_errors} == {"", "/confidence"}


def test_it_stops_when_the_budget_of_turns_is_spent(play):
    play(*[asks(("lei_record", {"lei": ALLIANZ}))] * 5)
    run = RunFactory(max_turns=3)
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (RunState.FAILED, "budget")
    assert Step.objects.filter(run=run, kind=StepKind.MODEL).count() == 4


def test_it_refuses_tools_beyond_their_budget_and_lets_the_model_finish(play):
    play(asks(("lei_record", {"lei": ALLIANZ}), ("lei_search", {"name": "Allianz"})), answers())
    run = RunFactory(max_tool_calls=1)
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert any("budget" in sentence for sentence in run.result.limitations)
