"""Agents write JSON Merge Patch (RFC 7396); the cases are those of the standard's appendix."""

from research.jsontext import Json
from research.review.merge import merged
from tests.cases import cases

CASES: list[tuple[Json, Json, Json]] = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]


@cases(("document", "merge", "result"), CASES)
def test_it_does_what_the_standard_says(document: Json, merge: Json, result: Json):
    assert merged(document, merge) == result


def test_it_leaves_the_document_alone():
    document = {"a": {"b": 1}}
    merged(document, {"a": {"b": 2}})
    assert document == {"a": {"b": 1}}
