"""ISO 17442: what is an LEI, and which rule a text breaks."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entities.lei import check_format, complete, is_valid, normalise
from tests.cases import cases

ALLIANZ = "529900K9B0N5BT694847"
ALPHABET = string.digits + string.ascii_uppercase
prefixes = st.text(ALPHABET, min_size=18, max_size=18)


@cases(
    "lei",
    [
        ALLIANZ,
        "529900FAHFDMSXCPII15",  # retired, but well formed
        "OJ2TIQSVQND4IZYYK658",
        "7LTWFZYICNSX8D621K86",
        "004L5FPTUREIWK9T2N63",
    ],
)
def test_it_knows_the_leis_of_the_register(lei):
    assert is_valid(lei)
    assert check_format(lei).ok
    assert check_format(lei).exact


@cases(
    ("text", "rule"),
    [
        ("", "length"),
        ("529900K9B0N5BT69484", "length"),
        ("529900K9B0N5BT6948477", "length"),
        ("529900K9B0N5BT69484Ä", "alphabet"),
        ("529900K9B0N5_T694847", "alphabet"),
        ("529900K9B0N5BT6948X7", "check-digits-not-numeric"),
        ("529900K9B0N5BT69484٧", "alphabet"),  # a digit, but not one of ours
        ("529900K9B0N5BT694848", "checksum"),
        ("529900K9BON5BT694847", "checksum"),
    ],
)
def test_it_names_the_rule_that_is_broken(text, rule):
    found = check_format(text)
    assert (found.ok, found.rule) == (False, rule)
    assert found.message.endswith(".")
    assert not is_valid(text)


@given(prefixes)
def test_it_refuses_check_digits_that_are_never_issued(prefix):
    """00, 01 and 99 leave the right remainder for some prefixes, which a bare MOD 97-10 lets pass."""
    for digits in ("00", "01", "99"):
        assert check_format(prefix + digits).rule == "non-canonical-check-digits"


@given(prefixes)
def test_it_completes_every_prefix_to_an_lei(prefix):
    lei = complete(prefix)
    assert is_valid(lei)
    assert "02" <= lei[18:] <= "98"


@pytest.mark.parametrize("prefix", ["", "529900", "529900K9B0N5BT69484", "529900k9b0n5bt6948"])
def test_it_completes_nothing_but_18_characters(prefix):
    with pytest.raises(ValueError, match="18 characters"):
        complete(prefix)


@given(prefixes, st.integers(0, 17), st.sampled_from(string.ascii_uppercase), st.data())
def test_it_catches_any_letter_taken_for_another(prefix, at, letter, data):
    lei = complete(prefix[:at] + letter + prefix[at + 1 :])
    other = data.draw(st.sampled_from(string.ascii_uppercase.replace(letter, "")))
    assert not is_valid(lei[:at] + other + lei[at + 1 :])


@given(prefixes, st.integers(0, 19))
def test_it_catches_a_lost_character(prefix, at):
    lei = complete(prefix)
    assert check_format(lei[:at] + lei[at + 1 :]).rule == "length"


@cases(
    "typed",
    [
        "529900k9b0n5bt694847",
        " 5299 00K9 B0N5 BT69 4847 ",
        "5299-00K9-B0N5-BT69-4847",
        "529900K9B0N5\u200bBT694847",
        "５２９９００K9B0N5BT694847",
        "529900K9B0N5BT694847\n",
    ],
)
def test_it_forgives_what_people_type_and_says_so(typed):
    found = check_format(typed)
    assert (found.lei, found.ok, found.exact) == (ALLIANZ, True, False)
    assert not is_valid(typed)


@given(st.text(max_size=60))
def test_normalising_twice_changes_nothing(text):
    assert normalise(normalise(text)) == normalise(text)


@given(st.text(max_size=40))
def test_it_has_an_answer_for_any_text(text):
    found = check_format(text)
    assert found.ok == is_valid(found.lei)
    assert bool(found.rule) != found.ok
