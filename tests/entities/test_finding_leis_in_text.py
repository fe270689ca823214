"""Tokens of the shape of an LEI in running text."""

from hypothesis import given
from hypothesis import strategies as st

from entities.lei import find_candidates, is_called_lei
from tests.cases import cases

ALLIANZ = "529900K9B0N5BT694847"


@cases(
    "text",
    [
        ALLIANZ,
        f"Allianz SE ({ALLIANZ}), Munich",
        f"https://search.gleif.org/#/record/{ALLIANZ}",
        f"LEI:{ALLIANZ}.",
        f"“{ALLIANZ}”",
        f"{ALLIANZ}-2023-12-31.zip",
    ],
)
def test_it_finds_one_in_text(text):
    [(start, end, token)] = find_candidates(text)
    assert text[start:end] == token == ALLIANZ


@cases(
    "text",
    [
        f"X{ALLIANZ}",
        f"{ALLIANZ}9",
        f"{ALLIANZ}a",
        f"a{ALLIANZ}",
        f"_{ALLIANZ}",
        f"é{ALLIANZ}",
        ALLIANZ.lower(),
    ],
)
def test_it_never_fires_inside_a_longer_token(text):
    assert find_candidates(text) == []


def test_it_counts_code_points():
    text = f"\U0001f600 ä {ALLIANZ}"
    assert find_candidates(text) == [(4, 24, ALLIANZ)]


def test_it_does_not_ask_for_the_checksum():
    assert find_candidates("LEI 529900ABCDEFGHIJKL57")


@given(st.text(max_size=30), st.text(max_size=30))
def test_offsets_always_point_at_the_token(before, after):
    text = f"{before}{ALLIANZ}{after}"
    assert all(text[start:end] == token for start, end, token in find_candidates(text))


@cases(
    ("text", "called"),
    [
        (f"LEI {ALLIANZ}", True),
        (f"(LEI: {ALLIANZ})", True),
        (f"its LEI is {ALLIANZ}", True),
        (f"Lei code {ALLIANZ}", True),
        (f"LEI “{ALLIANZ}”", True),
        (f"order {ALLIANZ}", False),
        (f"nuclei {ALLIANZ}", False),
        (f"LEI pending, order number {ALLIANZ}", False),
        (ALLIANZ, False),
    ],
)
def test_it_tells_whether_the_text_calls_it_an_lei(text, called):
    [(start, _, _)] = find_candidates(text)
    assert is_called_lei(text, start) is called
