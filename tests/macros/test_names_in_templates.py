"""A name means something only where it stands: blocks move the scope."""

import yaml

from research.macros.scopes import undefined_names
from research.macros.shapes import shape_of
from research.macros.templates import HELPERS
from tests.cases import cases

SCHEMA = yaml.safe_load("""
type: object
properties:
  name: {type: string}
  flag: {type: boolean}
  free: {type: object}
  anything: {}
  apex:
    type: object
    properties: {name: {type: string}, lei: {$ref: '#/$defs/lei'}, parent: {$ref: '#'}}
  funds:
    type: array
    items:
      type: object
      properties:
        title: {type: string}
        shares: {type: array, items: {type: object, properties: {isin: {type: string}}}}
  tags: {type: array, items: {type: string}}
  either:
    anyOf:
      - {type: object, properties: {left: {type: string}}}
      - {type: object, properties: {right: {type: string}}}
  by_code: {type: object, additionalProperties: {type: object, properties: {label: {type: string}}}}
  maybe: {type: [object, 'null'], properties: {x: {type: string}}}
$defs: {lei: {type: string}}
""")


def undefined(template):
    return [
        (fault.line, fault.message)
        for fault in undefined_names(template, shape_of([SCHEMA], SCHEMA), HELPERS)
    ]


@cases(
    "template",
    [
        "{{name}}{{apex.name}}{{apex.lei}}{{this.name}}{{./name}}{{@root.apex.name}}",
        "{{apex.parent.apex.parent.apex.name}}",
        "{{#each funds}}{{title}}{{this.title}}{{@index}}{{@first}}{{../name}}{{@root.name}}{{/each}}",
        "{{#each funds}}{{#each shares}}{{isin}}{{../title}}{{../../name}}{{@../index}}{{/each}}{{/each}}",
        "{{#each funds}}{{title}}{{else}}{{name}}{{/each}}",
        "{{#each funds}}{{#if title}}{{title}}{{else}}{{../name}}{{/if}}{{/each}}",
        "{{#each funds as |fund n|}}{{fund.title}}{{n}}{{#each fund.shares}}{{fund.title}}{{/each}}{{/each}}",
        "{{#with apex}}{{lei}}{{../name}}{{else}}{{name}}{{/with}}",
        "{{#funds}}{{title}}{{/funds}}{{#flag}}{{name}}{{/flag}}{{#apex}}{{lei}}{{/apex}}",
        "{{^funds}}{{name}}{{else}}{{title}}{{/funds}}",
        "{{#each tags}}{{this}}{{.}}{{/each}}",
        "{{funds.[0].title}}",
        "{{free.whatever.you.like}}{{anything.at.all}}{{#each anything}}{{x}}{{/each}}",
        "{{either.left}}{{either.right}}",
        "{{by_code.LU.label}}{{#each by_code}}{{label}}{{@key}}{{/each}}",
        "{{maybe.x}}",
        '{{#if (eq apex.name "x")}}{{else if name}}{{/if}}{{upper name}}',
        "{{#each funds}}{{#if title}}a{{else if shares}}b{{else}}{{title}}{{/if}}{{/each}}",
        "{{#each funds}}{{else if name}}{{name}}{{else}}{{name}}{{/each}}",
    ],
)
def test_it_takes_a_name_that_is_defined_where_it_stands(template):
    assert undefined(template) == []


@cases(
    ("template", "line", "reason"),
    [
        ("\n{{nmae}}", 2, "did you mean name?"),
        ("{{zzz}}", 1, "neither a parameter nor a field"),
        ("{{apex.leii}}", 1, "did you mean lei?"),
        ("{{name.first}}", 1, "name.first is not defined"),
        ("{{#each funds}}\n{{name}}{{/each}}", 2, "write ../name"),
        ("{{#each funds}}{{#each shares}}{{name}}{{/each}}{{/each}}", 1, "write ../../name"),
        ("{{#each funds}}{{#each shares}}{{title}}{{/each}}{{/each}}", 1, "write ../title"),
        ("{{#each funds}}{{../title}}{{/each}}", 1, "../title is not defined"),
        ("{{#each funds}}{{else}}{{title}}{{/each}}", 1, "title is not defined"),
        ("{{#each funds}}{{/each}}{{title}}", 1, "title is not defined"),
        ("{{#if funds}}{{../name}}{{/if}}", 1, "climbs out"),
        ("{{#if nope}}{{/if}}", 1, "nope is not defined"),
        ("{{#each nope}}{{x}}{{/each}}", 1, "nope is not defined"),
        ("{{#if (eq nope 1)}}{{/if}}", 1, "nope is not defined"),
        ("{{#if a}}{{else if nope}}{{/if}}", 1, "nope is not defined"),
        ("{{upper nope}}", 1, "nope is not defined"),
        ("{{funds.length}}", 1, "funds.length is not defined"),
        ("{{tags.[0].x}}", 1, "tags.[0].x is not defined"),
        ("{{@index}}", 1, "only inside #each"),
        ("{{#with apex}}{{@key}}{{/with}}", 1, "only inside #each"),
        ("{{#each funds}}{{@count}}{{/each}}", 1, "@count is not known"),
        ("{{@root.nope}}", 1, "nope is not defined"),
        ("{{#each funds as |f|}}{{/each}}{{f.title}}", 1, "f.title is not defined"),
        ("{{#each funds as |f|}}{{f.titel}}{{/each}}", 1, "did you mean title?"),
        ("{{either.middle}}", 1, "either.middle is not defined"),
    ],
)
def test_it_finds_a_name_that_nothing_defines(template, line, reason):
    assert any(at == line and reason in message for at, message in undefined(template)), undefined(template)
