import json

import pytest

from entities.models import Entity
from tests.factories import ResultFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def result(run, admin):
    """A result whose verbs have entered Allianz SE."""
    result = ResultFactory()
    assert run("research", "approve", str(result.pk), "--execute").code == 0
    assert Entity.objects.exists()
    return result


def test_it_takes_back_what_was_executed_and_lists_it(run, result):
    outcome = run("research", "rollback", str(result.pk), "--reason", "the wrong Allianz")
    assert outcome.code == 0, outcome.err
    assert "remove  allianz-se  Allianz SE" in outcome.out
    assert " removed, 0 given back what was there, 0 marked on the timeline, 0 kept" in outcome.out
    assert not Entity.objects.exists()
    assert "rolled_back" in run("research", "result", str(result.pk)).out


def test_a_dry_run_needs_no_reason_and_takes_nothing(run, result):
    Entity.objects.update(jurisdiction="FR")
    outcome = run("research", "rollback", str(result.pk), "--dry-run")
    assert outcome.code == 0, outcome.err
    assert "jurisdiction changed since" in outcome.out
    assert Entity.objects.exists()


def test_it_gives_the_plan_and_the_outcome_as_json(run, result):
    plan = json.loads(run("research", "rollback", str(result.pk), "--dry-run", "--json").out)
    assert set(plan) == {"result", "digest", "counts", "steps", "left"}
    done = run("research", "rollback", str(result.pk), "--reason", "r", "--digest", plan["digest"], "--json")
    document = json.loads(done.out)
    assert (document["state"], document["rollback"]["counts"]) == ("rolled_back", plan["counts"])


def test_a_second_time_and_without_a_reason_it_refuses(run, result):
    assert run("research", "rollback", str(result.pk)).code == 1
    assert Entity.objects.exists()
    assert run("research", "rollback", str(result.pk), "--reason", "r").code == 0
    outcome = run("research", "rollback", str(result.pk), "--reason", "r")
    assert outcome.code == 1
    assert "took this back already" in outcome.err
    assert run("verbs", "run", str(result.pk)).code == 1
