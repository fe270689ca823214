import pytest
from hypothesis import given, settings

from research.review.rows import MAX_LEVELS, MAX_ROWS, Choice, human_label, item_title, leaf_rows, sections
from tests.cases import cases
from tests.review.strategies import DOCUMENTS, ROOT_SCHEMAS

SCHEMA = {
    "type": "object",
    "required": ["apex", "funds"],
    "properties": {
        "apex": {
            "type": "object",
            "title": "Head of the group",
            "required": ["name"],
            "properties": {
                "name": {"type": "string"},
                "lei": {"$ref": "#/$defs/lei"},
                "confidence": {"enum": ["high", "low"]},
            },
        },
        "funds": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": {"type": "string"}, "aum": {"type": "number"}},
            },
        },
        "notes": {"type": "array", "items": {"type": "string"}},
        "search_quality": {"type": "string"},
    },
    "$defs": {"lei": {"type": "string", "title": "LEI"}},
}
DATA = {
    "search_quality": "HIGH",
    "funds": [{"name": "Alpha", "aum": 1.0}, {"name": ""}],
    "apex": {"zeta": 1, "alpha": "extra", "name": "Apex SE"},
}


def rows_by_pointer(data, schema, **options):
    return {row.pointer: row for row in leaf_rows(data, schema, **options)}


def one(value, schema, required=True):
    document = {} if value is Ellipsis else {"x": value}
    return leaf_rows(document, {"properties": {"x": schema}, "required": ["x"] if required else []})[0]


def test_it_follows_the_schema_and_then_the_extra_keys_in_order():
    assert [row.pointer for row in leaf_rows(DATA, SCHEMA)] == [
        "/apex",
        "/apex/name",
        "/apex/lei",
        "/apex/confidence",
        "/apex/alpha",
        "/apex/zeta",
        "/funds",
        "/funds/0",
        "/funds/0/name",
        "/funds/0/aum",
        "/funds/1",
        "/funds/1/name",
        "/funds/1/aum",
        "/notes",
        "/search_quality",
    ]


def test_it_labels_rows_as_a_person_would():
    rows = rows_by_pointer(DATA, SCHEMA)

    assert rows["/apex"].label == "Head of the group"
    assert rows["/apex/lei"].label == "LEI"
    assert rows["/funds/0"].label == "1. Alpha"
    assert rows["/funds/1"].label == "2"
    assert rows["/search_quality"].label == "Search quality"


@cases(
    ("key", "label"),
    [
        ("apex_entity", "Apex entity"),
        ("owner_lei", "Owner LEI"),
        ("aum_usd", "AUM USD"),
        ("toolsUsed", "Tools used"),
        ("maxSourcesPerQuery", "Max sources per query"),
        ("sourceURL", "SourceURL"),
        ("", '""'),
        ("_", '"_"'),
        ("über", "Über"),
    ],
)
def test_it_makes_a_label_of_a_key(key, label):
    assert human_label(key) == label


@cases(
    ("item", "title"),
    [
        ({"name": "Alpha\n Fund", "lei": "X"}, "Alpha Fund"),
        ({"percentage": 5, "owner_name": "Owner"}, "Owner"),
        ({"name": " ", "trust_type": "unit"}, "unit"),
        ({"whatever": "first text"}, "first text"),
        ({"zz": "last", "at": "2026-11-21T18:29:24+00:00", "b": "first by key"}, "first by key"),
        ({"at": "2026-11-21", "status": "failed"}, "failed"),
        ({"at": "2026-11-21", "status": "researched", "identifier": "Nobody AG"}, "Nobody AG"),
        ({"name": "x" * 200}, "x" * 79 + "…"),
        ({"a": 1}, ""),
        ("text", ""),
    ],
)
def test_it_titles_items_by_their_name(item, title):
    assert item_title(item) == title


@cases(
    ("value", "schema", "state", "shown"),
    [
        ("text", {"type": "string"}, "value", "text"),
        ("", {"type": "string"}, "empty", ""),
        (None, {"type": ["string", "null"]}, "null", ""),
        (Ellipsis, {"type": "string"}, "absent", ""),
        (0, {"type": "integer"}, "value", "0"),
        (1.0, {"type": "number"}, "value", "1.0"),
        (9007199254740993, {"type": "integer"}, "value", "9007199254740993"),
        (True, {"type": "boolean"}, "value", "true"),
    ],
)
def test_it_tells_absent_null_and_empty_apart(value, schema, state, shown):
    row = one(value, schema)

    assert (row.state, row.shown) == (state, shown)


