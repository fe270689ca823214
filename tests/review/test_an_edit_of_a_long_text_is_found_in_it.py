"""Two wordings of a text differ in a few words; those are shown, wherever in the text they stand."""

from hypothesis import given
from hypothesis import strategies as st

from research.review.wording import MAX_SHOWN, Piece, rewording
from tests.cases import cases

LONG = "Nothing of this was changed by anybody at any time. " * 200
WORDS = st.lists(st.sampled_from(["Allianz", "is", "not", "listed", "\n", ".", "  ", "Ä"]), max_size=30).map(
    " ".join
)


def kept(pieces: list[Piece], kind: str) -> str:
    return "".join(piece.text for piece in pieces if piece.kind in ("same", kind))


@cases(
    ("old", "new", "gone", "come"),
    [
        ("It is listed.", "It is not listed.", [], ["not "]),
        ("It is not listed.", "It is listed.", ["not "], []),
        ("a share of 6.9 %", "a share of 9.6 %", ["6.9"], ["9.6"]),
        ("one two three", "four two five", ["one", "three"], ["four", "five"]),
        ("", "all new", [], ["all new"]),
        ("all gone", "", ["all gone"], []),
    ],
)
def test_it_names_the_words_that_went_and_came(old: str, new: str, gone: list[str], come: list[str]):
    found = rewording(old, new)
    assert [piece.text for piece in found if piece.kind == "del"] == gone
    assert [piece.text for piece in found if piece.kind == "ins"] == come


def test_it_finds_one_word_in_a_long_text_and_leaves_out_the_rest():
    found = rewording(LONG + "It is listed. " + LONG, LONG + "It was listed. " + LONG)
    assert [piece.kind for piece in found] == ["gap", "same", "del", "ins", "same", "gap"]
    assert [piece.text for piece in found[2:4]] == ["is", "was"]
    assert sum(len(piece.text) for piece in found) < 200


def test_it_says_nothing_of_what_is_the_same():
    assert rewording(LONG, LONG) == []


def test_it_is_bounded():
    found = rewording("a b " * 60_000, "c d " * 60_000)
    assert sum(len(piece.text) for piece in found) <= MAX_SHOWN
    assert found[-1].kind == "gap"


@given(WORDS, WORDS)
def test_both_wordings_can_be_read_from_short_pieces(old: str, new: str):
    pieces = rewording(old, new)
    if all(piece.kind != "gap" for piece in pieces) and pieces:
        assert kept(pieces, "del") == old
        assert kept(pieces, "ins") == new
    assert bool(pieces) == (old != new)
