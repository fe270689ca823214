"""Each phase reads a model's answer strictly; what does not do becomes a sentence for the next try."""

import json
from datetime import date

import pytest

from research.engine.deep.brief import Brief, Clarification, briefing, clarification
from research.engine.deep.supervision import (
    Directive,
    Reply,
    Topic,
    coverage,
    critique,
    decomposition,
    next_round,
    revision,
)
from research.engine.deep.synthesis import synthesis
from research.engine.questions.question import BadAnswer, read_answer
from tests.cases import cases

TODAY = date(2026, 11, 21)
BRIEF = Brief("I want to know who owns the mill in Bern.", "Bern only.", "")


def directive(topic="Who owns the mill?", **changes):
    return {
        "research_topic": topic,
        "perspective": "",
        "evidence_needed": "register",
        "priority": 2,
        **changes,
    }


def topic(number, sources, **changes):
    return Topic(
        Directive(f"dir-1-{number}", f"Topic {number}"), "told", "told [1]", tuple(range(sources)), **changes
    )


@cases(
    ("question", "answer", "sentence"),
    [
        (clarification("Who?", TODAY), "I think so.", "the answer is not one JSON document"),
        (clarification("Who?", TODAY), {"question": "Which?"}, "does not fit the schema"),
        (
            clarification("Who?", TODAY),
            {"need_clarification": True, "question": " ", "verification": ""},
            "question is empty",
        ),
        (
            clarification("Who?", TODAY),
            {"need_clarification": False, "question": "", "verification": ""},
            "verification is empty",
        ),
        (
            briefing("Who?", Clarification(False), "", TODAY),
            {"research_brief": "Mill.", "scope_boundaries": "", "source_preferences": ""},
            "too short to work from",
        ),
        (decomposition(BRIEF, 4), {"directives": [directive(" ")], "rationale": ""}, "There is no directive"),
        (critique(BRIEF, Reply(False, (), "")), {"sound": False, "faults": []}, "no fault is named"),
        (
            next_round(2, BRIEF, [topic(1, 2)], 4, rounds=3),
            {"research_complete": False, "directives": [directive("topic 1.")], "rationale": ""},
            "no directive that was not worked on already",
        ),
        (
            synthesis(BRIEF, [topic(1, 2)], [], {}),
            {
                "report": "Short.",
                **{name: [] for name in ("findings", "evidence", "open_questions", "limitations")},
                "search_quality": "HIGH",
            },
            "write the report",
        ),
    ],
)
def test_it_sends_an_answer_back_with_a_reason(question, answer, sentence):
    with pytest.raises(BadAnswer, match=sentence):
        read_answer(question, answer if isinstance(answer, str) else json.dumps(answer))


def test_it_reads_a_question_back():
    data = {"need_clarification": True, "question": "Which mill?", "verification": ""}
    assert read_answer(clarification("Who?", TODAY), json.dumps(data)) == Clarification(True, "Which mill?")


def test_an_answer_of_the_person_goes_into_the_brief():
    prompt = briefing("Who?", Clarification(True, "Which mill?"), "The one in Bern", TODAY).prompt
    assert "Which mill?" in prompt
    assert "The one in Bern" in prompt


def test_an_unclear_point_becomes_an_assumption_when_nobody_is_asked():
    assert "as an assumption" in briefing("Who?", Clarification(True, "Which mill?"), "", TODAY).prompt


def test_directives_are_numbered_by_code_the_most_important_first():
    items = [
        directive("A", priority=3),
        directive("B", priority=1, id="dir-evil"),
        directive("a."),
        directive("C"),
    ]
    del items[1]["id"]
    reply = read_answer(decomposition(BRIEF, 2), json.dumps({"directives": items, "rationale": "r"}))
    assert [(one.id, one.research_topic) for one in reply.directives] == [("dir-1-1", "B"), ("dir-1-2", "C")]


def test_a_draft_is_criticised_and_revised():
    draft = Reply(False, (Directive("dir-1-1", "Who owns it?"),), "")
    assert read_answer(critique(BRIEF, draft), '{"sound": true, "faults": ["x"]}') == []
    assert read_answer(critique(BRIEF, draft), '{"sound": false, "faults": ["Too wide."]}') == ["Too wide."]
    assert "Too wide." in revision(BRIEF, draft, ["Too wide."], 4).prompt


def test_a_topic_is_covered_by_two_sources():
    assert coverage([topic(1, 2), topic(2, 1), topic(3, 3), topic(4, 5, error="gone")]) == 0.5


def test_it_insists_when_too_little_stands_behind_a_complete_research():
    prompt = next_round(2, BRIEF, [topic(1, 1)], 4, rounds=3, insist=True).prompt
    assert "You called this complete" in prompt
    assert "0% of the topics" in prompt


def test_findings_cite_only_what_is_in_the_ledger():
    data = {
        "report": "The mill belongs to Acme SE [1]. " * 5,
        "findings": [{"claim": "Acme owns it", "sources": [1, 99], "confidence": "high"}],
        "evidence": [
            {"pointer": "/findings/0/claim", "source": 1, "quote": "Owner: Acme SE"},
            {"pointer": "/findings/0/claim", "source": 99, "quote": "Owner: Acme SE"},
        ],
        "open_questions": ["Since when?", " "],
        "limitations": [],
        "search_quality": "HIGH",
    }
    from research.engine.deep.citations import Entry

    draft = read_answer(
        synthesis(BRIEF, [topic(1, 2)], [Entry(1, "Register", "https://r.test")], {}), json.dumps(data)
    )
    assert draft.findings[0]["sources"] == [1]
    assert [item["source"] for item in draft.evidence] == [1]
    assert draft.open_questions == ("Since when?",)
