"""From a question to a report to be reviewed: phases, children, numbers, verification."""

from dataclasses import replace

import pytest

from research.llm.interface import ToolCall, Turn, Usage
from research.models import ResearchResult, Run, Source, Step
from research.models.states import RunState
from tests.deep.conftest import QUESTION, work
from tests.deep.newsroom import (
    COMPLETE,
    DIRECTIVES,
    FOUND,
    LINES,
    PAGES,
    Sage,
    boasting,
    install_web,
    research,
)

pytestmark = pytest.mark.django_db


def test_it_ends_with_a_report_whose_numbers_and_sources_are_built_by_code(ask):
    run = work(ask(Sage()))
    assert (run.state, run.error) == (RunState.SUCCEEDED, None)
    result = ResearchResult.objects.get(run=run)
    assert result.schema_valid, result.schema_errors
    data = result.data
    assert data["question"] == QUESTION
    assert data["report"].startswith("# The mill in Bern\n\nMill AG employs 240 people [1][2].")
    assert "[3]. It was bought from the founding family [4]. It has a roof." in data["report"]
    assert "invented" not in data["report"]
    assert [source["number"] for source in data["sources"]] == [1, 2, 3, 4]
    assert [source["url"] for source in data["sources"]] == [
        "https://mill.test/about",
        "https://stats.test/employers",
        "https://registry.test/mill",
        "https://paper.test/acme",
    ]
    claimed = {"claim": "Acme SE owns Mill AG", "sources": [3, 4]}  # as high, with a quote in other words
    assert data["findings"][0] == {**claimed, "confidence": "medium"}
    assert "Citations of sources that do not exist were taken out of the report (99)." in data["limitations"]
    assert not result.ungrounded
    assert not result.partial


def test_the_claims_of_the_report_are_verified_against_the_stored_pages(ask):
    run = work(ask(Sage(report=boasting)))
    result = ResearchResult.objects.get(run=run)
    checks = {check.subject: check for check in result.checks.filter(kind="claim")}
    staff = checks["Mill AG employs 240 people."]
    assert (staff.verdict, staff.code, staff.pointer) == ("pass", "supported", "/report")
    assert staff.evidence["quote"] == "Today 240 people work at Mill AG"
    assert result.data["sources"][staff.evidence["source"] - 1]["url"] == "https://mill.test/about"
    boast = checks["It is the oldest in Asia."]
    assert (boast.verdict, boast.code) == ("fail", "unsupported")
    assert (result.fidelity["supported"], result.fidelity["unsupported"]) == (2, 2)
    assert result.fidelity["score"] == 0.5


def test_researchers_are_runs_of_their_own_and_their_sources_belong_to_the_family(ask):
    run = work(ask(Sage()))
    children = Run.objects.filter(parent=run).order_by("directive")
    assert [child.directive for child in children] == ["dir-1-1", "dir-1-2"]
    assert {child.state for child in children} == {RunState.SUCCEEDED}
    assert {child.workflow for child in children} == {"topic"}
    assert all(child.max_tool_calls == 10 and child.max_turns == 30 for child in children)
    assert not Source.objects.filter(run__in=children).exists()
    assert list(Source.objects.filter(run=run).order_by("number").values_list("number", flat=True)) == [
        1,
        2,
        3,
        4,
    ]
    assert not ResearchResult.objects.filter(run__in=children).exists()


def test_nobody_works_on_the_parent_while_its_children_work(ask):
    from research.engine.runner import perform_run

    run = ask(Sage())
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.lease_owner, run.lease_until) == (RunState.AWAITING_CHILDREN, "", None)
    first, second = Run.objects.filter(parent=run)
    perform_run(first.pk)
    run.refresh_from_db()
    assert run.state == RunState.AWAITING_CHILDREN
    perform_run(second.pk)
    run.refresh_from_db()
    assert run.state == RunState.QUEUED


def test_it_asks_each_question_once(ask):
    sage = Sage()
    work(ask(sage))
    counted = {part: sage.asked.count(part) for part in sage.asked}
    once = ("clarification", "brief", "draft", "critique", "supervision", "report", "claims", "verdicts")
    assert counted == {**dict.fromkeys(once, 1), "summary": 2, "research": 8}


def test_a_draft_with_faults_is_revised_before_anyone_works_on_it(ask):
    better = {"directives": DIRECTIVES[:1], "rationale": "Together."}
    drafts = iter([{"directives": DIRECTIVES, "rationale": ""}, better])
    sage = Sage(draft=lambda request: next(drafts), critique={"sound": False, "faults": ["The two overlap."]})
    run = work(ask(sage))
    assert Run.objects.filter(parent=run).count() == 1


def test_a_research_called_complete_with_too_little_behind_it_is_asked_about_once_more(ask, monkeypatch):
    install_web(
        monkeypatch, {urls[0]: PAGES[urls[0]] for urls in FOUND.values()}
    )  # one source for each topic
    sage = Sage()
    run = work(ask(sage, web=False))
    prompts = [
        one.messages[0].text
        for one, part in zip(sage.requests, sage.asked, strict=True)
        if part == "supervision"
    ]
    assert ["You called this complete" in prompt for prompt in prompts] == [False, True]
    assert run.state == RunState.SUCCEEDED, run.error


