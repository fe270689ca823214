"""Whether a value is a claim is said by the schema at its very place, whatever other fields of its name are."""

from research.checks.claims import claims_of
from tests.cases import cases

NUMBER = {"type": "integer", "x-claim": False}
DEFS = {"$defs": {"number": NUMBER, "grade": {"enum": ["high", "low"]}}}


def claims(data, schema):
    return sorted(claims_of(data, schema))


def test_a_field_that_is_none_silences_no_other_of_its_name():
    schema = {
        "properties": {
            "passages": {"items": {"properties": {"source": NUMBER, "quote": {"type": "string"}}}},
            "power": {"properties": {"source": {"type": "string"}}},
        }
    }
    data = {"passages": [{"source": 1, "quote": "Q"}], "power": {"source": "hydro"}, "source": "S"}
    assert claims(data, schema) == ["/passages/0/quote", "/power/source", "/source"]


@cases(
    "schema",
    [
        {"properties": {"n": {"$ref": "#/$defs/number"}}, **DEFS},
        {"properties": {"n": {"$ref": "#/$defs/number", "title": "N"}}, **DEFS},
        {"properties": {"n": {"allOf": [{"$ref": "#/$defs/number"}]}}, **DEFS},
        {"properties": {"n": {"anyOf": [{"$ref": "#/$defs/number"}, {"type": "null"}]}}, **DEFS},
        {"properties": {"n": {"oneOf": [{"type": "string"}, NUMBER]}}},
        {"patternProperties": {"^n": NUMBER}},
        {"additionalProperties": NUMBER},
        {"allOf": [{"properties": {"n": NUMBER}}]},
        {"anyOf": [{"type": "object", "properties": {"n": NUMBER}}, {"type": "array"}]},
        {"$ref": "#/$defs/document", "$defs": {"document": {"properties": {"n": NUMBER}}}},
        {"x-claim": False},
    ],
)
def test_it_is_none_however_the_schema_says_so(schema):
    assert claims({"n": 1}, schema) == []


@cases(
    ("schema", "value", "is_claim"),
    [
        ({"anyOf": [NUMBER, {"type": "string"}]}, "one", True),
        ({"anyOf": [NUMBER, {"type": "string"}]}, 1, False),
        ({"anyOf": [{"enum": ["high", "low"]}, {"type": "string"}]}, "high", False),
        ({"anyOf": [{"enum": ["high", "low"]}, {"type": "string"}]}, "so so", True),
        ({"anyOf": [{"$ref": "#/$defs/grade"}, {"type": "string"}]}, "so so", True),
        ({"type": "array", "items": {"$ref": "#/$defs/grade"}}, ["high"], False),
        ({"type": "array", "prefixItems": [NUMBER], "items": {"type": "integer"}}, [1], False),
        ({"type": "array", "prefixItems": [NUMBER], "items": {"type": "integer"}}, [1, 2], True),
        ({"const": "x"}, "x", False),
        ({"$ref": "#/properties/v"}, 1, True),
        ({"$ref": "#/nowhere"}, 1, True),
        ({"type": ["boolean", "string"]}, True, False),
        ({}, "", False),
    ],
)
def test_a_value_is_judged_by_the_branch_it_may_be(schema, value, is_claim):
    found = claims({"v": value}, {"properties": {"v": schema}, **DEFS})
    assert bool(found) is is_claim


def test_a_schema_of_a_tree_is_read_as_deep_as_the_tree_is():
    node = {"properties": {"name": {}, "rank": NUMBER, "children": {"items": {"$ref": "#"}}}}
    data = {"name": "a", "rank": 1, "children": [{"name": "b", "rank": 2, "children": []}]}
    assert claims(data, node) == ["/children/0/name", "/name"]
