"""Whatever the check of a result against its schema may say is said in the language of the memo."""

import pytest

from research.checks.schema import check_schema
from research.engine.entity.account import nothing_found
from research.memo.sentences import OTHERS, say
from tests.cases import cases

FAULTS = [
    (7, {"type": "string"}),
    ("x", {"type": "number"}),
    ("x", {"type": "integer"}),
    ("x", {"type": ["integer", "null"]}),
    ("x", {"type": "boolean"}),
    ("x", {"type": "object"}),
    ("x", {"type": "array"}),
    (7, {"type": ["string", "null"]}),
    ("x", {"enum": ["high", "low"]}),
    ("x", {"const": "y"}),
    ("x", {"pattern": "^[A-Z]{2}$"}),
    ("x", {"format": "date"}),
    ("x", {"minLength": 3}),
    ("xxx", {"maxLength": 1}),
    (1, {"minimum": 2}),
    (3, {"maximum": 2}),
    (2, {"exclusiveMinimum": 2}),
    (2, {"exclusiveMaximum": 2}),
    (3, {"multipleOf": 2}),
    ([1], {"minItems": 2}),
    ([1, 2], {"maxItems": 1}),
    ([1, 1], {"uniqueItems": True}),
    ("x", {"anyOf": [{"type": "number"}, {"type": "boolean"}]}),
    (1, {"oneOf": [{"type": "number"}, {"type": "integer"}]}),
    ("x", {"not": {"type": "string"}}),
    ({"a": 1}, {"additionalProperties": False}),
    ({}, {"required": ["name", "lei"]}),
    ([1] * 300, {"items": {"type": "string"}}),
    (1, {"$ref": "#/nowhere"}),
    (1, {"type": "number"}),
]


@cases("language", OTHERS)
@cases(("data", "schema"), FAULTS, ids=lambda value: str(value)[:40])
def test_no_sentence_stays_english(data, schema, language):
    said = [verdict.message for verdict in check_schema(data, schema)]
    assert said
    for message in said:
        told = say(message, language)
        assert told != message
        assert " is " not in told
        assert " the " not in told.lower()


def test_what_was_found_wrong_stays_as_it_is():
    (verdict,) = check_schema("quite so", {"enum": ["high", "low"]})
    assert say(verdict.message, "de") == "«quite so» ist keiner der Werte: high, low."


@pytest.mark.parametrize("register", ["demo", "gleif"])
@pytest.mark.parametrize("language", OTHERS)
def test_neither_does_what_was_not_found(register, language):
    message = nothing_found("Nobody AG", [], register)
    assert "Nobody AG" in say(message, language)
    assert "looked for" not in say(message, language)
