"""Which phases wait, what they show, and what a person sends back; in trouble every run waits."""

import pytest

from research.errors import InvalidParameters, InvalidTransition
from research.llm.interface import Turn
from research.models import ResearchResult, Run
from research.models.states import RunState
from research.services.checkpoints import waiting_for
from research.services.runs import confirm_checkpoint
from tests.cases import cases
from tests.deep.conftest import work
from tests.deep.newsroom import BRIEF, COMPLETE, DIRECTIVES, LINES, UNCLEAR, Sage, install_web

pytestmark = pytest.mark.django_db


def go_on(run, answer=None):
    return work(confirm_checkpoint(run=run, actor=None, answer=answer, phase=run.phase))


def test_a_cautious_run_waits_in_every_phase(ask):
    run = work(ask(Sage(), autonomy="cautious"))
    seen = []
    while run.state == RunState.AWAITING_CONFIRMATION:
        seen.append(run.phase)
        run = go_on(run)
    assert seen == ["clarification", "brief", "directives.1", "synthesis"]
    assert run.state == RunState.SUCCEEDED


def test_an_edited_brief_is_what_is_worked_from(ask):
    sage = Sage()
    run = go_on(work(ask(sage, autonomy="cautious")))
    shown = waiting_for(run)
    assert (shown.phase, shown.edit) == ("brief", BRIEF)
    edited = {**shown.edit, "research_brief": "I want to know everything about the hospital next door."}
    go_on(run, edited)
    (draft,) = [request for request, part in zip(sage.requests, sage.asked, strict=True) if part == "draft"]
    assert "the hospital next door" in draft.messages[0].text
    assert BRIEF["research_brief"] not in draft.messages[0].text


def test_edited_directives_are_who_works(ask):
    run = go_on(go_on(work(ask(Sage(), autonomy="cautious"))))
    shown = waiting_for(run)
    assert shown.phase == "directives.1"
    kept = [{**shown.edit["directives"][0], "priority": 3}, {"research_topic": "Who founded Mill AG?"}]
    run = go_on(run, {"directives": kept})
    topics = Run.objects.filter(parent=run).order_by("directive")
    assert [child.params["topic"] for child in topics] == ["Who founded Mill AG?", kept[0]["research_topic"]]


def test_remarks_before_the_report_reach_the_report(ask):
    sage = Sage()
    run = work(ask(sage, autonomy="cautious"))
    for _ in range(3):
        run = go_on(run)
    assert "2 topics with 4 sources are ready" in waiting_for(run).message
    go_on(run, {"remarks": "Put the owner first."})
    (report,) = [request for request, part in zip(sage.requests, sage.asked, strict=True) if part == "report"]
    assert "Put the owner first." in report.messages[0].text


def test_what_cannot_be_used_is_refused_and_the_run_still_waits(ask):
    run = go_on(work(ask(Sage(), autonomy="cautious")))
    with pytest.raises(InvalidParameters, match="too short"):
        go_on(run, {"research_brief": "x"})
    run.refresh_from_db()
    assert (run.state, run.phase) == (RunState.AWAITING_CONFIRMATION, "brief")


def test_a_confirmation_is_for_what_was_seen(ask):
    run = go_on(work(ask(Sage(), autonomy="cautious")))
    with pytest.raises(InvalidTransition, match="does not wait at 'clarification' any more"):
        confirm_checkpoint(run=run, actor=None, phase="clarification")
    run.refresh_from_db()
    assert run.state == RunState.AWAITING_CONFIRMATION


def test_a_balanced_run_waits_only_for_a_question_that_it_has(ask):
    assert work(ask(Sage())).state == RunState.SUCCEEDED
    sage = Sage(clarification=UNCLEAR)
    run = work(ask(sage))
    assert (run.state, run.phase) == (RunState.AWAITING_CONFIRMATION, "clarification")
    assert waiting_for(run).message == "Which mill do you mean?"
    run = go_on(run, {"answer": "The one on the Aare."})
    assert run.state == RunState.SUCCEEDED
    (brief,) = [request for request, part in zip(sage.requests, sage.asked, strict=True) if part == "brief"]
    assert "The one on the Aare." in brief.messages[0].text


