"""Every word that denies turns a claim round, and a quote that leaves it out is none."""

from common.entailment import compare
from common.wording import difference
from tests.cases import cases

DENIED = [
    (
        "Der Mieter schuldet Zins",
        "Der Mieter schuldet {} Zins",
        "keinerlei keinesfalls keineswegs mitnichten",
    ),
    ("La société doit un dividende", "La société ne doit {} un dividende", "nullement aucunement"),
    ("La società paga un dividendo", "La società {} paga un dividendo", "neppure nemmeno neanche"),
    ("The tenant owes interest", "The tenant {} owes interest", "scarcely barely"),
]
TABLE = [(said, denied.format(word)) for said, denied, words in DENIED for word in words.split()]


@cases(("said", "denied"), TABLE)
def test_what_is_denied_is_not_said(said, denied):
    assert compare(said, denied)[0] == "otherwise"
    assert compare(denied, said)[0] == "otherwise"


@cases(("said", "denied"), TABLE)
def test_a_quote_without_the_word_that_denies_is_changed(said, denied):
    assert difference(said.lower(), denied.lower()) == "changed"
