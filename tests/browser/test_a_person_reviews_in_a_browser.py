import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from entities.models import Entity
from research.engine.runner import perform_run
from research.models import Decision, ResearchResult
from research.services.macros import sync_macros
from research.services.runs import start_run
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("page")]
PASSWORD = "correct horse"


@pytest.fixture
def person():
    person = UserFactory(username="petra", rights=ALL_RIGHTS)
    person.set_password(PASSWORD)
    person.save()
    return person


@pytest.fixture
def result(person):
    """What client-discovery finds about Allianz SE in the demo register."""
    sync_macros()
    run = start_run(
        macro="client-discovery",
        params={"client_name": "Allianz SE", "max_entities": 4},
        trigger="cli",
        enqueue=False,
    )
    perform_run(run.pk)
    return ResearchResult.objects.get(run=run)


@pytest.fixture
def at(live_server, page, log_in, person):
    """``at(result)`` opens the review page, logged in."""
    log_in(person)

    def go(result):
        page.goto(live_server.url + reverse("admin:research_researchresult_review", args=[result.pk]))
        return page

    return go


def field(page, pointer):
    return page.locator(f'[name="leaf:{pointer}"]')


def test_it_edits_a_field_sees_the_verbs_follow_approves_executes_and_finds_the_entities(
    at, result, person, live_server, complaints
):
    page = at(result)
    expect(page.locator("body")).to_contain_text("529900K9B0N5BT694847")
    expect(page.locator("#nothing")).to_be_hidden()
    field(page, "/apex_entity/name").fill("Allianz Societas Europaea")
    field(page, "/apex_entity/lei").fill("")
    expect(page.locator("#approve")).to_contain_text("2 edits")
    verbs = page.locator("#verbs, .verbs").first
    expect(verbs).to_contain_text('"Allianz Societas Europaea"')
    expect(verbs).not_to_contain_text("529900K9B0N5BT694847")
    field(page, "/apex_entity/lei").fill("529900K9B0N5BT694847")
    expect(verbs).to_contain_text("529900K9B0N5BT694847")
    expect(page.locator("#approve")).to_contain_text("1 edit")
    page.click("#approve")
    page.locator("#reason").fill("name as in the articles of association")
    page.click("button[value=approve]")
    page.click("#execute")
    expect(page.locator("#execute")).to_have_count(0)
    decision = Decision.objects.get(result=result)
    assert (decision.reviewer, decision.verdict) == (person, "approved")
    assert decision.data["apex_entity"]["name"] == "Allianz Societas Europaea"
    assert set(decision.verb_calls.values_list("state", flat=True)) == {"succeeded"}
    page.goto(live_server.url + reverse("admin:entities_entity_changelist"))
    expect(page.locator("#result_list")).to_contain_text("Allianz SE")
    assert Entity.objects.filter(lei="529900K9B0N5BT694847").exists()
    assert complaints == []


def test_it_shows_a_failed_check_at_once_and_asks_for_a_reason(at, result, complaints):
    page = at(result)
    field(page, "/apex_entity/lei").fill("529900FAHFDMSXCPII15")
    expect(page.locator("#bar-state")).to_contain_text(re.compile("failed: approving needs a reason"))
    page.click("#approve")
    page.click("button[value=approve]")
    expect(page.locator("body")).to_contain_text("needs a reason")
    assert not Decision.objects.exists()
    assert [text for text in complaints if "422" not in text] == []


def test_it_finds_no_edit_in_a_page_that_nobody_touched(at):
    data = {
        "name": "two\nlines \r\nand more",
        "lei": " 529900K9B0N5BT694847 ",
        "confidence": "certain",
        "extra": {
            'a.b/c~d"e': 1.0,
            "": 9007199254740993,
            "u": "\u2028\u00a0\U0001f600",
            "yes": True,
            "no": None,
        },
    }
    page = at(ResultFactory(data=data, schema_valid=False))
    expect(page.locator("#approve")).not_to_contain_text("edit")
    page.click("#approve")
    expect(page.locator("body")).not_to_contain_text("What you changed")


def test_it_shows_markup_as_text(at, complaints):
    for text in ("<script>document.title='owned'</script>", "<img src=x onerror=alert(1)>"):
        page = at(ResultFactory(data={"name": text}, limitations=[text]))
        expect(field(page, "/name")).to_have_value(text)
        assert "owned" not in page.title()
        assert complaints == []


def test_it_moves_by_keys_but_never_decides_by_one(at, result):
    page = at(result)
    page.keyboard.press("a")
    expect(page.locator("#approve")).to_be_focused()
    page.keyboard.press("x")
    expect(page.locator("#reject_reason")).to_be_visible()
    expect(page.locator("#reject_reason")).to_have_value("")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_contain_text("next pending", ignore_case=True)
    result.refresh_from_db()
    assert result.state == "pending_review"


def test_it_breaks_no_policy_on_any_page(at, result, live_server, complaints):
    page = at(result)
    for name in (
        "index",
        "research_run_changelist",
        "research_macro_changelist",
        "research_check_changelist",
        "entities_entity_changelist",
    ):
        page.goto(live_server.url + reverse(f"admin:{name}"))
        expect(page.locator("#content")).to_be_visible()
        assert complaints == [], name


def test_it_works_without_javascript(chromium, live_server, person, result):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url + reverse("admin:login"))
    page.fill("#id_username", person.username)
    page.fill("#id_password", PASSWORD)
    page.click("input[type=submit]")
    page.goto(live_server.url + reverse("admin:research_researchresult_review", args=[result.pk]))
    page.locator('[name="leaf:/apex_entity/name"]').fill("Allianz Societas Europaea")
    page.click("#approve")
    expect(page.locator("body")).to_contain_text("What you changed")
    page.locator("#reason").fill("as registered")
    page.click("button[value=approve]")
    expect(page.locator("body")).to_contain_text("petra")
    assert Decision.objects.get().data["apex_entity"]["name"] == "Allianz Societas Europaea"
    context.close()
