"""A citation written in any of the four languages is the same citation when it is read again."""

from hypothesis import given
from hypothesis import strategies as st

from citations.convert import convert
from citations.extract import extract
from citations.format import format_mention
from citations.mention import LANGUAGES
from citations.statutes.acts import built_in
from tests.cases import cases
from tests.citations.table import sentences

CASES = {
    "BGE 145 III 229 E. 4.2 S. 235": (
        "BGE 145 III 229 E. 4.2 S. 235",
        "ATF 145 III 229 consid. 4.2 p. 235",
        "DTF 145 III 229 consid. 4.2 pag. 235",
        "BGE 145 III 229, consideration 4.2, p. 235",
    ),
    "BGE 129 II 438 E. 1 und 3 ff.": (
        "BGE 129 II 438 E. 1 und 3 ff.",
        "ATF 129 II 438 consid. 1 et 3 ss",
        "DTF 129 II 438 consid. 1 e 3 segg.",
        "BGE 129 II 438, considerations 1 and 3 ff.",
    ),
    "4A_315/2021 vom 11. März 2022": (
        "Urteil 4A_315/2021 vom 11. März 2022",
        "arrêt 4A_315/2021 du 11 mars 2022",
        "sentenza 4A_315/2021 dell'11 marzo 2022",
        "judgment 4A_315/2021 of 11 March 2022",
    ),
    "Art. 97 Abs. 1 lit. a Ziff. 1 OR": (
        "Art. 97 Abs. 1 lit. a Ziff. 1 OR",
        "art. 97 al. 1 let. a ch. 1 CO",
        "art. 97 cpv. 1 lett. a n. 1 CO",
        "Article 97 paragraph 1 letter a number 1 CO",
    ),
    "art. 6 par. 1 CEDH": (
        "Art. 6 Ziff. 1 EMRK",
        "art. 6 par. 1 CEDH",
        "art. 6 n. 1 CEDU",
        "Article 6 par. 1 ECHR",
    ),
    "Art. 336 aOR": ("Art. 336 aOR", "art. 336 aCO", "art. 336 aCO", "Article 336 aCO"),
}
SUFFIXES = ("", "a", "bis", "b", "quater")
NUMBERS = st.integers(1, 9).map(str)
PARTS = st.tuples(
    st.builds("{}{}".format, st.integers(1, 999), st.sampled_from(SUFFIXES)),
    st.sampled_from(["", " Abs. 1", " Abs. 2bis", " Abs. 1-3"]),
    st.sampled_from(["", " lit. a", " lit. e", " lit. o", " lit. a-e"]),
    st.sampled_from(["", " Ziff. 3"]),
    st.sampled_from(["", " Satz 1", " Satz 2"]),
    st.sampled_from(["", " ff.", " f."]),
)
ACTS = [act.key for act in built_in().acts if act.fr and act.it]
CONSIDERATION = st.builds(
    "E. {}{}".format,
    st.lists(NUMBERS, min_size=1, max_size=4).map(".".join),
    st.sampled_from(["", "a", "b/aa", " f.", " ff."]),
)
PAGE = st.builds("S. {}{}".format, st.integers(1, 999), st.sampled_from(["", " f.", " ff."]))
DECISIONS = st.one_of(
    st.builds(
        "BGE {} {} {}".format,
        st.integers(100, 152),
        st.sampled_from(["II", "III", "IV", "V"]),
        st.integers(1, 900),
    ),
    st.builds(
        "Urteil 4A_{}/{} vom {}. März 2022".format,
        st.integers(1, 999),
        st.integers(2007, 2026),
        st.integers(1, 28),
    ),
    st.builds("BVGE {}/{}".format, st.integers(2007, 2026), st.integers(1, 60)),
    st.builds("BVGer A-{}/{}".format, st.integers(1, 9999), st.integers(2007, 2026)),
    st.builds("VGer ZH VB.2022.{:05d}".format, st.integers(1, 999)),
)


def known(text):
    return [(mention.kind, mention.normalized, mention.pinpoints, mention.date) for mention in extract(text)]


@cases("written", CASES)
def test_it_writes_as_the_courts_do(written):
    mention = extract(written)[0]
    assert tuple(format_mention(mention, language) for language in LANGUAGES) == CASES[written]


@given(DECISIONS, st.lists(CONSIDERATION, max_size=3), st.lists(PAGE, max_size=1))
def test_a_decision_is_the_same_in_every_language(decision, considerations, pages):
    text = " ".join([decision, *considerations[:1], *(f"und {pin}" for pin in considerations[1:]), *pages])
    expected = known(text)
    assert expected[0][2] == [*considerations, *pages]
    for language in LANGUAGES:
        assert known(format_mention(extract(text)[0], language)) == expected


@given(PARTS, st.sampled_from(ACTS), st.sampled_from(["short", "long"]))
def test_an_article_is_the_same_in_every_language(parts, act, style):
    text = f"Art. {''.join(parts)} {act}"
    mention = extract(text)[0]
    assert mention.normalized == text
    for language in LANGUAGES:
        again = extract(format_mention(mention, language, style=style))[0]
        alike = again.data["sr"] == mention.data["sr"] or act in " ".join(again.candidates)
        assert alike, (format_mention(mention, language, style=style), again)
        assert (again.data["article"], again.data["parts"]) == (
            mention.data["article"],
            mention.data["parts"],
        )


@cases("language", LANGUAGES)
@cases("sentence", [s for s in sentences() if s.cited], ids=lambda sentence: sentence.name)
def test_a_document_names_the_same_works_after_conversion(sentence, language):
    before = [(kind, name) for kind, name, _, _ in known(sentence.text)]
    assert [(kind, name) for kind, name, _, _ in known(convert(sentence.text, language))] == before


def test_conversion_leaves_everything_else_as_it_was():
    text = "\ufeffVgl.\tBGE 145 III 229 E. 4.2\r\n – und  so weiter: Art. 42 Abs. 1 und 2 BGG.\x0c"
    assert convert(text, "fr") == (
        "\ufeffVgl.\tATF 145 III 229 consid. 4.2\r\n – und  so weiter: art. 42 al. 1 et 2 LTF.\x0c"
    )
    assert convert("kein Zitat und sonst nichts", "it") == "kein Zitat und sonst nichts"


@cases(
    ("written", "converted"),
    [
        (
            "Urteil 4A_12/20\u00ad20 vom 3. Fe-\nbruar 2021 Er-\nwägung 3",
            "arrêt 4A_12/2020 du 3 février 2021 consid. 3",
        ),
        ("4A_12/2020 des Bundesgerichts vom 3. Mai 2020", "4A_12/2020 des Bundesgerichts du 3 mai 2020"),
        ("O2012_43, Urteil vom 3. Mai 2020", "O2012_43, Urteil du 3 mai 2020"),
        ("Art. 190 Abs. 2 lit. d und e IPRG", "art. 190 al. 2 let. d et e LDIP"),
        ("Art. 97Abs.1 lit.e OR", "art. 97 al. 1 let. e CO"),
        ("BGE 145 III 229 at 235", "ATF 145 III 229 p. 235"),
    ],
)
def test_only_the_words_of_citing_are_translated(written, converted):
    assert convert(written, "fr") == converted
