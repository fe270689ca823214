"""A paraphrase that a model affirms word for word is supported; no lie about the words makes anything else so."""

import itertools

import pytest

from common.entailment import compare
from common.rendering import compare_rendered, unrendered
from common.statements import Statement
from research.checks.quotes import QuotedSource
from research.engine.claims.claim import Claim, judge
from research.engine.claims.judgement import affirm, rendering, reworded
from research.engine.claims.quote_finder import QuoteFinder
from research.engine.questions.question import read_data
from tests.cases import cases
from tests.deep.reworded import Paraphrase, read
from tests.deep.triples import FIRST, SECOND

SETS = ("tuned", "untouched", "first_look", "second_look", "strangers")
EVERY = [one for name in SETS for one in read(name)]
NEARLY_ALL = 0.9
"""Of honest paraphrases: the words of the others no table here knows."""
MOST_LIES = 3_000


def judged(one: Paraphrase, said: str = "SUPPORTED"):
    """A claim as it is judged when the model gives its quote, calls it so, and renders its words."""
    finder = QuoteFinder(lambda number: QuotedSource(number, document=1, text=one.sentence))
    verdict = judge(Claim(1, 1, one.claim, "positive", (1,)), said, one.sentence.rstrip("."), 1, finder.look)
    asked = reworded(verdict, finder.look)
    if asked is None:
        return verdict
    question = rendering("words.1", [asked])
    words = [{"word": word, "in_the_quote": one.words.get(word.lower(), "")} for word in asked.words]
    return affirm(asked, read_data(question, {"statements": [{"statement": 1, "words": words}]})[1])


def test_nearly_all_honest_paraphrases_are_supported():
    meant = [(one.claim, judged(one)) for one in EVERY if one.right == "meant"]
    others = [(claim, verdict.reason) for claim, verdict in meant if verdict.finding != "SUPPORTED"]
    assert len(meant) >= 65
    assert len(others) <= (1 - NEARLY_ALL) * len(meant), others


@cases("one", [one for one in EVERY if one.right != "meant"], ids=str)
def test_plausible_lies_about_its_words_do_not_make_a_claim_supported(one):
    assert judged(one).finding != "SUPPORTED"


HOSTILE = [(one.claim, one.sentence) for one in EVERY if one.right != "meant"]
HOSTILE += [
    (claim, quote) for claim, quote, _, right in [*FIRST, *SECOND] if right in ("otherwise", "not said")
]


@cases(("claim", "sentence"), HOSTILE)
def test_no_lie_at_all_makes_a_claim_supported(claim, sentence):
    words = unrendered(claim, sentence)
    there = dict.fromkeys(Statement.read(sentence).words.content)
    lies = itertools.islice(itertools.product(there, repeat=len(words)), MOST_LIES)
    assert compare(claim, sentence)[0] != "said"
    assert [
        lie
        for lie in lies
        if compare_rendered(claim, sentence, dict(zip(words, lie, strict=True)))[0] == "said"
    ] == []


@cases(
    ("claim", "sentence", "words", "why"),
    [
        ("The fund owns it.", "The fund leases it.", {"owns": "leases"}, "something else"),
        ("The tenant repainted it.", "The landlord painted it.", {"tenant": "landlord"}, "other side"),
        ("Keller repainted the wall.", "Frei repainted the wall.", {"Keller": "Frei"}, "no name"),
        (
            "The mill repaints walls.",
            "The mill varnishes walls.",
            {"repaints": "walls"},
            "stands for another word",
        ),
        (
            "The mill repaints walls.",
            "The mill varnishes walls.",
            {"repaints": "paints"},
            "nothing in it renders",
        ),
        ("The mill repaints walls.", "The mill varnishes walls.", {}, "nothing in it renders"),
    ],
)
def test_it_says_why_a_rendering_is_not_believed(claim, sentence, words, why):
    says, told = compare_rendered(claim, sentence, words)
    assert says != "said"
    assert why in told


def test_what_only_a_model_knows_stays_open():
    says, why = compare_rendered("The mill zorbles it.", "The mill blargs it.", {"zorbles": "blargs"})
    assert (says, why) == ("open", "“blargs” does not render “zorbles”: it is known to a model alone")


@pytest.mark.parametrize("said", ["PARTIALLY_SUPPORTED", "UNSUPPORTED", "CONTRADICTED"])
def test_only_what_was_called_supported_is_asked_again(said):
    one = next(one for one in EVERY if one.right == "meant")
    assert judged(one, said).finding != "SUPPORTED"


def test_words_that_are_the_same_kind_of_thing_are_supported_without_a_model():
    assert (
        compare("Il tribunale ha respinto il ricorso.", "Das Gericht hat die Beschwerde abgewiesen.")[0]
        == "said"
    )
    assert (
        compare("Il tribunale ha accolto il ricorso.", "Das Gericht hat die Beschwerde abgewiesen.")[0]
        == "otherwise"
    )
