"""What a run waits for is decided in one box of its page; who may not decide reads it there, and what is missing."""

import pytest
from django.urls import reverse
from lxml import html as markup

from tests.factories import ALL_RIGHTS, MacroFactory, RunFactory, StepFactory, UserFactory

pytestmark = pytest.mark.django_db
WORKFLOWS = ("direct", "deep", "legal")


def spent_out(workflow):
    run = RunFactory(
        macro=MacroFactory(name="a-question"),
        workflow=workflow,
        state="awaiting_confirmation",
        phase="budget",
        budget_usd=1,
        spent_usd="0.9",
    )
    StepFactory(run=run, kind="phase", name="budget", answer={"needed_usd": "0.403312"})
    return run


def page_of(client, run, rights):
    client.force_login(UserFactory(rights=rights))
    return markup.fromstring(client.get(reverse("admin:research_run_change", args=[run.pk])).content.decode())


def box_of(page):
    (box,) = page.xpath("//section[@id='checkpoint']")
    return box


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_a_spent_budget_is_decided_in_one_box(client, workflow):
    run = spent_out(workflow)
    page = page_of(client, run, ALL_RIGHTS)
    choices = [
        "Go on with it",
        *(["Finish with what there is"] if workflow == "deep" else []),
        "Cancel the run",
    ]
    assert [button.text for button in box_of(page).xpath(".//button")] == choices
    assert "must be at least 1.3034 USD" in box_of(page).text_content()
    steering = reverse("admin:research_run_change", args=[run.pk]).replace("/change/", "/")
    forms = [form for form in page.xpath("//form[@action]") if form.get("action").startswith(steering)]
    assert all(form.xpath("ancestor::section[@id='checkpoint']") for form in forms)
    assert len(forms) == len(choices)


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_each_choice_about_a_spent_budget_says_only_what_it_is(client, workflow):
    forms = box_of(page_of(client, spent_out(workflow), ALL_RIGHTS)).xpath(".//form")
    posted = [
        sorted({field.get("name") for field in form.xpath(".//input|.//button[@name]")}) for form in forms
    ]
    budget, *others = [[name for name in names if name != "csrfmiddlewaretoken"] for names in posted]
    assert budget == ["budget_usd", "phase"]
    assert others == [*([["finish", "phase"]] if workflow == "deep" else []), []]


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_who_may_not_steer_it_is_told_what_is_missing_and_sees_no_button(client, workflow):
    page = page_of(client, spent_out(workflow), ("view_run",))
    box = box_of(page)
    assert "research.start_run" in box.text_content()
    assert "must be at least 1.3034 USD" in box.text_content()
    assert not box.xpath(".//button|.//input")
