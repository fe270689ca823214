"""The schema of an object parameter: read, kept to by every caller, and told to programs."""

import pytest
from jsonschema import Draft202012Validator

from research.engine.legal.places import CANTONS
from research.errors import InvalidMacro, InvalidParameters
from research.macros.lint import lint_text
from research.macros.loader import LIBRARY, load_macro
from research.macros.offered import parameters_schema
from research.macros.parameters import check_parameters, parse_cli_parameters
from tests.cases import cases

DECLARED = """\
macro:
  name: courts
  description: Asks courts.
  parameters:
    - name: place
      type: object
      default: null
      schema:
        type: object
        properties:
          federal: {type: boolean, title: Federal courts}
          cantons: {type: array, items: {type: string, enum: [ZH, BE]}}
          level: {type: string, enum: [first, last]}
          judges: {type: integer}
    - name: time
      type: object
      schema:
        required: [from]
        properties:
          from: {type: string, format: date, description: The first day.}
          to: {type: string, format: date-or-year}
    - {name: free, type: object}
  prompt: "Look{{#if time.from}} from {{time.from}}{{/if}}."
  output: {schema_name: x, schema: {type: object, properties: {a: {type: string}}}}
"""


@pytest.fixture
def macro():
    return load_macro(DECLARED)


def errors(macro, **params):
    with pytest.raises(InvalidParameters) as caught:
        check_parameters(macro, params)
    return {error.name: error.message for error in caught.value.errors}


@cases(
    "given",
    [
        {},
        {"place": {"federal": False, "cantons": ["BE"], "level": "last", "judges": 3}},
        {"place": {}},
        {"time": {"from": "2015-01-31", "to": "2016"}},
        {"time": {"from": "2015-01-31", "to": "2016-02-29"}},
        {"free": {"anything": [1]}},
    ],
)
def test_what_fits_is_taken_as_it_is(macro, given):
    assert check_parameters(macro, given) == {"place": None, "time": None, "free": None, **given}
    Draft202012Validator(parameters_schema(macro)).validate(given)


@cases(
    ("given", "name", "words"),
    [
        ({"place": {"federal": "yes"}}, "place.federal", "must be true or false"),
        ({"place": {"cantons": "ZH"}}, "place.cantons", "must be a list"),
        ({"place": {"cantons": ["ZH", "XX"]}}, "place.cantons", "must be one of ZH, BE, not 'XX'"),
        ({"place": {"cantons": [1]}}, "place.cantons", "each must be text"),
        ({"place": {"level": "middle"}}, "place.level", "must be one of first, last"),
        ({"place": {"judges": 2.5}}, "place.judges", "must be a whole number"),
        ({"place": {"canton": ["ZH"]}}, "place.canton", "is not a field of place; did you mean cantons?"),
        ({"place": []}, "place", "must be an object"),
        ({"time": {}}, "time.from", "is required"),
        ({"time": {"from": None}}, "time.from", "is required"),
        ({"time": {"from": " "}}, "time.from", "must not be empty"),
        ({"time": {"from": "2015"}}, "time.from", "must be a day such as 2015-01-31, not '2015'"),
        ({"time": {"from": "2015-02-30"}}, "time.from", "must be a day"),
        ({"time": {"from": "20150130"}}, "time.from", "must be a day"),
        ({"time": {"from": "2015-01-31", "to": "0000"}}, "time.to", "or a year, not '0000'"),
        ({"time": {"from": "2015-01-31", "to": "soon"}}, "time.to", "or a year, not 'soon'"),
    ],
)
def test_what_does_not_fit_is_named_by_object_and_field(macro, given, name, words):
    found = errors(macro, **given)
    assert list(found) == [name]
    assert words in found[name]


def test_every_fault_of_an_object_is_told_at_once(macro):
    assert list(errors(macro, place={"federal": 1, "judges": "x"}, time={"to": "x"})) == [
        "place.federal",
        "place.judges",
        "time.from",
        "time.to",
    ]


def test_a_field_that_is_null_is_not_given(macro):
    assert check_parameters(macro, {"place": {"federal": None, "judges": 1}})["place"] == {"judges": 1}


