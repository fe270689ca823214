"""From what tools answered to the checks of a result, and to what a person needs for signing it."""

import pytest

from research.engine.runner import perform_run
from research.errors import ReasonRequired
from research.models import Run
from research.services.reviews import approve_result, preview_edits
from tests.engine.conftest import ALLIANZ, FINAL, answers, asks
from tests.factories import ALL_RIGHTS, RunFactory, UserFactory

pytestmark = pytest.mark.django_db
PEERLIGHT = {"name": "Peerlight Holding SE", "confidence": "high"}
IN_VAIN = ("lei_search", {"name": "Peerlight Holding SE"})


def result_of(play, *turns, **params):
    play(*turns)
    run = RunFactory(params={"client_name": "the group behind it", **params})
    perform_run(run.pk)
    return Run.objects.get(pk=run.pk).result


def origins(checks):
    return [
        (check.code, check.verdict, check.pointer)
        for check in checks
        if check.kind == "origin" and check.verdict != "pass"
    ]


def test_an_invented_group_is_not_signed_without_a_reason(play):
    result = result_of(play, asks(IN_VAIN), answers(PEERLIGHT))
    assert origins(result.checks.all()) == [("not-found", "fail", "/name")]
    assert result.ungrounded, "a search in vain is no source"
    assert "lei_search found nothing for “Peerlight Holding SE”." in result.limitations
    reviewer = UserFactory(rights=ALL_RIGHTS)
    with pytest.raises(ReasonRequired):
        approve_result(result=result, reviewer=reviewer, digest=result.digest)
    decision = approve_result(
        result=result, reviewer=reviewer, digest=result.digest, reason="Name: I know them."
    )
    assert any(check["code"] == "not-found" for check in decision.checks)


def test_what_the_register_says_is_found(play):
    result = result_of(play, asks(("lei_record", {"lei": ALLIANZ})), answers(FINAL))
    assert origins(result.checks.all()) == []
    found = result.checks.get(kind="origin", code="traced")
    assert (found.verdict, found.evidence["found"]) == ("pass", 3)


def test_the_name_that_was_asked_for_is_neither_found_nor_invented(play):
    result = result_of(play, asks(IN_VAIN), answers(PEERLIGHT), client_name="Peerlight Holding SE")
    assert origins(result.checks.all()) == [("asked", "unknown", "/name")]
    assert "“Peerlight Holding SE” was asked for, and nothing that was read names it." in result.limitations


def test_what_a_person_enters_is_looked_for_too(play):
    result = result_of(play, asks(("lei_record", {"lei": ALLIANZ})), answers(FINAL))
    told = preview_edits(
        result=result, edits=[{"op": "replace", "path": "/name", "value": "Allianz Societas"}]
    )
    assert origins(told.checks) == [("entered", "warn", "/name")]
    mended = preview_edits(result=result, edits=[{"op": "replace", "path": "/name", "value": "ALLIANZ SE"}])
    assert origins(mended.checks) == []


def test_what_was_invented_may_be_mended(play):
    result = result_of(
        play, asks(("lei_record", {"lei": ALLIANZ})), answers({**FINAL, "name": "Peerlight SE"})
    )
    assert origins(result.checks.all()) == [("not-found", "fail", "/name")]
    mended = preview_edits(result=result, edits=[{"op": "replace", "path": "/name", "value": "Allianz SE"}])
    assert origins(mended.checks) == []
    assert any(check.code == "traced" for check in mended.checks)


def test_a_search_is_no_better_than_its_answers(play):
    result = result_of(play, asks(IN_VAIN), answers({**PEERLIGHT, "search_quality": "HIGH"}))
    assert result.search_quality == "LOW"
    assert result.checks.get(code="search-quality").verdict == "warn"


def test_what_prose_names_is_traced_and_a_number_without_a_source_needs_a_reason(play):
    told = {**FINAL, "summary": "Allianz SE has 412 subsidiaries."}
    result = result_of(play, asks(("lei_record", {"lei": ALLIANZ})), answers(told))
    assert origins(result.checks.all()) == [("not-found", "warn", "/summary")]
    reviewer = UserFactory(rights=ALL_RIGHTS)
    with pytest.raises(ReasonRequired, match="1 number or date has no source"):
        approve_result(result=result, reviewer=reviewer, digest=result.digest)
    approve_result(result=result, reviewer=reviewer, digest=result.digest, reason="Their own report says so.")
