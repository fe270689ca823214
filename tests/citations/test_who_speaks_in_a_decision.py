"""What a party submits and what a lower court said is not what the court holds; a list of conditions stays whole."""

import time

from hypothesis import given
from hypothesis import strategies as st

from citations.structure import Decision, sentences, spoken_in
from tests.cases import cases

GERMAN = """Regeste
Werkvertrag; Genehmigung.
Sachverhalt:
A. Der Besteller nahm das Dach ab.
Erwägungen:
1.
1.1 Die Beschwerdeführerin macht geltend, sie habe gerügt. Der Mangel sei verdeckt gewesen. Das überzeugt nicht.
1.2 Wer Mängel geltend macht, muss sie rügen. Ob das hier gilt, kann offen bleiben.
1.3 Das Obergericht erwog, die Frist habe im Mai begonnen. Sie sei gewahrt. Diese Auffassung ist richtig.
1.4 Im Dispositiv wird erkannt, dass die Klage abgewiesen wird. Das Urteil ist zu bestätigen.
Demnach erkennt das Bundesgericht:
1. Die Beschwerde wird abgewiesen.
"""


@cases(
    ("words", "voice"),
    [
        ("Werkvertrag; Genehmigung", "headnote"),
        ("Der Besteller nahm", "facts"),
        ("Die Beschwerdeführerin macht", "party"),
        ("Der Mangel sei verdeckt", "party"),
        ("Das überzeugt nicht", "court"),
        ("Wer Mängel geltend macht", "court"),
        ("Ob das hier gilt", "open"),
        ("Das Obergericht erwog", "lower"),
        ("Sie sei gewahrt", "lower"),
        ("Diese Auffassung ist richtig", "court"),
        ("Das Urteil ist zu bestätigen", "court"),
        ("Die Beschwerde wird abgewiesen", "ruling"),
    ],
)
def test_it_says_who_speaks_at_a_place(words, voice):
    assert Decision(GERMAN).voice(GERMAN.index(words)) == voice


@cases(
    ("sentence", "voice"),
    [
        ("Y. machte im Berufungsverfahren geltend, der Vertrag sei nichtig.", "party"),
        ("A.________ rügt eine Verletzung von Art. 8 ZGB.", "party"),
        ("Nach Auffassung der Klägerin ist die Frist gewahrt.", "party"),
        ("Sie bringt weiter vor, der Schaden sei gedeckt.", "party"),
        ("Le recourant soutient que le délai était respecté.", "party"),
        ("La recourante fait en outre valoir que le contrat est nul.", "party"),
        ("Selon l'intimée, l'ouvrage a été accepté.", "party"),
        ("Il ricorrente sostiene che il termine è rispettato.", "party"),
        ("La convenuta fa valere la prescrizione.", "party"),
        ("The appellant argues that the contract is void.", "party"),
        ("La cour cantonale a retenu que le délai était échu.", "lower"),
        ("La Corte cantonale ha ritenuto tardiva la notifica.", "lower"),
        ("Die Vorinstanz hielt fest, die Rüge sei verspätet.", "lower"),
        ("La question peut rester indécise.", "open"),
        ("La questione può rimanere indecisa.", "open"),
        ("Der Besteller muss den Mangel rechtzeitig rügen.", "court"),
        ("L'entrepreneur répond des défauts de l'ouvrage.", "court"),
        ("Il committente deve verificare l'opera.", "court"),
        ("The buyer must inspect the goods.", "court"),
    ],
)
def test_a_sentence_tells_whose_words_it_gives(sentence, voice):
    assert spoken_in(sentence) == voice


@cases(
    "text",
    [
        "Die Kündigung ist missbräuchlich unter folgenden Voraussetzungen:\n"
        "a) sie erfolgt zur Unzeit;\nb) sie ist willkürlich; und\nc) sie schadet.",
        "La résiliation est abusive aux conditions suivantes:\n\n"
        "- elle est donnée en temps inopportun;\n\n- elle est arbitraire.",
        "Die Haftung setzt dreierlei voraus. Zweitens braucht es einen Schaden. Drittens ein Verschulden.",
        "La responsabilità presuppone quanto segue:\n1. un danno;\n2. una colpa.",
    ],
)  # fmt: skip
def test_a_list_of_conditions_stays_whole(text):
    assert list(sentences(f"{text}\n\nDas ist alles.")) == [(0, len(text)), (len(text) + 2, len(text) + 16)]


@given(st.text(alphabet="AB.:; \n\xa01a)Eé", max_size=200))
def test_any_text_is_survived(text):
    whole = f"Erwägungen:\n1.1 {text}"
    decision = Decision(whole)
    spans = list(sentences(whole))
    assert all(start < end for start, end in spans)
    assert all(isinstance(decision.voice(start), str) for start, _ in spans[:5])


def test_hostile_text_takes_no_longer_than_its_length():
    for piece in (
        "Der Beschwerdeführer ",
        "macht ",
        "a) x:\n",
        "1.1 ",
        "A. ",
        "selon ",
        "Sie wendet ",
        "Vorinstanz ",
    ):
        text = "Erwägungen:\n1.1 " + piece * (60_000 // len(piece))
        began = time.process_time()
        decision = Decision(text)
        decision.voice(len(text) - 1)
        decision.consideration(len(text) - 1)
        list(sentences(text))
        assert time.process_time() - began < 4, piece