def test_an_autonomous_run_never_waits_and_names_its_assumption(ask):
    sage = Sage(clarification=UNCLEAR)
    assert work(ask(sage, autonomy="autonomous")).state == RunState.SUCCEEDED
    (brief,) = [request for request, part in zip(sage.requests, sage.asked, strict=True) if part == "brief"]
    assert "name it in scope_boundaries as an assumption" in brief.messages[0].text


@pytest.mark.parametrize("autonomy", ["autonomous", "balanced"])
def test_a_round_without_a_source_waits_and_says_why(ask, monkeypatch, autonomy):
    install_web(monkeypatch, fault="No search provider is configured.")
    run = work(ask(Sage(), web=False, autonomy=autonomy))
    assert (run.state, run.phase) == (RunState.AWAITING_CONFIRMATION, "sources.1")
    shown = waiting_for(run)
    assert "Round 1 brought no source at all." in shown.message
    assert "No search provider is configured." in shown.message


def searches_after(turn):
    """A researcher that finds no source in the first round, and its sources from then on."""
    begun = []

    def line(request):
        begun.append(1)
        return turn if len(begun) <= 2 else LINES["research"](request)

    return line


AGAIN = {
    "research_complete": False,
    "directives": [{**one, "research_topic": f"{one['research_topic']} Again."} for one in DIRECTIVES],
    "rationale": "Nothing was found yet.",
}


def test_after_trouble_with_sources_it_goes_on_cautiously(ask):
    sage = Sage(
        research=searches_after(Turn(text="I found nothing.")),
        supervision=lambda request: AGAIN if "This is round 2" in request.messages[0].text else COMPLETE,
    )
    run = work(ask(sage, autonomy="autonomous"))
    assert run.phase == "sources.1"
    run = go_on(run)
    assert run.phase == "directives.2"
    assert "Round 1 brought no source at all." in waiting_for(run).message
    run = go_on(run)
    assert "4 topics with 4 sources are ready" in waiting_for(run).message
    assert "brought no source" not in waiting_for(run).message
    run = go_on(run)
    assert run.state == RunState.SUCCEEDED
    assert not ResearchResult.objects.get(run=run).ungrounded


@cases("autonomy", ["cautious", "balanced", "autonomous"])
@cases("depth", ["quick", "standard"])
def test_nobody_writes_or_is_asked_about_a_report_on_nothing(ask, monkeypatch, autonomy, depth):
    install_web(monkeypatch, fault="No search provider is configured.")
    sage = Sage(supervision=COMPLETE)
    run = work(ask(sage, web=False, autonomy=autonomy, depth=depth))
    seen = []
    while run.state == RunState.AWAITING_CONFIRMATION:
        seen.append(run.phase)
        run = go_on(run)
    assert run.state == RunState.SUCCEEDED
    assert "synthesis" not in seen
    assert ("sources.1" in seen) == (autonomy != "cautious" and depth != "quick")
    assert "report" not in sage.asked
    result = ResearchResult.objects.get(run=run)
    assert (result.ungrounded, result.partial, result.schema_valid) == (True, True, True)
    assert result.data["report"].startswith("> **Ungrounded.**")
    assert (result.data["sources"], result.data["findings"]) == ([], [])
    assert result.data["search_quality"] == "LOW"
    assert result.data["limitations"][0] == "No source was found, so there is no report."
    assert (
        sum("web_search: No search provider is configured; " in text for text in result.data["limitations"])
        == 2
    )


def test_a_person_may_end_a_run_that_found_nothing(ask, monkeypatch):
    install_web(monkeypatch, fault="No search provider is configured.")
    sage = Sage()
    run = work(ask(sage, web=False))
    assert waiting_for(run).edit == {"finish": False}
    with pytest.raises(InvalidParameters, match="true or false"):
        go_on(run, {"finish": "yes"})
    run = go_on(run, {"finish": True})
    assert run.state == RunState.SUCCEEDED
    assert "supervision" not in sage.asked
    assert ResearchResult.objects.get(run=run).data["sources"] == []


def test_a_person_may_say_that_it_is_enough(ask):
    more = {
        "research_complete": False,
        "directives": [{"research_topic": "More?", "perspective": "", "evidence_needed": "", "priority": 1}],
        "rationale": "There may be more.",
    }
    run = work(ask(Sage(supervision=more), autonomy="cautious"))
    for _ in range(3):
        run = go_on(run)
    assert run.phase == "directives.2"
    run = go_on(run, {"directives": []})
    assert run.phase == "synthesis"
    assert Run.objects.filter(parent=run).count() == 2
