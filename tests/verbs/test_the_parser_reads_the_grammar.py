from decimal import Decimal

import pytest

from research.jsontext import JsonObject
from research.verbs.parser import parse
from research.verbs.syntax import Call, Comment, MapValue, Symbol
from tests.cases import cases


def value_of(text: str) -> object:
    """The parsed value of the only argument of a call."""
    (call,) = parse(f"(a.b :x {text})").calls
    return call.args[0][1]


def test_it_reads_calls_with_arguments_and_a_binding():
    program = parse('(gleif.enrich :lei "529900K9B0N5BT694847" :as @apex)')
    assert program.items == (Call("gleif", "enrich", (("lei", "529900K9B0N5BT694847"),), "apex"),)
    assert program.calls[0].name == "gleif.enrich"


@pytest.mark.parametrize("text", ["", " \t\r\n", "\n\n"])
def test_an_empty_program_has_no_items(text):
    assert parse(text).items == ()


@cases(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("nil", None),
        ("0", 0),
        ("007", 7),
        ("-12", -12),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("12.50", Decimal("12.50")),
        ("-0.1", Decimal("-0.1")),
        ("@apex", Symbol("apex")),
        ("$apex", Symbol("apex")),
        ("@chain-529900FA", Symbol("chain-529900FA")),
        ('""', ""),
        ('"a\\n\\r\\t\\\\\\"b"', 'a\n\r\t\\"b'),
        ('"a raw\nline break; (and) [more] ;; text"', "a raw\nline break; (and) [more] ;; text"),
        ('"d3b07384-d9a0-4c9b-8f6e-1f0d5c1f2a3b"', "d3b07384-d9a0-4c9b-8f6e-1f0d5c1f2a3b"),
        ("[]", ()),
        ("[ ]", ()),
        ('[1 2,3 , "x"]', (1, 2, 3, "x")),
        ("[[1] [2 []]]", ((1,), (2, ()))),
        ("{}", MapValue()),
        ("{:a 1 :b {:c nil}}", MapValue((("a", 1), ("b", MapValue((("c", None),)))))),
        ("(c.d :y 1 :as @z)", Call("c", "d", (("y", 1),), "z")),
        ("(c.d)", Call("c", "d")),
    ],
)
def test_it_reads_every_kind_of_value(text, value):
    found = value_of(text)
    assert found == value
    assert type(found) is type(value)


def test_decimals_keep_every_digit():
    assert str(value_of("0.10000000000000000000000000001")) == "0.10000000000000000000000000001"


def test_comments_stand_where_they_were_written():
    program = parse(";; one\n(a.b)\n;;two\r\n(c.d) ;;   three\n;;")
    assert program.items == (
        Comment("one"),
        Call("a", "b"),
        Comment("two"),
        Call("c", "d"),
        Comment("  three"),
        Comment(""),
    )


def test_a_comment_inside_a_call_moves_before_it():
    program = parse("(a.b ;; why\n :x ;; what\n [1 ;; one\n 2] :as @s ;; end\n)")
    assert program.items == (
        Comment("why"),
        Comment("what"),
        Comment("one"),
        Comment("end"),
        Call("a", "b", (("x", (1, 2)),), "s"),
    )


def test_only_a_newline_ends_a_comment():
    program = parse(";; a\r(a.b)\u2028(c.d)\x85(e.f)\n(g.h)")
    assert [call.name for call in program.calls] == ["g.h"]


def test_places_count_code_points_from_one():
    program = parse('(a.b)\n  (c.d :x "😀é" :y 1)')
    call = program.calls[1]
    assert (call.line, call.column) == (2, 3)
    assert call.places == ((2, 8), (2, 16))


def test_a_call_can_be_spread_over_lines():
    assert parse("( a.b\n\t:x 1\r\n\t:as @s\n)").items == (Call("a", "b", (("x", 1),), "s"),)


def test_calls_need_no_space_between_them():
    assert [call.name for call in parse("(a.b)(c.d);; x\n(e.f)").calls] == ["a.b", "c.d", "e.f"]


def test_the_deepest_allowed_nesting_is_read():
    assert value_of("[" * 63 + "]" * 63) is not None


def test_as_json_is_what_the_command_line_prints() -> None:
    (call,) = parse('(a.b :x @s :n 12.50 :l ["t" nil] :m {:k 1} :c (c.d) :as @r)').calls
    nested: JsonObject = {"verb": "c.d", "args": {}, "binding": None, "line": 1, "column": 47}
    assert call.as_json() == {
        "verb": "a.b",
        "args": {"x": "@s", "n": 12.5, "l": ["t", None], "m": {"k": 1}, "c": nested},
        "binding": "r",
        "line": 1,
        "column": 1,
    }
