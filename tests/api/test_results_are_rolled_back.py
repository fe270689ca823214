import pytest

from entities.models import Entity
from research.services.execution import execute_verbs
from research.services.reviews import approve_result
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def result(person):
    """A result whose verbs have entered Allianz SE."""
    result = ResultFactory()
    execute_verbs(decision=approve_result(result=result, reviewer=person, digest=result.digest), actor=person)
    assert Entity.objects.exists()
    return result


def test_it_takes_back_what_was_executed_and_says_what(client, url, result, person):
    answer = client.post(url("result-rollback", result.pk), {"reason": "The wrong Allianz."})
    assert answer.status_code == 200, answer.json()
    document = answer.json()
    assert document["state"] == "rolled_back"
    assert [call["state"] for call in document["calls"]] == ["rolled_back"]
    rollback = document["rollback"]
    assert (rollback["by"], rollback["reason"]) == (person.username, "The wrong Allianz.")
    assert rollback["counts"]["remove"] == len(rollback["steps"]) > 1
    assert not Entity.objects.exists()
    assert client.get(url("result", result.pk)).json()["rollback"] == rollback


def test_a_dry_run_says_what_would_be_done_and_does_nothing(client, url, result):
    Entity.objects.update(jurisdiction="FR")
    plan = client.post(url("result-rollback", result.pk), {"dry_run": True}).json()
    kept = [step for step in plan["steps"] if step["action"] == "keep"]
    assert ("Allianz SE", "jurisdiction changed since") in [(step["what"], step["why"]) for step in kept]
    assert Entity.objects.exists()
    answer = client.post(url("result-rollback", result.pk), {"reason": "r", "digest": plan["digest"]})
    assert answer.json()["rollback"]["counts"] == plan["counts"]


def test_a_plan_that_has_become_another_is_a_conflict(client, url, result):
    plan = client.post(url("result-rollback", result.pk), {"dry_run": True}).json()
    Entity.objects.update(jurisdiction="FR")
    answer = client.post(url("result-rollback", result.pk), {"reason": "r", "digest": plan["digest"]})
    assert answer.status_code == 409
    assert answer.json()["type"].endswith("stale-digest")
    assert Entity.objects.exists()


def test_a_second_time_and_an_execution_afterwards_are_conflicts(client, url, result):
    client.post(url("result-rollback", result.pk), {"reason": "r"})
    for name, body in (("rollback", {"reason": "r"}), ("rollback", {"dry_run": True}), ("execute", {})):
        answer = client.post(url(f"result-{name}", result.pk), body)
        assert answer.status_code == 409, name
        assert "back" in answer.json()["title"]
    assert not Entity.objects.exists()


@pytest.mark.parametrize("body", [{"reason": "r"}, {"dry_run": True}])
def test_it_needs_the_permission_to_execute(client_of, url, result, body):
    person = UserFactory(rights=[right for right in ALL_RIGHTS if right != "execute_verbs"])
    assert client_of(person).post(url("result-rollback", result.pk), body).status_code == 403
    assert Entity.objects.exists()


def test_it_needs_a_reason(client, url, result):
    answer = client.post(url("result-rollback", result.pk), {})
    assert 400 <= answer.status_code < 500
    assert "reason" in answer.json()["title"]
    assert Entity.objects.exists()


def test_an_unknown_field_is_refused(client, url, result):
    assert client.post(url("result-rollback", result.pk), {"reasons": "r"}).status_code == 400
    assert Entity.objects.exists()
