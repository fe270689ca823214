"""The page of a legal run shows its phases and a form for what it waits for; what is posted is what was meant."""

import re

import pytest
from django.urls import reverse
from lxml import html as markup

from research.models import Step
from research.models.states import RunState
from research.services.runs import confirm_checkpoint
from tests.factories import ALL_RIGHTS, UserFactory
from tests.legal.conftest import work

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def law(courts, acts, commentaries):
    return courts


@pytest.fixture
def browser(client):
    client.force_login(UserFactory(rights=ALL_RIGHTS))
    return client


def page(browser, run):
    return browser.get(reverse("admin:research_run_change", args=[run.pk])).content.decode()


def form_of(text):
    """The fields of the checkpoint as a browser would post them."""
    (form,) = markup.fromstring(text).xpath("//section[@id='checkpoint']//form")
    values = form.form_values()
    # a browser drops the line break that a textarea begins with
    return [(name, value.removeprefix("\n")) for name, value in values if name != "csrfmiddlewaretoken"]


def post(browser, run, fields):
    data: dict[str, list[str]] = {}
    for name, value in fields:
        data.setdefault(name, []).append(value)
    answer = browser.post(reverse("admin:research_run_confirm", args=[run.pk]), data, follow=True)
    run.refresh_from_db()
    return answer.content.decode()


def said(run):
    return Step.objects.filter(run=run, name="confirmed").order_by("-seq").first().answer.get("answer")


def test_every_form_posted_as_it_stands_changes_nothing(ask, browser):
    run = work(ask(autonomy="cautious"))
    phases = []
    while run.state == RunState.AWAITING_CONFIRMATION:
        phases.append(run.phase)
        shown = Step.objects.filter(run=run, kind="phase", name=run.phase).get().answer["edit"]
        post(browser, run, form_of(page(browser, run)))
        assert said(run) == shown, run.phase
        work(run)
    assert phases == ["understand", "plan", "search", "verify", "synthesize", "deliver"]
    assert run.state == RunState.SUCCEEDED, run.error


def test_it_shows_how_far_it_is_and_what_it_asks(ask, browser):
    text = page(browser, work(ask(autonomy="balanced")))
    assert re.search(r'<li class="is-waits" aria-current="step"><span>Plan</span>', text)
    assert "Searching 3 sources for 2 legal issues" in text
    assert "Mängelhaftung Werkvertrag" in text
    assert "Confirm the plan" not in text


def test_a_query_is_changed_left_out_and_added(ask, browser):
    run = work(ask(autonomy="balanced"))
    fields = dict(form_of(page(browser, run)))
    last = max(int(name.split("-")[1]) for name in fields if name.startswith("row-"))
    fields |= {
        "row-0-query": "Werkvertrag",
        "row-1-leave": "on",
        f"row-{last}-source": "cantonal-courts",
        f"row-{last}-query": "Werkvertrag",
        f"row-{last}-filters": "cantons=ZH,BE from=2010-01-01",
    }
    post(browser, run, fields.items())
    queries = said(run)["queries"]
    assert queries[0]["query"] == "Werkvertrag"
    assert len(queries) == last
    assert queries[-1]["filters"] == {"cantons": ["ZH", "BE"], "from": "2010-01-01"}


def test_what_cannot_be_used_is_refused_on_the_page(ask, browser):
    run = work(ask(autonomy="cautious"))
    fields = {**dict(form_of(page(browser, run))), "lines-cantons": "XX"}
    text = post(browser, run, fields.items())
    assert "&#x27;XX&#x27; is not one of" in text
    assert run.state == RunState.AWAITING_CONFIRMATION


def test_a_citation_is_taken_out(ask, browser):
    run = work(ask(autonomy="balanced"))
    post(browser, run, form_of(page(browser, run)))
    work(run)
    text = page(browser, run)
    assert "? open" in text
    post(browser, run, [*form_of(text), ("drop", "BGE 118 II 142")])
    assert said(run) == {"drop": ["BGE 118 II 142"]}


def test_a_question_about_nothing_is_put_again(ask, browser):
    run = work(ask("Wie ist das?"))
    text = page(browser, run)
    assert "Nothing in this question can be searched for" in text
    post(browser, run, [("phase", "clarification"), ("edit-answer", "Mängel im Werkvertrag?")])
    assert said(run) == {"answer": "Mängel im Werkvertrag?"}


def test_text_of_decisions_is_shown_as_text(ask, browser, law):
    law.hits[0]["_source"]["title"] = dict.fromkeys(
        ("de", "fr", "it"), "&lt;script&gt;alert(1)&lt;/script&gt; Werkvertrag"
    )
    run = work(ask(autonomy="cautious"))
    while run.phase != "verify":
        post(browser, run, form_of(page(browser, run)))
        work(run)
    text = page(browser, run)
    assert "<script>alert(1)" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_who_may_not_start_runs_reads_what_is_asked_and_is_told_why_it_cannot_be_changed(ask, client):
    client.force_login(UserFactory(rights=["view_run"]))
    (box,) = markup.fromstring(page(client, work(ask(autonomy="balanced")))).xpath(
        "//section[@id='checkpoint']"
    )
    assert "Searching 3 sources" in box.text_content()
    assert "you lack the permission research.start_run" in box.text_content()
    (query,) = box.xpath(".//input[@name='row-0-query']")
    assert query.get("value") == "Mängelhaftung Werkvertrag"
    assert query.xpath("ancestor::fieldset[@disabled]")
    assert not box.xpath(".//button")


def test_each_value_of_a_table_says_what_its_column_is_called_for_narrow_screens(ask, client):
    client.force_login(UserFactory(rights=ALL_RIGHTS))
    run = work(ask(autonomy="cautious"))
    while run.phase != "verify":
        work(confirm_checkpoint(run=run, actor=None))
        run.refresh_from_db()
        tables = markup.fromstring(page(client, run)).xpath("//table[contains(@class, 'dossier-stacked')]")
        for table in tables:
            heads = [head.text for head in table.xpath("./thead//th")]
            assert {tuple(row.xpath("./td/@data-label")) for row in table.xpath("./tbody/tr")} == {
                tuple(heads)
            }
    assert tables
