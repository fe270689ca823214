"""Deciding through an agent is deciding: the right, the digest, the reasons and the four-eyes rule are the same."""

import pytest

from research.models import Decision
from tests.factories import MacroFactory, ResultFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def result():
    return ResultFactory()


def test_it_signs_in_the_name_of_the_person(ask, result, person):
    told = ask("research_approve", result_id=str(result.pk), digest=result.digest, reviewer_notes="seen")
    decision = Decision.objects.get()
    assert told["result"]["state"] == "approved"
    assert (decision.reviewer, decision.verdict, decision.reason) == (person, "approved", "seen")


def test_edits_are_a_merge_patch_and_are_kept_as_a_json_patch(ask, result):
    name = next(name for name, value in result.data.items() if isinstance(value, str))
    asked = {"result_id": str(result.pk), "digest": result.digest, "edits": {name: "Another"}}
    assert (
        ask("research_approve", **asked)["error"]["code"] == "reason-required"
    )  # the LEI is not of that name
    assert ask("research_approve", **asked, reviewer_notes="renamed yesterday", shown=[""])["success"]
    decision = Decision.objects.get()
    assert decision.edits == [{"op": "replace", "path": f"/{name}", "value": "Another"}]
    assert decision.data == {**result.data, name: "Another"}
    assert decision.displayed["places"] == [""]


def test_it_turns_a_result_down(ask, result):
    told = ask("research_reject", result_id=str(result.pk), digest=result.digest, reason="another company")
    assert told["result"]["state"] == "rejected"
    assert Decision.objects.get().reason == "another company"


@pytest.mark.parametrize(
    ("digest", "code"), [("0" * 64, "stale-digest"), ("short", "bad_arguments"), ("", "bad_arguments")]
)
def test_it_decides_about_no_other_bytes(ask, result, digest, code):
    refused = ask("research_approve", result_id=str(result.pk), digest=digest)
    assert refused["error"]["code"] == code
    assert not Decision.objects.exists()


@pytest.mark.parametrize("tool", ["research_approve", "research_reject"])
def test_it_is_not_offered_to_somebody_who_may_not_decide(ask, result, tool):
    reader = UserFactory(rights=["view_researchresult", "start_run"])
    refused = ask(tool, by=reader, result_id=str(result.pk), digest=result.digest, reason="x")
    assert refused["error"]["code"] == "unknown_tool"
    assert not Decision.objects.exists()


def test_whoever_asked_cannot_decide_under_the_four_eyes_rule(ask, person, settings):
    settings.DOSSIER_FOUR_EYES = True
    own = ResultFactory(run__requested_by=person, run__macro=MacroFactory())
    refused = ask("research_approve", result_id=str(own.pk), digest=own.digest)
    assert refused["error"]["code"] == "not-permitted"
    assert not Decision.objects.exists()


def test_executing_needs_its_own_right_before_anything_is_decided(ask, result):
    decider = UserFactory(rights=["view_researchresult", "decide_researchresult"])
    refused = ask(
        "research_approve", by=decider, result_id=str(result.pk), digest=result.digest, execute_verbs=True
    )
    assert refused["error"]["code"] == "not-permitted"
    assert not Decision.objects.exists()
