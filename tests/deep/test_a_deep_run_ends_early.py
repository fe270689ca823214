"""When the time is over or a person has had enough, what was found so far becomes a partial result."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from research.engine.runner import perform_run
from research.llm.interface import ModelFault, Turn, Usage
from research.models import ResearchResult, Run
from research.models.states import RunState
from research.services.runs import resume_run
from tests.deep.conftest import work
from tests.deep.newsroom import LINES, Sage

pytestmark = pytest.mark.django_db


def expire(run):
    late = timezone.now() - timedelta(seconds=1)
    Run.objects.filter(pk=run.pk).update(deadline=late)
    Run.objects.filter(parent=run).update(deadline=late)


def test_the_deadline_leaves_the_topics_that_were_finished(ask):
    run = ask(Sage())
    perform_run(run.pk)
    first = Run.objects.get(parent=run, directive="dir-1-1")
    perform_run(first.pk)
    expire(run)
    run = work(run)
    assert run.state == RunState.SUCCEEDED
    result = ResearchResult.objects.get(run=run)
    assert result.partial
    assert "Mill AG belongs to Acme SE, Munich, since 2019 [1][2]." in result.data["report"]
    assert [source["number"] for source in result.data["sources"]] == [1, 2]
    assert result.data["limitations"][0] == "The time of the run was over before the research was."
    assert any(
        text.startswith("Not researched: “How many people work") for text in result.data["limitations"]
    )
    assert result.schema_valid


def test_the_deadline_fails_a_run_that_has_nothing_yet(ask):
    run = ask(Sage())
    expire(run)
    run = work(run)
    assert (run.state, run.error["code"]) == (RunState.FAILED, "deadline")
    assert not ResearchResult.objects.exists()


def test_a_report_that_was_written_is_kept_when_the_time_ends_in_verification(ask):
    run = None

    def late(request):
        expire(run)
        return LINES["claims"](request)

    run = ask(Sage(claims=late))
    work(run)
    result = ResearchResult.objects.get(run=run)
    assert result.data["report"].startswith("# The mill in Bern")
    assert {check.verdict for check in result.checks.filter(kind="claim")} <= {"pass", "unknown"}
    assert not result.partial


def refused(stop, words):
    return Turn(text=words, stop=stop, usage=Usage(1000, output_tokens=10))


@pytest.mark.parametrize(
    ("stop", "sentence"),
    [
        ("refusal", "The model refused to go on: I will not write about mills."),
        (
            "content_filter",
            "The provider's filter withheld the model's answer: I will not write about mills.",
        ),
        ("error", "The model stopped without an answer: I will not write about mills."),
    ],
)
def test_a_model_that_will_not_write_the_report_leaves_what_was_found(ask, stop, sentence):
    run = work(ask(Sage(report=refused(stop, "I will not  write about mills."))))
    assert run.state == RunState.SUCCEEDED
    result = ResearchResult.objects.get(run=run)
    assert result.partial
    assert result.data["limitations"][0] == sentence
    assert "Mill AG belongs to Acme SE, Munich, since 2019 [1][2]." in result.data["report"]
    assert "I will not" not in result.data["report"]
    assert result.schema_valid


def test_what_a_model_wrote_before_it_refused_is_no_report(ask):
    def half(request):
        return refused("refusal", json.dumps(LINES["report"](request)))

    result = ResearchResult.objects.get(run=work(ask(Sage(report=half))))
    assert result.data["report"].startswith("# What was found so far")


def test_a_model_that_will_not_send_anybody_out_again_leaves_what_was_found(ask):
    run = work(ask(Sage(supervision=refused("refusal", "No."))))
    result = ResearchResult.objects.get(run=run)
    assert result.data["limitations"][0] == "The model refused to go on: No."
    assert "240 people work at Mill AG [3]" in result.data["report"]


@pytest.mark.parametrize("part", ["clarification", "brief", "draft"])
def test_a_model_that_refuses_before_anything_was_found_fails_the_run(ask, part):
    run = work(ask(Sage(**{part: refused("refusal", "I will not look for that.")})))
    assert (run.state, run.error["code"]) == (RunState.FAILED, "refusal")
    assert run.error["message"] == "The model refused to answer."
    assert run.error["said"] == "I will not look for that."


def test_a_provider_that_is_gone_is_waited_for_and_nothing_is_done_twice(ask):
    sage = Sage(report=ModelFault("quota", "There is no credit left."))
    run = work(ask(sage))
    assert (run.state, run.error["code"]) == (RunState.FAILED, "model_unavailable")
    assert run.error["retryable"]
    assert "There is no credit left." in run.error["message"]
    assert not ResearchResult.objects.exists()
    finished = list(Run.objects.filter(parent=run).order_by("pk").values_list("pk", "state", "fence"))
    assert {state for _, state, _ in finished} == {RunState.SUCCEEDED}

    del sage.lines["report"]
    resume_run(run=run, actor=None)
    run = work(run)
    result = ResearchResult.objects.get(run=run)
    assert not result.partial
    assert result.data["report"].startswith("# The mill in Bern")
    assert list(Run.objects.filter(parent=run).order_by("pk").values_list("pk", "state", "fence")) == finished


def test_trouble_before_anything_was_found_is_waited_out_by_resuming(ask):
    run = work(ask(Sage(draft=ModelFault("quota", "There is no credit left."))))
    assert (run.state, run.error["code"]) == (RunState.FAILED, "model_unavailable")
    assert run.error["retryable"]
    assert not ResearchResult.objects.exists()


def test_cancelling_the_parent_cancels_its_children(ask):
    from research.services.runs import cancel_run

    run = ask(Sage())
    perform_run(run.pk)
    run.refresh_from_db()
    cancel_run(run=run, actor=None)
    assert {child.state for child in Run.objects.filter(parent=run)} == {RunState.CANCELLED}
    assert work(run).state == RunState.CANCELLED
    assert not ResearchResult.objects.exists()
