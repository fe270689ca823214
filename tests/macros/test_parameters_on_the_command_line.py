"""``name=value`` as a person types it."""

import pytest

from research.errors import InvalidParameters
from research.macros.definition import Parameter
from research.macros.loader import load_macro
from research.macros.parameters import parse_cli_parameters, parse_cli_value
from tests.cases import cases


@cases(
    ("kind", "text", "value"),
    [
        ("string", "Allianz SE", "Allianz SE"),
        ("string", "20", "20"),
        ("string", "[1]", "[1]"),
        ("string", "", ""),
        ("integer", "20", 20),
        ("number", "25.5", 25.5),
        ("number", "", None),
        ("boolean", "true", True),
        ("boolean", "null", None),
        ("array", "sanctions, litigation", ["sanctions", "litigation"]),
        ("array", '["a,b", "c"]', ["a,b", "c"]),
        ("array", "one", ["one"]),
        ("object", '{"a": 1}', {"a": 1}),
    ],
)
def test_it_reads_a_value_by_the_declared_type(kind, text, value):
    assert parse_cli_value(Parameter("p", kind), text) == value


@cases(
    ("kind", "text"),
    [
        ("integer", "20.0"),
        ("integer", "many"),
        ("boolean", "yes"),
        ("boolean", "1"),
        ("number", "NaN"),
        ("object", "[1]"),
        ("object", "{"),
        ("array", "[1"),
    ],
)
def test_it_refuses_text_of_another_type(kind, text):
    with pytest.raises(InvalidParameters) as caught:
        parse_cli_value(Parameter("p", kind), text)
    assert caught.value.errors[0].name == "p"
    assert caught.value.errors[0].allowed == (kind,)


def test_it_reads_pairs_with_equals_signs_in_the_value(sound):
    assert parse_cli_parameters(load_macro(sound), ["street=a=b", "floors=3"]) == {
        "street": "a=b",
        "floors": 3,
    }


def test_it_reports_every_bad_pair(sound):
    with pytest.raises(InvalidParameters) as caught:
        parse_cli_parameters(load_macro(sound), ["street", "floors=x", "street=a", "street=b", "floor=1"])
    messages = [(error.name, error.message) for error in caught.value.errors]
    assert [name for name, _ in messages] == ["street", "floors", "street", "floor"]
    assert "name=value" in messages[0][1]
    assert "given twice" in messages[2][1]
    assert "did you mean floors" in messages[3][1]
