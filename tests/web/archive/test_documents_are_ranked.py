"""Both databases rank by the same formula; here it is once more, in the plainest way."""

import math
import random
from collections import Counter

import pytest

from research.web.archive.analysis import question_terms, terms
from research.web.archive.ranking import ALWAYS, MAX_POSTINGS, affordable
from research.web.archive.search import ranked_ids
from tests.factories import DocumentFactory

pytestmark = pytest.mark.django_db
WORDS = [f"word{number}" for number in range(60)]


def bm25(documents, question):
    """Document id → score."""
    counts, lengths = {}, {}
    for document in documents:
        title, body = terms(document.title, ""), terms(document.text, "")
        counts[document.pk] = Counter(body) + Counter(title * 3)
        lengths[document.pk] = len(title) + len(body)
    average = sum(lengths.values()) / len(lengths)
    scores = Counter()
    for term in question_terms(question):
        holding = [pk for pk in counts if counts[pk][term]]
        odds = (len(counts) - len(holding) + 0.5) / (len(holding) + 0.5)
        weight = max(math.log(odds), 1e-6)
        for pk in holding:
            n = counts[pk][term]
            scores[pk] += weight * n * 2.2 / (n + 1.2 * (0.25 + 0.75 * lengths[pk] / average))
    return scores


@pytest.mark.parametrize("seed", range(5))
def test_it_ranks_as_bm25_says(seed, monkeypatch):
    monkeypatch.setattr("research.web.archive.search_postgresql.FAN_IN", 2)
    choice = random.Random(seed)
    skewed = [word for index, word in enumerate(WORDS) for _ in range(1 + 40 // (index + 1))]
    documents, question = [], " ".join(choice.sample(WORDS, 8))
    for number in range(40):
        text = " ".join([*choice.choices(skewed, k=choice.randint(1, 80)), f"only{number}"])
        documents.append(DocumentFactory(text=text, title=" ".join(choice.choices(skewed, k=3))))
        if number % 7 == 0:  # several batches, merged now and then
            ranked_ids(question_terms(question))
    expected = bm25(documents, question)
    found = ranked_ids(question_terms(question), limit=100)
    assert {pk for pk, _ in found} == set(expected)
    assert [score for _, score in found] == pytest.approx(sorted(expected.values(), reverse=True), rel=1e-4)
    for pk, score in found:
        assert score == pytest.approx(expected[pk], rel=1e-4)


def test_it_looks_for_rare_terms_first_and_leaves_out_what_is_too_dear():
    cheap = {f"rare{number}": number + 1 for number in range(5)}
    assert list(affordable({"the": MAX_POSTINGS, **cheap})) == list(cheap)


def test_it_always_looks_for_some_terms():
    dear = {f"dear{number}": MAX_POSTINGS for number in range(9)}
    assert len(affordable(dear)) == ALWAYS
