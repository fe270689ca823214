"""What does not compile is found at its line, all of it at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.macros.tags import TemplateFault
from research.macros.templates import referenced_names, render, template_faults
from tests.cases import cases


@cases(
    ("template", "line", "reason"),
    [
        ("a\n{{x", 2, "unclosed tag"),
        ("a\n{{{x}}", 2, "unclosed tag"),
        ("{{!-- x }}", 1, "unclosed tag"),
        ("a\n{{#if x}}\nb", 2, "the block if is not closed"),
        ("{{#if x}}\n{{/each}}", 2, "out of place: if of line 1 is open"),
        ("a\n{{/if}}", 2, "no block is open"),
        ("a\n\n{{else}}", 3, "else outside a block"),
        ("{{#if x}}\n{{else with y}}{{/if}}", 2, "'else with y' is not known"),
        ("a\n{{items.0.name}}", 2, "items.0.name is not valid"),
        ("{{}}", 1, "empty tag"),
        ("{{#}}x{{/}}", 1, ""),
        ("\n{{#if a b}}{{/if}}", 2, "exactly one argument"),
        ("\n{{#each}}{{/each}}", 2, "exactly one argument"),
        ("\n{{#if (shout x)}}{{/if}}", 2, "unknown helper 'shout'"),
        ("\n{{upper (lower (nope x))}}", 2, "unknown helper 'nope'"),
        ("{{#upper x}}y{{/upper}}", 1, "cannot open a block"),
        ("{{#list items}}y{{/list}}", 1, "unknown helper 'list'"),
        ("{{> part}}", 1, "partials"),
        ("\n{{#*inline 'p'}}x{{/inline}}", 2, "partials"),
        ("{{#> layout}}x{{/layout}}", 1, "partials"),
        ("{{{{raw}}}}x{{{{/raw}}}}", 1, "raw blocks"),
    ],
)
def test_it_finds_the_line(template, line, reason):
    first = template_faults(template)[0]
    assert (first.line, reason in first.message) == (line, True), first


def test_it_finds_every_fault():
    lines = [fault.line for fault in template_faults("{{a.0}}\n{{x\n}}\n{{shout y}}\n{{#if z}}")]
    assert lines == [1, 4, 5]


@cases(
    ("template", "names"),
    [
        ("{{a}}\n{{b.c}}", [("a", 1), ("b.c", 2)]),
        ("{{#if a}}{{else if b}}{{/if}}", [("a", 1), ("b", 1)]),
        ('{{#if (eq a.b "text")}}{{/if}}', [("a.b", 1)]),
        (
            "{{#each xs}}{{this}}{{@index}}{{../y}}{{/each}}",
            [("xs", 1), ("this", 1), ("@index", 1), ("../y", 1)],
        ),
        ("{{upper a}}{{json}}{{eq 1 true}}", [("a", 1)]),
        ("{{#each xs as |x i|}}{{x}}{{i}}{{/each}}", [("xs", 1), ("x", 1), ("i", 1)]),
        ("{{#xs}}{{^ys}}{{/ys}}{{/xs}}", [("xs", 1), ("ys", 1)]),
        (r"\{{a}} {{! b }} {{!-- {{c}} --}} {{{d}}} {{& e}} {{~f~}}", [("d", 1), ("e", 1), ("f", 1)]),
    ],
)
def test_it_collects_every_name(template, names):
    assert referenced_names(template) == names


PIECES = st.lists(
    st.sampled_from(
        [
            "{{x}}",
            "{{{x}}}",
            "\\",
            "{",
            "}",
            "{{",
            "}}",
            "{{#if x}}",
            "{{/if}}",
            "{{else}}",
            "{{!",
            "--}}",
            "~",
            "\n",
            "x",
            "{{#each x}}",
            "{{/each}}",
            '"',
            "(eq x 1)",
            "{{!--",
        ]
    ),
    max_size=12,
).map("".join)


@given(PIECES)
def test_what_has_no_fault_renders_and_what_has_one_does_not(template):
    faults = template_faults(template)
    if faults:
        with pytest.raises(TemplateFault):
            render(template, {"x": "X"})
    else:
        assert isinstance(render(template, {"x": "X"}, strict=False), str)
