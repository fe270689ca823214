"""Which well-formed LEI was probably meant."""

import string

from hypothesis import given
from hypothesis import strategies as st

from entities.lei import LENGTH, MAX_REPAIRS, complete, explained_repairs, is_valid, repairs
from tests.cases import cases

ALLIANZ = "529900K9B0N5BT694847"
ALPHABET = string.digits + string.ascii_uppercase
leis = st.text(ALPHABET, min_size=18, max_size=18).map(complete)


@cases(
    ("slip", "why"),
    [
        ("529900K9BON5BT694847", "“0” instead of “O” at position 10"),
        ("S29900K9B0N5BT694847", "“5” instead of “S” at position 1"),
        ("529900K980N5BT694847", "“B” instead of “8” at position 9"),
        ("529900K9B0N5TB694847", "with positions 13 and 14 swapped"),
        ("529900K9B0N5BT694848", "“7” instead of “8” at position 20"),
        ("529900K9B0N5BT69484", "with “7” added at position 20"),
        ("529900K9B0N55BT694847", "without the “5” at position 12"),
        ("529900 k9bon5 bt694847", "“0” instead of “O” at position 10"),
    ],
)
def test_it_finds_the_slip_and_says_what_it_was(slip, why):
    assert explained_repairs(slip)[ALLIANZ] == why


def test_it_offers_lookalikes_and_swaps_before_other_edits():
    assert repairs("529900K9BON5BT694847")[0] == ALLIANZ
    assert repairs("529900K9B0N5TB694847")[0] == ALLIANZ


@given(leis, st.integers(0, LENGTH - 1), st.sampled_from(ALPHABET))
def test_it_undoes_any_wrong_character(lei, at, char):
    slip = lei[:at] + char + lei[at + 1 :]
    assert lei == slip or lei in repairs(slip)


@given(leis, st.integers(0, LENGTH - 1))
def test_it_undoes_any_lost_character(lei, at):
    assert lei in repairs(lei[:at] + lei[at + 1 :])


@given(leis, st.integers(0, LENGTH), st.sampled_from(ALPHABET))
def test_it_undoes_any_surplus_character(lei, at, char):
    assert lei in repairs(lei[:at] + char + lei[at:])


@given(st.text(ALPHABET + "ä -", min_size=17, max_size=23))
def test_every_repair_is_well_formed_and_there_are_few(text):
    found = repairs(text)
    assert all(map(is_valid, found))
    assert len(found) == len(set(found)) <= MAX_REPAIRS


@cases("text", ["", "Allianz", ALLIANZ[:18], ALLIANZ + "00", "x" * 10_000])
def test_it_does_not_guess_from_something_else(text):
    assert repairs(text) == []


def test_a_right_one_is_no_repair_of_itself():
    assert ALLIANZ not in repairs(ALLIANZ)
