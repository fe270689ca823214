import pytest

from research.models import Decision, ResearchResult, Run, VerbCall
from tests.admin.review.conftest import ALLIANZ, RETIRED
from tests.factories import ALL_RIGHTS, UserFactory

pytestmark = pytest.mark.django_db


def test_it_approves_what_was_confirmed(page, result, reviewer):
    page.press("confirm", {"/head/name": "Allianz Societas Europaea"})
    response = page.press("approve", reason="as in the commercial register")

    decision = Decision.objects.get(result=result)
    assert response.status_code == 302
    assert (decision.verdict, decision.reviewer, decision.reason) == (
        "approved",
        reviewer,
        "as in the commercial register",
    )
    assert decision.edits == [{"op": "replace", "path": "/head/name", "value": "Allianz Societas Europaea"}]
    assert decision.data["head"]["name"] == "Allianz Societas Europaea"


def test_it_confirms_again_when_the_edits_changed_after_the_confirmation(page):
    page.press("confirm", {"/head/name": "One"})
    page.press("approve", {"/head/name": "Two"})

    assert page.view.confirming
    assert not Decision.objects.exists()
    assert page.view.changes[0].new.text == "Two"


def test_it_approves_nothing_that_was_not_confirmed(page):
    page.press("approve")

    assert page.view.confirming
    assert not Decision.objects.exists()


def test_it_needs_a_reason_when_a_check_failed(page, result):
    page.press("confirm", {"/head/lei": RETIRED})
    page.press("approve")

    assert page.page.status_code == 422
    assert "approving needs a reason" in page.text
    assert page.view.confirming
    assert page.fields["leaf:/head/lei"] == RETIRED
    assert not Decision.objects.exists()

    assert page.press("approve", reason="the old record is meant").status_code == 302
    assert Decision.objects.get(result=result).reason == "the old record is meant"


@pytest.mark.parametrize(("action", "field"), [("reject", "reject_reason"), ("rerun", "feedback")])
def test_it_needs_a_reason_to_turn_a_result_down(page, action, field):
    page.press(action, {"/head/name": "Another SE"}, **{field: "  "})

    assert page.page.status_code == 422
    assert page.view.open_panel == action
    assert page.fields["leaf:/head/name"] == "Another SE"
    assert not Decision.objects.exists()


def test_it_rejects_with_the_reason(page, result):
    page.press("reject", reject_reason="wrong company")
    result.refresh_from_db()

    assert result.state == "rejected"
    assert Decision.objects.get(result=result).reason == "wrong company"
    page.open()
    assert "wrong company" in page.text


def test_it_sends_back_and_runs_again(page, result):
    page.press("rerun", feedback="look at the funds as well")
    result.refresh_from_db()
    run = Run.objects.get(rerun_of=result)

    assert result.state == "superseded"
    assert (run.feedback, run.params) == ("look at the funds as well", result.run.params)
    page.open()
    assert "started a new run" in page.text


def test_it_executes_the_verbs_after_the_approval_and_shows_what_they_changed(page, result):
    page.press("confirm")
    page.press("approve")
    page.open()
    assert "Execute 1 verb" in page.text

    page.post({"action": "execute"})
    page.open()
    result.refresh_from_db()

    assert result.state == "executed"
    assert VerbCall.objects.get().state == "succeeded"
    assert "what changed" in page.text
    assert ("action", "execute") not in page.buttons


def test_it_approves_and_executes_in_one_go(page, result):
    page.press("confirm")
    page.press("approve", execute="1")
    result.refresh_from_db()

    assert result.state == "executed"


def test_it_shows_the_failed_verb_and_resumes_from_there(page, result, monkeypatch):
    def refuse(arguments, context):
        from research.verbs.handlers import VerbRefused

        raise VerbRefused("the register is down <b>now</b>")

    page.press("confirm")
    page.press("approve")
    with monkeypatch.context() as patch:
        patch.setitem(
            __import__("research.services.execution", fromlist=["HANDLERS"]).HANDLERS, "gleif.enrich", refuse
        )
        page.post({"action": "execute"})
    page.open()
    assert "the register is down &lt;b&gt;now&lt;/b&gt;" in page.text
    assert "Resume: 1 verb left" in page.text

    page.post({"action": "execute"})
    result.refresh_from_db()
    assert result.state == "executed"


def test_it_shows_approved_data_with_what_was_edited_and_no_fields(page):
    page.press("confirm", {"/head/name": "Another SE"})
    page.press("approve", reason="name")
    page.open()

    assert not [name for name in page.fields if name.startswith("leaf:")]
    assert ">Another SE</span>" in page.text
    assert ">Allianz SE</del>" in page.text
    assert "approved with 1 edit" in page.text


@pytest.mark.parametrize("action", ["preview", "confirm", "approve", "reject", "rerun"])
def test_it_refuses_everything_to_a_person_who_may_only_look(browse, result, reviewer, action):
    fields = {**browse(result, reviewer).fields, "reason": "x", "reject_reason": "x", "feedback": "x"}
    page = browse(result, UserFactory(rights=["view_researchresult"]))
    assert "research.decide_researchresult" in page.text
    assert ("action", "confirm") not in page.buttons

    page.post({**fields, "action": action, "confirmed": result.digest})

    assert page.page.status_code == 403
    assert not Decision.objects.exists()


def test_it_lets_nobody_decide_about_their_own_question_under_the_four_eyes_rule(
    browse, make_result, reviewer, settings
):
    settings.DOSSIER_FOUR_EYES = True
    result = make_result()
    Run.objects.filter(pk=result.run_id).update(requested_by=reviewer)
    page = browse(result, reviewer)
    assert "Four-eyes rule" in page.text

    page.post({"action": "reject", "digest": result.digest, "reject_reason": "x"})
    assert page.page.status_code == 403

    other = browse(result, UserFactory(rights=ALL_RIGHTS))
    assert other.press("reject", reject_reason="x").status_code == 302


def test_it_executes_nothing_for_a_person_without_that_right(browse, result, page):
    page.press("confirm")
    page.press("approve")
    looker = browse(result, UserFactory(rights=["view_researchresult"]))
    assert "research.execute_verbs" in looker.text

    assert looker.post({"action": "execute"}).status_code == 403
    assert VerbCall.objects.get().state == "pending"


@pytest.mark.parametrize("query", ["?action=approve", "?action=reject&reject_reason=x", "?action=execute"])
def test_it_changes_nothing_by_get(page, result, query):
    page.client.get(page.url + query)

    assert ResearchResult.objects.get(pk=result.pk).state == "pending_review"


def test_it_refuses_a_post_without_a_csrf_token(result, reviewer):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(reviewer)
    url = f"/admin/research/researchresult/{result.pk}/review/"

    assert (
        client.post(url, {"action": "reject", "digest": result.digest, "reject_reason": "x"}).status_code
        == 403
    )
    assert not Decision.objects.exists()


def test_it_keeps_the_verbs_from_what_the_model_said_out_of_an_edited_approval(page, result):
    page.press("confirm", {"/head/lei": ""})
    page.press("approve")

    assert ALLIANZ not in Decision.objects.get(result=result).verbs
