"""Dockets: existence, date, court, considerations, quotes and changes of practice."""

from datetime import date

import pytest

from citations.extract import extract
from citations.sources.decisions import CourtDecision
from citations.verify import courts, support
from tests.cases import cases

TODAY = date(2026, 11, 21)
TEXT = """Sachverhalt:
A. Die Parteien schlossen am 3.4.2019 einen Werkvertrag.
Erwägungen:
1. Die Beschwerde ist zulässig.
2.
2.1 Der Besteller hat das Werk zu prüfen, sobald es nach dem üblichen Geschäftsgange tunlich ist.
2.1.1. Unterlässt er dies, so gilt das Werk als genehmigt.
3. Die Beschwerde wird abgewiesen.
"""
QUOTE = "Der Besteller hat das Werk zu prüfen, sobald es nach dem üblichen Geschäftsgange tunlich ist"


def decision(**changed):
    plain = {
        "id": "CH_BGer_004_4A-1-2020_2020-05-03", "court": "CH_BGer", "canton": "CH", "date": date(2020, 5, 3),
        "language": "de", "references": ("4A_1/2020",), "title": "", "abstract": "", "text": TEXT, "url": "",
    }  # fmt: skip
    return CourtDecision(**{**plain, **changed})


def findings(text, *decisions):
    [mention] = extract(text)
    standing = courts.found(mention.normalized, decisions or (decision(),), today=TODAY)
    return [(one.code, one.check) for one in courts.agreement(mention, standing)]


def test_a_decision_that_is_found_exists():
    found = courts.found("BGer 4A_1/2020", [decision()], today=TODAY)
    assert (found.verdict, found.check, found.as_of) == ("exists", "pass", "2026-11-21")
    assert "2020-05-03" in found.message


def test_one_that_is_not_found_may_exist():
    found = courts.found("BGer 4A_1/2020", [], today=TODAY)
    assert (found.verdict, found.check) == ("not_found_here", "unknown")
    assert "may exist" in found.message


@cases(
    ("docket", "impossible"),
    [
        ("BGer 4A_1/2027", True),
        ("BGer 4A_1/2026", False),
        ("VGer ZH VB.2031.00456", True),
        ("CJ GE ACJC/2045/2019", False),
        ("OGer ZH LB230045", False),
    ],
)
def test_a_docket_of_a_year_to_come_cannot_be(docket, impossible):
    assert (courts.impossible(docket, today=TODAY) is not None) is impossible


@cases(
    ("text", "expected"),
    [
        ("Urteil 4A_1/2020 vom 3. Mai 2020", []),
        ("Urteil 4A_1/2020", []),
        ("Urteil 4A_1/2020 vom 4. Mai 2020", [("date", "warn")]),
        ("Urteil 4A_1/2020 E. 2.1.1", [("pinpoint", "pass")]),
        ("Urteil 4A_1/2020 E. 2", [("pinpoint", "pass")]),
        ("arrêt 4A_1/2020 consid. 3", [("pinpoint", "pass")]),
        ("Urteil 4A_1/2020 E. 2.1b", [("pinpoint", "pass")]),
        ("Urteil 4A_1/2020 E. 7.3", [("pinpoint", "warn")]),
        ("Urteil 4A_1/2020 E. 4", [("pinpoint", "warn")]),
    ],
)
def test_what_the_text_says_of_it_must_agree(text, expected):
    assert findings(text) == expected


def test_a_date_of_which_only_the_year_is_known_is_held_to_the_year():
    vague = decision(date=None, id="CH_BGE_004_BGE-145-III-1_2020")
    assert findings("Urteil 4A_1/2020 vom 9. Juni 2020", vague) == []
    assert findings("Urteil 4A_1/2020 vom 9. Juni 2018", vague) == [("date", "warn")]


def test_another_court_is_told():
    assert findings("Urteil 4A_1/2020", decision(court="CH_BSTG")) == [("court", "warn")]


def test_a_consideration_may_stand_in_what_was_cut_off():
    long = TEXT + "x" * support.CUT_NEAR
    assert findings("Urteil 4A_1/2020 E. 7.3", decision(text=long)) == [("pinpoint", "unknown")]


def test_without_a_text_nothing_is_said_of_a_consideration():
    assert findings("Urteil 4A_1/2020 E. 7.3", decision(text="")) == []


@pytest.mark.parametrize(
    "words", ["Praxisänderung", "changement de jurisprudence", "cambiamento di giurisprudenza"]
)
def test_a_change_of_practice_is_flagged(words):
    assert findings("Urteil 4A_1/2020", decision(abstract=f"Werkvertrag; {words}.")) == [("practice", "warn")]


