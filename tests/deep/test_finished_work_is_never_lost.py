"""However a deep run is cut, what its finished researchers found is in a result that is offered for review."""

import json
from dataclasses import replace

import pytest

from research.llm.interface import ModelFault, Turn, Usage
from research.models import ResearchResult, Step
from research.models.states import ResultState, RunState
from research.services.runs import resume_run
from research.tools.tool import REGISTRY
from tests.deep.conftest import work
from tests.deep.newsroom import DIRECTIVES, LINES, Sage

pytestmark = pytest.mark.django_db
FACTS = ("Mill AG belongs to Acme SE", "240 people work at Mill AG")
USED = Usage(1000, output_tokens=10)
CUTS = {
    "length": Turn(text='{"report": "# The mill\\n\\nMill AG', stop="max_tokens", usage=USED),
    "broken JSON": Turn(text='{"report": "# The mill", "findings": [', usage=USED),
    "prose": Turn(text="I am sorry, I lost my thread.", usage=USED),
    "empty": Turn(text="", usage=USED),
    "refusal": Turn(text="I will not.", stop="refusal", usage=USED),
    "provider gone": ModelFault("auth", "The key is not accepted."),
    "brackets": Turn(text="[" * 100_000 + "]" * 100_000, usage=USED),
}


class CutSage(Sage):
    """Knows its lines until the turn in which it is cut, and then gives nothing but that, until ``cut`` is None."""

    def __init__(self, turn, cut):
        super().__init__()
        self.turn, self.cut = turn, cut

    def complete(self, request):
        if len(self.requests) < self.turn or self.cut is None:
            return super().complete(request)
        self.requests.append(request)
        if isinstance(self.cut, Exception):
            raise self.cut
        return self.cut


def work_to_its_end(run, sage):
    """A run that stops because no model answers is resumed when one does."""
    work(run)
    if run.state == RunState.FAILED and run.error["code"] == "model_unavailable":
        sage.cut = None
        work(resume_run(run=run, actor=None, enqueue=False))
        run.refresh_from_db()
        assert run.state == RunState.SUCCEEDED
    return run


def found_by(run):
    """What the researchers that came to their end had found."""
    outputs = Step.objects.filter(run__parent=run, run__state=RunState.SUCCEEDED, name="output")
    given = [step.answer["findings"] for step in outputs]
    return [fact for fact in FACTS if any(fact in findings for findings in given)]


def _says(report, fact):
    """In the words of the notes, or in those of the report that was written from them."""
    return (
        fact in report
        or {FACTS[0]: "since 2019 is Acme SE of Munich", FACTS[1]: "employs 240 people"}[fact] in report
    )


@pytest.fixture
def turns(ask):
    """How many turns a run has that nobody cuts."""
    sage = Sage()
    run = work(ask(sage, autonomy="autonomous"))
    assert run.state == RunState.SUCCEEDED
    return len(sage.requests)


def test_it_may_be_cut_in_any_turn_and_in_any_way(ask, turns):
    lost = []
    ways = list(CUTS.values())
    for turn in range(turns):
        sage = CutSage(turn, ways[turn % len(ways)])
        run = work_to_its_end(ask(sage, autonomy="autonomous"), sage)
        result = ResearchResult.objects.filter(run=run).first()
        kept = json.dumps(result.data["report"]) if result else ""
        if missing := [fact for fact in found_by(run) if not _says(kept, fact)]:
            lost.append((turn, missing, run.state, run.error))
        if result:
            assert result.state == ResultState.PENDING_REVIEW
            assert result.partial or result.data["report"].startswith("# The mill in Bern")
        elif run.state == RunState.FAILED:
            assert len(run.error["message"].split()) > 3
        else:
            assert (
                run.state == RunState.AWAITING_CONFIRMATION
            )  # nothing was found, and a person may say what then
    assert lost == []


def test_a_supervisor_that_repeats_itself_has_nothing_more_to_ask(ask):
    again = {"research_complete": False, "directives": DIRECTIVES, "rationale": "Once more."}
    run = work(ask(Sage(supervision=again), autonomy="autonomous", depth="deep"))
    result = ResearchResult.objects.get(run=run)
    assert not result.partial
    assert result.data["report"].startswith("# The mill in Bern")
    assert any("named nothing new" in said for said in result.data["limitations"])


def test_a_critic_that_cannot_be_read_costs_nothing(ask):
    run = work(ask(Sage(critique="I like it."), autonomy="autonomous"))
    assert ResearchResult.objects.get(run=run).data["report"].startswith("# The mill in Bern")


def half(request):
    good = LINES["report"](request)
    return {
        **good,
        "report": good["report"].partition("## Owner")[0] + "More is not known of it. " * 5,
        "findings": [],
    }


def test_half_of_a_question_that_vanished_is_named(ask):
    run = work(ask(Sage(report=half), autonomy="autonomous"))
    limits = "\n".join(ResearchResult.objects.get(run=run).data["limitations"])
    assert "Who owns Mill AG in Bern" in limits
    assert "the report cites none of them" in limits


def test_a_question_that_is_answered_has_no_gap(ask):
    run = work(ask(Sage(), autonomy="autonomous"))
    limits = "\n".join(ResearchResult.objects.get(run=run).data["limitations"])
    assert "part of the question" not in limits
    assert "cites none" not in limits


def typing(request):
    good = LINES["report"](request)
    typed = (
        "\n\nSee [the filing](https://invented.example/f), www.invented.example and https://mill.test/about.\n\n"
        "[x]: https://invented.example/x\n"
    )
    findings = [{**one, "claim": f"{one['claim']} (https://invented.example/c)"} for one in good["findings"]]
    return {
        **good,
        "report": good["report"].replace("## Owner", typed + "\n## Owner"),
        "findings": findings,
        "open_questions": ["What does invented.example/q say?"],
        "limitations": ["info@invented.example did not answer."],
    }


def test_addresses_that_nothing_has_that_was_read_are_marked(ask):
    run = work(ask(Sage(report=typing), autonomy="autonomous"))
    data = ResearchResult.objects.get(run=run).data
    assert "invented.example" not in json.dumps(data)
    assert "the filing (address in no source)" in data["report"]
    assert "https://mill.test/about" in data["report"]
    assert [source["url"] for source in data["sources"]]


def test_a_provider_of_the_search_that_failed_is_told_though_others_answered(ask, monkeypatch):
    """One topic has all its sources; that a search of it met a 503 stands in the result all the same."""
    run = ask(Sage(), autonomy="autonomous")
    search = REGISTRY["web_search"]

    def partly(arguments, context):
        answer = search.run(arguments, context)
        failed = [{"provider": "brave", "kind": "server_error", "message": "Brave is in trouble (HTTP 503)."}]
        return replace(answer, data={**answer.data, "failed": failed})

    monkeypatch.setitem(REGISTRY, "web_search", replace(search, run=partly))
    limits = ResearchResult.objects.get(run=work(run)).data["limitations"]
    assert any("HTTP 503" in said for said in limits)