def test_fields_are_typed_on_a_command_line(macro):
    pairs = ["place.federal=true", "place.cantons=ZH,BE", "time.from=2015-01-31"]
    assert parse_cli_parameters(macro, pairs) == {
        "place": {"federal": True, "cantons": ["ZH", "BE"]},
        "time": {"from": "2015-01-31"},
    }
    assert parse_cli_parameters(macro, ['place={"judges": 2}', "place.federal=false"]) == {
        "place": {"judges": 2, "federal": False}
    }


@cases(
    ("pairs", "name", "words"),
    [
        (["place.federal=yes"], "place.federal", "true or false"),
        (["place.judge=1"], "place.judge", "did you mean judges?"),
        (["place.federal=true", "place.federal=false"], "place.federal", "given twice"),
        (["place.federal=true", 'place={"judges": 1}'], "place", "given twice"),
        (["place=null", "place.federal=true"], "place.federal", "given twice"),
        (["free.a=1"], "free.a", "is not a parameter of courts"),
        (["nothing.a=1"], "nothing.a", "is not a parameter of courts"),
        (['place={"federal": 1}'], "place.federal", "true or false"),
    ],
)
def test_bad_fields_on_a_command_line_are_named(macro, pairs, name, words):
    with pytest.raises(InvalidParameters) as caught:
        parse_cli_parameters(macro, pairs)
    (error,) = caught.value.errors
    assert error.name == name
    assert words in error.message


@cases(
    ("old", "new", "words"),
    [
        ("judges: {type: integer}", "judges: {type: object}", "must be one of string, integer"),
        ("judges: {type: integer}", "judges: {type: integer, minimal: 1}", "unknown key 'minimal'"),
        ("judges: {type: integer}", "judges: {type: integer, format: date}", "a format is for text only"),
        ("format: date-or-year", "format: email", "must be one of date, date-or-year"),
        ("items: {type: string, enum: [ZH, BE]}", "enum: [ZH, BE]", "stands in its items"),
        ("items: {type: string, enum: [ZH, BE]}", "items: {type: array}", "single values only"),
        ("enum: [first, last]", "enum: [first, 2]", "enum of level: must be text"),
        ("required: [from]", "required: [since]", "there is no property 'since'"),
        ("type: object}", "type: string, schema: {properties: {a: {type: string}}}}", "type object only"),
        (
            "{name: free, type: object}",
            "{name: free, type: object, schema: {properties: {}}}",
            "not be empty",
        ),
        ("{name: free, type: object}", "{name: free, type: object, schema: {}}", "properties is required"),
        ("        required: [from]", "        additionalProperties: true", "without additional properties"),
        ("default: null", "default: {judge: 1}", "default of place.judge: is not a field of place"),
        ("judges: {type", "ju dges: {type", "is not an identifier"),
    ],
)
def test_a_schema_outside_the_subset_is_a_fault(old, new, words):
    assert old in DECLARED
    with pytest.raises(InvalidMacro) as caught:
        load_macro(DECLARED.replace(old, new, 1))
    assert any(words in fault.message for fault in caught.value.faults), caught.value.faults


def test_a_template_may_name_only_fields_that_are_declared():
    faults = lint_text(DECLARED.replace("{{time.from}}", "{{time.since}}"), "courts.yaml", tools=frozenset())
    assert any("since" in fault.message for fault in faults)


def test_programs_are_told_the_whole_schema(macro):
    told = parameters_schema(macro)
    Draft202012Validator.check_schema(told)
    place = told["properties"]["place"]
    assert place["additionalProperties"] is False
    assert place["properties"]["federal"] == {"type": "boolean", "title": "Federal courts"}
    assert place["properties"]["cantons"]["items"] == {"type": "string", "enum": ["ZH", "BE"]}
    assert told["properties"]["time"]["required"] == ["from"]
    assert told["properties"]["free"] == {"type": "object"}


def test_the_question_of_law_knows_the_cantons_that_its_research_knows():
    macro = load_macro((LIBRARY / "legal-research.yaml").read_text(encoding="utf-8"))
    jurisdiction = macro.parameter("jurisdiction")
    assert jurisdiction is not None
    assert set(jurisdiction.field("cantons").enum) == set(CANTONS)
