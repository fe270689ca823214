"""In a legal memo a citation is verified only when a stored check with source and date says so."""

import json

import pytest

from research.memo.labels import LANGUAGES
from research.memo.legal import read_legal
from tests.cases import cases
from tests.memo.legal import CHECKS, EVIDENCE, GONE, OPEN, legal_result

pytestmark = pytest.mark.django_db


def part(text, heading):
    return text.partition(f"## {heading}\n")[2].partition("\n## ")[0]


def test_it_marks_each_citation_with_what_became_of_it(compose):
    cited = part(compose(legal_result()), "Citations")
    assert "1. **BGE 142 III 239, consideration 3.2** – Werkvertrag; Mangelbegriff ✓ verified" in cited
    assert "(BGE series index, as of 2026-08-15)" in cited
    assert "**BGE 147 VII 1** ✗ does not exist" in cited
    assert "**judgment 4A_315/2021** ? unverified" in cited


def test_a_pass_without_source_and_date_is_not_verified(compose):
    assert "**BGE 138 III 123** ? unverified" in compose(legal_result())


def test_what_the_researcher_says_of_its_own_citations_is_not_believed(compose):
    text = compose(legal_result(checks=[]))
    assert "✓" not in text.partition("## Disclaimer")[0]
    assert "verified" not in part(text, "Citations").replace("unverified", "")
    assert "99" not in part(text, "Methodology").partition("**Researcher:**")[0]


def test_what_the_engine_was_told_while_it_researched_counts_where_no_check_has_an_answer(compose):
    data = {"memo": {"findings": [], "citations": [
        {"citation": "BGE 130 III 362", "verdict": "verified", "source": "entscheidsuche", "as_of": "2026-01-02"},
        {"citation": "BGE 118 II 142", "verdict": "verified", "source": "", "as_of": ""},
        {"citation": "BGE 147 VII 1", "verdict": "nonexistent", "source": "list", "as_of": "2026-01-02"},
        {"citation": "BGE 142 III 239", "verdict": "verified", "source": "x", "as_of": "2026-01-02"},
    ]}}  # fmt: skip
    checks = [
        ("BGE 130 III 362", "unknown", "existence", "Nobody was asked.", {}, ""),
        ("BGE 142 III 239", "fail", "existence", "No.", {"verdict": "nonexistent"}, "2026-01-03"),
    ]
    for workflow, told in [
        ("legal", "✓ verified (entscheidsuche, as of 2026-01-02)"),
        ("direct", "? unverified"),
    ]:
        cited = part(compose(legal_result(data, checks, run__workflow=workflow)), "Citations")
        assert f"**BGE 130 III 362** {told}" in cited
        assert "**BGE 118 II 142** ? unverified" in cited
        assert ("**BGE 147 VII 1** ✗ does not exist" in cited) == (workflow == "legal")
        assert "**BGE 142 III 239** ✗ does not exist" in cited


@pytest.mark.parametrize(("checks", "count"), [(CHECKS, "2 citations are"), (CHECKS[:1], "3 citations are")])
def test_what_is_unverified_is_a_limitation(compose, checks, count):
    assert f"{count} unverified" in part(compose(legal_result(checks=checks)), "Limitations")


@pytest.mark.parametrize("style", ["memo", "bullets"])
def test_the_summary_states_the_answer_and_counts_the_marks(compose, style):
    summary = part(compose(legal_result(), style=style), "Executive summary")
    assert "Die Haftung setzt einen Mangel voraus" in summary
    assert "4 citations: ✓ 1 verified, ✗ 1 does not exist, ? 2 unverified." in summary


def test_bullets_give_each_finding_in_a_line(compose):
    text = compose(legal_result(), style="bullets")
    assert "- **Rügefrist:** Sofort. (medium) ✗ BGE 147 VII 1; ? judgment 4A_315/2021; ✓ BGE 142" in text
    assert "## Citations" not in text


def test_every_part_of_it_has_a_section(compose):
    text = compose(legal_result())
    assert "### Mangelbegriff (Article 368 paragraph 1 CO)" in text
    assert "**Confidence:** 92 %" in part(text, "Findings")
    assert "- Frist: Zehn Tage genügen. (BGer 4A_315/2021)" in part(text, "Conflicting authorities")
    chain = part(text, "Chain of precedents")
    assert "1. **BGE 107 II 172**" in chain
    assert "(Federal Supreme Court, 2016) · cites BGE 107 II 172; cited by judgment 4A_315/2021" in chain
    assert "Gesucht wurde in der amtlichen Sammlung." in part(text, "Methodology")
    assert "- **Citations verified:** 1/4" in part(text, "Methodology")
    assert "Die Lehre fehlt." in part(text, "Limitations")
    assert "Rügefrist Kaufleute" in part(text, "Next steps")
    assert "| Werkvertrag | contrat d'entreprise | appalto | contract |" in part(
        text, "Terminology and appendices"
    )
    assert "4. bge-search: Entscheid" in part(text, "Sources")
    assert "- **Plan:** Three sources were chosen. (rules)" in part(text, "Decision and edits")
    assert "no legal advice" in part(text, "Disclaimer")


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("de", "BGE 142 III 239 E. 3.2"),
        ("fr", "ATF 142 III 239 consid. 3.2"),
        ("it", "DTF 142 III 239 consid. 3.2"),
        ("en", "BGE 142 III 239, consideration 3.2"),
    ],
)
def test_citations_are_written_in_the_language_of_the_memo(compose, language, written):
    assert written in compose(legal_result(), language=language)