@cases(
    ("value", "schema", "widget"),
    [
        ("short", {"type": "string"}, "line"),
        ("x" * 81, {"type": "string"}, "area"),
        ("two\nlines", {"type": "string"}, "area"),
        ("two\rlines", {}, "area"),
        ("a", {"enum": ["a", "b"]}, "choice"),
        ("a", {"const": "a"}, "choice"),
        (True, {"type": ["boolean", "null"]}, "choice"),
        (True, {}, "choice"),
        (True, {"type": ["boolean", "string"]}, "line"),
        (5, {"type": "object"}, "fixed"),
        (None, {"type": "null"}, "fixed"),
        (None, {"type": "object"}, "fixed"),
    ],
)
def test_it_chooses_the_widget_by_what_would_be_lost_in_another(value, schema, widget):
    assert one(value, schema).widget == widget


def test_it_offers_three_states_for_an_optional_boolean():
    texts = [choice.text for choice in one(Ellipsis, {"type": ["boolean", "null"]}, required=False).choices]

    assert texts == ["", "true", "false", "null"]


@cases("value", ["c", 2, True, None, 1.5, "1"])
def test_it_keeps_a_value_outside_the_enum_as_an_option(value):
    row = one(value, {"enum": ["a", 1, False]})

    assert row.shown in [choice.text for choice in row.choices if not choice.allowed]


def test_it_offers_the_json_text_of_each_choice():
    row = one(1, {"enum": ["1", 1, None, 1.5]})

    assert [choice.text for choice in row.choices] == ['"1"', "1", "null", "1.5"]
    assert row.shown == "1"


def test_it_calls_a_float_that_equals_an_allowed_integer_allowed():
    assert one(1.0, {"enum": [1]}).choices[-1] == Choice("1.0", "1.0", allowed=True)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/x", "description": "about"},
        {"allOf": [{"$ref": "#/$defs/x"}, {"description": "about"}]},
        {"allOf": [{"type": ["integer", "null"]}, {"type": ["integer", "string"], "description": "about"}]},
        {"$ref": "#/$defs/y"},
    ],
)
def test_it_reads_what_holds_together(schema):
    definitions = {"x": {"type": "integer"}, "y": {"$ref": "#/$defs/x", "description": "about"}}

    row = leaf_rows({"v": 1}, {"properties": {"v": schema}, "$defs": definitions})[0]

    assert (row.kinds, row.description) == ({"integer"}, "about")


@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_it_adds_up_the_kinds_of_branches(word):
    assert one(None, {word: [{"type": "string"}, {"type": "null"}]}).kinds == {"string", "null"}
    assert one("a", {word: [{"const": "a"}, {"enum": ["b"]}, {"type": "null"}]}).choices == (
        Choice('"a"', "a"),
        Choice('"b"', "b"),
        Choice("null", "null"),
    )
    assert one("a", {word: [{"const": "a"}, {"type": "string"}]}).choices == ()


def test_it_resolves_references_with_escaped_names():
    schema = {"properties": {"v": {"$ref": "#/$defs/a~1b~0c"}}, "$defs": {"a/b~c": {"enum": [1, 2]}}}

    assert leaf_rows({"v": 1}, schema)[0].widget == "choice"


@cases(
    "schema",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/loop", "$defs": {"loop": {"$ref": "#/$defs/loop"}}},
        {"allOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]},
        {"anyOf": [{"$ref": "#"}] * 10},
        {"$ref": "#anchor"},
        {"$ref": "https://example.org/schema.json"},
        {"$ref": "#/~9"},
        {"type": 7, "properties": [], "required": "x", "enum": {}, "items": 1, "allOf": 1, "anyOf": "x"},
        True,
        None,
    ],
)
def test_it_survives_schemas_that_lead_nowhere(schema):
    assert [row.pointer for row in leaf_rows({"a": [{"b": 1}]}, schema)] == ["/a", "/a/0", "/a/0/b"]


def test_it_follows_a_recursive_schema_as_far_as_the_document_goes():
    tree = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
    }

    pointers = [row.pointer for row in leaf_rows({"name": "a", "children": [{"name": "b"}]}, tree)]

    assert pointers == ["/name", "/children", "/children/0", "/children/0/name", "/children/0/children"]


