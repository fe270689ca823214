import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from research.errors import InvalidEdit
from research.review.forms import blanks_from_form, edits_from_text, places_after, read_form
from research.review.patch import apply_patch, same
from research.review.pointer import resolve
from research.review.rows import leaf_rows
from tests.cases import cases
from tests.review.browser import posted
from tests.review.strategies import DOCUMENTS, ROOT_SCHEMAS


def edits_from_form(rows, post):
    """The edits of a form without a fault."""
    form = read_form(rows, post)
    if form.errors:
        raise InvalidEdit(form.errors)
    return form.edits


ALL_TYPES = {
    "s": {"type": "string"},
    "n": {"type": "number"},
    "i": {"type": "integer"},
    "b": {"type": "boolean"},
    "l": {"type": "array"},
    "o": {"type": "object", "properties": {"q": {"type": "string"}}},
    "e": {"enum": ["a", 1]},
}


def edit(data, schema, blanks=None, extra=None, **typed):
    rows = leaf_rows(data, schema, blanks)
    return edits_from_form(rows, {**posted(rows, **typed), **(extra or {})})


def edit_one(value, schema, text, required=True):
    document = {} if value is Ellipsis else {"x": value}
    return edit(
        document, {"properties": {"x": schema}, "required": ["x"] if required else []}, **{"/x": text}
    )


