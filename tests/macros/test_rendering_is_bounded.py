"""No template and no data can take the machine: what is too much is refused, quickly."""

import time

import pytest

from research.macros.tags import TemplateFault
from research.macros.templates import MAX_OUTPUT, render
from tests.cases import cases

HUNDRED = list(range(100))

BOMBS: dict[str, tuple[str, dict[str, object]]] = {
    "a template of its own size": ("x" * 70_000, {}),
    "three nested loops": (
        "{{#each a}}{{#each @root.a}}{{#each @root.a}}x{{/each}}{{/each}}{{/each}}",
        {"a": HUNDRED},
    ),
    "loops over an object": (
        "{{#each o}}{{#each @root.o}}{{#each @root.o}}x{{/each}}{{/each}}{{/each}}",
        {"o": dict.fromkeys(map(str, HUNDRED), 1)},
    ),
    "sections": ("{{#a}}{{#@root.a}}{{#@root.a}}x{{/@root.a}}{{/@root.a}}{{/a}}", {"a": HUNDRED}),
    "a long text in a loop": ("{{#each a}}{{../t}}{{/each}}", {"a": HUNDRED, "t": "y" * 500_000}),
    "a long text through a helper": (
        "{{#each a}}{{upper ../t}}{{/each}}",
        {"a": HUNDRED, "t": "y" * 500_000},
    ),
    "a long list printed": ("{{#each a}}{{../l}}{{/each}}", {"a": HUNDRED, "l": ["y" * 100_000] * 3}),
    "much fixed text in a loop": ("{{#each a}}" + "x" * 60_000 + "{{/each}}", {"a": list(range(5_000))}),
    "too many values": ("x", {"a": [0] * 300_000}),
    "blocks in blocks": ("{{#if a}}" * 3_000 + "{{/if}}" * 3_000, {"a": 1}),
}


@cases("name", BOMBS)
def test_it_refuses(name):
    template, context = BOMBS[name]
    started = time.perf_counter()
    with pytest.raises(TemplateFault):
        render(template, context)
    assert time.perf_counter() - started < 5


def test_it_renders_what_an_ordinary_result_needs():
    funds = [{"name": f"Fund {n}", "lei": "5" * 20} for n in range(2_000)]
    text = render("{{#each funds}};; {{name}} {{lei}}\n{{/each}}", {"funds": funds})
    assert text.count("\n") == 2_000


def test_the_longest_text_is_a_megabyte():
    assert len(render("{{t}}", {"t": "x" * MAX_OUTPUT})) == MAX_OUTPUT


def test_values_that_only_decide_cost_nothing():
    assert render("{{#if t}}yes{{/if}}{{#if (eq t 'x')}}{{/if}}", {"t": "x" * 2_000_000}) == "yes"
