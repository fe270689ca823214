"""What a researcher's model did not say to its end is no finding: a summary that was cut off, a refusal."""

import pytest

from research.llm.interface import Turn
from research.models import Run, Step
from tests.deep.conftest import work
from tests.deep.newsroom import Sage, research, summary

pytestmark = pytest.mark.django_db
REFUSAL = Turn(text="I cannot help with that.", stop="refusal")


def outputs(run):
    return [step.answer for step in Step.objects.filter(run__parent=run, name="output")]


def test_a_summary_that_was_cut_off_is_not_used_however_good_it_looks(ask):
    run = work(ask(Sage(summary=lambda request: Turn(text=summary(request), stop="max_tokens"))))
    given = outputs(run)
    assert given
    assert [one["compression"]["used"] for one in given] == [False] * len(given)
    assert [one["compression"]["rejected"] for one in given] == [["It was cut off."]] * len(given)
    assert all("All of it was read." not in one["findings"] for one in given)
    assert all("Mill AG" in one["findings"] for one in given)


def test_a_refusal_at_the_end_is_trouble_and_no_summary(ask):
    def refusing(request):
        turn = research(request)
        return turn if turn.stop == "tools" else REFUSAL

    given = outputs(work(ask(Sage(research=refusing))))
    assert given
    assert all("refusal" in one["trouble"] for one in given)
    assert all(one["sources"] for one in given)
    assert all(not one["summary"].startswith("I cannot") for one in given)


def test_a_refusal_at_the_beginning_ends_the_researcher(ask):
    run = work(ask(Sage(research=REFUSAL)))
    assert outputs(run) == []
    children = Run.objects.filter(parent=run)
    assert {(child.state, child.error["code"]) for child in children} == {("failed", "refusal")}
    assert all("I cannot help with that." in child.error["message"] for child in children)
