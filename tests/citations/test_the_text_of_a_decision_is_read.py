"""Rules read out of a decision how it ended and where it speaks of an article; what they cannot read they say."""

import pytest

from citations.decision_text import cited_in, outcome_of, passages_on, shared, words_of
from citations.statutes.acts import built_in
from tests.cases import cases

RULINGS = [
    (
        "Demnach erkennt das Bundesgericht:\n1. Die Beschwerde wird abgewiesen, soweit darauf einzutreten ist.",
        "dismissed",
    ),
    ("Demnach erkennt das Bundesgericht:\n1. Die Beschwerde wird teilweise gutgeheissen.", "partly_allowed"),
    ("Demnach wird erkannt:\n1. Die Beschwerde wird gutgeheissen und das Urteil aufgehoben.", "allowed"),
    ("Demnach erkennt der Präsident:\n1. Auf die Beschwerde wird nicht eingetreten.", "inadmissible"),
    ("Demnach verfügt der Einzelrichter:\n1. Das Verfahren wird abgeschrieben.", "struck_off"),
    (
        "Par ces motifs, le Tribunal fédéral prononce:\n1. Le recours est partiellement admis.",
        "partly_allowed",
    ),
    ("Par ces motifs, le Tribunal fédéral prononce :\n1.\nLe recours est rejeté.", "dismissed"),
    ("par ces motifs, la Cour\n1. Le recours est irrecevable.", "inadmissible"),
    ("Per questi motivi, il Tribunale federale pronuncia:\n1. Il ricorso è accolto.", "allowed"),
    ("Per questi motivi, il Tribunale federale pronuncia:\n1. Il ricorso è respinto.", "dismissed"),
    ("Per questi motivi, il Tribunale federale pronuncia:\n1. Il ricorso è inammissibile.", "inadmissible"),
    (
        "Demnach erkennt das Verwaltungsgericht:\n1. In teilweiser Gutheissung der Beschwerde wird Ziffer 2 aufgehoben."
        " Im Übrigen wird die Beschwerde abgewiesen.",
        "partly_allowed",
    ),
    (
        "Demnach erkennt das Gericht:\n1. In Gutheissung des Rekurses wird der Entscheid aufgehoben.",
        "allowed",
    ),
    (
        "Per questi motivi, la Camera pronuncia:\n1. In accoglimento del ricorso la decisione è annullata.",
        "allowed",
    ),
    (
        "Demnach erkennt das Bundesgericht:\n1. Das Gesuch um unentgeltliche Rechtspflege\nwird abgewiesen.\n"
        "2. Die Beschwerde wird gutgeheissen.",
        "allowed",
    ),
    (
        "Par ces motifs, le Tribunal fédéral prononce:\n1. La requête d'assistance judiciaire est rejetée.\n"
        "2. Le recours est admis.",
        "allowed",
    ),
    (
        "Demnach erkennt das Bundesgericht:\n1. Das Gesuch um aufschiebende Wirkung wird abgeschrieben.\n"
        "2. Auf die Beschwerde wird nicht eingetreten.",
        "inadmissible",
    ),
    (
        "Demnach erkennt das Bundesgericht:\n1. In Gutheissung des Gesuchs um unentgeltliche Rechtspflege wird A. "
        "als Anwalt bestellt.\n2. Die Beschwerde wird abgewiesen.",
        "dismissed",
    ),
    (
        "Per questi motivi, la Camera pronuncia:\n1. In accoglimento della domanda di assistenza giudiziaria è "
        "nominato un avvocato.\n2. Il ricorso è respinto.",
        "dismissed",
    ),
    (
        "Demnach erkennt das Bundesgericht:\n1. In Gutheissung der Beschwerde wird die unentgeltliche Rechtspflege "
        "gewährt.",
        "allowed",
    ),
    (
        "Demnach erkennt das Bundesgericht:\n1. Das Gesuch um unentgeltliche Rechtspflege nach Art. 64 Abs. 1 BGG wird "
        "gutgeheissen. 2. Die Beschwerde wird abgewiesen.",
        "dismissed",
    ),
    (
        "Par ces motifs, le Tribunal fédéral prononce:\n1. La requête d'assistance judiciaire de M. Dupont est "
        "rejetée. 2. Le recours est admis.",
        "allowed",
    ),
]


@cases(("ruling", "outcome"), RULINGS)
def test_the_first_sentence_of_the_ruling_decides(ruling, outcome):
    before = "Die Vorinstanz hat die Klage gutgeheissen. Le premier juge a rejeté la demande.\n"
    after = "\n3. Das Gesuch um unentgeltliche Rechtspflege wird gutgeheissen."
    assert outcome_of(before + ruling + after) == outcome


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Die Klage wurde abgewiesen.",
        "Demnach erkennt das Gericht:\n1. Es wird festgestellt, dass A. Eigentümer ist.",
        "Demnach erkennt das Gericht:\n1. Das Gesuch um unentgeltliche Rechtspflege wird abgewiesen.",
    ],
)
def test_without_a_ruling_that_says_so_nothing_is_known(text):
    assert outcome_of(text) == "unknown"


def test_a_paragraph_that_names_the_article_is_given_word_for_word():
    text = "1. Allgemeines.\n2. Nach Art. 97 Abs. 1 OR haftet der Schuldner.\n3. Art. 98 OR und Art. 97 ZGB."
    assert passages_on(text, "97", "OR", built_in()) == ["2. Nach Art. 97 Abs. 1 OR haftet der Schuldner."]


def test_the_language_of_the_decision_does_not_matter():
    text = "L'art. 97 al. 1 CO suppose une faute.\nL'art. 97 cpv. 1 CO."
    assert passages_on(text, "97", "OR", built_in(), most=1) == ["L'art. 97 al. 1 CO suppose une faute."]


def test_of_a_long_paragraph_stands_what_is_around_the_place():
    words = "Der Schuldner haftet. " * 100
    (passage,) = passages_on(f"{words}Vgl. Art. 97 OR dazu. {words}", "97", "OR", built_in())
    assert "Art. 97 OR dazu" in passage
    assert len(passage) <= 600
    assert passage.split()[0] in words.split()
    assert passage.split()[-1] in words.split()


def test_citations_are_counted_and_words_that_say_something():
    text = "BGE 130 III 362 und BGE 118 II 142 und erneut BGE 130 III 362. Mängelrüge, MÄNGELRÜGE und Werkvertrag; und."
    assert cited_in(text) == ["BGE 130 III 362", "BGE 118 II 142"]
    assert words_of(text, most=2) == ["Mängelrüge", "Werkvertrag"]


def test_words_that_every_court_uses_say_nothing():
    text = (
        "Die Beschwerdeführerin rügt vor Bundesgericht das Urteil der Vorinstanz. " * 3
        + "Mietzinsherabsetzung."
    )
    assert words_of(text, most=1) == ["Mietzinsherabsetzung"]


def test_what_two_texts_share_is_named_whatever_the_language():
    other = "Selon l'ATF 130 III 362, la garantie; der WERKVERTRAG."
    assert shared(other, ["BGE 130 III 362", "BGE 1 I 1"], ["Werkvertrag", "Mangel"]) == (
        ["BGE 130 III 362"],
        ["Werkvertrag"],
    )
