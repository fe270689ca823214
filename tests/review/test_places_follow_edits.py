from hypothesis import given
from hypothesis import strategies as st

from research.review.follow import follow
from research.review.patch import apply_patch
from research.review.pointer import resolve
from tests.cases import cases

DOCUMENT = {"name": "a", "funds": [{"n": 0}, {"n": 1}, {"n": 2}], "more": {"1": "x", "a/b": "y"}}


@cases(
    ("edits", "place", "now"),
    [
        ([], "/funds/1/n", "/funds/1/n"),
        ([{"op": "replace", "path": "/name", "value": "b"}], "/name", "/name"),
        ([{"op": "replace", "path": "/funds/1", "value": {"n": 9}}], "/funds/1/n", "/funds/1/n"),
        ([{"op": "remove", "path": "/funds/0"}], "/funds/1/n", "/funds/0/n"),
        ([{"op": "remove", "path": "/funds/2"}], "/funds/1/n", "/funds/1/n"),
        ([{"op": "remove", "path": "/funds/1"}], "/funds/1/n", None),
        ([{"op": "remove", "path": "/funds"}], "/funds/1/n", None),
        ([{"op": "remove", "path": "/funds/0"}] * 2, "/funds/2/n", "/funds/0/n"),
        ([{"op": "add", "path": "/funds/1", "value": {}}], "/funds/1/n", "/funds/2/n"),
        ([{"op": "add", "path": "/funds/-", "value": {}}], "/funds/1/n", "/funds/1/n"),
        ([{"op": "remove", "path": "/more/1"}], "/more/a~1b", "/more/a~1b"),
        ([{"op": "move", "from": "/funds/0", "path": "/funds/2"}], "/funds/0/n", "/funds/2/n"),
        ([{"op": "move", "from": "/funds/0", "path": "/funds/2"}], "/funds/2/n", "/funds/1/n"),
        ([{"op": "move", "from": "/funds/0", "path": "/first"}], "/funds/1/n", "/funds/0/n"),
        ([{"op": "copy", "from": "/name", "path": "/funds/0"}], "/funds/0/n", "/funds/1/n"),
        ([{"op": "remove", "path": "/funds/0"}], "", ""),
        ([{"op": "remove", "path": "/funds/0"}], "/funds", "/funds"),
    ],
)
def test_it_knows_where_a_place_is_afterwards(edits, place, now):
    assert follow([place], DOCUMENT, edits) == {place: now}


@given(
    st.lists(
        st.tuples(st.sampled_from(["add", "remove", "move"]), st.integers(0, 9), st.integers(0, 9)),
        max_size=8,
    )
)
def test_a_place_leads_to_the_same_value_as_before(steps):
    document = {"items": [f"value {n}" for n in range(6)]}
    edits, count = [], 6
    for op, one, other in steps:
        if op == "add":
            edits.append({"op": "add", "path": f"/items/{one % (count + 1)}", "value": "new"})
            count += 1
        elif count > 1:
            path = {"op": op, "path": f"/items/{one % count}"}
            edits.append(path if op == "remove" else {**path, "from": f"/items/{other % count}"})
            count -= op == "remove"
    edited = apply_patch(document, edits)
    places = follow([f"/items/{n}" for n in range(6)], document, edits)
    for place, now in places.items():
        value = resolve(document, place)[1]
        if now is None:
            assert value not in edited["items"]
        else:
            assert resolve(edited, now) == (True, value)
