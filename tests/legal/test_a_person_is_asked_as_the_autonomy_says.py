"""Cautious six times, balanced twice, autonomous never; what is shown can be changed, and is used as it was changed."""

import pytest

from research.errors import InvalidParameters
from research.models import Run
from research.models.states import RunState
from research.services.checkpoints import progress, waiting_for
from research.services.runs import confirm_checkpoint
from tests.cases import cases
from tests.legal.conftest import work

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def law(courts, acts, commentaries):
    return courts


def go_on(run: Run, **answer: object) -> Run:
    confirm_checkpoint(run=run, actor=None, answer=answer or None, enqueue=False)
    return work(run)


def to(run: Run, phase: str) -> Run:
    """Confirm until the run waits in a phase."""
    work(run)
    while run.phase != phase:
        assert run.state == RunState.AWAITING_CONFIRMATION, (run.state, run.phase, run.error)
        go_on(run)
    return run


def asked_of(run: Run) -> list[tuple[str, str]]:
    """Phases and last sentences of all questions, each confirmed as it is."""
    work(run)
    said = []
    while run.state == RunState.AWAITING_CONFIRMATION:
        checkpoint = waiting_for(run)
        said.append((checkpoint.phase, checkpoint.message))
        go_on(run)
    assert run.state == RunState.SUCCEEDED
    return said


def test_a_cautious_run_asks_six_times(ask):
    said = asked_of(ask(autonomy="cautious"))
    assert [phase for phase, _ in said] == ["understand", "plan", "search", "verify", "synthesize", "deliver"]
    wanted = [
        "Is this interpretation correct?",
        "Proceed with this search plan?",
        "Continue searching remaining sources?",
        "Accept verified citations?",
        "Is this synthesis accurate?",
        "Finalize and deliver?",
    ]
    assert all(question in message for question, (_, message) in zip(wanted, said, strict=True))


def test_a_balanced_run_asks_twice(ask):
    said = asked_of(ask(autonomy="balanced"))
    assert [phase for phase, _ in said] == ["plan", "verify"]
    assert said[0][1].startswith("Searching 3 sources for 2 legal issues")
    assert said[0][1].endswith("Proceed?")
    assert "results" in said[1][1]
    assert "citations verified" in said[1][1]
    assert said[1][1].endswith("Continue to synthesis?")


def test_an_autonomous_run_asks_nobody(ask):
    assert asked_of(ask(autonomy="autonomous")) == []


def test_what_was_decided_is_in_the_trail(ask):
    run = to(ask(autonomy="balanced"), "plan")
    go_on(run, maxResults=3)
    go_on(run)
    trail = run.result.data["memo"]["appendices"]["decisionTrail"]
    assert [(one["phase"], one["what"]) for one in trail] == [
        ("plan", "Confirmed with changes to maxResults."),
        ("verify", "Confirmed."),
    ]
    assert run.result.data["strategy"]["maxResults"] == 3


def test_the_interpretation_can_be_changed(ask, law):
    run = to(ask(autonomy="cautious"), "understand")
    edit = waiting_for(run).edit
    go_on(run, **{**edit, "keyTerms": ["Werkvertrag", "Art. 363 OR"], "cantons": ["ZH"], "from": "2010"})
    found = waiting_for(run).edit["queries"]
    assert {one["source"] for one in found} >= {"bge-search", "cantonal-courts"}
    assert all(one["filters"].get("from") == "2010-01-01" for one in found if one["source"] == "bge-search")
    assert any('"Art. 363 OR"' in one["query"] for one in found)


def test_the_plan_can_be_changed(ask, law):
    run = to(ask(autonomy="balanced"), "plan")
    before = len(law.asked)
    query = {"source": "bge-search", "query": "Werkvertrag", "language": "de", "filters": {}}
    go_on(run, queries=[query])
    searched = [one for one in law.asked[before:] if one["query"].get("bool", {}).get("filter")]
    assert searched[0]["query"]["bool"]["must"][0]["query_string"]["query"] == "Werkvertrag"
    go_on(run)
    assert [one["query"] for one in run.result.data["strategy"]["queries"]] == ["Werkvertrag"]


def test_remaining_sources_can_be_left_out(ask, acts, commentaries):
    run = to(ask(autonomy="cautious"), "search")
    shown = waiting_for(run)
    assert shown.edit == {"sources": ["doctrine", "fedlex"]}
    assert shown.shown["progress"][0]["source"] == "bge-search"
    assert shown.shown["progress"][0]["found"] >= 3
    go_on(run, sources=["fedlex"])
    assert commentaries.asked == []
    assert acts.asked != []
    while run.state == RunState.AWAITING_CONFIRMATION:
        go_on(run)
    assert run.result.data["metadata"]["sourcesSearched"] == 2  # the one that was left out is none of them


def test_citations_can_be_taken_out(ask):
    run = to(ask(autonomy="balanced"), "verify")
    go_on(run, drop=["BGE 130 III 362"])
    memo = run.result.data["memo"]
    assert "BGE 130 III 362" not in {one["citation"] for one in memo["citations"]}
    assert not any(
        cited.startswith("BGE 130 III 362")
        for one in memo["findings"]
        for cited in one["supportingCitations"]
    )


def test_every_citation_is_shown_to_the_cautious_and_problems_to_the_balanced(ask):
    cautious = waiting_for(to(ask(autonomy="cautious"), "verify")).shown["citations"]
    balanced = waiting_for(to(ask(autonomy="balanced"), "verify")).shown["citations"]
    assert {one["verdict"] for one in cautious} == {"verified", "open"}
    unread = {one["citation"] for one in balanced if "was not opened" in one["note"]}
    assert {one["citation"] for one in balanced} - unread == {"BGE 118 II 142", "BGer 4A_231/2016"}
    assert unread
    assert all(citation.startswith("OK-") for citation in unread)
    outdated = [one for one in balanced if one["outdated"]]
    assert [one["citation"] for one in outdated] == ["BGer 4A_231/2016"]
    assert "change of practice" in outdated[0]["note"]


