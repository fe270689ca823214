"""Sentences in three languages and mixed, with traps: every citation, its canonical form and its pinpoints."""

from citations.extract import extract
from tests.cases import cases
from tests.citations.table import Sentence, sentences

SENTENCES = sentences()


@cases("sentence", SENTENCES, ids=lambda sentence: sentence.name)
def test_it_finds_what_a_sentence_cites_and_nothing_else(sentence: Sentence):
    found = [
        (mention.kind, mention.normalized, tuple(mention.pinpoints)) for mention in extract(sentence.text)
    ]
    assert found == sentence.cited


def test_it_has_enough_sentences_to_say_something():
    assert len(SENTENCES) >= 250
    assert sum(len(sentence.cited) for sentence in SENTENCES) >= 400
