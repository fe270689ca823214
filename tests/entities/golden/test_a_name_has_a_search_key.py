"""The key a name of the register is looked up by."""

from hypothesis import given
from hypothesis import strategies as st

from entities.names.keys import MAX_KEY, search_key
from tests.cases import cases


@cases(
    ("name", "key"),
    [
        ("Allianz SE", "allianz se"),
        ("  ALLIANZ   se ", "allianz se"),
        ("O'Neil & Sons, Inc.", "oneil sons inc"),
        ("Société d’Énergie S.A.", "societe denergie s a"),
        ("Straße_42 GmbH", "strasse 42 gmbh"),
        ("Ørsted A/S", "orsted a s"),
        ("ＡＢＣ株式会社", "abczhushihuishe"),
        ("ПАО «Газпром»", "pao gazprom"),
        ("***", ""),
        ("", ""),
    ],
)
def test_it_folds_case_accents_and_marks(name, key):
    assert search_key(name) == key


@given(st.text(max_size=800))
def test_it_is_short_and_folding_twice_changes_nothing(name):
    key = search_key(name)
    assert len(key) <= MAX_KEY
    assert search_key(key) == key


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=80))
def test_plain_and_accented_names_are_folded_alike(name):
    assert search_key(name + " é").removesuffix("e").rstrip() == search_key(name)
