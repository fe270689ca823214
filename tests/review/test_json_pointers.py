import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.review.pointer import PointerError, is_index, is_inside, join, parse, resolve
from tests.cases import cases

RFC_DOCUMENT = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}


@cases(
    ("pointer", "value"),
    [
        ("", RFC_DOCUMENT),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ('/k"l', 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ],
)
def test_it_resolves_the_examples_of_the_standard(pointer, value):
    assert resolve(RFC_DOCUMENT, pointer) == (True, value)


@cases("pointer", ["/foo/2", "/foo/-", "/foo/01", "/foo/+1", "/foo/x", "/nothing", "/foo/0/x", "/foo/١"])
def test_it_says_when_there_is_nothing_at_a_place(pointer):
    assert resolve(RFC_DOCUMENT, pointer) == (False, None)


@cases("pointer", ["foo", "/~", "/~2", "/a~", "#/foo", " /foo"])
def test_it_refuses_what_is_not_a_pointer(pointer):
    with pytest.raises(PointerError):
        resolve(RFC_DOCUMENT, pointer)


def test_it_tells_null_from_nothing():
    assert resolve({"a": None}, "/a") == (True, None)


@given(st.lists(st.text(), max_size=5))
def test_it_parses_what_it_has_printed(tokens):
    pointer = ""
    for token in tokens:
        pointer = join(pointer, token)

    assert parse(pointer) == tokens


@cases(("pointer", "inside"), [("/a", True), ("/a/b", True), ("/ab", False), ("", False), ("/b", False)])
def test_it_knows_what_lies_within_a_place(pointer, inside):
    assert is_inside(pointer, "/a") is inside


@cases(
    ("token", "index"),
    [("0", True), ("10", True), ("01", False), ("-1", False), ("", False), ("1" * 30, False)],
)
def test_it_knows_an_index(token, index):
    assert is_index(token) is index
