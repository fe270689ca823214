from datetime import timedelta

import pytest
from django.utils import timezone

from entities.models import Entity
from research.models import Decision, ResearchResult, Run, VerbCall
from research.models.states import CheckKind, ResultState, Verdict
from tests.factories import ALL_RIGHTS, MacroFactory, ResultFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db

EDIT = [{"op": "replace", "path": "/confidence", "value": "medium"}]


@pytest.fixture
def result():
    return ResultFactory()


@pytest.fixture
def failing():
    """A result with an LEI that is retired."""
    lei = "529900FAHFDMSXCPII15"
    return ResultFactory(data={"name": "Allianz Global Investors GmbH", "lei": lei, "jurisdiction": "DE"})


def test_it_shows_what_a_reviewer_needs(client, url, result):
    result.checks.create(
        ordinal=1,
        kind=CheckKind.LEI,
        code="existence",
        verdict=Verdict.PASS,
        message="It is there.",
        checked_at=result.created_at,
    )
    result.run.sources.create(number=1, key="529900K9B0N5BT694847", title="Allianz SE")
    shown = client.get(url("result", result.pk)).json()
    assert shown["data"] == result.data
    assert shown["digest"] == result.digest
    assert [check["code"] for check in shown["checks"]] == ["existence"]
    assert [source["title"] for source in shown["sources"]] == ["Allianz SE"]
    assert shown["decision"] is None


def test_it_approves_what_was_seen(client, url, result, person):
    answer = client.post(url("result-approve", result.pk), {"digest": result.digest, "note": "Looks right."})
    assert answer.status_code == 200, answer.json()
    assert answer.json()["state"] == "approved"
    decision = answer.json()["decision"]
    assert (decision["verdict"], decision["reviewer"], decision["reason"]) == (
        "approved",
        person.username,
        "Looks right.",
    )
    assert Decision.objects.get().data == result.data


def test_it_approves_with_edits(client, url, result):
    answer = client.post(
        url("result-approve", result.pk), {"digest": result.digest, "edits": EDIT, "note": "x"}
    )
    assert answer.status_code == 200, answer.json()
    assert answer.json()["decision"]["data"]["confidence"] == "medium"
    assert answer.json()["data"]["confidence"] == "high"


def test_it_approves_and_executes_in_one_go(client, url, result):
    body = {"digest": result.digest, "note": "x", "execute": True}
    answer = client.post(url("result-approve", result.pk), body)
    assert answer.status_code == 200, answer.json()
    assert answer.json()["state"] == "executed"
    assert Entity.objects.filter(lei="529900K9B0N5BT694847").exists()


def test_it_does_not_even_approve_for_somebody_who_may_not_execute(client_of, url, result):
    rights = [right for right in ALL_RIGHTS if right != "execute_verbs"]
    body = {"digest": result.digest, "note": "x", "execute": True}
    answer = client_of(UserFactory(rights=rights)).post(url("result-approve", result.pk), body)
    assert answer.status_code == 403
    assert not Decision.objects.exists()


@pytest.mark.parametrize("action", ["approve", "reject", "rerun", "execute"])
def test_it_refuses_somebody_without_the_right(client_of, url, result, action):
    bodies = {
        "approve": {"digest": result.digest},
        "reject": {"digest": result.digest, "reason": "x"},
        "rerun": {"digest": result.digest, "feedback": "x"},
        "execute": {},
    }
    if action == "execute":
        approve(client_of(UserFactory(rights=ALL_RIGHTS)), url, result)
    looker = client_of(UserFactory(rights=["view_researchresult"]))
    answer = looker.post(url(f"result-{action}", result.pk), bodies[action])
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:dossier:not-permitted")


def test_it_keeps_the_requester_from_deciding_when_four_eyes_are_asked_for(client, url, person, settings):
    settings.DOSSIER_FOUR_EYES = True
    result = ResultFactory(run=RunFactory(requested_by=person))
    answer = client.post(url("result-approve", result.pk), {"digest": result.digest})
    assert answer.status_code == 403
    assert "four-eyes" in answer.json()["title"]


def test_it_refuses_a_decision_about_other_data(client, url, result):
    answer = client.post(url("result-approve", result.pk), {"digest": "0" * 64})
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:dossier:stale-digest")
    assert ResearchResult.objects.get().state == ResultState.PENDING_REVIEW


@pytest.mark.parametrize("first", ["approve", "reject"])
@pytest.mark.parametrize("second", ["approve", "reject", "rerun"])
def test_it_lets_only_the_first_decision_stand(client, url, result, first, second):
    bodies = {
        "approve": {"digest": result.digest, "note": "x"},
        "reject": {"digest": result.digest, "reason": "x"},
        "rerun": {"digest": result.digest, "feedback": "x"},
    }
    assert client.post(url(f"result-{first}", result.pk), bodies[first]).status_code == 200
    answer = client.post(url(f"result-{second}", result.pk), bodies[second])
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:dossier:invalid-transition")
    assert Decision.objects.count() == 1


