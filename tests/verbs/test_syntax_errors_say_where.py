import pytest

from research.verbs.parser import parse, parse_all
from research.verbs.syntax import DslError
from tests.cases import cases


def error_of(text: str) -> DslError:
    with pytest.raises(DslError) as caught:
        parse(text)
    return caught.value


@cases(
    ("text", "line", "column", "message"),
    [
        ("foo", 1, 1, "expected '(' or ';;', found 'f'"),
        (")", 1, 1, "expected '(' or ';;', found ')'"),
        ("(a.b)\n\n  ;x", 3, 3, "found ';'"),
        ("(", 1, 2, "expected a verb such as gleif.enrich, found the end of the text"),
        ("(a)", 1, 3, "expected '.'"),
        ("(a.)", 1, 4, "expected the name of a verb"),
        ("(a.b", 1, 1, "')' is missing"),
        ('(a.b "x")', 1, 6, "expected an argument such as :name"),
        ("(a.b:x 1)", 1, 5, "white space is missing before the argument"),
        ("(a.b :x)", 1, 8, "white space is missing after :x"),
        ("(a.b :x )", 1, 9, "expected a value after :x, found ')'"),
        ("(a.b :x :y 1)", 1, 9, "expected a value after :x, found ':'"),
        ('(a.b :x"y")', 1, 8, "white space is missing after :x"),
        ("(a.b : 1)", 1, 7, "expected a name after ':'"),
        ('(a.b :x "y)', 1, 9, "this text is not closed"),
        ('(a.b\n :x "y\n\n', 2, 5, "this text is not closed"),
        ('(a.b :x "\\q")', 1, 10, "is no escape"),
        ('(a.b :x "\\u0041")', 1, 10, "is no escape"),
        ('(a.b :x "y\\', 1, 11, "is no escape"),
        ('(a.b :x "y":z 1)', 1, 12, "white space is missing before the argument"),
        ("(a.b :x foo)", 1, 9, "'foo' is not a value; texts stand in double quotes"),
        ("(a.b :x True)", 1, 9, "'True' is not a value"),
        ("(a.b :x truely)", 1, 9, "'truely' is not a value"),
        ("(a.b :x nil:y 1)", 1, 12, "white space is missing after nil"),
        ("(a.b :x 1.)", 1, 10, "white space is missing after a number"),
        ("(a.b :x 1e5)", 1, 10, "white space is missing after a number"),
        ("(a.b :x .5)", 1, 9, "expected a value"),
        ("(a.b :x -)", 1, 10, "expected a digit after '-'"),
        ("(a.b :x ٣)", 1, 9, "expected a value"),
        ("(a.b :x 9223372036854775808)", 1, 9, "does not fit into 64 bits"),
        ("(a.b :x -9223372036854775809)", 1, 9, "does not fit into 64 bits"),
        ("(a.b :x " + "9" * 5000 + ")", 1, 9, "at most 100 characters"),
        ("(a.b :x @)", 1, 10, "expected the name of a symbol"),
        ("(a.b :x @1)", 1, 10, "expected the name of a symbol"),
        ("(a.b :x @é)", 1, 10, "expected the name of a symbol"),
        ("(a.b :as x)", 1, 10, "expected a symbol such as @name"),
        ("(a.b :as nil)", 1, 10, "expected a symbol such as @name"),
        ("(a.b :as @s :x 1)", 1, 13, "after the binding, which comes last"),
        ("(a.b :as @s :as @t)", 1, 13, "after the binding, which comes last"),
        ("(a.b :x [1 2)", 1, 13, "expected a value"),
        ("(a.b :x [1 2", 1, 9, "']' is missing"),
        ("(a.b :x [", 1, 9, "']' is missing"),
        ("(a.b :x [1,])", 1, 12, "expected a value after ','"),
        ("(a.b :x [,1])", 1, 10, "expected a value"),
        ("(a.b :x [1,,2])", 1, 12, "expected a value"),
        ('(a.b :x ["a""b"])', 1, 13, "white space or ',' is missing"),
        ("(a.b :x {:a 1, :b 2})", 1, 14, "without commas"),
        ("(a.b :x {:a 1)", 1, 14, "expected an argument such as :name"),
        ("(a.b :x {:a 1", 1, 9, "'}' is missing"),
        ('(a.b :x {:a "1":b 2})', 1, 16, "white space is missing between two entries"),
        ("(a.b :x\u00a01)", 1, 8, "white space is missing after :x"),
        ("(a.b :x 1\u200b)", 1, 10, "found U+200B"),
        ("(a.b :x \u202e1)", 1, 9, "found U+202E"),
        ("(a.b :x 1\0)", 1, 10, "found U+0000"),
        ("(" + "a" * 101 + ".b)", 1, 2, "at most 100 characters"),
    ],
)
def test_it_names_line_column_and_reason(text, line, column, message):
    error = error_of(text)
    assert (error.line, error.column) == (line, column)
    assert message in error.message


def test_the_caret_stands_under_the_place():
    source, caret = error_of('(a.b)\n(c.d :name "😀" :x foo)').caret.split("\n")
    assert source == '(c.d :name "😀" :x foo)'
    assert source[caret.index("^")] == "f"


def test_the_caret_line_is_short_and_shows_no_control_characters():
    source, caret = error_of(f'(a.b :x "{"y" * 5000}\t" :z foo :q "{"y" * 5000}")').caret.split("\n")
    assert len(source) <= 120
    assert source.isprintable()
    assert source[caret.index("^")] == "f"


@pytest.mark.parametrize(
    "text", ["(" * 100_000, "(a.b :x " * 100_000, "(a.b :x " + "[" * 100_000, "{:a " * 100_000]
)
def test_deep_nesting_is_refused_and_does_not_exhaust_the_stack(text):
    error_of(text)
    assert parse_all(text)[1]


def test_nesting_has_a_limit_with_a_clear_message():
    assert "nested deeper than 64 levels" in error_of("(a.b :x " + "[" * 64 + "]" * 64 + ")").message


def test_a_program_of_more_than_a_million_characters_is_refused():
    calls, (error,) = parse_all(";" * 1_000_001)
    assert calls == []
    assert "1,000,000 characters" in error.message


def test_reading_goes_on_after_an_error():
    text = '(a.b :x 1)\n(c.d :x foo)\n(e.f :y 2)\n(g.h :z "\\q")\n;; note\n(i.j)'
    calls, errors = parse_all(text)
    assert [call.name for call in calls] == ["a.b", "e.f", "i.j"]
    assert [(error.line, error.column) for error in errors] == [(2, 9), (4, 10)]


def test_a_missing_quote_does_not_hide_the_next_call():
    calls, errors = parse_all('(a.b :x "open)\n(c.d :y "shut")\n(e.f)')
    assert [call.name for call in calls] == ["c.d", "e.f"]
    assert len(errors) == 1


def test_the_number_of_errors_is_bounded():
    assert len(parse_all("(a.b :x foo)\n" * 1000)[1]) == 50


def test_an_error_as_json_has_line_column_and_message():
    assert error_of("foo").as_json() == {
        "line": 1,
        "column": 1,
        "message": "expected '(' or ';;', found 'f'",
    }
