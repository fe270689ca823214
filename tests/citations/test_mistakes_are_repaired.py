"""Common mistakes are put right and listed; what is right or cannot be told is left alone."""

from citations.repair import repair
from tests.cases import cases


@cases(
    ("wrong", "right", "why"),
    [
        ("art. 97 Abs. 1 OR", "Art. 97 Abs. 1 OR", "mixed_languages"),
        ("Art. 97 Abs. 1 CO", "Art. 97 Abs. 1 OR", "mixed_languages"),
        ("art. 97 cpv. 1 OR", "art. 97 cpv. 1 CO", "mixed_languages"),
        ("ATF 145 III 229 E. 4", "ATF 145 III 229 consid. 4", "mixed_languages"),
        ("Art.97 OR", "Art. 97 OR", "missing_space"),
        ("BGE142 III 239", "BGE 142 III 239", "missing_space"),
        ("BGE 145 III 229 E.3.2", "BGE 145 III 229 E. 3.2", "missing_space"),
        ("BGE 1 46 IV 114", "BGE 146 IV 114", "missing_space"),
        ("Art. 12 stgb gilt", "Art. 12 StGB gilt", "small_letters"),
        ("bge 147 iv 73", "BGE 147 IV 73", "small_letters"),
        ("BGE 145/III/229", "BGE 145 III 229", "slashes"),
        ("BGE 145 III 229 Erw. 3", "BGE 145 III 229 E. 3", "label"),
        ("4A-315/2021 vom 3. Mai 2021", "4A_315/2021 vom 3. Mai 2021", "spelling"),
        ("9C 45/2009", "9C_45/2009", "spelling"),
        ("BGE l45 Ill 229", "BGE 145 III 229", "spelling"),
        ("Art. 97Abs. 1 lit.e OR", "Art. 97 Abs. 1 lit. e OR", "missing_space"),
    ],
)
def test_it_puts_a_mistake_right_and_says_which(wrong, right, why):
    text, repairs = repair(f"Siehe {wrong}, oder nicht.")
    assert text == f"Siehe {right}, oder nicht."
    assert [each.why for each in repairs] == [why]
    assert all(f"Siehe {wrong}, oder nicht."[each.start : each.end] == each.before for each in repairs)


@cases(
    "text",
    [
        "art. 5 or",
        "Art. 42 Abs. 1 und 2 BGG",
        "BGE 142 III 239 E. 3; 143 V 409 E. 2",
        "ATF 145 III 229 consid. 4.2 p. 235",
        "BGE 142\nIII 239\nE. 3",
        "Art. 12 des Gesetzes",
        "",
    ],
)
def test_it_leaves_alone_what_is_right(text):
    assert repair(text) == (text, [])