def test_a_second_round_is_worked_on_when_something_is_missing(ask):
    more = {
        "research_complete": False,
        "directives": [
            {**DIRECTIVES[1], "research_topic": "How many people worked at Mill AG in Bern before 2020?"}
        ],
        "rationale": "The past is missing.",
    }
    sage = Sage(supervision=lambda request: COMPLETE if "round 3" in request.messages[0].text else more)
    run = work(ask(sage))
    assert list(Run.objects.filter(parent=run).order_by("directive").values_list("directive", flat=True)) == [
        "dir-1-1",
        "dir-1-2",
        "dir-2-1",
    ]
    assert run.state == RunState.SUCCEEDED


def test_a_quick_run_has_one_round_and_asks_no_supervisor_afterwards(ask):
    sage = Sage()
    run = work(ask(sage, depth="quick"))
    assert run.state == RunState.SUCCEEDED
    assert "supervision" not in sage.asked
    assert {child.max_tool_calls for child in Run.objects.filter(parent=run)} == {5}


def test_a_child_that_fails_is_named_in_the_limitations(ask):
    from research.llm.interface import ModelFault

    def sometimes(request):
        if "How many people" in request.messages[0].text.partition("larger brief")[0]:
            raise ModelFault("invalid", "This model does not want to.")
        return LINES["research"](request)

    run = work(ask(Sage(research=sometimes)))
    result = ResearchResult.objects.get(run=run)
    assert Run.objects.get(parent=run, directive="dir-1-2").state == RunState.FAILED
    said = [text for text in result.data["limitations"] if text.startswith("Not researched:")]
    assert len(said) == 1
    assert "How many people work at Mill AG" in said[0]


def test_verification_that_fails_does_not_kill_the_run(ask):
    from research.llm.interface import ModelFault

    run = work(ask(Sage(verdicts=ModelFault("invalid", "Not today."))))
    result = ResearchResult.objects.get(run=run)
    checks = result.checks.filter(kind="claim")
    assert {check.verdict for check in checks} == {"unknown"}
    assert (result.fidelity["unknown"], result.fidelity["score"]) == (checks.count(), None)
    assert "Not today." in checks[0].message


def test_claims_that_cannot_be_listed_are_named_and_the_run_goes_on(ask):
    run = work(ask(Sage(claims="I would rather not.")))
    result = ResearchResult.objects.get(run=run)
    assert result.fidelity is None
    assert any(
        text.startswith("The claims of the report were not verified:") for text in result.data["limitations"]
    )


def test_a_report_that_stays_behind_is_written_again_and_the_better_one_is_kept(ask):
    def poor(request):
        again = "found these statements wanting" in request.messages[0].text
        return LINES["report"](request) if again else boasting(request)

    sage = Sage(report=poor)
    run = work(ask(sage))
    result = ResearchResult.objects.get(run=run)
    assert sage.asked.count("report") == 2
    assert result.fidelity["score"] == 1.0
    assert "oldest" not in result.data["report"]
    assert result.fidelity["rewritten"] == {"before": 0.5, "after": 1.0, "kept": "after"}


def test_a_second_report_that_is_no_better_is_rolled_back(ask):
    def worse(request):
        good = boasting(request)
        again = "found these statements wanting" in request.messages[0].text
        return {
            **good,
            "report": good["report"].replace("# The mill in Bern", f"# {'Worse' if again else 'First'}"),
        }

    run = work(ask(Sage(report=worse)))
    result = ResearchResult.objects.get(run=run)
    assert result.fidelity["rewritten"]["kept"] == "before"
    assert result.data["report"].startswith("# First")


def test_the_journal_names_its_questions(ask):
    run = work(ask(Sage()))
    names = list(Step.objects.filter(run=run, kind="model").order_by("seq").values_list("name", flat=True))
    assert names[:4] == ["clarification", "brief", "round.1.draft", "round.1.critique"]
    assert "report" in names
    assert "check.1" in names


def test_its_search_is_no_better_than_what_its_researchers_were_answered(ask):
    run = work(ask(Sage(), web=True))
    result = ResearchResult.objects.get(run=run)
    assert (result.data["search_quality"], result.search_quality) == ("HIGH", "HIGH")


def test_a_search_that_its_report_calls_high_is_judged_by_its_answers(ask):
    def clumsy(request):
        turn = sum(message.role == "assistant" for message in request.messages)
        if turn < 4 and request.tools:
            call = ToolCall(f"x{turn}", "lei_record", {"lei": f"529900K9B0N5BT69484{turn}"})
            return Turn(tool_calls=(call,), stop="tools", usage=Usage(1000, output_tokens=50))
        return research(request) if request.tools else LINES["summary"](request)

    def first_look_then_guess(request):
        given = research(request)
        turn = sum(message.role == "assistant" for message in request.messages)
        if turn < 3 or not request.tools:
            return given
        return clumsy(replace(request, messages=request.messages[3:]))

    result = ResearchResult.objects.get(run=work(ask(Sage(research=first_look_then_guess))))
    assert result.data["search_quality"] == "HIGH"
    assert result.search_quality in ("LOW", "MEDIUM")
    warned = result.checks.get(kind="origin", code="search-quality")
    assert "look-ups found nothing or failed" in warned.message