def test_it_shows_an_absent_list_so_that_it_can_be_begun_but_no_absent_object():
    schema = {
        "properties": {"list": {"type": "array", "items": {"type": "string"}}, "object": {"type": "object"}}
    }

    rows = leaf_rows({}, schema)

    assert [(row.pointer, row.kind, row.state, row.growable) for row in rows] == [
        ("/list", "list", "absent", True)
    ]


def test_it_offers_blank_items_where_it_is_asked():
    rows = rows_by_pointer(DATA, SCHEMA, blanks={"/funds": 1, "/notes": 2, "/nowhere": 3})

    blank = [pointer for pointer, row in rows.items() if row.blank]

    assert blank == ["/funds/2", "/funds/2/name", "/funds/2/aum", "/notes/0", "/notes/1"]


def test_it_lets_only_items_of_lists_be_removed():
    removable = [row.pointer for row in leaf_rows({**DATA, "notes": ["a"]}, SCHEMA) if row.removable]

    assert removable == ["/funds/0", "/funds/1", "/notes/0"]


def test_it_reads_the_items_of_a_tuple_each_by_its_own_schema():
    schema = {
        "properties": {
            "pair": {"type": "array", "prefixItems": [{"enum": ["a"]}], "items": {"type": "integer"}}
        }
    }

    _, first, second = leaf_rows({"pair": ["a", 2]}, schema)

    assert (first.widget, second.kinds) == ("choice", {"integer"})


def test_it_stops_at_a_depth_and_says_so():
    document: dict = {"leaf": 1}
    for _ in range(30):
        document = {"deeper": document}

    *_, last = leaf_rows(document, {})

    assert (last.depth, last.widget) == (MAX_LEVELS, "fixed")
    assert "raw JSON" in last.description


def test_it_stops_at_a_number_of_rows_and_says_how_many_are_left():
    *rows, last = leaf_rows({"list": [1] * (MAX_ROWS + 99)}, {})

    assert len(rows) == MAX_ROWS
    assert (last.kind, last.label) == ("more", "100 more values are not shown here; edit them as raw JSON.")


def test_it_puts_top_level_values_together_and_counts_what_is_in_a_section():
    found = [(s.pointer, s.label, s.leaves, s.items) for s in sections(leaf_rows(DATA, SCHEMA))]

    assert found == [
        ("/apex", "Head of the group", 3, None),
        ("/funds", "Funds", 3, 2),
        ("/notes", "Notes", 0, 0),
        ("", "Other fields", 1, None),
    ]


@settings(deadline=None)
@given(DOCUMENTS, ROOT_SCHEMAS)
def test_it_shows_every_value_of_any_document_exactly_once(document, schema):
    rows = leaf_rows(document, schema)
    pointers = [row.pointer for row in rows]

    assert len(pointers) == len(set(pointers))
    assert sum(section.leaves for section in sections(rows)) == sum(
        row.kind == "leaf" and row.state != "absent" for row in rows
    )


def test_what_is_read_only_is_shown_without_a_field_and_not_offered_where_it_is_absent():
    schema = {
        "properties": {
            "at": {"type": "string", "readOnly": True},
            "by": {"enum": ["rules", "model"], "readOnly": True},
            "until": {"type": "string", "readOnly": True},
            "audit": {
                "type": "object",
                "readOnly": True,
                "properties": {
                    "used": {"type": "array", "items": {"type": "string"}},
                    "failed": {"type": "array", "items": {"type": "string"}},
                    "note": {"type": "string"},
                },
            },
            "summary": {"type": "string"},
        }
    }
    rows = rows_by_pointer({"at": "today", "by": "rules", "audit": {"used": ["lei_search"]}}, schema)
    assert list(rows) == ["/at", "/by", "/audit", "/audit/used", "/audit/used/0", "/summary"]
    fixed = [rows[pointer] for pointer in ("/at", "/by", "/audit/used/0")]
    assert {(row.widget, row.removable, row.choices) for row in fixed} == {("fixed", False, ())}
    assert [row.shown for row in fixed] == ["today", "rules", "lei_search"]
    assert not rows["/audit/used"].growable
    assert rows["/summary"].widget == "line"
