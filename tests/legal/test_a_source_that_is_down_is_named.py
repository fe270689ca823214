"""A source in trouble is asked three times, named in the limitations, and makes an autonomous run cautious."""

import pytest

from research.errors import InvalidParameters
from research.models import Step
from research.models.states import RunState
from research.services.checkpoints import waiting_for
from research.services.runs import confirm_checkpoint
from tests.legal.conftest import work

pytestmark = pytest.mark.django_db


def to_the_end(run):
    work(run)
    phases = []
    while run.state == RunState.AWAITING_CONFIRMATION:
        phases.append(run.phase)
        confirm_checkpoint(run=run, actor=None, enqueue=False)
        work(run)
    assert run.state == RunState.SUCCEEDED, run.error
    return phases


def test_it_is_asked_three_times_and_named(ask, courts, acts, commentaries):
    commentaries.status = 503
    run = ask(autonomy="balanced")
    to_the_end(run)
    asked = Step.objects.filter(run=run, kind="tool", name="search_commentaries").count()
    assert len(commentaries.asked) == 3 * asked
    said = run.result.data["memo"]["limitations"]
    assert any(line.startswith("doctrine konnte nicht befragt werden") for line in said)
    assert run.result.data["metadata"]["sourcesSearched"] == 2
    assert any("doctrine" in step for step in run.result.data["memo"]["nextSteps"])


def test_an_autonomous_run_is_cautious_from_then_on(ask, courts, acts, commentaries):
    commentaries.status = 503
    run = work(ask(autonomy="autonomous"))
    assert run.phase == "sources"
    assert waiting_for(run).message.startswith(
        "Source doctrine unavailable. Continue with remaining sources?"
    )
    assert to_the_end(run) == ["sources", "verify", "synthesize", "deliver"]
    assert run.result.data["metadata"]["autonomyMode"] == "autonomous"


@pytest.mark.parametrize("trouble", ["shards", "bot", "no_hits", 500])
def test_trouble_with_the_courts_is_no_absence(ask, courts, acts, commentaries, trouble):
    courts.trouble = trouble
    run = ask(autonomy="balanced")
    to_the_end(run)
    memo = run.result.data["memo"]
    assert any(line.startswith("bge-search konnte nicht befragt werden") for line in memo["limitations"])
    assert [one for one in memo["citations"] if one["verdict"] == "nonexistent"] == []


@pytest.mark.parametrize("autonomy", ["cautious", "balanced", "autonomous"])
def test_when_nobody_answers_the_result_is_partial(ask, autonomy):
    run = ask(autonomy=autonomy)  # no address is set up for any source
    phases = to_the_end(run)
    assert phases[-1] == "sources"  # nothing is asked about results that there are none of
    result = run.result
    assert (result.partial, result.ungrounded) == (True, True)
    assert result.schema_valid
    assert result.data["memo"]["findings"] == []
    assert any("Keine Quelle hat geantwortet" in line for line in result.data["memo"]["limitations"])


def test_a_person_may_have_them_asked_again(ask, courts, acts, commentaries, traffic):
    courts.trouble = commentaries.status = acts.status = 503
    run = work(ask(autonomy="autonomous"))
    assert (run.state, run.phase) == (RunState.AWAITING_CONFIRMATION, "sources")
    shown = waiting_for(run)
    assert "Nothing was found." in shown.message
    assert shown.edit == {"again": False}
    with pytest.raises(InvalidParameters, match="true or false"):
        confirm_checkpoint(run=run, actor=None, answer={"again": "yes"}, enqueue=False)
    confirm_checkpoint(run=run, actor=None, answer={"again": True}, phase="sources", enqueue=False)
    assert work(run).phase == "sources.2"
    courts.trouble, commentaries.status, acts.status = "", 200, 200
    traffic.sleep(60)  # as long as a source in trouble is left alone
    confirm_checkpoint(run=run, actor=None, answer={"again": True}, phase="sources.2", enqueue=False)
    work(run)
    assert run.state == RunState.SUCCEEDED
    assert run.result.data["memo"]["findings"]
    assert not run.result.partial


def test_none_found_by_those_that_answered_is_not_called_silence(ask, courts, acts, commentaries):
    courts.decisions, courts.trouble = [], ""
    commentaries.status = 503
    run = ask("Darf der Vermieter Xylophonunterricht verbieten?", autonomy="balanced")
    phases = to_the_end(run)
    assert phases == ["plan", "sources"]
    said = run.result.data["memo"]["limitations"]
    assert any(line.startswith("doctrine konnte nicht befragt werden") for line in said)
    assert not any("Keine Quelle hat geantwortet" in line for line in said)


def test_an_absent_article_is_no_trouble(ask, courts, acts, commentaries):
    run = ask("Find BGE precedents on Art. 364 OR (Werkvertrag)", autonomy="autonomous")
    assert to_the_end(run) == []
