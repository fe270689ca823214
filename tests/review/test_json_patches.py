import copy

import pytest
from hypothesis import given, settings

from research.errors import InvalidEdit
from research.review.patch import MAX_OPERATIONS, apply_patch, make_patch, same
from tests.cases import cases
from tests.review.strategies import JSON


def op(name, path, **rest):
    return {"op": name, "path": path, **rest}


@cases(
    ("document", "patch", "result"),
    [
        ({"foo": "bar"}, [op("add", "/baz", value="qux")], {"foo": "bar", "baz": "qux"}),
        ({"foo": ["a", "c"]}, [op("add", "/foo/1", value="b")], {"foo": ["a", "b", "c"]}),
        ({"foo": ["a"]}, [op("add", "/foo/-", value=["b"])], {"foo": ["a", ["b"]]}),
        ({"foo": 1}, [op("add", "/foo", value=2)], {"foo": 2}),
        ({"foo": 1}, [op("add", "", value=[])], []),
        ({"foo": 1, "bar": 2}, [op("remove", "/foo")], {"bar": 2}),
        ({"foo": ["a", "b", "c"]}, [op("remove", "/foo/1")], {"foo": ["a", "c"]}),
        ({"foo": 1}, [op("replace", "/foo", value=None)], {"foo": None}),
        ({"foo": 1}, [op("replace", "", value={})], {}),
        ({"a": {"b": 1}, "c": {}}, [op("move", "/c/d", **{"from": "/a/b"})], {"a": {}, "c": {"d": 1}}),
        ({"a": [1, 2, 3]}, [op("move", "/a/2", **{"from": "/a/0"})], {"a": [2, 3, 1]}),
        ({"a": 1}, [op("move", "/a", **{"from": "/a"})], {"a": 1}),
        (
            {"a": [1]},
            [op("copy", "/b", **{"from": "/a"}), op("add", "/b/-", value=2)],
            {"a": [1], "b": [1, 2]},
        ),
        ({"a": 1}, [op("test", "/a", value=1), op("remove", "/a")], {}),
        ({"a/b": {"": 1}}, [op("replace", "/a~1b/", value=2)], {"a/b": {"": 2}}),
        (
            {"a": 1},
            [op("add", "/b", value=1, comment="members it does not know are ignored")],
            {"a": 1, "b": 1},
        ),
    ],
)
def test_it_applies_operations(document, patch, result):
    assert same(apply_patch(document, patch), result)


@cases(
    ("operation", "pointer", "words"),
    [
        (op("replace", "/nothing", value=1), "/nothing", "there is nothing at /nothing"),
        (op("remove", "/nothing"), "/nothing", "operation 2 (remove)"),
        (op("remove", ""), "", "the whole document"),
        (op("add", "/list/3", value=1), "/list/3", "no position 3"),
        (op("add", "/list/01", value=1), "/list/01", "not a position"),
        (op("add", "/list/-1", value=1), "/list/-1", "not a position"),
        (op("remove", "/list/-"), "/list/-", "nothing at"),
        (op("add", "/a/b", value=1), "/a/b", "neither an object nor a list"),
        (op("add", "/x/y", value=1), "/x/y", "nothing at /x"),
        (op("add", "/x"), "/x", "value is missing"),
        (op("move", "/x"), "/x", "from is missing"),
        (op("move", "/list/0", **{"from": "/list"}), "/list/0", "into itself"),
        (op("copy", "/x", **{"from": "/nothing"}), "/x", "nothing at /nothing"),
        (op("test", "/a", value=1.0), "/a", "not what the test expects"),
        (op("test", "/a", value=True), "/a", "not what the test expects"),
        (op("eval", "/a"), "/a", "op must be one of"),
        (op(["add"], "/a"), "/a", "op must be one of"),
        (op("add", 7, value=1), "", "path must be text"),
        (op("add", "a", value=1), "a", "not a JSON Pointer"),
        ({"op": "remove"}, "", "path is missing"),
        ("remove", "", "an operation is an object"),
        (op("add", "/a" * 101, value=1), "/a" * 101, "deeper than 100 levels"),
    ],
)
def test_it_names_the_operation_it_refuses(operation, pointer, words):
    with pytest.raises(InvalidEdit) as refusal:
        apply_patch({"a": 1, "list": [1, 2]}, [op("test", "/a", value=1), operation])

    assert list(refusal.value.errors) == [pointer]
    assert refusal.value.errors[pointer].startswith("operation 2")
    assert words in refusal.value.errors[pointer]


