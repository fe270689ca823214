"""The rules of a conversation that searches: think first, reflect, keep within the budget, say when it is done."""

import pytest

from research.engine.runner import perform_run
from research.llm.interface import Turn
from research.models import Run, Step
from research.models.states import RunState
from research.tools.tool import REGISTRY, Answer, tool
from tests.engine.conftest import FINAL, answers, asks
from tests.factories import MacroFactory, RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def searched(monkeypatch):
    """A web search that finds nothing and takes note of what it was asked."""
    monkeypatch.setattr("research.tools.tool.REGISTRY", dict(REGISTRY))
    queries = []

    @tool(
        "web_search",
        "Search.",
        {"required": ["queries"], "properties": {"queries": {"type": "array", "items": {"type": "string"}}}},
        calls=lambda arguments: len(arguments["queries"]),
        cut=lambda arguments, left: {"queries": arguments["queries"][:left]},
        web=True,
        reflects=True,
    )
    def web_search(arguments, context):
        queries.extend(arguments["queries"])
        return Answer({"results": []})

    return queries


@pytest.fixture
def run(searched):
    macro = MacroFactory()
    macro.text = macro.text.replace("[lei_search, lei_record]", "[web_search, lei_record]")
    macro.save()
    return RunFactory(macro=macro, max_tool_calls=5)


def search(*queries):
    return ("web_search", {"queries": list(queries)})


THINK = ("think", {"reasoning": "hm"})


def last_answers(script, request=-1):
    message = next(m for m in reversed(script.requests[request].messages) if m.role == "tool")
    return [answer.content for answer in message.answers]


def test_it_offers_to_think_and_to_say_that_it_is_done(play, run):
    script = play(answers())
    perform_run(run.pk)
    names = [spec.name for spec in script.requests[0].tools]
    assert names == ["web_search", "lei_record", "think", "research_complete"]


def test_it_asks_for_evidence_beside_the_schema(play, run):
    script = play(
        answers({**FINAL, "evidence": [{"pointer": "/name", "source": 1, "quote": "Allianz"}, "x"]})
    )
    perform_run(run.pk)
    run.refresh_from_db()
    assert "evidence" in script.requests[0].schema["required"]
    assert run.result.data == FINAL
    assert run.result.evidence == [{"pointer": "/name", "source": 1, "quote": "Allianz"}]
    assert run.result.schema_valid


def test_it_searches_again_only_after_thinking(play, run, searched):
    script = play(asks(search("a")), asks(search("b")), asks(THINK, search("c")), asks(THINK), answers())
    perform_run(run.pk)
    assert searched == ["a", "c"]
    refused = last_answers(script, 2)[0]
    assert refused["error"]["code"] == "reflection_required"
    assert last_answers(script, 3)[0]["data"]["tool_calls_left"] == "4 of 5"


def test_it_counts_a_thought_of_the_same_turn_whatever_the_order_of_the_calls(play, run, searched):
    play(asks(search("a")), asks(search("b"), THINK), asks(search("c")), answers())
    perform_run(run.pk)
    assert searched == ["a", "b"]


def test_it_says_of_no_reflection_in_the_limitations(play, run):
    play(asks(search("a")), asks(search("b")), answers())
    perform_run(run.pk)
    run.refresh_from_db()
    assert not [sentence for sentence in run.result.limitations if "think" in sentence]


def test_it_knows_tools_by_their_other_names(play, run, searched):
    play(asks(("WebSearch", {"queries": ["a"]}), ("Think", {"reasoning": "x"})), answers())
    perform_run(run.pk)
    assert searched == ["a"]
    names = list(Step.objects.filter(run=run, kind="tool").values_list("name", flat=True))
    assert names == ["web_search", "think"]


def test_it_cuts_a_batch_to_what_remains_and_then_asks_for_the_report(play, run, searched):
    script = play(
        asks(search("a", "b", "c")),
        asks(THINK),
        asks(search("d", "e", "f")),
        asks(THINK, search("g")),
        answers(),
    )
    perform_run(run.pk)
    run.refresh_from_db()
    assert searched == ["a", "b", "c", "d", "e"]
    assert last_answers(script)[1]["error"]["code"] == "budget"
    assert script.requests[-1].tools == []
    assert "budget of tool calls is spent" in script.requests[-1].messages[-1].text
    assert run.result.partial
    assert any("tool calls ended the research" in sentence for sentence in run.result.limitations)


def test_it_gives_one_last_turn_without_tools_when_the_turns_are_spent(play, run, searched):
    Run.objects.filter(pk=run.pk).update(max_turns=2)
    script = play(asks(THINK), asks(THINK), answers())
    perform_run(run.pk)
    run.refresh_from_db()
    assert [len(request.tools) for request in script.requests] == [4, 4, 0]
    assert run.result.partial


def test_it_ends_the_search_when_the_model_says_so(play, run, searched):
    script = play(asks(("research_complete", {"summary": "all there"})), answers())
    perform_run(run.pk)
    run.refresh_from_db()
    assert script.requests[-1].tools == []
    assert "complete" in script.requests[-1].messages[-1].text
    assert not run.result.partial


def test_it_goes_on_with_a_turn_that_was_paused(play, run):
    script = play(Turn(text="so far", stop="paused", raw={"x": 1}), answers())
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert script.requests[1].messages[-1].turn.raw == {"x": 1}


def test_it_asks_again_for_a_reply_it_cannot_read_but_not_for_ever(play, run):
    unreadable = Turn(text="{", stop="error", detail={"parse_failure": "The reply is not JSON."})
    script = play(unreadable, unreadable, answers())
    perform_run(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SUCCEEDED
    assert script.requests[1].messages[-1].text.startswith("The reply is not JSON.")
    other = RunFactory(macro=run.macro)
    script = play(unreadable)
    perform_run(other.pk)
    other.refresh_from_db()
    assert (other.state, len(script.requests)) == (RunState.FAILED, 4)


@pytest.mark.parametrize("call", [THINK, search("b")])
def test_it_reports_what_it_has_when_its_time_is_over(play, run, searched, end_the_time, call):
    def late(request):
        end_the_time()
        return asks(THINK, call)

    script = play(asks(search("a")), late, answers())
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.result.partial) == (RunState.SUCCEEDED, True)
    assert searched == ["a"]
    assert script.requests[-1].tools == []
    assert [m.role for m in script.requests[-1].messages[-3:]] == ["assistant", "tool", "user"]
    assert "time" in script.requests[-1].messages[-1].text


def test_it_fails_when_its_time_is_over_before_anything_was_found(play, run, end_the_time):
    def late(request):
        end_the_time()
        return asks(search("a"))

    play(late)
    perform_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == (RunState.FAILED, "deadline")
