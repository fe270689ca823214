import pytest

from research.tools.tool import REGISTRY, Answer, get_tools, tool


@pytest.fixture
def batch(monkeypatch):
    """A tool that takes a list of queries."""
    monkeypatch.setattr("research.tools.tool.REGISTRY", dict(REGISTRY))

    @tool(
        "batch_search",
        "Several at once.",
        {"required": ["queries"], "properties": {"queries": {"type": "array"}}},
        calls=lambda arguments: len(arguments["queries"]),
        cut=lambda arguments, left: {**arguments, "queries": arguments["queries"][:left]},
        web=True,
        reflects=True,
    )
    def batch_search(arguments, context):
        return Answer({"n": len(arguments["queries"])})

    return get_tools(["batch_search"])[0]


def test_it_counts_and_cuts_a_batch(batch):
    asked = {"queries": ["a", "b", "c"]}
    assert batch.calls(asked) == 3
    assert batch.cut(asked, 2) == {"queries": ["a", "b"]}
    assert batch.web
    assert batch.reflects


def test_it_takes_one_call_for_what_says_nothing():
    record = REGISTRY["lei_record"]
    assert (record.calls({"lei": "x"}), record.cut, record.web, record.reflects) == (1, None, False, False)


@pytest.mark.parametrize("name", ["think", "research_complete"])
def test_it_takes_nothing_for_what_steers_the_conversation(name):
    assert REGISTRY[name].calls({}) == 0
    assert REGISTRY[name].effect == "read"
