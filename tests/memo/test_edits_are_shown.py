import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.memo.edits import describe, origins
from research.memo.findings import read_findings
from research.review.patch import apply_patch, make_patch

SCHEMA = {"properties": {"a": {"title": "First"}, "l": {"title": "List"}}}


def _was(original, edits):
    """Pointer → what it was, for every value that a memo marks as edited."""
    data = apply_patch(original, edits)
    found = read_findings(data, origins(original, edits), {}, [])
    groups, marks = list(found.groups), {}
    while groups:
        group = groups.pop()
        groups += group.groups
        marks |= {value.pointer: value.was for value in group.values if value.was is not None}
    return marks


@pytest.mark.parametrize(
    ("original", "edits", "marks"),
    [
        ({"a": 1}, [], {}),
        ({"a": 1}, [{"op": "replace", "path": "/a", "value": 2}], {"/a": "1"}),
        ({"a": 1}, [{"op": "add", "path": "/a", "value": 2}], {"/a": "1"}),
        ({"a": 1}, [{"op": "add", "path": "/b", "value": 2}], {"/b": ""}),
        ({"a": None}, [{"op": "replace", "path": "/a", "value": "x"}], {"/a": "–"}),
        ({"a": []}, [{"op": "replace", "path": "/a", "value": "x"}], {"/a": "–"}),
        ({"a": {"b": 1}}, [{"op": "replace", "path": "/a", "value": "x"}], {"/a": '{"b":1}'}),
        ({"a": "x"}, [{"op": "replace", "path": "/a", "value": {"b": 1}}], {"/a/b": ""}),
        ({"a": True}, [{"op": "replace", "path": "/a", "value": False}], {"/a": "true"}),
    ],
)
def test_a_value_shows_what_it_was(original, edits, marks):
    assert _was(original, edits) == marks


@pytest.mark.parametrize(
    "values",
    [
        [{"op": "replace", "path": "/a", "value": 2}, {"op": "replace", "path": "/a", "value": 3}],
        [{"op": "remove", "path": "/a"}, {"op": "add", "path": "/a", "value": 3}],
    ],
)
def test_a_value_edited_twice_is_still_marked(values):
    assert set(_was({"a": 1}, values)) == {"/a"}


def test_a_value_set_back_is_not_edited():
    there_and_back = [{"op": "replace", "path": "/a", "value": value} for value in (2, 1)]
    assert _was({"a": 1}, there_and_back) == {}


def test_items_that_move_up_are_not_edited():
    original = {"l": [{"n": "one"}, {"n": "two"}, {"n": "three"}]}
    assert _was(original, [{"op": "remove", "path": "/l/0"}]) == {}


def test_items_that_move_down_are_not_edited():
    edits = [{"op": "add", "path": "/l/0", "value": {"n": "zero"}}]
    assert _was({"l": [{"n": "one"}, {"n": "two"}]}, edits) == {"/l/0/n": ""}


def test_an_item_added_to_an_empty_list_is_new():
    assert _was({"l": []}, [{"op": "add", "path": "/l/-", "value": "x"}]) == {"/l/0": ""}


def test_a_moved_value_keeps_what_it_was():
    edits = [{"op": "move", "from": "/a", "path": "/b"}, {"op": "copy", "from": "/b", "path": "/c"}]
    assert _was({"a": 1}, edits) == {}


scalars = st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab/~", max_size=3)
documents = st.dictionaries(
    st.text("ab/~", max_size=2),
    st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=3)
        ),
        max_leaves=8,
    ),
    max_size=4,
)


@given(documents, documents)
def test_no_patch_breaks_it(old, new):
    edits = make_patch(old, new)
    marks = _was(old, edits)
    assert len(describe(old, edits, {})) == len(edits)
    assert edits or not marks


@pytest.mark.parametrize(
    ("edit", "place", "old", "new"),
    [
        ({"op": "replace", "path": "/a", "value": 2}, "First", "1", "2"),
        ({"op": "add", "path": "/b_lei", "value": "X"}, "B LEI", "", "X"),
        ({"op": "remove", "path": "/a"}, "First", "1", ""),
        ({"op": "add", "path": "/l/0", "value": "x"}, "List › 1.", "", "x"),
        ({"op": "add", "path": "/l/-", "value": "x"}, "List › +", "", "x"),
        ({"op": "remove", "path": "/l/0"}, "List › 1. One", '{"name":"One"}', ""),
        ({"op": "replace", "path": "/l/0/name", "value": ""}, "List › 1. One › Name", "One", "–"),
    ],
)
def test_an_edit_is_described_in_words(edit, place, old, new):
    (found,) = describe({"a": 1, "l": [{"name": "One"}]}, [edit], SCHEMA)
    assert (found.place, found.old, found.new) == (place, old, new)


def test_each_edit_is_described_as_things_stood_then():
    edits = [{"op": "remove", "path": "/l/0"}] * 2
    assert [edit.old for edit in describe({"l": ["one", "two"]}, edits, {})] == ["one", "two"]


@pytest.mark.parametrize(
    ("format", "shown"),
    [
        ("md", "Name: Allianz SE → **Allianz Holding SE**"),
        ("html", "<del><bdi>Allianz SE</bdi></del><bdi> → </bdi><ins><bdi>Allianz Holding SE</bdi></ins>"),
    ],
)
def test_an_approved_edit_stands_beside_the_finding_and_in_the_decision(decided, compose, format, shown):
    edit = {"op": "replace", "path": "/apex/name", "value": "Allianz Holding SE"}
    text = compose(decided("approved", edits=[edit]), format=format)
    assert text.count(shown.removeprefix("Name: ")) == 2
    assert "Head of the group › Name: " in text


def test_the_edits_of_nobody_are_not_shown(decided, compose):
    text = compose(decided("approved"))
    assert "→" not in text
    assert "- **Edits:** 0" in text
