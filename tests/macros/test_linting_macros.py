"""Every fault that can be known before a run, with file, line and reason."""

import pytest

from research.macros.lint import default_lint, lint_paths, lint_text
from tests.cases import cases


def test_a_sound_macro_has_no_fault(lint):
    assert lint() == []


@cases(
    ("old", "new", "line", "reason"),
    [
        ("name: house-check", "name: House", 2, "kebab-case"),
        ("tools: [lei_search]", "tools: [lei_search, telepathy]", 21, "unknown tool 'telepathy'"),
        (
            "Look at {{street}}.",
            "Look at {{stret}}.",
            23,
            "prompt: stret is not defined; did you mean street?",
        ),
        ("{{#if kind}}It", "{{#if kid}}It", 24, "prompt: kid is not defined"),
        ("{{street}}.", "{{owner.name}}.", 23, "prompt: owner.name is not defined"),
        ("{{street}}.", "{{data.owner}}.", 23, "prompt: data.owner is not defined"),
        ("{{street}}.", "{{shout street}}.", 23, "prompt: unknown helper 'shout'"),
        ("{{street}}.", "{{street}.}}", 23, "prompt: street}. is not valid"),
        ("{{/if}}\n  output", "\n  output", 24, "prompt: the block if is not closed"),
        ("{{street}}.", "{{rooms.0}}.", 23, "rooms.0 is not valid"),
        ("name: rooms", "name: upper", 19, "means something else in templates"),
        ("name: rooms", "name: data", 19, "means something else in templates"),
        ("type: object\n      required", "type: thing\n      required", 29, "not a JSON Schema"),
        ("required: [owner]", "required: owner", 30, "not a JSON Schema"),
        ("maxLength: 20", "maxLength: long", 36, "not a JSON Schema"),
        ('"^[A-Z0-9]{20}$"', '"^(a+)+$"', 36, "nested quantifiers"),
        ('"^[A-Z0-9]{20}$"', '"[A-Z"', 36, "not a regular expression"),
        (
            "name: {type: string}\n            lei",
            "name: {$ref: '#/$defs/no'}\n            lei",
            35,
            "points to nothing",
        ),
        (
            "name: {type: string}\n            lei",
            "name: {$ref: 'https://example.org/s'}\n            lei",
            35,
            "points to nothing",
        ),
        (";; {{street}}", ";; {{stret}}", 45, "suggested_verbs: stret is not defined"),
        ('"{{name}}"', '"{{owner}}"', 47, "write ../owner"),
        ('"{{name}}"', '"{{nmae}}"', 47, "did you mean name?"),
        ("{{/each}}\n", "{{/if}}\n", 48, "out of place: each of line 2 is open"),
    ],
)
def test_it_finds_the_line_and_the_reason(lint, old, new, line, reason):
    faults = lint(old, new)
    assert [(fault.line, reason in fault.message) for fault in faults if fault.level == "error"] == [
        (line, True)
    ], faults
    assert {fault.file for fault in faults} == {"house.yaml"}


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("tools: [lei_search]", "tools: [web_search]", 21, "web_search is not available here"),
        (", maxLength: 20", "", 36, "pattern without maxLength"),
        ("owner:\n          type", "upper:\n          type", 32, "write data.upper"),
    ],
)
def test_what_may_be_meant_is_a_warning(lint, old, new, line, reason):
    faults = lint(old, new)
    assert [(fault.level, fault.line) for fault in faults] == [("warning", line)]
    assert reason in faults[0].message


def test_a_schema_without_properties_is_a_warning_and_leaves_names_unchecked(macro_text):
    faults = lint_text(macro_text(schema="type: object", verbs=";; {{what.ever}}"), tools=())
    assert [(fault.level, fault.line) for fault in faults] == [("warning", 10)]


def test_it_reports_everything_at_once(lint, sound):
    bad = sound.replace("house-check", "House").replace("{{street}}.", "{{x}}.").replace("lei_search", "nope")
    assert [fault.line for fault in lint_text(bad, tools={"lei_search"})] == [2, 21, 23]


def test_it_finds_the_line_in_a_quoted_template(macro_text):
    text = macro_text().replace("prompt: |\n    Go.", 'prompt: "Go {{nowhere}}"')
    assert [fault.line for fault in lint_text(text, tools=()) if fault.level == "error"] == [6]


def test_it_checks_references_by_what_stands_behind_them(macro_text):
    schema = """
        type: object
        properties:
          head: {$ref: '#/$defs/company'}
        $defs:
          company: {type: object, properties: {name: {type: string}}}
    """
    assert lint_text(macro_text(schema=schema, verbs=";; {{head.name}}"), tools=()) == []
    faults = lint_text(macro_text(schema=schema, verbs=";; {{head.nmae}}"), tools=())
    assert ["did you mean name" in fault.message for fault in faults] == [True]


def test_a_field_may_be_called_like_a_keyword_of_json_schema(macro_text):
    schema = """
        type: object
        properties:
          pattern: {type: string}
          required: {type: boolean}
          enum: {type: array, items: {type: string}}
          $ref: {type: string}
    """
    assert lint_text(macro_text(schema=schema), tools=()) == []


def test_a_file_of_another_system_has_warnings_at_most(macro_text):
    """No tags, no version, null defaults, web_search: as older files are."""
    parameters = """
        - name: client_name
          type: string
          required: true
        - name: sector
          type: string
          default: null
    """
    schema = """
        type: object
        required: [apex]
        properties:
          apex:
            type: object
            required: [name]
            properties: {name: {type: string}, lei: {type: string}}
          subsidiaries:
            type: array
            items: {type: object, properties: {name: {type: string}, role: {type: string}, lei: {type: string}}}
    """
    verbs = """
        (gleif.enrich :lei "{{apex.lei}}" :as @apex)
        {{#each subsidiaries}}{{#if this.lei}}
        (gleif.enrich :lei "{{this.lei}}" :as @{{slugify this.name}}_{{@index}})
        {{/if}}{{/each}}
    """
    text = macro_text(
        "Research {{client_name}}.{{#if sector}} It is in {{sector}}.{{/if}}", schema, verbs, parameters
    )
    faults = default_lint(text.replace("  prompt:", "  tools:\n    - web_search\n  prompt:", 1), "old.yaml")
    assert [(fault.line, fault.level) for fault in faults] == [(29, "warning")]
    assert "gleif.enrich needs one of :lei, :entity-id" in faults[0].message


def test_it_lints_files_and_folders(tmp_path, sound):
    (tmp_path / "good.yaml").write_text(sound)
    (tmp_path / "bad.yml").write_text("macro: [")
    (tmp_path / "latin.yaml").write_bytes("macro: Größe".encode("latin-1"))
    found = {(fault.file.rpartition("/")[2], fault.line): fault.message for fault in lint_paths([tmp_path])}
    assert list(found) == [("bad.yml", 1), ("latin.yaml", 1)]
    assert "not UTF-8" in found["latin.yaml", 1]


def test_a_path_that_does_not_exist_is_a_fault(tmp_path):
    assert "cannot be read" in lint_paths([tmp_path / "missing.yaml"])[0].message


def test_a_name_used_twice_is_a_fault_of_the_second_file(tmp_path, sound):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(sound)
    [fault] = lint_paths([tmp_path])
    assert fault.file.endswith("b.yaml")
    assert fault.line == 2
    assert "is also used in" in fault.message
