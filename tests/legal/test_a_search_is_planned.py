"""Sources by jurisdiction and domain, queries in the languages of the courts, more of them the deeper it goes."""

from dataclasses import replace
from datetime import date
from functools import partial

import pytest

from research.engine.legal.interpretation import understand
from research.engine.legal.search_plan import AT_ONCE, plan
from research.engine.legal.search_results import RawResult, call_of, collect

TODAY = date(2026, 11, 21)
WORK = "Was sind die Voraussetzungen für Mängelhaftung im Werkvertrag?"


def planned(question=WORK, depth="standard"):
    return plan(understand(question, "", TODAY), depth, 50)


def queries(strategy, source):
    return [(one.language, one.query) for one in strategy.queries if one.source == source]


@pytest.mark.parametrize(
    ("depth", "languages"), [("quick", {"de"}), ("standard", {"de", "fr"}), ("deep", {"de", "fr", "it"})]
)
def test_deeper_is_more_languages(depth, languages):
    assert {language for language, _ in queries(planned(depth=depth), "bge-search")} == languages


def test_terms_are_translated():
    found = queries(planned(depth="deep"), "bge-search")
    assert ("de", "Mängelhaftung Werkvertrag") in found
    assert ("fr", '"garantie des défauts" "contrat d\'entreprise"') in found
    assert ("it", '"garanzia per i difetti" "contratto d\'appalto"') in found


def test_articles_are_phrases_in_the_language_of_the_court():
    found = [
        query
        for _, query in queries(
            planned("Kündigung nach Art. 337 Abs. 1 OR, fristlose Kündigung"), "bge-search"
        )
    ]
    assert any(query.startswith('"Art. 337 Abs. 1 OR"') for query in found)
    assert any(query.startswith('"art. 337 al. 1 CO"') for query in found)


def test_a_canton_is_asked_in_the_language_of_its_courts():
    strategy = planned("Unfair dismissal in Geneva and Bern")
    cantonal = [
        (one.filters["cantons"], one.language) for one in strategy.queries if one.source == "cantonal-courts"
    ]
    assert (["GE"], "fr") in cantonal
    assert (["BE"], "de") in cantonal
    assert (["GE"], "de") not in cantonal


@pytest.mark.parametrize(
    ("question", "sources"),
    [
        (WORK, ("bge-search", "doctrine", "fedlex")),
        ("Kantonale Praxis zum Mietzins in Basel", ("cantonal-courts", "doctrine", "fedlex")),
        ("Familiennachzug eines Ehegatten", ("bge-search", "entscheidsuche", "doctrine", "fedlex")),
        (
            "Mängelhaftung im Werkvertrag, Kanton Zürich",
            ("bge-search", "cantonal-courts", "doctrine", "fedlex"),
        ),
    ],
)
def test_sources_by_jurisdiction_and_domain(question, sources):
    assert planned(question).sources == sources


def test_the_federal_administrative_court_decides_on_migration():
    asked = [
        one for one in planned("Familiennachzug eines Ehegatten").queries if one.source == "entscheidsuche"
    ]
    assert asked
    assert all(one.filters["courts"] == ["CH_BVGE"] for one in asked)


def test_words_that_no_table_knows_are_asked_as_they_stand_when_the_question_is_english():
    assert ("de", "blockchain") in queries(planned("blockchain"), "bge-search")


def test_no_more_than_five_at_once():
    strategy = planned("Mängelhaftung im Werkvertrag in Zürich, Bern und Genf", "deep")
    assert max(map(len, strategy.paths())) == AT_ONCE
    assert sorted(place for path in strategy.paths() for place in path) == list(range(len(strategy.queries)))


def test_no_query_is_asked_twice():
    found = [repr(one) for one in planned("Werkvertrag, Werkvertrag", "deep").queries]
    assert len(found) == len(set(found))


def test_the_period_is_a_filter_of_every_court():
    strategy = planned("Mängelhaftung seit 2015, Kanton Zürich")
    courts = [one for one in strategy.queries if one.source in ("bge-search", "cantonal-courts")]
    assert all(call_of(one, 10)[1]["dateFrom"] == "2015-01-01" for one in courts)


def _answer(*names, success=True, **fields):
    results = [
        {
            "kind": "decision",
            "id": name,
            "key": name,
            "citation": name,
            "title": "",
            "court": "CH_BGer",
            **fields,
        }
        for name in names
    ]
    return {"success": success, "data": {"results": results, "total": len(results)}}


def test_what_several_queries_found_counts_once_and_more():
    found = understand(WORK, "", TODAY)
    first, second = planned().queries[:2]
    answers = [(first, _answer("BGer 4A_1/2020", "BGer 4A_2/2020")), (second, _answer("BGer 4A_2/2020"))]
    results = collect(answers, found, threshold=0, most=10)
    assert (results.found, results.distinct) == (3, 2)
    assert results.results[0].citation == "BGer 4A_2/2020"


def test_what_scores_too_low_is_left_out():
    found = understand(WORK, "", TODAY)
    names = [f"BGer 4A_{number}/2020" for number in range(40)]
    results = collect([(planned().queries[0], _answer(*names))], found, threshold=0.45, most=50)
    assert 0 < len(results.results) < 40
    assert all(isinstance(one, RawResult) and one.score >= 0.45 for one in results.results)


def test_a_published_decision_stands_above_one_that_is_not():
    found = understand(WORK, "", TODAY)
    query = planned().queries[0]
    answers = [(query, _answer("BGer 4A_1/2020")), (query, _answer("BGE 130 III 362", court="CH_BGE"))]
    assert collect(answers, found, threshold=0, most=5).results[0].citation == "BGE 130 III 362"


def test_a_source_that_has_nothing_has_answered():
    law, courts = (replace(planned().queries[0], source=source) for source in ("fedlex", "bge-search"))
    nothing = {"success": False, "error": {"code": "not_found", "message": "There is none."}}
    silence = {"success": False, "error": {"code": "timeout", "message": "It was silent."}}
    read = partial(collect, found=understand(WORK, "", TODAY), threshold=0, most=10)
    results = read([(law, nothing), (courts, silence)])
    assert (results.failures, results.by_source) == ({"bge-search": "It was silent."}, {"fedlex": 0})
    assert not results.unanswered
    assert read([(courts, silence)]).unanswered
