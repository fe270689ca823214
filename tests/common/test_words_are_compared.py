from time import process_time

from common.wording import MOST_PAIRS, difference, differing_words
from tests.cases import cases

SENTENCE = "the revenue of the company was 300 million euros in march 2021"


@cases(
    ("quote", "verdict"),
    [
        (SENTENCE, "spelled"),
        (SENTENCE.replace("the company", "a company"), "spelled"),
        (SENTENCE.replace("revenue", "turnover"), "similar"),
        (SENTENCE.replace("million", "billion"), "changed"),
        (SENTENCE.replace("300", "301"), "changed"),
        (SENTENCE.replace("was", "was not"), "changed"),
    ],
)
@cases("around", ["", "the the of of " * 100])
def test_it_says_how_far_a_quote_is_from_a_passage(quote, verdict, around):
    assert difference(around + quote, around + SENTENCE) == verdict


def test_it_names_what_differs_in_both_ways():
    around = "the the of of " * 100
    assert MOST_PAIRS < 200 * 200 * 2
    for before in ("", around):
        changed = SENTENCE.replace("revenue", "turnover")
        assert differing_words(before + changed, before + SENTENCE) == [("turnover", "revenue")]


def test_it_takes_its_time_for_no_text():
    began = process_time()
    assert difference("the of " * 800, "of the the of of " * 400) == "similar"
    assert process_time() - began < 5
