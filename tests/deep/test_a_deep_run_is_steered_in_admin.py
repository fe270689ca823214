"""The page of a deep run shows its phases and researchers, and a form for what it waits for."""

import re

import pytest
from django.urls import reverse

from research.engine.runner import perform_run
from research.models import Run, Step
from research.models.states import RunState
from tests.deep.conftest import work
from tests.deep.newsroom import BRIEF, DIRECTIVES, UNCLEAR, Sage
from tests.factories import ALL_RIGHTS, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(client):
    client.force_login(UserFactory(rights=ALL_RIGHTS))
    return client


def page(browser, run):
    return browser.get(reverse("admin:research_run_change", args=[run.pk])).content.decode()


def confirm(browser, run, **fields):
    answer = browser.post(reverse("admin:research_run_confirm", args=[run.pk]), fields, follow=True)
    run.refresh_from_db()
    return answer.content.decode()


def said(run):
    return Step.objects.filter(run=run, name="confirmed").order_by("-seq").first().answer.get("answer")


def test_it_shows_phases_and_researchers(ask, browser):
    run = ask(Sage())
    perform_run(run.pk)
    perform_run(Run.objects.get(parent=run, directive="dir-1-1").pk)
    html = page(browser, run)
    assert re.search(r'<li class="is-now" aria-current="step"><span>Round 1 of at most 3</span>', html)
    assert '<li class="is-done"><span>Brief</span>' in html
    assert '<li class="is-ahead"><span>Synthesis</span>' in html
    for child in Run.objects.filter(parent=run):
        assert reverse("admin:research_run_change", args=[child.pk]) in html
    assert 'http-equiv="refresh"' in html


def test_a_question_is_answered_on_the_page(ask, browser):
    run = work(ask(Sage(clarification=UNCLEAR)))
    html = page(browser, run)
    assert "Which mill do you mean?" in html
    assert 'http-equiv="refresh"' not in html
    confirm(browser, run, phase="clarification", **{"edit-answer": "The one\r\non the Aare."})
    assert run.state == RunState.QUEUED
    assert said(run) == {"answer": "The one\non the Aare."}


def test_the_brief_is_edited_on_the_page(ask, browser):
    run = work(ask(Sage(), autonomy="cautious"))
    confirm(browser, run, phase="clarification")
    work(run)
    assert BRIEF["research_brief"] in page(browser, run)
    confirm(browser, run, phase="brief", **{f"edit-{name}": f"{text} More." for name, text in BRIEF.items()})
    assert said(run)["research_brief"] == f"{BRIEF['research_brief']} More."


def test_directives_are_dropped_edited_and_added_on_the_page(ask, browser):
    run = work(ask(Sage(), autonomy="cautious"))
    for phase in ("clarification", "brief"):
        confirm(browser, run, phase=phase)
        work(run)
    html = page(browser, run)
    assert DIRECTIVES[1]["research_topic"] in html
    assert html.count("One more, if wanted") == 2
    fields = {
        "cards": "1",
        "card-0-research_topic": "Dropped",
        "card-0-drop": "on",
        "card-1-research_topic": "Edited",
        "card-1-priority": "1",
        "card-2-research_topic": "Added",
        "card-3-research_topic": "",
    }
    confirm(browser, run, phase="directives.1", **fields)
    work(run)
    topics = Run.objects.filter(parent=run).order_by("directive")
    assert [child.params["topic"] for child in topics] == ["Edited", "Added"]


def test_what_cannot_be_used_is_told_and_the_run_still_waits(ask, browser):
    run = work(ask(Sage(), autonomy="cautious"))
    confirm(browser, run, phase="clarification")
    work(run)
    html = confirm(browser, run, phase="brief", **{"edit-research_brief": "x"})
    assert "too short to work from" in html
    assert run.state == RunState.AWAITING_CONFIRMATION


def test_a_page_that_is_out_of_date_confirms_nothing(ask, browser):
    run = work(ask(Sage(), autonomy="cautious"))
    confirm(browser, run, phase="clarification")
    work(run)
    html = confirm(browser, run, phase="clarification", **{"edit-answer": "late"})
    assert "does not wait at" in html
    assert (run.state, run.phase) == (RunState.AWAITING_CONFIRMATION, "brief")


def test_what_a_model_wrote_is_text_on_the_page(ask, browser):
    hostile = {
        "need_clarification": True,
        "question": "<script>alert(1)</script></textarea>?",
        "verification": "",
    }
    html = page(browser, work(ask(Sage(clarification=hostile))))
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html


def test_who_may_only_look_gets_no_form(ask, client):
    client.force_login(UserFactory(rights=["view_run"]))
    run = work(ask(Sage(clarification=UNCLEAR)))
    html = page(client, run)
    assert "Which mill do you mean?" in html
    assert "Go on with this answer" not in html


def test_other_runs_keep_their_page(browser):
    from tests.factories import RunFactory

    html = page(browser, RunFactory(state=RunState.AWAITING_CONFIRMATION, phase="plan"))
    assert "Confirm the plan" in html
    assert "dossier-phases" not in html
