"""From YAML to a definition: defaults, types, and every fault with its line."""

import pytest

from research.errors import InvalidMacro
from research.macros.loader import load_macro, macro_files
from tests.cases import cases

MINIMAL = """\
macro:
  name: tiny
  description: Small.
  prompt: Look.
  output:
    schema_name: tiny-result
    schema: {type: object}
"""


def faults(text):
    with pytest.raises(InvalidMacro) as caught:
        load_macro(text, file="m.yaml")
    return [(fault.line, fault.message) for fault in caught.value.faults]


def test_it_reads_every_key(sound):
    macro = load_macro(sound)
    assert (macro.name, macro.version, macro.review, macro.schema_name) == (
        "house-check",
        "2.1",
        "optional",
        "house",
    )
    assert macro.tags == ("houses",)
    assert macro.tools == ("lei_search",)
    assert [parameter.name for parameter in macro.parameters] == ["street", "floors", "kind", "rooms"]
    assert macro.parameters[0].required
    assert macro.parameters[2].enum == ("brick", "wood")
    assert macro.prompt.startswith("Look at {{street}}")
    assert "tenants" in macro.schema["properties"]
    assert macro.text == sound


def test_it_fills_in_the_defaults_of_the_format():
    macro = load_macro(MINIMAL)
    assert macro.version == "1.0"
    assert macro.review == "required"
    assert (macro.parameters, macro.tools, macro.tags, macro.suggested_verbs) == ((), (), (), "")


def test_it_keeps_a_default_of_null_apart_from_no_default():
    text = MINIMAL + "  parameters: [{name: a, type: string, default: null}, {name: b, type: string}]\n"
    assert [parameter.has_default for parameter in load_macro(text).parameters] == [True, False]


@pytest.mark.parametrize(("written", "version"), [("1.10", "1.10"), ("2", "2"), ('"3.0-beta"', "3.0-beta")])
def test_it_takes_a_version_as_it_was_written(written, version):
    assert load_macro(MINIMAL + f"  version: {written}\n").version == version


def test_it_takes_enum_members_that_other_readers_call_false():
    text = MINIMAL + "  parameters: [{name: country, type: string, enum: [NO, DE]}]\n"
    assert load_macro(text).parameters[0].enum == ("NO", "DE")


@cases(
    ("old", "new", "line", "reason"),
    [
        ("macro:", "makro:", 1, "unknown key 'makro'"),
        ("macro:\n", "other: 1\nmacro:\n", 1, "unknown key 'other'"),
        ("name: house-check", "name: House Check", 2, "kebab-case"),
        ("  name: house-check\n", "", 1, "name is required"),
        ("name: house-check", f"name: {'x' * 101}", 2, "longer than 100"),
        ("description: Looks at a house.", "description: [a]", 4, "description must be text"),
        ("description: Looks at a house.", "description: ''", 4, "must not be empty"),
        ("tags: [houses]", "tags: [1]", 5, "list of text"),
        ("tags: [houses]", "tags: houses", 5, "must be a list"),
        ("tools: [lei_search]", "tools: [{a: 1}]", 21, "list of text"),
        ("  tags:", "  tag:", 5, "did you mean tags"),
        (
            "type: string\n      required: true",
            "type: text\n      required: true",
            8,
            "must be one of string, integer",
        ),
        ("required: true", "required: yes", 9, "must be true or false"),
        ("name: floors", "name: street", 12, "declared twice"),
        ("name: floors", "name: 2 floors", 12, "not an identifier"),
        ("default: 2", "default: two", 14, "must be a whole number"),
        ("default: 2", "default: 2.0", 14, "must be a whole number"),
        ("default: 2", "default: true", 14, "must be a whole number"),
        ("default: brick", "default: straw", 18, "must be one of brick, wood"),
        ("enum: [brick, wood]", "enum: [brick, 1]", 17, "enum of kind"),
        ("example: Main Street", "example: 12", 11, "example of street"),
        ("default: 2", "defualt: 2", 14, "did you mean default"),
        ("review: optional", "review: later", 27, "must be one of required, optional, none"),
        ("schema_name: house", "schema_name: 12", 26, "must be text"),
        ("  prompt: |", "  promt: |", 22, "did you mean prompt"),
        ("tags: [houses]", "tags: [houses]\n  tags: [again]", 6, "occurs twice"),
    ],
)
def test_it_names_the_line_and_the_reason(sound, old, new, line, reason):
    assert old in sound
    found = faults(sound.replace(old, new, 1))
    assert any(at == line and reason in message for at, message in found), found


@cases(
    ("text", "reason"),
    [
        ("", "the file is missing"),
        ("just text", "must be a mapping"),
        ("- a\n- b", "must be a mapping"),
        ("macro:", "macro is missing"),
        ("macro: [1]", "macro must be a mapping"),
        ("macro:\n  name: a\n  description: b\n  prompt: c\n", "output is missing"),
        ("macro: {", "not YAML"),
    ],
)
def test_it_refuses_what_is_no_macro(text, reason):
    assert any(reason in message for _, message in faults(text)), faults(text)


def test_it_reports_all_faults_at_once(sound):
    bad = sound.replace("review: optional", "review: later").replace("default: 2", "default: two")
    assert len(faults(bad)) == 2


def test_a_fault_prints_file_and_line():
    with pytest.raises(InvalidMacro, match=r"^m\.yaml:2: error: .*kebab-case"):
        load_macro(MINIMAL.replace("name: tiny", "name: Tiny"), file="m.yaml")


def test_it_finds_files_below_folders_in_order_of_name(tmp_path):
    (tmp_path / "deep").mkdir()
    for name in ("b.yml", "a.yaml", "deep/c.yaml", "notes.txt"):
        (tmp_path / name).write_text("macro:")
    single = tmp_path / "notes.txt"
    assert [path.name for path in macro_files([tmp_path, single])] == [
        "a.yaml",
        "b.yml",
        "c.yaml",
        "notes.txt",
    ]


def test_it_reads_which_workflow_answers_the_question():
    assert load_macro(MINIMAL).workflow == "direct"
    assert load_macro(MINIMAL + "  workflow: deep\n").workflow == "deep"
    assert load_macro(MINIMAL + "  workflow: entity\n").workflow == "entity"
    assert load_macro(MINIMAL + "  workflow: legal\n").workflow == "legal"
    assert faults(MINIMAL + "  workflow: shallow\n") == [
        (8, "workflow must be one of direct, deep, entity, legal, table, not 'shallow'")
    ]
