import pytest
from django.utils import timezone

from research.errors import ReasonRequired
from research.services.reviews import approve_result, preview_edits
from tests.factories import ALL_RIGHTS, DocumentFactory, ResultFactory, SourceFactory, UserFactory

pytestmark = pytest.mark.django_db
PAGE = "The group has two funds. Fund One was launched in Luxembourg in 2001. Fund Two was launched in Ireland in 2002."


@pytest.fixture
def result():
    def evidence(place, quote, source=1):
        return {"pointer": place, "source": source, "quote": quote}

    result = ResultFactory(
        data={"name": "Allianz SE", "funds": [{"name": "Fund One"}, {"name": "Fund Two"}]},
        evidence=[
            evidence("/funds/0/name", "Fund One was launched in Luxembourg"),
            evidence("$.funds[1].name", "Fund Two was launched in Ireland"),
            evidence("/name", "The group is called Allianz and nothing else"),
        ],
    )
    SourceFactory(run=result.run, number=1, document=DocumentFactory(text=PAGE))
    return result


def quotes(result, *edits):
    checks = preview_edits(result=result, edits=edits).checks
    return {check.pointer: check.verdict for check in checks if check.kind == "quote"}


def test_they_are_searched_in_what_the_run_read(result):
    assert quotes(result) == {"/funds/0/name": "pass", "/funds/1/name": "pass", "/name": "fail"}


def test_a_source_of_another_run_is_none_of_its_own(result):
    result.run.sources.all().delete()
    SourceFactory(number=1, document=DocumentFactory(text=PAGE + " "))
    assert set(quotes(result).values()) == {"fail"}


def test_a_child_quotes_from_the_sources_of_its_family(result):
    child = ResultFactory(
        run__parent=result.run, run__directive="one", data=result.data, evidence=result.evidence
    )
    assert quotes(child) == quotes(result)


def test_they_follow_their_place_when_a_list_is_edited(result):
    removed = quotes(result, {"op": "remove", "path": "/funds/0"})
    assert removed == {"/funds/0/name": "pass", "/name": "fail"}
    added = quotes(result, {"op": "add", "path": "/funds/0", "value": {"name": "Fund Zero"}})
    assert added == {"/funds/1/name": "pass", "/funds/2/name": "pass", "/name": "fail"}


def test_what_is_removed_needs_no_quote(result):
    edits = [{"op": "replace", "path": "/name", "value": "Other"}, {"op": "remove", "path": "/funds"}]
    assert quotes(result, *edits) == {"/name": "fail"}


def test_approving_a_quote_that_is_not_there_needs_a_reason(result):
    reviewer = UserFactory(rights=ALL_RIGHTS)
    with pytest.raises(ReasonRequired):
        approve_result(result=result, reviewer=reviewer, digest=result.digest)
    decision = approve_result(
        result=result, reviewer=reviewer, digest=result.digest, reason="The name was seen on paper."
    )
    assert {check["verdict"] for check in decision.checks if check["kind"] == "quote"} == {"pass", "fail"}


def claim(result, pointer="/name"):
    result.checks.create(
        ordinal=1,
        kind="claim",
        code="unsupported",
        pointer=pointer,
        verdict="fail",
        message="No source bears this out.",
        checked_at=timezone.now(),
    )


def claims(result, *edits):
    checks = preview_edits(result=result, edits=edits).checks
    return [(check.pointer, check.verdict) for check in checks if check.kind == "claim"]


def test_what_a_model_judged_is_kept_where_nothing_was_edited(result):
    claim(result, pointer="/funds/1/name")
    assert claims(result) == [("/funds/1/name", "fail")]
    assert claims(result, {"op": "remove", "path": "/funds/0"}) == [("/funds/0/name", "fail")]
    assert claims(result, {"op": "remove", "path": "/funds/1"}) == []


def test_what_a_model_judged_is_not_known_of_an_edited_value(result):
    claim(result)
    assert claims(result, {"op": "replace", "path": "/name", "value": "Other"}) == [("/name", "unknown")]
