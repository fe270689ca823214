import pytest

from research.errors import InvalidEdit, InvalidVerbs, ReasonRequired, StaleDigest
from research.jsontext import digest
from research.models import Decision, ResearchResult
from research.services.reviews import approve_result
from tests.factories import ResultFactory
from tests.services.conftest import ALLIANZ

pytestmark = pytest.mark.django_db
RETIRED = "529900FAHFDMSXCPII15"


def approve(result, reviewer, *edits, **options):
    return approve_result(
        result=result, reviewer=reviewer, **{"digest": result.digest, "edits": list(edits), **options}
    )


def replace(path, value):
    return {"op": "replace", "path": path, "value": value}


def test_it_refuses_a_digest_of_other_data(result, reviewer):
    with pytest.raises(StaleDigest):
        approve(result, reviewer, digest="0" * 64)
    assert not Decision.objects.exists()


def test_it_refuses_data_that_was_changed_behind_its_digest(result, reviewer):
    ResearchResult.objects.filter(pk=result.pk).update(data={**result.data, "name": "Somebody else"})
    with pytest.raises(StaleDigest):
        approve(result, reviewer)
    assert not Decision.objects.exists()


def test_it_keeps_the_original_and_stores_the_edits_as_a_patch(result, reviewer):
    before = dict(result.data)
    decision = approve(
        result, reviewer, replace("/name", "Allianz Societas Europaea"), reason="registered name"
    )
    result.refresh_from_db()
    assert result.data == before
    assert decision.edits == [replace("/name", "Allianz Societas Europaea")]
    assert decision.data["name"] == "Allianz Societas Europaea"
    assert decision.digest == digest(decision.data) != decision.result_digest


def test_it_renders_the_verbs_from_the_approved_data(result, reviewer):
    decision = approve(result, reviewer, {"op": "remove", "path": "/lei"})
    assert ALLIANZ not in decision.verbs
    assert [call.verb for call in decision.verb_calls.all()] == ["entity.ensure"]


def test_it_checks_the_edited_value_again(result, reviewer):
    decision = approve(result, reviewer, replace("/lei", RETIRED), reason="we want the old LEI")
    failed = {check["code"] for check in decision.checks if check["verdict"] == "fail"}
    assert {"registration_status", "successor"} <= failed


def test_it_needs_a_reason_when_a_check_failed(result, reviewer):
    with pytest.raises(ReasonRequired, match="failed"):
        approve(result, reviewer, replace("/lei", RETIRED))
    assert not Decision.objects.exists()


@pytest.mark.parametrize(
    ("edit", "pointer"),
    [
        (replace("/confidence", "certain"), "/confidence"),
        ({"op": "remove", "path": "/name"}, ""),
        (replace("/no/such/place", 1), "/no/such/place"),
        (replace("/name", 7), "/name"),
        (replace("/name", "a\0b"), ""),
        (replace("/name", "\ud800"), ""),
        (replace("", []), ""),
        ({"op": "bend", "path": "/name"}, None),
        ({"op": "replace", "path": "name", "value": 1}, None),
        ({"op": "replace", "path": "/name"}, None),
    ],
)
def test_it_refuses_an_edit_that_breaks_the_document_and_names_the_field(result, reviewer, edit, pointer):
    with pytest.raises(InvalidEdit) as caught:
        approve(result, reviewer, edit)
    assert pointer is None or pointer in caught.value.errors
    result.refresh_from_db()
    assert result.state == "pending_review"
    assert not Decision.objects.exists()


@pytest.mark.parametrize("poison", ["a\0b", "\ud800", float("nan"), 10**30, {1: "x"}])
def test_it_refuses_an_edit_that_hides_what_cannot_be_stored(result, reviewer, poison):
    hidden = {"op": "test", "path": "/name", "value": "Allianz SE", "note": poison}
    passing = [{"op": "add", "path": "/x", "value": poison}, {"op": "remove", "path": "/x"}]
    for edits in ([hidden], passing):
        with pytest.raises(InvalidEdit):
            approve(result, reviewer, *edits)
    assert not Decision.objects.exists()


def test_it_refuses_edits_that_make_the_document_too_large(result, reviewer):
    first = {"op": "add", "path": "/x0", "value": "x" * 1_000_000}
    more = [{"op": "copy", "from": "/x0", "path": f"/x{number}"} for number in range(1, 30)]
    for copies in (more, more[:6]):
        with pytest.raises(InvalidEdit, match="large"):
            approve(result, reviewer, first, *copies)


@pytest.mark.parametrize("reason", ["not\0this", "not \ud800 this"])
def test_it_keeps_a_reason_as_both_databases_can(result, reviewer, reason):
    decision = approve(result, reviewer, reason=reason)
    decision.refresh_from_db()
    assert decision.reason.startswith("not")
    assert "\0" not in decision.reason


def test_it_does_not_approve_data_that_breaks_the_schema_until_it_is_mended(reviewer):
    result = ResultFactory(data={"name": "Allianz SE", "confidence": "sure"}, schema_valid=False)
    with pytest.raises(InvalidEdit):
        approve(result, reviewer, reason="never mind")
    assert approve(result, reviewer, replace("/confidence", "high")).verdict == "approved"


def test_it_does_not_approve_verbs_that_are_unsound(result, reviewer):
    with pytest.raises(InvalidVerbs):
        approve(result, reviewer, replace("/lei", "529900K9B0N5BT694840"), reason="trust me")


HOSTILE = [
    'A") (entity.ensure :name "x',
    "two\nlines",
    'quote " and \\ backslash',
    "{{x}} {{#each}}",
    ";; comment",
    "\u202eRTL\u200b zero width",
    "<script>alert(1)</script>",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_it_lets_no_name_become_a_verb(reviewer, name):
    result = ResultFactory(data={"name": name, "jurisdiction": "DE"})
    calls = list(approve(result, reviewer).verb_calls.all())
    assert [call.verb for call in calls] == ["entity.ensure"]
    assert calls[0].arguments["name"] == name


def test_it_refuses_a_name_that_memory_cannot_hold_whole(reviewer):
    result = ResultFactory(data={"name": "x" * 20_001, "jurisdiction": "DE"})
    with pytest.raises(InvalidVerbs, match="20,000"):
        approve(result, reviewer)
