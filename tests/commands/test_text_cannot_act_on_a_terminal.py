import unicodedata

import pytest
from django.core.management.color import color_style, no_style
from hypothesis import given
from hypothesis import strategies as st

from common.commands.console import align, paint, plain, plain_lines, width


@given(st.text())
def test_it_lets_no_character_through_that_acts(text):
    shown = plain(text)
    assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in shown)
    assert not any(
        unicodedata.bidirectional(char) in ("RLO", "LRO", "RLE", "LRE", "PDF", "RLI") for char in shown
    )


@pytest.mark.parametrize("text", ["Zürich", "三菱UFJ銀行", "שלום", "a\u200db", "O'Neil & Söhne <AG>", ""])
def test_it_leaves_ordinary_text_alone(text):
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb", "a\\nb"),
        ("a\rb", "a\\rb"),
        ("\x9b2J", "\\x9b2J"),
        ("\u202eabc", "\\u202eabc"),
        ("\u2028", "\\u2028"),
        ("\ud800", "\\ud800"),
        ("\x00\x07\x7f", "\\x00\\x07\\x7f"),
    ],
)
def test_it_shows_what_was_there(text, shown):
    assert plain(text) == shown


def test_it_keeps_the_lines_of_a_longer_text():
    assert plain_lines("a\r\n\tb\n\x1bc") == ["a", "    b", "\\x1bc"]


def test_it_aligns_columns_by_what_they_take_on_the_screen():
    rows = [["三菱", "x"], ["abcd", "y"], ["é", "z"], ["e\u0301", "z"]]
    assert {width(line[: -len("x")]) for line in align(rows, no_style())} == {6}


def test_it_aligns_coloured_cells_too():
    lines = align([[("ok", "SUCCESS"), "x"], [("failed", "ERROR"), "y"]], color_style(force_color=True))
    assert "\x1b" in lines[0]
    assert all(line.endswith((" x", " y")) for line in lines)
    assert lines[0].count(" ") == 6


def test_it_colours_only_what_was_made_harmless():
    painted = paint([("\x1b[0mred", "ERROR")], color_style(force_color=True))
    assert "\\x1b[0mred" in painted


def test_it_has_nothing_to_align_in_an_empty_table():
    assert align([], no_style()) == []
