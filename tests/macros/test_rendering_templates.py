"""Handlebars as macros use it: no HTML escaping, strict, both namespaces, nothing hidden that could go wrong."""

import pytest

from research.macros.loader import load_macro
from research.macros.tags import TemplateFault
from research.macros.templates import HELPERS, render, render_prompt, template_context
from tests.cases import cases


@cases(
    ("template", "output"),
    [
        ("{{x}} and {{o.k}}", "X and deep"),
        ("{{#if x}}yes{{else}}no{{/if}}", "yes"),
        ("{{#if empty}}yes{{else if x}}other{{else}}no{{/if}}", "other"),
        ("{{#unless no}}none{{/unless}}", "none"),
        ("{{#each xs}}{{this}}{{#unless @last}}, {{/unless}}{{/each}}", "a, b"),
        (
            "{{#each ys}}{{@index}}={{this.name}}{{#each tags}}[{{this}}]{{/each}};{{/each}}",
            "0=one[t];1=two;",
        ),
        ("{{#each ys}}{{../x}}{{/each}}", "XX"),
        ('{{#if (eq o.k "deep")}}same{{/if}}', "same"),
        ('{{#unless (eq x "all")}}some{{/unless}}', "some"),
        ("{{xs.[1]}}", "b"),
        ("{{json o}}", '{"k": "deep"}'),
        ("{{json xs}}{{json none}}", '["a", "b"]null'),
        ("{{slugify name}}", "smith_sons_ag"),
        ("{{upper x}}{{uppercase name}}", "XSMITH & SONS, AG"),
        ("{{lower x}}{{lowercase x}}", "xx"),
        ("{{none}}|{{flag}}|{{n}}|{{f}}", "|true|3|2.5"),
        (r"\{{x}}", "{{x}}"),
        ("{{!-- {{x}} --}}{{! y }}.", "."),
    ],
)
def test_it_renders_the_constructs_of_the_format(template, output):
    context = {
        "x": "X",
        "o": {"k": "deep"},
        "xs": ["a", "b"],
        "ys": [{"name": "one", "tags": ["t"]}, {"name": "two", "tags": []}],
        "name": "Smith & Sons, AG",
        "none": None,
        "empty": "",
        "no": False,
        "flag": True,
        "n": 3,
        "f": 2.5,
    }
    assert render(template, context) == output


@cases("value", ["Johnson & Johnson", "\"quoted\" <b> 'x' `y` a=b", "{{x}}", "\u202ertl\u200b", "a\nb"])
@cases("template", ["{{v}}", "{{{v}}}", "{{#each vs}}{{this}}{{/each}}", "{{#with o}}{{v}}{{/with}}"])
def test_it_never_escapes_and_never_renders_a_value_again(template, value):
    assert render(template, {"v": value, "vs": [value], "o": {"v": value}}) == value


def test_parameters_and_data_are_both_in_scope_and_data_wins():
    context = template_context({"client_name": "A", "both": "param"}, {"found": "B", "both": "data"})
    template = "{{client_name}} {{found}} {{both}} {{params.both}} {{data.both}}"
    assert render(template, context) == "A B data param data"


def test_eq_is_true_or_false_and_knows_kinds():
    assert [HELPERS["eq"](*pair) for pair in [(1, 1.0), (True, 1), ("a", "a"), (None, None), ("1", 1)]] == [
        True,
        False,
        True,
        True,
        False,
    ]


@cases(
    ("template", "line", "reason"),
    [
        ("a\n{{nope}}", 2, "nope is not defined"),
        ("a\n\n{{o.nope}}", 3, "o.nope is not defined"),
        ("{{#each xs}}\n{{name}}{{/each}}", 2, "name is not defined"),
        ("a\n{{#if}}x{{/if}}", 2, "exactly one argument"),
        ("a\n{{shout x}}", 2, "unknown helper 'shout'"),
        ("{{log x}}", 1, "unknown helper 'log'"),
        ("{{lookup o 'k'}}", 1, "unknown helper 'lookup'"),
        ("{{eq 1 2 3}}", 1, "argument"),
        ("{{> part}}", 1, "partials"),
    ],
)
def test_it_names_the_line_of_what_cannot_be_rendered(template, line, reason):
    with pytest.raises(TemplateFault, match=reason) as caught:
        render(template, {"x": "X", "o": {"k": 1}, "xs": ["a"]})
    assert caught.value.line == line


def test_it_prints_nothing_for_a_missing_name_when_not_strict():
    assert render("[{{nope}}]", {}, strict=False) == "[]"


def test_it_reaches_data_and_nothing_behind_it():
    context = {"text": "x", "items": [1]}
    assert render("{{text.__class__}}{{items.append}}{{items.length}}", context, strict=False) == ""


def test_it_prints_nothing_to_standard_output(capsys):
    render("{{x}}", {"x": "X"})
    assert capsys.readouterr().out == ""


def test_a_prompt_sees_parameters_that_were_not_given_as_null(sound):
    macro = load_macro(sound)
    assert render_prompt(macro, {"street": "Elm & 2nd"}).startswith("Look at Elm & 2nd.")