@cases(
    ("value", "schema"),
    [
        ("x\ny", {"type": "string"}),
        ("x\r\ny", {"type": "string"}),
        ("x\ry\nz\r\n", {"type": "string"}),
        ("\nbegins with a line end", {"type": "string"}),
        ("  blanks  ", {"type": "string"}),
        ("\u2028\u00a0🙂\ufeff", {"type": "string"}),
        ("c", {"enum": ["a", "b"]}),
        (2, {"enum": [1, 2]}),
        ("1", {"enum": [1, 2]}),
        (None, {"enum": ["a", None]}),
        (True, {"type": "boolean"}),
        ("yes", {"type": "boolean"}),
        (1.0, {"type": "number"}),
        (1.0, {"type": "integer"}),
        ("5", {"type": "integer"}),
        (9007199254740993, {"type": "integer"}),
        (None, {"type": ["string", "null"]}),
        (None, {"type": ["number", "null"]}),
        (None, {"type": ["boolean", "null"]}),
        ("free", {"const": "fixed"}),
        (None, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({'a.b/c~d"e': 1, "": 2}, {"type": "object"}),
        ({"q": 1.5}, {"additionalProperties": {"type": "number"}}),
        ({}, {"properties": ALL_TYPES}),
        ([], {"type": "array", "items": {"type": "string"}}),
        ([{"a": [1, [2]]}], {"type": "array"}),
        ("", {"type": "string"}),
        ({"extra": True, "more": None}, {}),
    ],
)
def test_it_finds_no_edit_in_a_form_that_nobody_touched(value, schema):
    assert edit({"x": value}, {"properties": {"x": schema}}) == []
    assert edit({"x": value}, {"properties": {"x": schema}, "required": ["x"]}) == []


@settings(deadline=None)
@given(DOCUMENTS, ROOT_SCHEMAS)
def test_it_finds_no_edit_in_any_form_that_nobody_touched(document, schema):
    rows = leaf_rows(
        document, schema, {row.pointer: 1 for row in leaf_rows(document, schema) if row.growable}
    )

    assert edits_from_form(rows, posted(rows)) == []


@cases(
    ("value", "schema", "text", "new"),
    [
        ("a", {"type": "string"}, "b", "b"),
        ("a", {"type": "string"}, "12", "12"),
        ("a", {"type": "string"}, "null", "null"),
        (Ellipsis, {"type": "string"}, " b ", " b "),
        (1, {"type": "integer"}, " 9007199254740993 ", 9007199254740993),
        (1, {"type": "number"}, "1.0", 1.0),
        (1.5, {"type": "number"}, "-2e3", -2000.0),
        (1.5, {}, "2", 2),
        ("1.5", {}, "2", "2"),
        (None, {"type": ["number", "null"]}, "2.50", 2.5),
        (None, {}, "text", "text"),
        (5, {"type": ["number", "string"]}, "7", 7),
        (5, {"type": ["number", "string"]}, "seven", "seven"),
        ("5", {"type": ["number", "string"]}, "7", "7"),
        (Ellipsis, {"type": ["number", "boolean"]}, "true", True),
        (True, {"type": "boolean"}, "false", False),
        (True, {"type": ["boolean", "null"]}, "null", None),
        ("a", {"enum": ["a", 1, True, None, "null"]}, "1", 1),
        ("a", {"enum": ["a", 1, True, None, "null"]}, "true", True),
        ("a", {"enum": ["a", 1, True, None, "null"]}, '"null"', "null"),
        ("a", {"enum": ["a", 1, True, None, "null"]}, "null", None),
        ("wrong", {"enum": ["a", ""]}, '""', ""),
        ("a\nb", {"type": "string"}, "a\nc", "a\nc"),
        ("a\r\nb", {"type": "string"}, "a\nc\nd", "a\r\nc\r\nd"),
        ("a", {"type": "string"}, "", ""),
        ("a", {"type": ["string", "null"]}, "", None),
        (1, {"type": ["integer", "null"]}, "", None),
        ("5", {"type": "integer"}, "6", 6),
    ],
)
def test_it_reads_a_changed_text_as_the_type_the_schema_wants(value, schema, text, new):
    assert edit_one(value, schema, text) == [
        {"op": "add" if value is Ellipsis else "replace", "path": "/x", "value": new}
    ]
    assert type(edit_one(value, schema, text)[0]["value"]) is type(new)


@pytest.mark.parametrize(
    ("value", "schema"),
    [("a", {"type": "string"}), (1, {"type": "number"}), (True, {"type": "boolean"}), ("a", {"enum": ["a"]})],
)
def test_it_takes_an_emptied_optional_key_out(value, schema):
    assert edit_one(value, schema, "", required=False) == [{"op": "remove", "path": "/x"}]


@cases(
    ("value", "schema", "text", "words"),
    [
        (1, {"type": "number"}, "", "required"),
        (1, {"type": "number"}, "1,5", "must be a number"),
        (1, {"type": "number"}, "NaN", "must be a number"),
        (1, {"type": "number"}, "true", "must be a number"),
        (1, {"type": "number"}, "1e999", "must be a number"),
        (1, {"type": "integer"}, "1.5", "whole number"),
        (1, {"type": "integer"}, "9" * 40, "whole number"),
        (1, {"type": "integer"}, "[1]", "whole number"),
        (1, {"type": "integer"}, "[" * 100_000, "whole number"),
        (True, {"type": "boolean"}, "maybe", "not one of the choices"),
        ("a", {"enum": ["a", "b"]}, "b", "not one of the choices"),
        ("a", {"type": "string"}, "a\0b", "cannot be kept"),
        ("a", {"type": "string"}, "a\ud800b", "cannot be kept"),
    ],
)
def test_it_says_at_the_field_why_a_text_cannot_be_its_value(value, schema, text, words):
    with pytest.raises(InvalidEdit) as refusal:
        edit_one(value, schema, text)

    assert list(refusal.value.errors) == ["/x"]
    assert words in refusal.value.errors["/x"]


def test_it_keeps_the_good_fields_beside_the_bad_ones():
    rows = leaf_rows({"a": 1, "b": 2}, {})

    form = read_form(rows, posted(rows, **{"/a": "x", "/b": "3"}))

    assert form.edits == [{"op": "replace", "path": "/b", "value": 3}]
    assert list(form.errors) == ["/a"]


def test_it_reads_no_field_that_the_server_does_not_show():
    assert (
        edit(
            {"a": 1},
            {},
            extra={"leaf:/b": "2", "leaf:": "x", "remove:/a": "on", "add:/a": "3", "leaf:/a/0": "x"},
        )
        == []
    )


def test_it_leaves_out_fields_that_the_form_did_not_post():
    assert edits_from_form(leaf_rows({"a": 1, "list": [True]}, {}), {}) == []


def test_it_compares_with_the_text_that_the_page_showed():
    rows = leaf_rows({"a": "as stored"}, {})

    assert (
        edits_from_form(rows, {"leaf:/a": "as the browser shows it", "shown:/a": "as the browser shows it"})
        == []
    )


LISTS = {
    "properties": {
        "l": {"type": "array", "items": {"type": "string"}},
        "p": {
            "type": "array",
            "items": {
                "required": ["name"],
                "properties": {
                    "name": {"type": "string"},
                    "n": {"type": "number"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
    }
}


def test_it_removes_items_from_the_highest_index_down():
    removals = {"remove:/l/0": "on", "remove:/l/2": "on", "remove:/p/0": "on"}
    data = {"l": ["a", "b", "c"], "p": [{"name": "x"}]}

    edits = edit(data, LISTS, extra=removals, **{"/l/1": "B", "/l/2": "gone anyway"})

    assert [(op["op"], op["path"]) for op in edits] == [
        ("replace", "/l/1"),
        ("remove", "/p/0"),
        ("remove", "/l/2"),
        ("remove", "/l/0"),
    ]
    assert apply_patch(data, edits) == {"l": ["B"], "p": []}


def test_it_ignores_what_happens_inside_a_removed_item():
    data = {"p": [{"name": "x", "tags": ["t"]}, {"name": "y"}]}

    edits = edit(
        data,
        LISTS,
        {"/p/0/tags": 1},
        {"remove:/p/0": "on", "remove:/p/0/tags/0": "on"},
        **{"/p/0/name": "z", "/p/0/tags/1": "new"},
    )

    assert edits == [{"op": "remove", "path": "/p/0"}]


def test_it_adds_the_blank_items_that_were_filled_in():
    data = {"l": ["a"], "p": [{"name": "x", "tags": ["t"]}]}
    blanks = {"/l": 3, "/p": 2, "/p/0/tags": 1}

    edits = edit(
        data,
        LISTS,
        blanks,
        {"remove:/l/0": "on"},
        **{"/l/2": "b", "/l/3": "c", "/p/2/name": "new", "/p/2/n": "1.50", "/p/0/tags/1": "u"},
    )

    assert apply_patch(data, edits) == {
        "l": ["b", "c"],
        "p": [{"name": "x", "tags": ["t", "u"]}, {"name": "new", "n": 1.5}],
    }


def test_it_begins_a_list_that_was_absent():
    assert edit({}, LISTS, {"/l": 2}, **{"/l/0": "a", "/l/1": "b"}) == [
        {"op": "add", "path": "/l", "value": ["a", "b"]}
    ]


def test_it_names_the_blank_field_at_fault():
    with pytest.raises(InvalidEdit) as refusal:
        edit({"p": []}, LISTS, {"/p": 1}, **{"/p/0/n": "x"})

    assert list(refusal.value.errors) == ["/p/0/n"]


@cases(
    ("text", "count"),
    [
        ("1", {"/l": 1}),
        ("0", {}),
        ("", {}),
        ("-1", {}),
        ("x", {}),
        ("999", {"/l": 20}),
        ("9" * 5000, {}),
        ("²", {}),
    ],
)
def test_it_bounds_the_blank_items_that_a_form_asks_for(text, count):
    rows = leaf_rows({"l": []}, LISTS)

    assert blanks_from_form(rows, {"add:/l": text, "add:/nowhere": "5"}) == count


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        ('{"a": 1}', []),
        ('{"a": 1.0}', [{"op": "replace", "path": "/a", "value": 1.0}]),
        ('{"a": 1, "b": [9007199254740993]}', [{"op": "add", "path": "/b", "value": [9007199254740993]}]),
    ],
)
def test_it_turns_raw_json_into_edits(text, edits):
    assert same(edits_from_text(text, {"a": 1}), edits)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{\n  "a": }', "line 2, column 8"),
        ("", "line 1, column 1"),
        ('{"a": NaN}', "NaN"),
        ("[" * 100_000, "nested deeper"),
    ],
)
def test_it_says_where_raw_json_cannot_be_read(text, place):
    with pytest.raises(InvalidEdit) as refusal:
        edits_from_text(text, {})

    assert place in refusal.value.errors[""]


def test_it_knows_where_each_row_stands_after_the_edits():
    rows = leaf_rows(
        {"l": ["a", "b", "c"], "p": [{"name": "x"}, {"name": "y", "tags": ["t"]}]}, LISTS, {"/l": 2, "/p": 1}
    )

    places = places_after(rows, {**posted(rows, **{"/l/4": "e"}), "remove:/l/1": "on", "remove:/p/0": "on"})

    assert {old: new for old, new in places.items() if old.startswith("/l")} == {
        "/l": "/l",
        "/l/0": "/l/0",
        "/l/2": "/l/1",
        "/l/4": "/l/2",
    }
    assert places["/p/1/tags/0"] == "/p/0/tags/0"
    assert not {"/l/1", "/l/3", "/p/0", "/p/0/name", "/p/2", "/p/2/name"} & places.keys()


@settings(deadline=None)
@given(DOCUMENTS, ROOT_SCHEMAS, st.integers(1, 3))
def test_it_moves_values_exactly_as_the_edits_do(document, schema, every):
    rows = leaf_rows(document, schema)
    removals = {
        f"remove:{row.pointer}": "on" for n, row in enumerate(rows) if row.removable and n % every == 0
    }
    form = {**posted(rows), **removals}

    after = apply_patch(document, edits_from_form(rows, form))
    places = places_after(rows, form)

    for row in rows:
        if row.kind == "leaf" and row.state != "absent" and row.pointer in places:
            found, value = resolve(after, places[row.pointer])
            assert found
            assert same(value, row.value)