def test_a_quoted_passage_stays_as_it_stands_in_the_source(compose):
    text = compose(legal_result(), language="fr")
    assert "> «Mangel ist, was abweicht (vgl. BGE 138 III 123 S. 125).» ATF 142 III 239 consid. 3.2" in text


def test_places_in_one_decision_are_one_work(compose):
    memo = {
        "findings": [
            {"supportingCitations": ["BGE 142 III 239", "BGE 142 III 239 E. 1", "ATF 142 III 239 consid. 2"]}
        ]
    }
    text = compose(legal_result({"memo": memo}))
    assert "1 citation: ✓ 1 verified." in text
    assert part(text, "Citations").count("142 III 239") == 1
    assert all(rf"\[c{number}\]" in part(text, "Findings") for number in (1, 2, 3))


def test_what_nobody_could_tell_of_a_citation_is_counted_and_not_an_open_point(compose):
    summary = part(compose(legal_result()), "Executive summary")
    assert "✗ failed: Volume 147 has no division VII." in summary
    assert "The search did not answer." not in summary
    assert "The search did not answer." in part(compose(legal_result()), "Notes")


def test_the_question_is_the_one_that_was_asked(compose):
    assert "- **Question:** Was sind die Voraussetzungen der Mängelhaftung" in compose(legal_result())


def test_text_around_citations_stays_as_it_was(compose):
    assert (
        "Ein Mangel ist jede Abweichung vom Vertrag, vgl. ATF 142 III 239 consid. 3.2; «Erw. 3» bleibt."
        in (compose(legal_result(), language="fr"))
    )


def test_its_json_holds_the_verdicts(compose):
    legal = json.loads(compose(legal_result(), format="json"))["legal"]
    verdicts = {cited["text"]: (cited["verdict"], cited["as_of"]) for cited in legal["citations"]}
    assert verdicts["BGE 147 VII 1"] == ("fail", "2026-08-15")
    assert legal["issues"][1]["citations"] == [3, 1, 0]


def judged(*checks):
    """The verdict on a citation with these checks, each a code and a verdict."""
    found = [
        {"kind": "citation", "subject": "BGE 142 III 239", "verdict": verdict, "code": code, "message": code,
         "evidence": EVIDENCE if code == "existence" else {}, "as_of": "2026-01-01"}
        for code, verdict in checks
    ]  # fmt: skip
    legal = read_legal({"memo": {"findings": [{"supportingCitations": ["BGE 142 III 239"]}]}}, found, "de")
    (cited,) = legal.citations
    return cited.verdict, cited.word


@pytest.mark.parametrize(
    ("checks", "told"),
    [
        ([("existence", "pass")], ("pass", "cited_verified")),
        ([("existence", "pass"), ("pinpoint", "pass")], ("pass", "cited_verified")),
        ([("existence", "pass"), ("pinpoint", "unknown")], ("pass", "cited_verified")),
        ([("existence", "pass"), ("date", "warn")], ("warn", "cited_warned")),
        ([("existence", "pass"), ("quote", "fail"), ("date", "warn")], ("fail", "cited_failed")),
        ([("existence", "unknown"), ("pinpoint", "pass")], ("unknown", "cited_unverified")),
        ([("pinpoint", "unknown")], ("unknown", "cited_unverified")),
    ],
)
def test_the_gravest_answer_of_several_checks_counts(checks, told):
    assert judged(*checks) == told


@pytest.mark.parametrize("memo", [None, [], "x", {}, {"findings": "x"}, {"title": "t"}])
def test_what_is_no_legal_memo_is_none(memo):
    assert read_legal({"memo": memo}, [], "en") is None


@cases("language", LANGUAGES)
@cases(
    "broken",
    [
        {
            "findings": [
                None,
                3,
                "text",
                [],
                {"issue": 3, "conclusion": [], "confidence": {}, "supportingCitations": 7},
            ]
        },
        {"findings": [{"issue": "x", "supportingCitations": [None, {}, {"citation": OPEN}, GONE]}]},
        {"findings": [], "citations": "BGE 1 I 1", "conflicts": {"a": [1, {"b": 2}]}, "precedentChain": 5},
        {"findings": [], "appendices": [None, 3, "x", {"title": [], "content": {"de": 1}}], "metadata": []},
        {
            "findings": [],
            "terminology": [{"de": 1, "fr": None}, {"de": "x"}, "y"],
            "confidence": float("inf"),
        },
        {"executiveSummary": "x" * 50_000, "findings": [{"conclusion": "BGE 1 I 1 " * 9_000}] * 300},
    ],
)
def test_it_takes_any_document(broken, language):
    legal = read_legal({"memo": broken, "metadata": "x", "suggestedQueries": 3}, [], language)
    assert len(legal.issues) <= 200
    assert all(cited.verdict == "unknown" for cited in legal.citations)