@pytest.mark.parametrize(
    ("edits", "pointer"),
    [
        ([{"op": "remove", "path": "/name"}], ""),
        ([{"op": "replace", "path": "/confidence", "value": "certain"}], "/confidence"),
        ([{"op": "replace", "path": "/no/such", "value": 1}], "/no/such"),
        ([{"op": "replace", "path": "", "value": []}], ""),
    ],
)
def test_it_refuses_an_edit_that_does_not_fit_and_names_the_field(client, url, result, edits, pointer):
    answer = client.post(url("result-approve", result.pk), {"digest": result.digest, "edits": edits})
    assert answer.status_code == 400, answer.json()
    assert pointer in [error["name"] for error in answer.json()["errors"]]
    assert not Decision.objects.exists()


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"digest": None}, "digest"),
        ({"edits": {"confidence": "low"}}, "edits"),
        ({"edits": [{"op": "shout", "path": "/name"}]}, "edits.0.op"),
        ({"edits": [{"op": "replace"}]}, "edits.0.path"),
        ({"execute": "perhaps"}, "execute"),
        ({"comment": "x"}, "comment"),
    ],
)
def test_it_refuses_a_body_that_is_not_an_approval(client, url, result, change, name):
    answer = client.post(url("result-approve", result.pk), {"digest": result.digest, **change})
    assert answer.status_code == 400
    assert [error["name"] for error in answer.json()["errors"]] == [name]


def test_it_wants_a_reason_when_checks_failed(client, url, failing):
    answer = client.post(url("result-approve", failing.pk), {"digest": failing.digest})
    assert (answer.status_code, answer.json()["type"]) == (400, "urn:dossier:reason-required")
    assert not Decision.objects.exists()


@pytest.mark.parametrize("reason", ["", "   "])
def test_it_wants_a_reason_for_a_rejection(client, url, result, reason):
    answer = client.post(url("result-reject", result.pk), {"digest": result.digest, "reason": reason})
    assert (answer.status_code, answer.json()["type"]) == (400, "urn:dossier:reason-required")


def test_it_starts_a_new_run_with_the_feedback(client, url):
    result = ResultFactory(run__macro=MacroFactory())
    body = {"digest": result.digest, "feedback": "Look in Luxembourg."}
    answer = client.post(url("result-rerun", result.pk), body)
    assert answer.status_code == 202, answer.json()
    run = Run.objects.get(rerun_of=result)
    assert answer["Location"] == url("run", run.pk)
    assert (run.feedback, run.trigger) == ("Look in Luxembourg.", "api")
    assert ResearchResult.objects.get(pk=result.pk).state == ResultState.SUPERSEDED


def test_it_wants_to_know_which_data_should_be_looked_up_again(client, url, result):
    answer = client.post(url("result-rerun", result.pk), {"feedback": "Again."})
    assert (answer.status_code, [error["name"] for error in answer.json()["errors"]]) == (400, ["digest"])
    stale = client.post(url("result-rerun", result.pk), {"digest": "0" * 64, "feedback": "Again."})
    assert (stale.status_code, stale.json()["type"]) == (409, "urn:dossier:stale-digest")
    assert not Run.objects.filter(rerun_of=result).exists()


def test_it_refuses_to_approve_what_is_out_of_date(client, url):
    result = ResultFactory(expires_at=timezone.now() - timedelta(days=1))
    answer = client.post(url("result-approve", result.pk), {"digest": result.digest})
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:dossier:result-expired")
    assert "run it again" in answer.json()["title"]


def test_it_shows_the_suggested_verbs_while_a_result_waits(client, url):
    result = ResultFactory(suggested_verbs='(gleif.enrich :lei "529900K9B0N5BT694847" :as @subject)\n')
    plan = client.get(url("result-verbs", result.pk)).json()
    assert (plan["text"], plan["calls"]) == (result.suggested_verbs, [])


def test_it_executes_approved_verbs_once(client, url, result):
    approve(client, url, result)
    first = client.post(url("result-execute", result.pk))
    assert first.status_code == 200, first.json()
    assert [call["state"] for call in first.json()["calls"]] == ["succeeded"]
    again = client.post(url("result-execute", result.pk))
    assert again.json()["calls"] == first.json()["calls"]
    assert VerbCall.objects.get().attempts == 1


def test_it_leaves_the_execution_to_a_worker_if_asked(
    client, url, result, person, silent_doorbell, django_capture_on_commit_callbacks
):
    approve(client, url, result)
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(url("result-execute", result.pk), headers={"Prefer": "respond-async"})
    assert (answer.status_code, answer["Location"]) == (202, url("result-verbs", result.pk))
    assert silent_doorbell[-1] == ("execute_decision", (Decision.objects.get().pk, person.pk))


def test_it_does_not_execute_what_nobody_approved(client, url, result):
    answer = client.post(url("result-execute", result.pk))
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:dossier:invalid-transition")


def test_it_does_not_execute_what_was_rejected(client, url, result):
    client.post(url("result-reject", result.pk), {"digest": result.digest, "reason": "wrong company"})
    assert client.post(url("result-execute", result.pk)).status_code == 409


@pytest.mark.parametrize("action", ["approve", "reject", "rerun", "execute"])
def test_it_knows_no_other_results(client, url, action):
    bodies = {
        "approve": {"digest": "0"},
        "reject": {"digest": "0", "reason": "x"},
        "rerun": {"digest": "0", "feedback": "x"},
        "execute": {},
    }
    missing = "00000000-0000-0000-0000-000000000007"
    assert client.post(url(f"result-{action}", missing), bodies[action]).status_code == 404


def approve(client, url, result):
    answer = client.post(url("result-approve", result.pk), {"digest": result.digest, "note": "x"})
    assert answer.status_code == 200, answer.json()