@cases(
    ("words", "cut", "check"),
    [
        (QUOTE, False, "pass"),
        (QUOTE.replace("ü", "u\u0308").replace(" ", "\n", 3), False, "pass"),
        (QUOTE.replace("hat", "hat nicht"), False, "fail"),
        ("Der Unternehmer haftet für jeden Mangel des Werkes ohne jedes Verschulden", False, "fail"),
        ("Der Unternehmer haftet für jeden Mangel des Werkes ohne jedes Verschulden", True, "unknown"),
    ],
)
def test_a_quote_must_stand_in_the_decision(words, cut, check):
    assert support.quote(words, TEXT, cut=cut).check == check


def test_nothing_is_said_of_a_quote_without_a_text():
    assert support.quote(QUOTE, "  ", cut=False).check == "unknown"


PINNED = """Sachverhalt:
A. Die Parteien schlossen am 3. Mai 2019 einen Werkvertrag über eine Treppe.
Erwägungen:
1.
1.1 Die Beschwerdeführerin macht geltend, die Rüge sei rechtzeitig erfolgt und der Mangel verdeckt gewesen.
Das Werk sei nie genehmigt worden.
2.
2.1 Der Besteller hat das Werk zu prüfen, sobald es nach dem üblichen Geschäftsgange tunlich ist.
2.2 Unterlässt er dies, so gilt das Werk nach ständiger Praxis als genehmigt.
3. Die Vorinstanz erwog, die Abnahme des Werkes sei im Mai 2019 und damit rechtzeitig erfolgt.
Demnach erkennt das Bundesgericht:
1. Die Beschwerde wird abgewiesen.
"""


@cases(
    ("words", "pins", "check", "told"),
    [
        ("gilt das Werk nach ständiger Praxis als genehmigt", ["E. 2.2"], "pass", ""),
        ("gilt das Werk nach ständiger Praxis als genehmigt", ["E. 2"], "pass", ""),
        ("gilt das Werk nach ständiger Praxis als genehmigt", ["E. 2b"], "pass", ""),
        ("gilt das Werk nach ständiger Praxis als genehmigt", ["S. 12"], "pass", ""),
        ("gilt das Werk nach ständiger Praxis als genehmigt", ["E. 1.1", "E. 2.2"], "pass", ""),
        ("gilt das Werk nach ständiger Praxis als genehmigt", ["E. 2.1"], "warn", "in E. 2.2 "),
        ("gilt das Werk nach ständiger Praxis als genehmigt", ["E. 3"], "warn", "in E. 2.2 "),
        ("schlossen am 3. Mai 2019 einen Werkvertrag über eine Treppe", ["E. 2.1"], "warn", "in the facts"),
        ("schlossen am 3. Mai 2019 einen Werkvertrag über eine Treppe", [], "warn", "in its facts"),
        ("die Rüge sei rechtzeitig erfolgt und der Mangel verdeckt", ["E. 1.1"], "warn", "a party submits"),
        ("Das Werk sei nie genehmigt worden.", ["E. 1.1"], "warn", "a party submits"),
        ("die Abnahme des Werkes sei im Mai 2019 und damit rechtzeitig", [], "warn", "a lower court"),
    ],
)
def test_a_quote_must_stand_where_it_is_given_for_and_be_the_courts_own(words, pins, check, told):
    finding = support.quote(words, PINNED, cut=False, pins=pins)
    assert (finding.check, told in finding.message) == (check, True)


@cases(
    ("text", "numbers"),
    [
        ("Erwägungen:\n  1.\n\xa0\n2.1.\nDie Beschwerde\n    4.1 Angehörige", ["1", "2.1", "4.1"]),
        ("4.- Die Klage\n5. a) Der Kläger\n3.2Die Rüge", ["3.2", "4", "5"]),
        ("Das ist richtig. 3.2 Die Rüge geht fehl. 3.3. Auch sonst", ["3.2", "3.3"]),
        ("Vgl. BGE 142 III 612 E. 4.2). Jedenfalls (E. 5.3 ff.) gilt Art. 5 Ziff. 2 OR am 3. Mai 2020.", []),
        ("Zahlung von Fr. 80.00 pro Stunde, bei 8.1 % Steuer", []),
    ],
)
def test_considerations_are_headings_and_not_what_is_cited(text, numbers):
    assert support.contents(text, "")["considerations"] == numbers
