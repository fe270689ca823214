"""How one step of the journal is told on a terminal."""

import pytest

from research.management.report import step_line
from research.models import Step


@pytest.mark.parametrize(
    ("kind", "answer", "said"),
    [
        ("model", {"text": "{}", "tool_calls": []}, "writes its answer"),
        ("model", {"text": "", "tool_calls": [{}, {}]}, "asks for 2 tool calls"),
        ("model", {"success": False, "error": {"code": "overloaded", "message": "Try later."}}, "Try later."),
        (
            "tool",
            {"success": False, "error": {"code": "not_found", "message": "No such LEI."}},
            "No such LEI.",
        ),
        ("tool", {"success": True, "data": {}}, "done"),
    ],
)
def test_it_tells_what_came_of_a_step(kind, answer, said):
    line = step_line(Step(seq=1, kind=kind, name="anybody", intent={}, answer=answer))
    assert said in " ".join(part if isinstance(part, str) else part[0] for part in line)
