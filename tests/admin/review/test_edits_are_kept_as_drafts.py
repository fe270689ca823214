from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from research.errors import DraftNotKept, NotPermitted
from research.models import Decision, Draft
from research.services import drafts
from research.services.drafts import keep_draft
from research.services.reviews import reject_result
from tests.factories import ALL_RIGHTS, UserFactory

pytestmark = pytest.mark.django_db
NAME = "leaf:/head/name"
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def colleague():
    return UserFactory(username="carl", rights=ALL_RIGHTS)


@pytest.fixture
def keep(result, reviewer):
    """``keep(typed, revision=0, …)`` as a page would."""

    def keep(typed, revision=0, **changed):
        asked = {"about": result, "person": reviewer, "digest": result.digest, "now": NOW, **changed}
        return keep_draft(typed=typed, revision=revision, **asked)

    return keep


def test_it_keeps_what_was_typed_and_shows_it_when_the_page_is_opened_again(page):
    page.press(
        "preview",
        {"/head/name": "Mine", "/head/staff": "many", "/note": "a\nb"},
        **{"remove:/funds/1": "on", "reason": "as filed"},
    )
    page.open()

    assert (page.fields[NAME], page.fields["leaf:/head/staff"], page.fields["leaf:/note"]) == (
        "Mine",
        "many",
        "a\nb",
    )
    assert "remove:/funds/1" in page.fields
    assert "Your draft of" in page.text
    assert "must be a whole number" in page.text
    assert "No check failed" not in page.text  # the checks on the page are those before the edits


@pytest.mark.parametrize("action", ["preview", "confirm", "approve", "reject", "rerun", "to-raw"])
def test_it_keeps_it_whatever_button_was_pressed(page, action):
    page.press(action, {"/head/name": "Mine", "/head/staff": "many"})

    assert Draft.objects.get().typed["tab" if action == "to-raw" else NAME]


def test_it_keeps_raw_json_that_cannot_be_read(page):
    page.press("to-raw")
    page.press("to-fields", raw='{"head": ')
    page.open()

    assert page.fields["raw"] == '{"head": '


def test_it_keeps_edits_made_as_raw_json_below_the_fields(page):
    page.press("to-raw")
    page.press("to-fields", raw=page.fields["raw"].replace("Allianz SE", "Mine"))
    page.press("preview", {"/note": "more"})
    page.open()

    assert (page.fields[NAME], page.fields["leaf:/note"]) == ("Mine", "more")
    assert len(page.view.edits) == 2


def test_nothing_is_kept_of_a_form_that_nobody_touched_or_that_was_emptied(page):
    page.press("preview")
    assert not Draft.objects.exists()
    page.press("preview", {"/head/name": "Mine"})
    assert Draft.objects.exists()
    page.press("preview", discard="1")
    assert not Draft.objects.exists()


def test_nobody_else_sees_it(page, browse, result, colleague):
    page.press("preview", {"/head/name": "Mine"})

    assert browse(result, colleague).fields[NAME] == "Allianz SE"


def test_a_decision_ends_it(page):
    page.press("confirm", {"/head/name": "Mine"})
    page.press("approve", reason="x")

    assert Decision.objects.get().data["head"]["name"] == "Mine"
    assert not Draft.objects.exists()


def test_what_was_typed_before_a_colleague_decided_is_shown_and_can_be_discarded(page, result, colleague):
    page.press("preview", {"/head/name": "Mine"})
    reject_result(result=result, reviewer=colleague, digest=result.digest, reason="no")
    page.open()

    assert "Edits of yours that nobody has signed" in page.text
    assert ">Mine</ins>" in page.text
    page.post({"action": "forget"})
    page.open()
    assert "nobody has signed" not in page.text
    assert not Draft.objects.exists()


def test_what_is_posted_too_late_is_kept(page, result, colleague):
    reject_result(result=result, reviewer=colleague, digest=result.digest, reason="no")
    page.press("approve", {"/head/name": "Mine"})

    assert page.page.status_code == 409
    assert page.open().context["page"].leftover


def test_a_draft_of_other_data_is_shown_beside_the_form_and_not_in_it(page, keep):
    keep({NAME: "Mine"}, digest="0" * 64)
    page.open()

    assert page.fields[NAME] == "Allianz SE"
    assert "for other data" in page.text


def test_two_windows_do_not_write_over_each_other(page, browse, result, reviewer):
    other = browse(result, reviewer)
    page.press("preview", {"/head/name": "Mine"})
    page.press("preview", {"/head/name": "Mine again"})

    other.press("preview", {"/note": "other"})
    assert "Another window of yours" in other.text
    assert Draft.objects.get().typed[NAME] == "Mine again"

    other.press("preview", draft=dict(other.buttons)["draft"])
    assert "Another window of yours" not in other.text
    assert Draft.objects.get().typed["leaf:/note"] == "other"


def test_an_answer_that_never_arrived_is_no_other_window(page):
    page.press("preview", {"/head/name": "Mine"})
    page.post({**page.fields, NAME: "Mine again", "draft": "0", "action": "preview"})

    assert Draft.objects.get().typed[NAME] == "Mine again"


def test_nothing_is_decided_on_a_page_that_was_shown_to_somebody_else(page, client, colleague):
    client.force_login(colleague)
    for action in ("preview", "confirm", "approve", "reject", "rerun"):
        page.press(action, {"/head/name": "Mine"}, reason="x", reject_reason="x", feedback="x")
        assert page.page.status_code == 409
        assert "you are carl" in page.text
        page.fields = {**page.fields, "person": "0"}
    assert not Draft.objects.exists()
    assert not Decision.objects.exists()


def test_it_says_how_things_stand(page, client, result, reviewer):
    address = reverse("admin:research_researchresult_standing", args=[result.pk])
    answer = client.get(address)
    told = answer.json()

    assert (told["about"], told["digest"]) == (str(result.pk), result.digest)
    assert (told["person"], told["name"], told["state"]) == (reviewer.pk, "rita", "pending_review")
    assert "no-store" in answer["Cache-Control"]
    client.logout()
    assert client.get(address).status_code == 302
    client.force_login(UserFactory())
    assert client.get(address).status_code == 403


def test_an_answer_names_the_question_that_it_answers(page):
    page.press("preview", asked="17")
    assert 'data-answers="17"' in page.text
    page.press("preview", asked='"><script>' * 9)
    assert '<script>"' not in page.text


def test_drafts_are_bounded(keep, reviewer, make_result, monkeypatch):
    monkeypatch.setattr(drafts, "MAX_DRAFTS", 2)
    keep({NAME: "a"})
    keep({NAME: "b"}, about=make_result())
    with pytest.raises(DraftNotKept, match="2 drafts"):
        keep({NAME: "c"}, about=make_result())
    monkeypatch.setattr(drafts, "MAX_BYTES", 1000)
    with pytest.raises(DraftNotKept, match="too long"):
        keep({NAME: "x" * 1001}, revision=1)


def test_drafts_that_were_left_for_long_go(keep, make_result):
    keep({NAME: "old"})
    keep({NAME: "new"}, about=make_result(), now=NOW + timedelta(days=91))

    assert [draft.typed for draft in Draft.objects.all()] == [{NAME: "new"}]


def test_a_draft_holds_any_text(keep):
    keep({NAME: "NUL \0, \ud800, \U0001f600"})

    assert Draft.objects.get().typed[NAME] == "NUL , ?, \U0001f600"


def test_who_may_not_decide_has_no_draft(keep):
    with pytest.raises(NotPermitted):
        keep({NAME: "a"}, person=UserFactory(rights=["view_researchresult"]))
