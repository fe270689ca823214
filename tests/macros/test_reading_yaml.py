"""YAML as macros use it: plain data, lines, bounds."""

import pytest

from research.macros.yamltext import MAX_CHARACTERS, YamlFault, read_yaml
from tests.cases import cases


@cases(
    ("text", "value"),
    [
        ("NO", "NO"),
        ("yes", "yes"),
        ("on", "on"),
        ("true", True),
        ("~", None),
        ("", None),
        ("010", 10),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("12:30:45", "12:30:45"),
        ("2024-01-31", "2024-01-31"),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("'12'", "12"),
        ('"null"', "null"),
        ("Größe 家", "Größe 家"),
    ],
)
def test_it_reads_a_plain_scalar_as_the_core_schema_does(text, value):
    assert read_yaml(f"a: {text}").value == {"a": value}


def test_it_knows_the_line_of_every_node():
    document = read_yaml("a:\n  b: 1\n  c:\n    - x\n    - y: 2\n")
    assert document.line(("a", "b")) == 2
    assert document.line(("a", "c", 1, "y")) == 5


def test_it_gives_the_line_of_the_nearest_ancestor_for_what_is_not_there():
    assert read_yaml("a:\n  b:\n    c: 1\n").line(("a", "b", "missing", 3)) == 2


@pytest.mark.parametrize(
    ("text", "offset", "line"),
    [("a: |\n  one\n  two\n", 2, 3), ("a: >\n  one\n", 1, 2), ("a: one\n", 1, 1), ('a: "x\n  y"\n', 9, 2)],
)
def test_it_finds_the_line_within_a_text(text, offset, line):
    assert read_yaml(text).text_line(("a",), offset) == line


@cases(
    ("text", "line", "reason"),
    [
        ("a: 1\nb: [", 2, "not YAML"),
        ("a: 1\n\tb: 2", 2, "cannot start any token"),
        ("a: !!python/object/apply:os.system [ls]", 1, "tag"),
        ("a: 1\n--- \nb: 2", 2, "another document"),
        ("a: *nope", 1, "undefined alias"),
        ("a: \x00", 1, "not allowed"),
        ("a: 1\nb: &x [*x]", 2, "aliases"),
        ("[" * 100_000, 1, "nested deeper"),
        ("{a: " * 1_000, 1, "nested deeper"),
        ("a: '" + "x" * MAX_CHARACTERS + "'", 1, "larger"),
    ],
)
def test_it_refuses_what_is_not_plain_bounded_yaml(text, line, reason):
    with pytest.raises(YamlFault, match=reason) as caught:
        read_yaml(text)
    assert caught.value.line == line


def test_it_stops_an_alias_bomb():
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9))
    with pytest.raises(YamlFault, match="aliases"):
        read_yaml(bomb)


def test_it_expands_an_ordinary_alias():
    assert read_yaml("a: &x [1]\nb: *x").value == {"a": [1], "b": [1]}


@cases(
    ("text", "line", "reason"),
    [
        ("a: 1\na: 2", 2, "'a' occurs twice"),
        ("a: .nan", 1, "NaN"),
        ("a: -.inf", 1, "infinity"),
        ("a: 1e400", 1, "too large"),
        ("a: 99999999999999999999", 1, "64 bits"),
        ('a:\n  - "\\0"', 2, "NUL"),
        ('a: "\\ud800"', 1, "surrogate"),
        ("? [1]\n: 2", 1, "key must be text"),
        ("<<: {a: 1}", 1, "merge keys"),
    ],
)
def test_it_reads_on_after_a_fault_of_one_value(text, line, reason):
    faults = read_yaml(text).faults
    assert [fault.line for fault in faults] == [line]
    assert reason in faults[0].message
