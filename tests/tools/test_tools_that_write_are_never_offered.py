"""What a model sees is chosen by the macro, among the tools that only read."""

import pytest

from research.tools.tool import REGISTRY, Answer, Tool, free, get_tools

SHIPPED = ["lei_search", "lei_record", "lei_parents", "lei_children", "lei_managed_funds", "resolve_entity"]


@pytest.fixture
def writing_tool(monkeypatch):
    schema = {"type": "object", "properties": {}}
    tool = Tool("forget", "Forget all.", schema, "write", free, lambda a, c: Answer({}))
    monkeypatch.setitem(REGISTRY, "forget", tool)


def test_it_offers_the_shipped_tools_in_the_order_of_the_macro():
    assert [tool.name for tool in get_tools(reversed(SHIPPED))] == list(reversed(SHIPPED))


@pytest.mark.usefixtures("writing_tool")
def test_it_does_not_offer_a_tool_that_writes():
    assert [tool.name for tool in get_tools(["forget", "lei_record"])] == ["lei_record"]


def test_it_leaves_out_tools_that_another_system_has(caplog):
    assert [tool.name for tool in get_tools(["moon_phase", "lei_record", "lei_record"])] == ["lei_record"]
    assert "moon_phase" in caplog.text
