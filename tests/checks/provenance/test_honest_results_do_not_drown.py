"""What the register researcher writes from the demo register: at most one false mark in 200 values."""

import pytest

from entities.gleif.demo.facts import load
from entities.gleif.register import open_register
from research.macros.loader import load_macro
from research.macros.parameters import check_parameters
from research.tools.tool import ToolContext
from tests.checks.provenance.told import step, verdicts
from tests.llm.conftest import LIBRARY, converse
from tests.tools.calls import call_tool

ASKED = {
    "client-discovery": "client_name",
    "ubo-investigation": "entity_name",
    "regulatory-check": "entity_name",
}


def marked_and_traced(macro, lei):
    definition = load_macro((LIBRARY / f"{macro}.yaml").read_text())
    params, context, steps = (
        check_parameters(definition, {ASKED[macro]: lei}),
        ToolContext(open_register("demo")),
        [],
    )

    def call(one):
        answer = call_tool(one.name, one.arguments, context)
        if answer["success"]:
            steps.append(step(one.name, one.arguments, answer["data"]))
        return answer

    done = converse(definition, params, call)
    found = verdicts(done.data, *steps, question=[params, ""], schema=definition.schema)
    counts = next(verdict.evidence for verdict in found if verdict.code == "traced")
    return [verdict.message for verdict in found if verdict.verdict != "pass"], counts["values"]


@pytest.mark.parametrize("macro", ASKED)
def test_at_most_one_value_in_two_hundred_is_marked_falsely(macro):
    marked, traced = [], 0
    for lei in sorted(entity.lei for entity in load())[::7]:
        wrong, values = marked_and_traced(macro, lei)
        marked, traced = marked + wrong, traced + values
    assert traced >= 150
    assert len(marked) * 200 <= traced, marked
