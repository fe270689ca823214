"""A question is understood, planned, searched, verified, synthesised and delivered, without any language model."""

import pytest
from jsonschema import Draft202012Validator

from research.macros.loader import load_macro
from research.models import Check, Source, Step
from research.models.states import RunState
from tests.legal.conftest import MACRO, work

pytestmark = pytest.mark.django_db


@pytest.fixture
def delivered(ask, courts, acts, commentaries):
    """What an autonomous run on a question gives."""

    def deliver(question="Was sind die Voraussetzungen für Mängelhaftung im Werkvertrag?", **params):
        run = work(ask(question, autonomy="autonomous", **params))
        assert run.state == RunState.SUCCEEDED, run.error or run.phase
        return run

    return deliver


def test_the_document_has_the_shape_that_the_macro_declares(delivered):
    run = delivered()
    assert list(Draft202012Validator(load_macro(MACRO).schema).iter_errors(run.result.data)) == []
    assert run.result.schema_valid
    assert not run.result.partial


def test_liability_for_defects_in_a_contract_for_work(delivered):
    data = delivered().result.data
    assert data["parameters"]["legalDomain"] == ["contract"]
    assert data["parameters"]["keyTerms"] == ["Mängelhaftung", "Werkvertrag"]
    memo = data["memo"]
    assert memo["title"] == "Rechtsabklärung: Mängelhaftung, Werkvertrag"
    assert {one["issue"] for one in memo["findings"]} == {"Mängelhaftung", "Werkvertrag"}
    cited = {one["citation"]: one["verdict"] for one in memo["citations"]}
    assert cited["BGE 130 III 362"] == "verified"
    assert cited["BGer 4A_231/2016"] == "verified"
    assert cited["BGE 118 II 142"] == "open"  # cited by two, and nobody has it


def test_conclusions_are_the_words_of_decisions(delivered):
    run = delivered()
    finding = run.result.data["memo"]["findings"][0]
    assert "hält wörtlich fest" in finding["conclusion"]
    assert "BGE 130 III 362 E. 4.2" in finding["supportingCitations"]
    assert "BGer 4A_231/2016 E. 2.1" in finding["supportingCitations"]
    quotes = Check.objects.filter(result=run.result, kind="quote")
    assert quotes.count() >= 3
    assert set(quotes.values_list("verdict", flat=True)) == {"pass"}


def test_the_checks_know_what_was_just_read(delivered):
    run = delivered()
    checks = Check.objects.filter(
        result=run.result, kind="citation", code="existence", subject="BGer 4A_231/2016"
    )
    assert set(checks.values_list("verdict", flat=True)) == {"pass"}


def test_it_says_that_no_model_took_part(delivered):
    data = delivered().result.data
    assert "Kein Sprachmodell war beteiligt" in data["memo"]["executiveSummary"]
    assert any("Kein Sprachmodell" in line for line in data["memo"]["limitations"])
    assert data["metadata"]["researcher"] == "rules"


def test_other_languages_are_searched_too(delivered, courts):
    data = delivered().result.data
    queries = {(one["language"], one["query"]) for one in data["strategy"]["queries"]}
    assert ("fr", '"garantie des défauts" "contrat d\'entreprise"') in queries
    assert "BGer 4A_51/2007" in {one["citation"] for one in data["memo"]["citations"]}


def test_precedents_and_conflicts_come_from_the_graph_of_citations(delivered):
    memo = delivered().result.data["memo"]
    chain = {one["citation"]: one for one in memo["precedentChain"]}
    assert chain["BGE 130 III 362"]["citedBy"] == ["BGer 4A_231/2016", "BGer 4A_51/2007"]
    assert memo["precedentChain"][0]["citation"] == "BGE 118 II 142"  # the oldest first
    assert any("Änderung der Rechtsprechung" in one["description"] for one in memo["conflicts"])
    assert any("kann offen bleiben" in gap for gap in memo["gaps"])


def test_practice_of_zurich_on_dismissal(delivered, courts):
    data = delivered("Zürich cantonal court practice on employment termination").result.data
    assert data["parameters"]["jurisdictions"] == {"federal": False, "cantons": ["ZH"]}
    assert data["parameters"]["legalDomain"] == ["employment"]
    assert data["strategy"]["sources"][0]["name"] == "cantonal-courts"
    assert any("LB170012" in one["citation"] for one in data["memo"]["citations"])
    assert data["memo"]["title"].startswith("Legal research: ")


def test_precedents_on_an_article(delivered):
    run = delivered("Find BGE precedents on Art. 363 OR (Werkvertrag)")
    data = run.result.data
    assert "Art. 363 OR" in data["parameters"]["keyTerms"]
    cited = [one["citation"] for one in data["memo"]["citations"]]
    assert "BGE 141 III 106" in cited
    assert "Art. 363 OR" in cited
    assert "OK-MUSTER, Art. 363 OR (2024-05-18)" in cited
    assert Step.objects.filter(run=run, kind="tool", name="search_bge").exists()


def test_what_was_read_is_archived_and_numbered(delivered):
    run = delivered()
    sources = Source.objects.filter(run=run)
    assert sources.filter(found_by="entscheidsuche", document__isnull=False).count() >= 3
    listed = run.result.data["memo"]["appendices"]["sources"]
    assert {one["number"] for one in listed if "number" in one} <= set(
        sources.values_list("number", flat=True)
    )


def test_the_metadata_counts(delivered):
    data = delivered().result.data
    counts = data["metadata"]
    verified = [one for one in data["memo"]["citations"] if one["verdict"] == "verified"]
    assert counts["citationsVerified"] == len(verified)
    assert counts["resultsFound"] >= counts["deduplicated"] >= len(verified)
    assert (counts["autonomyMode"], counts["depth"], counts["outputFormat"]) == (
        "autonomous",
        "standard",
        "memo",
    )
    assert data["suggestedQueries"]
    assert "Mängelrüge" in data["relatedTopics"]
    assert data["memo"]["appendices"]["terminology"][0] == {
        "de": "Mängelhaftung",
        "fr": "garantie des défauts",
        "it": "garanzia per i difetti",
        "en": "liability for defects",
    }


def test_no_more_is_kept_than_was_asked_for(delivered):
    assert len(delivered(maxSources=2).result.data["memo"]["appendices"]["sources"]) == 2


@pytest.mark.parametrize(
    ("question", "language", "term"),
    [
        (
            "Quelles sont les conditions de la garantie des défauts dans le contrat d'entreprise?",
            "fr",
            "garantie",
        ),
        ("Quali sono le condizioni della garanzia per i difetti nel contratto d'appalto?", "it", "garanzia"),
        ("What are the requirements of liability for defects in a contract for work?", "en", "liability"),
    ],
)
def test_the_memo_is_in_the_language_of_the_question(delivered, question, language, term):
    data = delivered(question).result.data
    assert data["parameters"]["languages"][0] == language
    assert data["parameters"]["keyTerms"][0].startswith(term)
    assert "BGE 130 III 362" in {one["citation"] for one in data["memo"]["citations"]}
