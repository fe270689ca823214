"""The parameters of a run against what the macro declares."""

import pytest

from research.errors import InvalidParameters
from research.macros.loader import load_macro
from research.macros.parameters import MAX_TEXT, check_parameters
from tests.cases import cases

DECLARED = """\
macro:
  name: every-type
  description: One parameter of each type.
  parameters:
    - {name: text, type: string, required: true}
    - {name: whole, type: integer, default: 20}
    - {name: real, type: number}
    - {name: flag, type: boolean, default: false}
    - {name: items, type: array, enum: [a, b]}
    - {name: thing, type: object}
    - {name: choice, type: string, enum: [red, green], default: red}
    - {name: hint, type: string, default: null}
    - {name: forced, type: string, required: true, default: given}
  prompt: Look.
  output: {schema_name: x, schema: {type: object}}
"""


@pytest.fixture
def macro():
    return load_macro(DECLARED)


def errors(macro, **params):
    with pytest.raises(InvalidParameters) as caught:
        check_parameters(macro, {"text": "x", **params})
    return caught.value.errors


def test_it_fills_in_defaults_and_null_for_what_was_not_given(macro):
    assert check_parameters(macro, {"text": "x"}) == {
        "text": "x",
        "whole": 20,
        "real": None,
        "flag": False,
        "items": None,
        "thing": None,
        "choice": "red",
        "hint": None,
        "forced": "given",
    }


def test_checking_twice_changes_nothing(macro):
    once = check_parameters(macro, {"text": "x", "real": 2.5})
    assert check_parameters(macro, once) == once


def test_null_means_not_given(macro):
    assert check_parameters(macro, {"text": "x", "whole": None})["whole"] == 20


@cases(
    ("name", "value"),
    [
        ("whole", -3),
        ("whole", 0),
        ("real", 25),
        ("real", 25.5),
        ("flag", True),
        ("items", ["a", "b"]),
        ("items", []),
        ("thing", {"deep": [1]}),
        ("choice", "green"),
        ("text", 'A") (entity.ensure :name "x'),
        ("text", "x" * 10_240),
        ("text", "\u202eRTL\u200b{{x}};;\n"),
    ],
)
def test_it_takes_a_value_of_the_declared_type_unchanged(macro, name, value):
    assert check_parameters(macro, {"text": "x", name: value})[name] == value


@cases(
    ("name", "value", "reason", "allowed"),
    [
        ("text", 5, "must be text", ["string"]),
        ("text", None, "is required", ["string"]),
        ("text", "  ", "must not be empty", ["string"]),
        ("text", "x" * (MAX_TEXT + 1), "longer than", ["string"]),
        ("text", "a\0b", "NUL", ["string"]),
        ("text", "\ud800", "surrogate", ["string"]),
        ("whole", "20", "must be a whole number", ["integer"]),
        ("whole", 20.0, "must be a whole number", ["integer"]),
        ("whole", True, "must be a whole number", ["integer"]),
        ("whole", 2**70, "64 bits", ["integer"]),
        ("real", "1", "must be a number", ["number"]),
        ("real", False, "must be a number", ["number"]),
        ("real", float("nan"), "too large", ["number"]),
        ("flag", 1, "must be true or false", ["boolean"]),
        ("flag", "true", "must be true or false", ["boolean"]),
        ("items", "a", "must be a list", ["a", "b"]),
        ("items", ["a", "c"], "not 'c'", ["a", "b"]),
        ("thing", [], "must be an object", ["object"]),
        ("choice", "blue", "must be one of red, green", ["red", "green"]),
        ("choice", "RED", "must be one of red, green", ["red", "green"]),
    ],
)
def test_it_names_the_parameter_and_what_is_allowed(macro, name, value, reason, allowed):
    [error] = errors(macro, **{name: value})
    assert error.name == name
    assert reason in error.message
    assert list(error.allowed) == allowed


def test_it_refuses_an_unknown_parameter_and_offers_the_nearest(macro):
    [error] = errors(macro, chioce="red")
    assert error.name == "chioce"
    assert "did you mean choice" in error.message
    assert "whole" in error.allowed


def test_it_reports_all_faults_at_once(macro):
    found = errors(macro, text=None, whole="x", nonsense=1)
    assert {error.name for error in found} == {"text", "whole", "nonsense"}


def test_it_bounds_the_parameters_together(macro):
    [error] = errors(macro, thing={str(n): "x" * 1000 for n in range(200)})
    assert "all parameters together" in error.message


def test_deep_nesting_is_an_error_and_no_crash(macro):
    deep: list = []
    for _ in range(5_000):
        deep = [deep]
    [error] = errors(macro, thing={"a": deep})
    assert "nested deeper" in error.message
