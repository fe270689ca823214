"""Whatever the text: no crash, and offsets that are right, in order and without overlap."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citations.extract import extract
from tests.citations.table import sentences

TEXTS = [sentence.text for sentence in sentences()]
PIECES = (
    "BGE", "ATF", "142", "III", "239", "E.", "3.2", "Art.", "art.", "97", "Abs.", "1", "OR", "CO", "lit.", "a",
    "und", ",", "§", "4A_", "/2020", "VB.2020.00001", "BSK", "N", "-", "i.V.m.", "der", "(", ")", " ", "\n",
    "a.a.O.", "10.1000/", "Kommentar", "’", "𝔄",
)  # fmt: skip


def check(text):
    end = 0
    for mention in extract(text):
        assert text[mention.start : mention.end] == mention.raw
        assert end <= mention.start < mention.end <= len(text)
        end = mention.end


@given(st.text(max_size=300))
@example("")
@example("Art. 1")
@example("§")
def test_it_reads_any_characters(text):
    check(text)


@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_it_reads_any_mixture_of_what_citations_are_made_of(pieces):
    check(" ".join(pieces))
    check("".join(pieces))


@given(st.lists(st.sampled_from(TEXTS), max_size=8), st.sampled_from([" ", "\n", "; ", "\n\n", "𝔄"]))
def test_it_reads_sentences_in_any_order(texts, between):
    check(between.join(texts))


@given(st.sampled_from(TEXTS), st.integers(0, 200), st.integers(1, 40))
def test_it_reads_a_text_that_was_cut(text, start, length):
    check(text[start : start + length])


def test_an_empty_text_cites_nothing():
    assert extract("") == []


@pytest.mark.parametrize("before", ["", "x", "𝔄𝔄", "ä’\u00ad\n"])
def test_offsets_count_code_points(before):
    mention = extract(f"{before} BGE 142 III 239 E. 3")[-1]
    assert mention.start == len(before) + 1
