"""Passages of real and made-up texts: verbatim, whole sentences, with the consideration that they stand in."""

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citations.sources.entscheidsuche import read_answer
from citations.structure import Decision, sentences
from research.engine.legal.graph import year_of
from research.engine.legal.passages import Text, names_of, passages_of
from tests.cases import cases

TEXT = """Sachverhalt:
A. Der Besteller nahm das Werk am 3. Mai 2010 ab.
Erwägungen:
3.
3.1 Beim Werkvertrag gilt nach Art. 367 Abs. 1 OR eine Prüfungspflicht. Vgl. BGE 118 II 142 E. 3b zur Mängelrüge im Werkvertrag.
3.2. Die Rüge kam zu spät. Das Werk gilt deshalb als genehmigt, und die Mängelhaftung aus dem Werkvertrag entfällt.
"""  # fmt: skip


def found(text, terms=("Werkvertrag", "Mängelhaftung")):
    return passages_of(
        Text(1, text), names_of(terms, "de"), citation="BGE 1 I 1", url="", language="de", weight=0.5
    )


def _plain(text):
    return " ".join(text.split())


def test_a_sentence_goes_on_behind_a_line_break():
    text = "Erwägungen:\n1.\nDie Mängelhaftung aus dem Werkvertrag\nentfällt, wenn der Besteller die Rüge\nam 3. Mai 2010 unterlassen hat.\n"
    (passage,) = found(text)
    assert (
        passage.quote
        == "Die Mängelhaftung aus dem Werkvertrag entfällt, wenn der Besteller die Rüge am 3. Mai 2010 unterlassen hat."
    )


@cases(
    ("text", "pins"),
    [
        (
            "17. Auszug aus dem Urteil\nAus den Erwägungen:\n4.\n4.1 Text\n4.2 Text\n5.\n",
            ["4", "4.1", "4.2", "5"],
        ),
        ("Erwägungen:\n1.1 x\n1.2 x\nDemnach erkennt das Bundesgericht:\n1.\n2.\n", ["1.1", "1.2", ""]),
        ("Erwägungen:\n2.1 x\n99 Franken\n2.2 x\n1.5 Prozent\n", ["2.1", "2.2"]),
        ("Considérant en droit:\n3.1 x\n", ["3.1"]),
        ("1. eins\n2. zwei\n", []),
        ("Erwägungen:\n1. eins\n2. zwei\n", []),
    ],
)
def test_considerations_rise_between_the_reasons_and_the_ruling(text, pins):
    assert [number for _, number in Decision(text).considerations] == pins


@pytest.mark.parametrize(
    "line",
    [
        "lungsverfahrens wegen der Mängelhaftung aus dem Werkvertrag nach der Abnahme des Werks.",
        "Die Mängelhaftung aus dem Werkvertrag nach der Abnahme des Werks und nach Art. 367",
        "− der Mängelhaftung aus dem Werkvertrag nach der Abnahme des Werks im Mai.",
    ],
)
def test_the_rest_of_a_sentence_is_not_quoted(line):
    assert found(f"Erwägungen:\n\n{line}\n\n") == []


def test_a_headnote_that_stands_twice_is_quoted_once():
    line = "Die Mängelhaftung im Werkvertrag setzt eine rechtzeitige Rüge des Bestellers voraus."
    assert len(found(f"Regeste: {line}\n\n{line}\n")) == 1


def test_a_sentence_does_not_end_at_an_abbreviation():
    quotes = [TEXT[start:end] for start, end in sentences(TEXT)]
    assert "Beim Werkvertrag gilt nach Art. 367 Abs. 1 OR eine Prüfungspflicht." in quotes
    assert "Vgl. BGE 118 II 142 E. 3b zur Mängelrüge im Werkvertrag." in quotes


def test_each_stands_in_the_text_with_its_consideration():
    passages = found(TEXT)
    assert all(one.quote in _plain(TEXT) for one in passages)
    pins = {one.quote[:20]: one.pin for one in passages}
    assert pins["Beim Werkvertrag gil"] == "E. 3.1"
    assert pins["Das Werk gilt deshal"] == "E. 3.2"


def test_the_one_that_speaks_of_more_terms_comes_first():
    assert set(found(TEXT)[0].terms) == {"Werkvertrag", "Mängelhaftung"}


def test_a_text_without_numbered_considerations_gives_no_pinpoint():
    text = "12 Personen waren da.\nDie Mängelhaftung aus dem Werkvertrag entfällt mangels rechtzeitiger Rüge hier.\n"
    assert [one.pin for one in found(text)] == [""]


@given(st.text(max_size=600))
def test_any_text_is_survived(text):
    whole = f"{text} Werkvertrag {text}"
    assert all(one.quote in _plain(whole) for one in found(whole))
    assert all(0 <= start < end <= len(text) for start, end in sentences(text))


def test_long_texts_take_no_longer_than_their_length():
    began = time.process_time()  # others on this machine do not count
    found("Art. " * 20_000)
    found("1.1 " * 20_000)
    found("Der Werkvertrag. " * 6_000)
    assert time.process_time() - began < 10


@cases(
    ("citation", "year"),
    [("BGE 130 III 362", 2004), ("BGer 4A_231/2016", 2016), ("EVG I 402/02", 2002), ("BGer 4C.114/2006", 2006),
     ("BGE XX 289", None), ("VGer ZH VB.2022.00382", 2022)],
)  # fmt: skip
def test_the_year_of_a_decision_by_its_name(citation, year):
    assert year_of(citation) == year


@pytest.mark.skipif(
    "DOSSIER_SHARED_DATA" not in os.environ, reason="set DOSSIER_SHARED_DATA to the recorded answers"
)
def test_a_recorded_decision_is_read_in_a_moment():
    file = Path(os.environ["DOSSIER_SHARED_DATA"]) / "legal" / "entscheidsuche_fixtures" / "decision_1.json"
    (decision,) = read_answer(json.loads(file.read_text(encoding="utf-8"))).decisions
    began = time.process_time()  # others on this machine do not count
    passages = found(decision.text, ("Beschuldigte", "Freiheitsstrafe", "Berufung"))
    assert time.process_time() - began < 10
    assert len(passages) == 3
    assert all(one.quote in _plain(decision.text) for one in passages)