@pytest.mark.parametrize(
    "patch",
    [{"op": "remove", "path": "/a"}, "remove", None, [op("test", "/a", value=1)] * (MAX_OPERATIONS + 1)],
)
def test_it_refuses_what_is_not_a_reasonable_patch(patch):
    with pytest.raises(InvalidEdit):
        apply_patch({"a": 1}, patch)


def test_it_leaves_the_document_and_the_patch_alone():
    document, patch = (
        {"a": {"b": [1]}},
        [op("add", "/c", value={"d": []}), op("add", "/c/d/-", value=1), op("remove", "/a/b/0")],
    )
    before = copy.deepcopy((document, patch))

    patched = apply_patch(document, patch)
    patched["a"]["b"].append("later")
    patched["c"]["d"].append("later")

    assert (document, patch) == before


def test_it_applies_all_operations_or_none():
    document = {"a": 1}

    with pytest.raises(InvalidEdit):
        apply_patch(document, [op("remove", "/a"), op("remove", "/a")])

    assert document == {"a": 1}


def test_it_refuses_a_patch_that_copies_the_document_into_itself_again_and_again():
    doubling = [op("copy", f"/{n}", **{"from": ""}) for n in range(60)]

    with pytest.raises(InvalidEdit, match=r"too large|deeper"):
        apply_patch({"a": [1] * 50}, doubling)


@cases(
    ("left", "right"),
    [
        (1, 1.0),
        (1, True),
        (0, False),
        (1.0, True),
        (None, False),
        ("1", 1),
        ([], {}),
        ("", None),
        ([1], [1.0]),
        ({"a": 0}, {"a": False}),
    ],
)
def test_it_tells_values_of_different_types_apart(left, right):
    assert not same(left, right)
    assert same(apply_patch({"x": left}, make_patch({"x": left}, {"x": right})), {"x": right})


@cases(
    ("old", "new", "patch"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, []),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, [op("replace", "/a/c", value=3)]),
        ({"a": 1}, {"b": 1}, [op("remove", "/a"), op("add", "/b", value=1)]),
        ([1, 2, 3, 4], [1, 4], [op("remove", "/2"), op("remove", "/1")]),
        ([1, 2, 3], [2, 3], [op("remove", "/0")]),
        ([1, 3], [1, 2, 3], [op("add", "/1", value=2)]),
        ([1], [1, 2, 3], [op("add", "/1", value=2), op("add", "/2", value=3)]),
        ([{"n": 1}, {"n": 2}, {"n": 3}], [{"n": 1}, {"n": 9}, {"n": 3}], [op("replace", "/1/n", value=9)]),
        (
            [{"n": 1}, {"n": 2}, {"n": 3}],
            [{"n": 2}, {"n": 4}],
            [op("replace", "/2/n", value=4), op("remove", "/0")],
        ),
        ([[0, 1], [2]], [[1], [2]], [op("remove", "/0/0")]),
        ({"a": []}, {"a": {}}, [op("replace", "/a", value={})]),
        (1, 2, [op("replace", "", value=2)]),
    ],
)
def test_it_makes_no_more_operations_than_needed(old, new, patch):
    assert make_patch(old, new) == patch
    assert same(apply_patch(old, patch), new)


@settings(deadline=None)
@given(JSON, JSON)
def test_it_makes_a_patch_that_leads_from_one_document_to_the_other(old, new):
    assert same(apply_patch(old, make_patch(old, new)), new)


@given(JSON)
def test_it_makes_no_operation_for_the_same_document(document):
    assert make_patch(document, copy.deepcopy(document)) == []


def test_it_is_quick_on_long_lists_that_have_nothing_in_common():
    old, new = list(range(20_000)), list(range(20_000, 0, -1))

    assert same(apply_patch(old, make_patch(old, new)[:1]), [*old[:-1], 1])
