"""One readable verdict per violation of the macro's schema, at its place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.checks.schema import MAX_VIOLATIONS, check_schema
from research.jsontext import check_json
from tests.cases import cases

PERSON = {
    "type": "object",
    "required": ["name", "jurisdiction"],
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 10},
        "jurisdiction": {"type": "string", "pattern": "^[A-Z]{2}$"},
        "kind": {"enum": ["company", "person"]},
        "share": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
        "a/b~": {"items": {"type": "integer"}, "uniqueItems": True, "maxItems": 2},
        "since": {"format": "date"},
        "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    },
}
GOOD = {"name": "Muster", "jurisdiction": "DE"}


def violations(data, schema=PERSON):
    return [(v.code, v.pointer, v.message) for v in check_schema(data, schema) if v.verdict == "fail"]


def test_data_that_fits_gets_a_single_pass():
    [verdict] = check_schema(GOOD, PERSON)
    assert (verdict.kind, verdict.verdict, verdict.pointer) == ("schema", "pass", "")


@cases(
    ("change", "code", "pointer", "message"),
    [
        ({"name": 5}, "type", "/name", "“5” is not text."),
        ({"name": "x"}, "minLength", "/name", "“x” is shorter than 2 characters."),
        ({"name": "x" * 11}, "maxLength", "/name", "“xxxxxxxxxxx” is longer than 10 characters."),
        (
            {"jurisdiction": "de"},
            "pattern",
            "/jurisdiction",
            "“de” does not have the required form ^[A-Z]{2}$.",
        ),
        ({"kind": "ghost"}, "enum", "/kind", "“ghost” is not one of: company, person."),
        ({"share": -1}, "minimum", "/share", "“-1” is less than 0."),
        ({"share": 101}, "maximum", "/share", "“101” is more than 100."),
        ({"share": "all"}, "type", "/share", "“all” is not a number or null."),
        ({"a/b~": [1, "x"]}, "type", "/a~1b~0/1", "“x” is not a whole number."),
        ({"a/b~": [1, 1]}, "uniqueItems", "/a~1b~0", "The list has the same entry twice."),
        ({"a/b~": [1, 2, 3]}, "maxItems", "/a~1b~0", "The list has more than 2 entries."),
        ({"since": "yesterday"}, "format", "/since", "“yesterday” is not a valid date."),
        ({"either": []}, "anyOf", "/either", "“a list” fits none of the 2 allowed forms."),
        ({"share": True}, "type", "/share", "“true” is not a number or null."),
    ],
)
def test_a_violation_names_place_rule_and_value(change, code, pointer, message):
    assert violations(GOOD | change) == [(code, pointer, message)]


def test_missing_fields_are_named_once():
    assert violations({}) == [("required", "", "Required, but missing: name, jurisdiction.")]


def test_every_surplus_field_is_a_violation_at_its_own_place():
    schema = {"properties": {"a": {}}, "patternProperties": {"^x-": {}}, "additionalProperties": False}
    found = violations({"a": 1, "x-b": 2, "c/d": 3, "e": 4}, schema)
    assert [(code, pointer) for code, pointer, _ in found] == [
        ("additionalProperties", "/c~1d"),
        ("additionalProperties", "/e"),
    ]


def test_all_violations_are_told_at_once():
    assert len(violations({"name": 1, "jurisdiction": 2, "kind": 3})) == 3


def test_there_are_never_more_than_the_limit():
    schema = {"items": {"type": "string"}}
    found = check_schema(list(range(10_000)), schema)
    assert len(found) == MAX_VIOLATIONS
    assert found[-1].code == "too-many"
    assert len(check_schema(list(range(MAX_VIOLATIONS)), schema)) == MAX_VIOLATIONS
    assert check_schema(list(range(MAX_VIOLATIONS)), schema)[-1].code == "type"


@pytest.mark.parametrize(
    "huge", ["x" * 1_000_000, {"k": "x" * 1_000_000}, list(range(100_000)), "a\n<b>\n" * 1000]
)
def test_messages_stay_short_whatever_the_value(huge):
    [verdict] = check_schema({"v": huge}, {"properties": {"v": {"type": "boolean"}}})
    assert len(verdict.message) < 300
    assert "\n" not in verdict.message
    assert len(json.dumps(verdict.evidence)) < 1_000


@cases(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/nowhere"},
        {"$ref": "http://schema.invalid/other.json"},
        {"type": "strnig"},
        {"pattern": "("},
        {"required": 5},
        {"minimum": "a"},
    ],
)
def test_a_schema_that_cannot_be_applied_is_unknown_and_fetches_nothing(schema, monkeypatch):
    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: pytest.fail("went to the network"))
    data = {"a": 1} if "pattern" not in schema else "text"
    data = 5 if "minimum" in schema else data
    [verdict] = check_schema(data, schema)
    assert verdict.verdict == "unknown"
    assert verdict.message.startswith("The macro's schema cannot be applied")


def test_the_schema_may_name_its_draft():
    draft4 = {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 5, "exclusiveMinimum": True}
    assert [code for code, _, _ in violations(5, draft4)] == ["minimum"]


texts = st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), max_size=6
)  # what parsing lets through
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e6, 1e6) | texts,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*PERSON["properties"], "other"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(values)
def test_any_document_gets_verdicts_that_can_be_stored(data):
    found = check_schema(data, PERSON)
    assert found
    for verdict in found:
        check_json(verdict.as_json())
        assert verdict.message
    assert ({verdict.verdict for verdict in found} == {"pass"}) != any(v.verdict == "fail" for v in found)
