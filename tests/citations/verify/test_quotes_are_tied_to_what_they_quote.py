"""Each quote is held against the work that it is quoted from, wherever that is named and whatever the quote holds."""

import time

from hypothesis import given
from hypothesis import strategies as st

from citations.extract import extract
from citations.verify.quoted import MAX_MARKS, quotes_in, quotes_of
from tests.cases import cases

LONG = "der Auftrag kann von beiden Teilen jederzeit widerrufen werden"
HELD = "Nach Art. 404 Abs. 1 OR kann der Auftrag jederzeit widerrufen werden (BGE 115 II 464 E. 2a)"


def tied(text):
    mentions = extract(text)
    found = quotes_of(text, mentions)
    return [(mentions[place].normalized, words) for place, each in sorted(found.items()) for words in each]


@cases(
    ("text", "words"),
    [
        (f"«{LONG}» (BGer 4A_1/2020 E. 2.1).", LONG),
        (f"„{LONG}“, Urteil 4A_1/2020.", LONG),
        (f"“{LONG}” (4A_1/2020)", LONG),
        (f"‹{LONG}›, so das Bundesgericht in 4A_1/2020", LONG),
        (f'"{LONG}" (vgl. 4A_1/2020).', LONG),
        (f"»{LONG}« (Urteil 4A_1/2020)", LONG),
        (f"« {LONG} » (arrêt 4A_1/2020 consid. 3)", LONG),
        (f"«{HELD}» (Urteil 4A_1/2020 E. 3.1).", HELD),
        (f"In Urteil 4A_1/2020 heisst es: «{LONG}».", LONG),
        (f"Im Urteil 4A_1/2020 vom 3. Mai 2020 E. 3.1 hält das Bundesgericht fest, dass «{LONG}».", LONG),
        (f"Dans l'arrêt 4A_1/2020, le Tribunal fédéral précise : « {HELD} ».", HELD),
        (f"Nella sentenza 4A_1/2020 si legge: «{LONG}».", LONG),
        (f"As the court said in 4A_1/2020, “{LONG}”.", LONG),
        (f"Der Auftrag ist widerruflich (Urteil 4A_1/2020 E. 3). Das Bundesgericht führt aus: «{LONG}».", LONG),
        (f"«{LONG}», heisst es im Urteil 4A_1/2020.", LONG),
        (f"So das Gericht:\n\n> {LONG}\n> und zwar immer. (4A_1/2020 E. 3.1)\n\nWeiter.", f"{LONG}\nund zwar immer."),
        (f"> {LONG}\n>\n> — Urteil 4A_1/2020 E. 3", LONG),
        (f"Urteil 4A_1/2020 E. 3.1:\n\n> {HELD}.\n", f"{HELD}."),
        (f"«Er sagt: ‹{LONG}› und geht» (4A_1/2020)", f"Er sagt: ‹{LONG}› und geht"),
        (f"«Er «sagt» dies: {LONG}» (4A_1/2020)", f"Er «sagt» dies: {LONG}"),
        (f"„Das “Werk” gilt: {LONG}” (4A_1/2020)", f"Das “Werk” gilt: {LONG}"),
    ],
)  # fmt: skip
def test_a_quote_belongs_to_the_decision_that_is_named_for_it(text, words):
    assert tied(text) == [("BGer 4A_1/2020", words)]


@cases(
    "text",
    [
        f"«{LONG}». Etwas anderes sagt das Urteil 4A_1/2020.",
        f"Im Vertrag steht «{LONG}». Die Klägerin beruft sich auf das Urteil 4A_1/2020.",
        "Das «Werk» (4A_1/2020) ist zu prüfen.",
        f"«{LONG}",
        "Urteil 4A_1/2020 sagt nichts.",
    ],
)
def test_what_nothing_ties_to_a_decision_is_not_held_against_one(text):
    assert tied(text) == []


def test_each_quote_goes_to_its_own():
    text = f"«{LONG} A» (4A_1/2020 E. 1), «{LONG} B» (BGE 145 III 229). In 5A_2/2021 heisst es: «{LONG} C»."
    assert tied(text) == [
        ("BGer 4A_1/2020", f"{LONG} A"), ("BGE 145 III 229", f"{LONG} B"), ("BGer 5A_2/2021", f"{LONG} C"),
    ]  # fmt: skip


PIECES = st.sampled_from(
    [*'«»„“”‹›"(). >\n—', "4A_1/2020", "BGE 145 III 229 E. 2", LONG, "a b", "heisst es:"]
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_text_is_survived_and_its_quotes_stand_in_it(text):
    assert all(one.words in text or ">" in text for one in quotes_in(text))
    mentions = extract(text)
    assert all(0 <= place < len(mentions) for place in quotes_of(text, mentions))


@cases("piece", ["«", "«\n", "„ ", '"a ', "«x» ", "> a\n", "> (BGE 145 III 229)\n", "«»„“", "4A_1/2020 «a "])
def test_hostile_text_takes_no_longer_than_its_length(piece):
    text = piece * (100_000 // len(piece))
    mentions = extract(text[:5_000])
    began = time.process_time()
    quotes_of(text, mentions)
    assert time.process_time() - began < 4


@cases("pairs, quotes", [(MAX_MARKS // 2 - 1, 1), (MAX_MARKS // 2, 0)])
def test_a_quote_holds_so_many_marks(pairs, quotes):
    """Beyond them it is text in which marks have gone astray; each mark of it is read as one that begins nothing."""
    text = f"«{'‹a› ' * pairs}and thirty more letters of the same sentence»"
    assert len(quotes_in(text)) == quotes
