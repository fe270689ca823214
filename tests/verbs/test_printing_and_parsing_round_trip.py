import string
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.verbs.parser import parse
from research.verbs.printer import print_call, print_comment, print_program, print_value
from research.verbs.syntax import MAX_INTEGER, MIN_INTEGER, Call, Comment, MapValue, Program, Symbol, Value
from tests.cases import cases

FIRST = string.ascii_letters + "_"
names = st.builds(str.__add__, st.sampled_from(FIRST), st.text(FIRST + string.digits + "-", max_size=20))
keywords = names.filter(lambda name: name != "as")
texts = st.text(st.characters())  # every code point, lone surrogates and NUL included
decimals = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20, places=6)
scalars = st.one_of(
    texts, st.booleans(), st.none(), st.integers(MIN_INTEGER, MAX_INTEGER), decimals, names.map(Symbol)
)


def calls_of(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Call]:
    args = st.lists(st.tuples(keywords, values), max_size=4).map(tuple)
    return st.builds(Call, names, names, args, st.none() | names)


values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(tuple),
        st.lists(st.tuples(names, inner), max_size=4).map(lambda entries: MapValue(tuple(entries))),
        calls_of(inner),
    ),
    max_leaves=12,
)
comment_lines = st.text(st.characters(exclude_characters="\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))


def exact(value: object) -> str:
    """Tells 1 from True and 1.0 from 1.00, which equality does not."""
    return repr(value)


@given(values)
def test_a_printed_value_reads_back_as_the_same_value(value):
    (call,) = parse(f"(a.b :x {print_value(value)})").calls
    assert exact(strip_places(call.args[0][1])) == exact(strip_places(value))


@given(st.lists(st.one_of(calls_of(values), comment_lines.map(Comment)), max_size=5))
def test_a_printed_program_reads_back_as_the_same_program(items):
    program = Program(tuple(items))
    text = print_program(program)
    assert parse(text) == program
    assert print_program(parse(text)) == text


@given(texts)
def test_a_comment_never_becomes_anything_else(text):
    program = parse(print_comment(Comment(text)) + "\n(a.b)")
    assert [type(item) for item in program.items] == [Comment, Call]


@given(calls_of(values))
def test_a_call_is_printed_on_one_line(call):
    assert "\n" not in print_call(call)
    assert "\r" not in print_call(call)


@cases("end", list("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))
def test_whatever_may_end_a_line_is_a_blank_in_a_comment(end):
    assert print_comment(Comment(f"a{end}(x.y)")) == ";; a (x.y)"


def test_it_prints_the_normal_form():
    text = ';;note\n( a.b\n :x "tab\there" ,, )'.replace(" ,, ", " :l [1, 2 ,3] :m { :k $s } :as $r")
    assert print_program(parse(text)) == ';; note\n(a.b :x "tab\\there" :l [1 2 3] :m {:k @s} :as @r)\n'


def test_uuids_stay_texts():
    text = '(a.b :x "d3b07384-d9a0-4c9b-8f6e-1f0d5c1f2a3b")\n'
    assert print_program(parse(text)) == text


@cases(
    ("value", "text"),
    [
        (Decimal("1E+3"), "1000.0"),
        (Decimal("1E-9"), "0.000000001"),
        (Decimal("12.50"), "12.50"),
        (Decimal(7), "7.0"),
        (True, "true"),
        (None, "nil"),
        (-5, "-5"),
        ("\u202eabc\u200b", '"\u202eabc\u200b"'),
    ],
)
def test_values_have_one_spelling(value, text):
    assert print_value(value) == text


@cases(
    "call",
    [
        Call("a) (x", "y"),
        Call("a", ""),
        Call("a", "b", (("x y", 1),)),
        Call("a", "b", (("as", 1),)),
        Call("a", "b", (("é", 1),)),
        Call("a", "b", (), "s :x"),
        Call("a", "b", (), "s" * 101),
        Call("a", "b", (("x", Symbol("1")),)),
        Call("a", "b", (("x", 2**63),)),
        Call("a", "b", (("x", Decimal("NaN")),)),
        Call("a", "b", (("x", Decimal("1E+200")),)),
        Call("a", "b", (("x", MapValue((("k k", 1),))),)),
    ],
)
def test_it_refuses_what_could_not_be_read_back(call):
    with pytest.raises(ValueError, match=r"name|reserved|number|integer"):
        print_call(call)


def test_it_refuses_what_is_nested_too_deep():
    value: Value = ()
    for _ in range(5000):
        value = (value,)
    with pytest.raises(ValueError, match="64 levels"):
        print_call(Call("a", "b", (("x", value),)))


def strip_places(value: Value) -> Value:
    """Calls without the places at which they stood, which repr would show."""
    if isinstance(value, Call):
        args = tuple((keyword, strip_places(item)) for keyword, item in value.args)
        return Call(value.domain, value.verb, args, value.binding)
    if isinstance(value, MapValue):
        return MapValue(tuple((key, strip_places(item)) for key, item in value.entries))
    return tuple(map(strip_places, value)) if isinstance(value, tuple) else value
