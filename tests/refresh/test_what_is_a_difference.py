"""Only what a person would call a change is one."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.review.differences import MAX_DIFFERENCES, Difference, differences

FUND = {"lei": "529900FAHFDMSXCPII15", "name": "Alpha Fund", "aum": 10}
OTHER = {"lei": "OJ2TIQSVQND4IZYYK658", "name": "Beta Fund", "aum": 20}

SAME = {
    "equal": ({"a": 1}, {"a": 1}),
    "order of keys": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "order of items": ({"funds": [FUND, OTHER]}, {"funds": [OTHER, FUND]}),
    "order of texts": ({"countries": ["DE", "FR"]}, {"countries": ["FR", "DE"]}),
    "spacing": ({"name": "Allianz  SE "}, {"name": "Allianz SE"}),
    "Unicode form": ({"name": "Z\u00fcrich"}, {"name": "Zu\u0308rich"}),
    "1 and 1.0": ({"share": 1}, {"share": 1.0}),
    "null and absent": ({"note": None, "list": []}, {}),
    "null and an empty text": ({"note": None}, {"note": ""}),
    "when it was looked up": ({"as_of": "2026-01-01"}, {"as_of": "2026-06-01"}),
    "the same within an item": (
        {"funds": [{**FUND, "as_of": "a"}]},
        {"funds": [{**FUND, "as_of": "b"}]},
    ),
}
CHANGED = {
    "a value": ({"a": 1}, {"a": 2}, [Difference("/a", "changed", 1, 2)]),
    "true is not 1": ({"a": True}, {"a": 1}, [Difference("/a", "changed", True, 1)]),
    "the text of a number": ({"a": "1"}, {"a": 1}, [Difference("/a", "changed", "1", 1)]),
    "case": ({"a": "SE"}, {"a": "se"}, [Difference("/a", "changed", "SE", "se")]),
    "null for a value": ({"a": 1}, {"a": None}, [Difference("/a", "changed", 1, None)]),
    "a key more": ({}, {"a": 1}, [Difference("/a", "added", new=1)]),
    "a key less": ({"a": 1}, {}, [Difference("/a", "removed", old=1)]),
    "a key with signs": ({}, {"a/b": 1}, [Difference("/a~1b", "added", new=1)]),
    "an object for a text": ({"a": "x"}, {"a": {"b": 1}}, [Difference("/a", "changed", "x", {"b": 1})]),
    "within an item that moved": (
        {"funds": [FUND, OTHER]},
        {"funds": [OTHER, {**FUND, "aum": 11}]},
        [Difference("/funds/1/aum", "changed", 10, 11)],
    ),
    "another item": (
        {"funds": [FUND]},
        {"funds": [OTHER]},
        [Difference("/funds/0", "added", new=OTHER), Difference("/funds/0", "removed", old=FUND)],
    ),
    "the first item": ({"funds": []}, {"funds": [FUND]}, [Difference("/funds/0", "added", new=FUND)]),
    "the last item": ({"funds": [FUND]}, {"funds": []}, [Difference("/funds/0", "removed", old=FUND)]),
    "one more of the same": (
        {"steps": ["x", "x"]},
        {"steps": ["x", "x", "x"]},
        [Difference("/steps/2", "added", new="x")],
    ),
}


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=SAME.keys())
def test_it_sees_no_difference(old, new):
    assert differences(old, new) == []
    assert differences(new, old) == []


@pytest.mark.parametrize(("old", "new", "found"), CHANGED.values(), ids=CHANGED.keys())
def test_it_names_what_changed(old, new, found):
    assert differences(old, new) == found


def test_it_knows_items_by_their_name_when_two_share_an_lei():
    old = [{"lei": "X", "name": "A", "n": 1}, {"lei": "X", "name": "B", "n": 1}]
    new = [{"lei": "X", "name": "B", "n": 1}, {"lei": "X", "name": "A", "n": 2}]
    assert differences(old, new) == [Difference("/1/n", "changed", 1, 2)]


def test_it_lists_only_so_many():
    assert len(differences({}, {str(n): n for n in range(2 * MAX_DIFFERENCES)})) == MAX_DIFFERENCES


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["lei", "name", "id", "a", "as_of", "ä/~"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(JSON)
def test_it_sees_nothing_between_a_document_and_its_copy(document):
    assert differences(document, copy.deepcopy(document)) == []


@given(JSON, JSON)
def test_it_sees_a_change_from_both_sides(old, new):
    assert bool(differences(old, new)) == bool(differences(new, old))
