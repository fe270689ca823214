"""A verdict on a claim counts only with a quote that is in the source; wrong citations are put right, a few at most."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.engine.claims.claim import (
    FINDINGS,
    Claim,
    Judged,
    batches,
    checks,
    correct,
    fidelity,
    is_better,
    judge,
    select_claims,
    uncited,
    unknown,
    wants_another,
)
from research.engine.claims.passages import Shelf
from research.engine.claims.questions import extraction, verification
from research.engine.claims.quote_finder import Found
from research.engine.deep.sentences import sentences
from research.engine.questions.question import BadAnswer, read_data
from tests.cases import cases

TEXTS = {
    1: "The mill employs 240 people. It was built in 1902.",
    2: "Owner of the mill is Acme SE.",
    3: "Rain.",
}


def look(source, quote):
    return Found(quote if quote and quote in TEXTS.get(source, "") else "")


def claim(number=1, *, sentence=1, kind="positive", sources=(1,), text="The mill employs 240 people."):
    return Claim(number, sentence, text, kind, sources)


def judged(finding, *, number=1, sentence=1, sources=(1,), source=0):
    quote = TEXTS.get(source, "")
    return Judged(claim(number, sentence=sentence, sources=sources), finding, quote, source, said=finding)


def test_it_takes_all_claims_that_are_not_plainly_positive_and_a_share_of_the_rest():
    claims = [claim(n, text=f"p{n}") for n in range(20)]
    claims += [
        claim(30 + n, kind=kind, text=kind)
        for n, kind in enumerate(("negative", "quantitative", "comparative"))
    ]
    chosen = select_claims(claims)
    assert sum(one.kind == "positive" for one in chosen) == 6
    assert sum(one.kind != "positive" for one in chosen) == 3
    assert [one.number for one in chosen] == list(range(1, 10))
    assert select_claims(list(reversed(claims))) == chosen


def test_it_verifies_fifty_claims_at_most():
    assert len(select_claims(claim(n, kind="quantitative", text=str(n)) for n in range(80))) == 50


def test_it_leaves_claims_that_cite_nothing_to_no_model():
    none = claim(sources=())
    assert batches([none, claim(2)]) == [[claim(2)]]
    assert [(one.finding, one.reason) for one in uncited([none, claim(2)])] == [
        ("UNSUPPORTED", "Neither the sentence nor its paragraph cites a source.")
    ]


@pytest.mark.parametrize("finding", ["SUPPORTED", "PARTIALLY_SUPPORTED", "CONTRADICTED"])
def test_a_quote_that_is_not_in_the_source_counts_as_unsupported(finding):
    assert judge(claim(), finding, "The mill employs 240 people", 1, look).finding == finding
    for quote, source in (("The mill employs 999 people", 1), ("", 1), ("The mill employs 240 people", 2)):
        assert judge(claim(), finding, quote, source, look).finding == "UNSUPPORTED"


def test_a_source_of_which_nothing_was_archived_verifies_nothing():
    verdict = judge(claim(), "SUPPORTED", "The mill employs 240 people", 9, lambda source, quote: None)
    assert verdict.finding == "UNKNOWN"
    assert "Nothing of the source was archived" in verdict.reason


def test_fidelity_is_what_the_verdicts_add_up_to():
    given_ = [judged("SUPPORTED")] * 3 + [judged("PARTIALLY_SUPPORTED")] * 2 + [judged("CONTRADICTED")] * 2
    summary = fidelity([*given_, judged("UNSUPPORTED"), *unknown([claim()], "no answer")])
    assert summary == {
        "score": 0.375,
        "verified": 8,
        "supported": 3,
        "partially_supported": 2,
        "unsupported": 1,
        "contradicted": 2,
        "unknown": 1,
    }


def test_fidelity_is_not_known_when_nothing_could_be_verified():
    summary = fidelity(unknown([claim()], "no answer"))
    assert (summary["score"], summary["verified"]) == (None, 0)
    assert not wants_another(summary)


@given(st.lists(st.sampled_from([*FINDINGS, "UNKNOWN"])))
def test_fidelity_stays_between_nothing_and_one(findings):
    score = fidelity(judged(finding) for finding in findings)["score"]
    assert score is None or 0 <= score <= 1


@pytest.mark.parametrize(
    ("first", "second", "better"), [(0.5, 0.6, True), (0.5, 0.59, False), (0.5, 0.3, False)]
)
def test_a_second_report_must_be_clearly_better(first, second, better):
    assert wants_another({"score": first})
    assert is_better({"score": second}, {"score": first}) is better


def test_a_wrong_citation_gets_the_number_of_the_source_that_says_it():
    report = "Acme SE owns the mill [1]. It is big [3]."
    found = sentences(report)
    fixed, done = correct(report, found, [judged("SUPPORTED", source=2)])
    assert fixed == "Acme SE owns the mill [2]. It is big [3]."
    assert done == [{"claim": 1, "was": 1, "now": 2}]


def test_a_citation_that_bears_out_nothing_is_taken_away():
    report = "Acme SE owns the moon [3]. It is big [1]."
    fixed, done = correct(report, sentences(report), [judged("UNSUPPORTED", sources=(3,))])
    assert fixed == "Acme SE owns the moon. It is big [1]."
    assert done == [{"claim": 1, "was": 3, "now": None}]


def test_a_citation_stays_where_it_bears_out_another_claim_of_the_sentence():
    report = "The mill employs 240 people and flies [1]."
    verdicts = [judged("SUPPORTED", source=1), judged("UNSUPPORTED", number=2)]
    assert correct(report, sentences(report), verdicts) == (report, [])


def test_a_citation_stays_where_only_the_quote_was_wrong():
    report = "The mill employs 240 people [1]."
    misquoted = judge(claim(), "SUPPORTED", "two hundred and forty", 1, look)
    assert correct(report, sentences(report), [misquoted]) == (report, [])


def test_a_contradiction_is_left_for_a_person():
    report = "The mill was built in 1950 [1]."
    verdict = judged("CONTRADICTED", source=1)
    assert correct(report, sentences(report), [verdict]) == (report, [])
    (check,) = checks([verdict], {1: 4})
    assert (check.kind, check.verdict, check.pointer, check.code) == (
        "claim",
        "fail",
        "/report",
        "contradicted",
    )
    assert "It says [4]: “The mill employs 240 people. It was built in 1902.”" in check.message
    assert check.evidence["source"] == 4


def test_it_corrects_five_citations_at_most():
    report = " ".join(f"Sentence number {n} [3]." for n in range(1, 9))
    verdicts = [judged("UNSUPPORTED", number=n, sentence=n, sources=(3,)) for n in range(1, 9)]
    fixed, done = correct(report, sentences(report), verdicts)
    assert len(done) == 5
    assert fixed.count("[3]") == 3


@cases(
    ("finding", "verdict"),
    [
        ("SUPPORTED", "pass"),
        ("PARTIALLY_SUPPORTED", "warn"),
        ("UNSUPPORTED", "fail"),
        ("CONTRADICTED", "fail"),
        ("UNKNOWN", "unknown"),
    ],
)
def test_each_verdict_is_a_check(finding, verdict):
    (check,) = checks([judged(finding)], {})
    assert check.verdict == verdict


def test_the_sources_of_a_claim_are_those_of_its_sentence_whatever_the_model_says():
    question = extraction(sentences("The mill employs 240 people [1]. It rains."))
    data = {"claims": [{"sentence": 1, "claim": "240 people work there", "type": "quantitative"}]}
    assert read_data(question, data) == [Claim(1, 1, "240 people work there", "quantitative", (1,))]
    with pytest.raises(BadAnswer, match="no sentence 7; there are 1 to 2"):
        read_data(question, {"claims": [{"sentence": 7, "claim": "x", "type": "positive"}]})


def test_the_question_shows_the_cited_source_and_those_that_may_be_meant():
    question = verification("check.1", [claim()], Shelf(TEXTS), look)
    assert "Source 1 (cited)" in question.prompt
    assert "Source 2 (not cited, but perhaps meant)" in question.prompt
    assert question.prompt.index("Source 1") < question.prompt.index("Source 2")


def test_a_forgotten_verdict_is_asked_for_again():
    question = verification("check.1", [claim(), claim(2)], Shelf(TEXTS), look)
    answer = {
        "claim": 1,
        "verdict": "SUPPORTED",
        "evidence_quote": "The mill employs 240 people",
        "source": 1,
    }
    with pytest.raises(BadAnswer, match="no verdict on statement 2"):
        read_data(question, {"verdicts": [answer]})
    both = read_data(question, {"verdicts": [answer, {**answer, "claim": 2, "evidence_quote": "made up"}]})
    assert [one.finding for one in both] == ["SUPPORTED", "UNSUPPORTED"]
