"""A change of practice stands under the issue that its sentence names, or that its decision speaks of most."""

import pytest

from research.engine.legal.graph import conflicts
from research.engine.legal.passages import Text, names_of
from research.engine.legal.search_results import RawResult

TERMS = ["Werkvertrag", "Mängelhaftung", "Verjährung"]
CHANGED = "Die Änderung der Rechtsprechung in BGE 130 III 362 ist zu beachten."


def issue_of(text, language="de", terms=TERMS):
    one = RawResult(
        *(
            "id",
            "key",
            "decision",
            "BGer 4A_1/2020",
            "",
            "CH_BGer",
            "CH",
            "2020-01-01",
            2020,
            language,
            "",
            "",
        )
    )
    found, _ = conflicts([one], {"key": Text(1, text)}, lambda spoken: names_of(terms, spoken))
    return [each.issue for each in found]


@pytest.mark.parametrize(
    ("text", "issue"),
    [
        ("Zum Werkvertrag. Die Praxisänderung betrifft die Verjährung der Forderung.", "Verjährung"),
        (
            f"Es geht um die Verjährung. Auch die Verjährung ruht. Der Werkvertrag nicht. {CHANGED}",
            "Verjährung",
        ),
        (CHANGED, "Werkvertrag"),
    ],
)
def test_it_is_the_issue_of_the_sentence_or_of_the_decision(text, issue):
    assert issue_of(text) == [issue]


def test_a_decision_in_another_language_knows_the_terms_in_its_own():
    text = "La prescription est acquise. Il y a lieu à un changement de jurisprudence."
    assert issue_of(text, "fr") == ["Verjährung"]


def test_without_terms_it_has_no_issue():
    assert issue_of(CHANGED, terms=[]) == [""]


def test_a_term_without_words_is_no_issue_of_any_sentence():
    text = "Die Praxisänderung betrifft die Verjährung der Forderung."
    assert issue_of(text, terms=["§", "Verjährung"]) == ["Verjährung"]


REASONS = "Erwägungen:\n1.\n1.1 Auf die Beschwerde ist einzutreten.\n1.2 "


@pytest.mark.parametrize(
    ("sentence", "is_one"),
    [
        (CHANGED, True),
        ("Die Beschwerdeführerin macht geltend, eine Praxisänderung sei angezeigt.", False),
        ("Die Vorinstanz erwog, eine Praxisänderung liege nahe.", False),
    ],
)
def test_only_the_court_changes_its_practice(sentence, is_one):
    assert issue_of(REASONS + sentence) == (["Werkvertrag"] if is_one else [])


def test_what_stands_in_the_facts_is_no_conflict():
    text = "Sachverhalt:\nA. Die Klägerin verlangte eine Praxisänderung.\n" + REASONS + "Das trifft nicht zu."
    assert issue_of(text) == []