def test_findings_can_be_reworded_and_left_out(ask):
    run = to(ask(autonomy="cautious"), "synthesize")
    first = waiting_for(run).edit["findings"][0]
    go_on(run, findings=[{**first, "conclusion": "Es braucht eine rechtzeitige Rüge.", "confidence": 0.9}])
    go_on(run, title="Mängel am Dach")
    memo = run.result.data["memo"]
    assert memo["title"] == "Mängel am Dach"
    assert [one["conclusion"] for one in memo["findings"]] == ["Es braucht eine rechtzeitige Rüge."]
    assert memo["findings"][0]["passages"]


@cases(
    ("phase", "answer", "fault"),
    [
        ("understand", {"keyTerms": []}, "nothing to search for"),
        ("understand", {"cantons": ["XX"]}, "'XX' is not one of"),
        ("understand", {"from": "yesterday"}, "must be a day"),
        ("understand", {"from": "2020", "to": "2010"}, "must not be later"),
        ("understand", {"federal": False}, "no court is left"),
        ("understand", {"federal": "yes"}, "true or false"),
        ("understand", {"languages": ["rm"]}, "'rm' is not one of"),
        ("understand", {"keyTerms": "Werkvertrag"}, "must be a list of texts"),
        ("understand", {"terms": []}, "what can be changed here: legalDomain"),
        ("plan", {"queries": []}, "at least one query"),
        ("plan", {"queries": [{"source": "google", "query": "x"}]}, "source must be one of"),
        ("plan", {"queries": [{"source": "cantonal-courts", "query": "x"}]}, "must name cantons"),
        ("plan", {"queries": [{"source": "bge-search", "query": " "}]}, "query must be text"),
        ("plan", {"queries": ["x"]}, "must be an object"),
        ("plan", {"maxResults": 0}, "from 1 to 200"),
        ("plan", {"relevanceThreshold": 7}, "from 0 to 1"),
        ("search", {"sources": ["google"]}, "'google' is not one of"),
        ("verify", {"drop": "all"}, "must be a list of texts"),
        ("synthesize", {"findings": [{"issue": "", "conclusion": "x"}]}, "needs an issue"),
        ("synthesize", {"findings": [{"issue": "x", "conclusion": "x", "confidence": 2}]}, "from 0 to 1"),
        ("deliver", {"title": "  "}, "title must be text"),
        ("deliver", {"findings": []}, "what can be changed here: title"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_before_it_is_stored(ask, phase, answer, fault):
    run = to(ask(autonomy="cautious"), phase)
    with pytest.raises(InvalidParameters, match=fault):
        confirm_checkpoint(run=run, actor=None, answer=answer, enqueue=False)
    run.refresh_from_db()
    assert run.state == RunState.AWAITING_CONFIRMATION


def test_what_a_person_sees_can_be_sent_back_as_it_stands(ask):
    run = work(ask(autonomy="cautious"))
    while run.state == RunState.AWAITING_CONFIRMATION:
        go_on(run, **(waiting_for(run).edit or {}))
    assert run.state == RunState.SUCCEEDED


def test_how_far_it_is(ask):
    run = to(ask(autonomy="cautious"), "verify")
    states = {one["name"]: one["state"] for one in progress(run)["phases"]}
    assert states == {
        "understand": "done",
        "plan": "done",
        "search": "done",
        "verify": "waits",
        "synthesize": "ahead",
        "deliver": "ahead",
    }


@pytest.mark.parametrize("autonomy", ["cautious", "balanced", "autonomous"])
def test_a_question_about_nothing_goes_back_to_the_person(ask, autonomy):
    run = work(ask("Wie ist das?", autonomy=autonomy))
    assert (run.state, run.phase) == (RunState.AWAITING_CONFIRMATION, "clarification")
    go_on(run, answer="Wann haftet der Unternehmer beim Werkvertrag für Mängel?")
    assert run.phase != "clarification"
    assert run.error is None


def test_a_question_that_stays_about_nothing_fails(ask):
    run = work(ask("Wie ist das?", autonomy="autonomous"))
    go_on(run, answer="Na so halt")
    assert (run.state, run.error["code"]) == (RunState.FAILED, "invalid_question")


def test_parameters_that_cannot_be_used_fail_with_a_reason(ask):
    run = work(ask(jurisdiction={"federal": False}))
    assert (run.state, run.error["code"]) == (RunState.FAILED, "invalid_answer")


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"jurisdiction": {"cantons": ["XX"]}}, "jurisdiction.cantons"),
        ({"timeRange": {"from": "soon"}}, "timeRange.from"),
        ({"timeRange": {"from": "2020", "to": "2015"}}, "timeRange.to"),
    ],
)
def test_parameters_outside_their_schema_start_nothing(ask, params, field):
    with pytest.raises(InvalidParameters) as caught:
        ask(**params)
    assert [error.name for error in caught.value.errors] == [field]
    assert not Run.objects.exists()


def test_parameters_that_were_given_count_more_than_the_question(ask):
    run = work(
        ask(
            autonomy="cautious",
            jurisdiction={"federal": False, "cantons": ["ZH", "BE"]},
            timeRange={"from": "2010", "to": "2015"},
            languages=["fr"],
        )
    )
    edit = waiting_for(run).edit
    assert (edit["federal"], edit["cantons"], edit["from"], edit["to"]) == (
        False, ["ZH", "BE"], "2010-01-01", "2015-12-31",
    )  # fmt: skip
    assert edit["languages"] == ["fr"]
