"""A model may write anything: each of these held a worker for minutes or for ever."""

import time

from bench.hostile_text import repeated
from research.checks.provenance.amounts import spoken_in
from research.checks.provenance.prose import mentions
from research.engine.deep.sentences import sentences
from research.engine.parts import parts_of
from tests.cases import cases

LENGTH = 12_000


@cases("piece", ["[a](", "zwei hundert ", "12-34-", "A-A", "im 2019 ", "1.2.2019 ", "Anna Keller, "])
def test_it_reads_what_the_prose_names(piece):
    text = repeated((piece,), LENGTH)
    assert len(mentions(text)) <= 5


def test_marks_of_sources_without_an_end_take_no_longer_than_their_length():
    text = repeated(("[1](",), 80_000)
    began = time.process_time()
    assert mentions(text) == ()
    assert time.process_time() - began < 3


def test_it_reads_what_stands_behind_such_prose():
    text = repeated(("[a](",), LENGTH) + "\n\nThe owner is Peerlight Holding SE."
    assert any(one.text.endswith("Peerlight Holding SE") for one in mentions(text))


def test_a_long_paragraph_is_read_to_its_end():
    text = "and so on " * 1_000 + "Peerlight Holding SE, 12 million francs"
    assert {"Peerlight Holding SE", "12 million"} <= {one.text for one in mentions(text)}


@cases("piece", ["1. ", "Dr. ", "M. ", "[a](E. 3."])
def test_it_finds_the_sentences_of_a_report(piece):
    assert sentences(repeated((piece,), LENGTH) + " End of it.")


@cases("blank", ["  ", "\t", "\n"])
def test_it_divides_a_question_full_of_blanks(blank):
    question = f"Who owns it,{repeated((blank,), LENGTH)}and who controls it?"
    assert parts_of(question) == ["Who owns it", "who controls it?"]


@cases(
    "text, numbers",
    [
        ("two million", [2_000_000]),
        ("one million two hundred thousand", [1_200_000]),
        ("drei Millionen und zwei hundert tausend", [3_200_000]),
        ("two", []),
        ("two millionaires", []),
        ("two million hundredths", [2_000_000]),
    ],
)
def test_it_reads_numbers_in_words(text, numbers):
    assert list(spoken_in(text)) == numbers
