"""The verbs of a macro, made of sample data, must be verbs that exist, with arguments that fit."""

import pytest

from research.macros.lint import default_lint
from tests.cases import cases

SCHEMA = """
    type: object
    required: [name]
    properties:
      name: {type: string}
      lei: {type: string, pattern: '^[A-Z0-9]{20}$', maxLength: 20}
      kind: {type: string, enum: [fund, person, other]}
      share: {type: number, minimum: 0, maximum: 100}
      parts:
        type: array
        items: {type: object, properties: {title: {type: string}, lei: {type: string}}}
"""


@pytest.fixture
def faults(macro_text):
    def run(verbs):
        text = macro_text(schema=SCHEMA, verbs=verbs)
        first = text.split("\n").index("  suggested_verbs: |") + 1
        return [(fault.line - first, fault.message) for fault in default_lint(text) if fault.level == "error"]

    return run


SOUND = """
    ;; {{name}}
    {{#if lei}}
    (gleif.enrich :lei "{{lei}}" :as @head)
    {{else}}
    (entity.ensure :entity-type "limited-company" :name "{{name}}" :as @head)
    {{/if}}
    {{#each parts}}
    (entity.ensure :entity-type "fund" :name "{{title}}{{@index}}" :as @part_{{@index}})
    (entity.link :subject @part_{{@index}} :type "member-of" :object @head)
    {{/each}}
    (ownership.record :owner @head :owned-name "x" :percentage {{share}})
"""


def test_it_takes_sound_verbs(faults):
    assert faults(SOUND) == []


@cases(
    ("old", "new", "line", "reason"),
    [
        ("gleif.enrich", "gleif.enrch", 3, "there is no verb gleif.enrch; perhaps gleif.enrich"),
        (
            'entity.ensure :entity-type "limited',
            'company.make :entity-type "limited',
            5,
            "there is no verb company.make",
        ),
        (':name "{{name}}" :as', ':title "{{name}}" :as', 5, "no argument :title"),
        (' :name "{{name}}" :as', " :as", 5, "needs one of :name"),
        ('"limited-company"', '"pizza"', 5, "entity-type"),
        ("@part_{{@index}})", "@part)", 8, "@part is bound twice"),
        (":object @head", ":object @tail", 9, "@tail is not bound"),
        ('"member-of"', '"likes"', 9, ":type of entity.link"),
        ("{{share}}", '"{{name}}"', 11, ":percentage"),
        (':owned-name "x" ', "", 11, "needs one of :owned"),
    ],
)
def test_it_finds_the_line_of_a_verb_that_does_not_fit(faults, old, new, line, reason):
    assert old in SOUND
    found = faults(SOUND.replace(old, new, 1))
    assert any(at == line and reason in message for at, message in found), found


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"limited-company"', '"limited-company', 5),
        (":object @head)", ":object @head", 9),
        ("(ownership.record", "ownership.record", 11),
        (":percentage {{share}}", ":percentage {{share}}%", 11),
    ],
)
def test_it_finds_broken_syntax_near_its_line(faults, old, new, line):
    assert old in SOUND
    found = faults(SOUND.replace(old, new, 1))
    assert any(abs(at - line) <= 2 for at, _ in found), found


def test_an_argument_that_only_some_data_lacks_is_a_warning(macro_text):
    levels = [
        (fault.level, fault.message)
        for fault in default_lint(macro_text(schema=SCHEMA, verbs='(gleif.enrich :lei "{{lei}}")'))
    ]
    assert levels == [("warning", "suggested_verbs: gleif.enrich needs one of :lei, :entity-id")]


def test_it_takes_every_branch_that_an_enum_or_a_missing_field_opens(faults):
    verbs = """
        {{#if (eq kind "fund")}}(fund.ensure :name "{{name}}")
        {{else if (eq kind "person")}}(entity.ensure :entity-type "person" :name "{{name}}")
        {{else if lei}}(gleif.enrich :lei "{{lei}}")
        {{else}}
        (no.such-verb :name "{{name}}")
        {{/if}}
    """
    assert [line for line, message in faults(verbs) if "no.such-verb" in message] == [5]


def test_a_call_in_a_comment_or_a_text_is_none(faults):
    verbs = """
        ;; use (no.such :verb 1) later
        (entity.ensure :entity-type "fund" :name "a (no.such :verb 1)")
    """
    assert faults(verbs) == []


def test_it_knows_verbs_by_the_names_of_other_systems(faults):
    verbs = """
        (cbu.ensure :name "{{name}}" :jurisdiction "LU" :client-type "fund" :as @cbu)
        (ubo.add-ownership :owner-lei "529900K9B0N5BT694847" :owned-entity-name "{{name}}" :percentage {{share}})
    """
    assert faults(verbs) == []
