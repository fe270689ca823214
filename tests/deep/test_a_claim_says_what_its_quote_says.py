"""A true quote bears out only what it says: a model that calls everything supported is not believed."""

import time

import pytest

from common.entailment import compare
from research.checks.quotes import QuotedSource
from research.engine.claims.claim import Claim, judge
from research.engine.claims.quote_finder import QuoteFinder
from tests.cases import cases
from tests.deep.triples import FIRST, SECOND

RIGHT = {
    "said": {"SUPPORTED"},
    "otherwise": {"CONTRADICTED"},
    "not said": {"UNSUPPORTED", "UNKNOWN"},
    "other words": {"SUPPORTED", "UNKNOWN"},
}


def verdict(text, quote, page, said="SUPPORTED"):
    finder = QuoteFinder(lambda number: QuotedSource(number, document=1, text=page))
    return judge(Claim(1, 1, text, "positive", (1,)), said, quote, 1, finder.look)


@pytest.mark.parametrize("triples", [FIRST, SECOND], ids=["first", "second"])
def test_of_thirty_claims_nearly_all_are_judged_right_and_none_is_falsely_supported(triples):
    judged = [(right, verdict(text, quote, page).finding, text) for text, quote, page, right in triples]
    assert [one for one in judged if one[1] == "SUPPORTED" and one[0] in ("otherwise", "not said")] == []
    wrong = [one for one in judged if one[1] not in RIGHT[one[0]]]
    assert len(wrong) <= 1, wrong


def test_a_contradiction_says_why_and_shows_the_quote():
    judged = verdict("Sales were 81.6 million.", "Sales were 18.6 million", "Sales were 18.6 million in all.")
    assert (judged.finding, judged.source) == ("CONTRADICTED", 1)
    assert "it says 18.6 million, not 81.6 million" in judged.reason


def test_what_only_the_model_says_is_unknown():
    judged = verdict(
        "The mill has a staff of 240.", "the mill employs 240 people", "Today the mill employs 240 people."
    )
    assert (judged.finding, judged.said) == ("UNKNOWN", "SUPPORTED")


DECISION = """Sachverhalt:
A. Der Besteller nahm das Dach am 3. Mai 2019 ab.
Erwägungen:
1.
1.1 Die Beschwerdeführerin macht geltend, sie habe den Mangel gerügt. Damit sei der Vertrag nichtig.
1.2 Die Vorinstanz erwog, der Vertrag ist gültig.
"""


@cases(
    ("claim", "quote"),
    [
        ("Der Vertrag ist nichtig.", "Damit sei der Vertrag nichtig"),
        ("Der Vertrag ist gültig.", "Die Vorinstanz erwog, der Vertrag ist gültig"),
    ],
)
def test_what_a_party_or_a_lower_court_says_is_not_what_the_court_holds(claim, quote):
    assert verdict(claim, quote, DECISION).finding in ("UNKNOWN", "UNSUPPORTED")


@cases("said", ["PARTIALLY_SUPPORTED", "SUPPORTED", "CONTRADICTED"])
def test_no_word_of_a_model_makes_the_opposite_supported(said):
    text, quote = "The act allows it to sell client data.", "The act does not allow it to sell client data"
    assert verdict(text, quote, f"{quote}.", said).finding == "CONTRADICTED"


@cases(
    "text",
    [
        "",
        " ",
        "not",
        "1 2 3",
        "«»",
        "A B",
        "ne pas",
        "5 %" * 900,
        "Beta AG " * 900,
        "a, " * 3_000,
        "neither " * 900,
    ],
)
def test_any_text_is_compared_in_a_moment(text):
    began = time.process_time()
    assert compare(text, "Alpha AG sold 5 % to Gamma SA.")[0] != "said"
    assert compare("Alpha AG sold 5 % to Gamma SA.", text)[0] != "said"
    assert time.process_time() - began < 5
