"""Search, namesakes and parents in an imported register, through the door that everybody uses."""

from datetime import UTC, datetime

import pytest

from bench.company_names import generate
from entities.gleif.checking import check_claims
from entities.gleif.claims import Claim
from entities.gleif.register import open_register
from entities.models import GoldenCopyImport, LeiRelationship, ReportingException
from tests.factories import LeiRecordFactory

pytestmark = pytest.mark.django_db
TWINS = "Muster Pensionskasse Aktiengesellschaft"


@pytest.fixture
def register():
    """Imported, so that nothing is asked of the API; relationships and exceptions too."""
    for kind in GoldenCopyImport.Kind.values:
        GoldenCopyImport.objects.create(
            kind=kind,
            scope="full",
            source=kind,
            publish_date=datetime(2026, 11, 20, tzinfo=UTC),
            state="live",
        )
    for name, country in generate(40):
        LeiRecordFactory(legal_name=name, jurisdiction=country)
    return open_register("gleif")


@pytest.fixture
def twins():
    return [LeiRecordFactory(legal_name=TWINS, jurisdiction=place) for place in ("DE", "AT")]


def checks_of(claim, register):
    [report] = check_claims([claim], register=register)
    return {check.code: check for check in (*report.checks, *report.skipped)}


def test_a_name_with_slips_is_found_and_the_score_explains_itself(register):
    wanted = LeiRecordFactory(
        legal_name="Nordstern Brauerei AG", named=[("Altes Sudhaus GmbH", "PREVIOUS_LEGAL_NAME")]
    )
    [found, *_] = register.search("Nordstrn Braurei")
    assert found.record.lei == wanted.lei
    assert "spelled otherwise" in found.explanation
    [by_alias, *_] = register.search("Altes Sudhaus")
    assert (by_alias.record.lei, by_alias.matched_name.type) == (wanted.lei, "PREVIOUS_LEGAL_NAME")
    assert "without gmbh" in by_alias.explanation


def test_a_search_is_narrowed_by_place(register, twins):
    assert [match.record.lei for match in register.search(TWINS, jurisdiction="AT")] == [twins[1].lei]
    assert {match.record.lei for match in register.search(TWINS)[:2]} == {twin.lei for twin in twins}


@pytest.mark.parametrize(("place", "verdict"), [(None, "warn"), ("DE", "pass")])
def test_two_companies_of_one_name_are_told_apart_by_their_place(register, twins, place, verdict):
    found = checks_of(Claim(twins[0].lei, "Muster Pensionskasse AG", place), register)["ambiguity"]
    assert found.verdict == verdict
    assert [other["lei"] for other in found.evidence["seen"]] == [twins[1].lei]


def test_parents_are_compared_with_what_was_imported(register, twins):
    child, parent = twins
    LeiRelationship.objects.create(
        start=child.lei,
        end=parent.lei,
        type="IS_DIRECTLY_CONSOLIDATED_BY",
        status="ACTIVE",
        register="local",
        attributes={"relationship": {"startNode": {"id": child.lei}, "endNode": {"id": parent.lei}}},
    )
    ReportingException.objects.create(
        lei=parent.lei,
        category="DIRECT_ACCOUNTING_CONSOLIDATION_PARENT",
        reason="NATURAL_PERSONS",
        register="local",
    )
    assert checks_of(Claim(child.lei, parent=parent.lei), register)["parent"].verdict == "pass"
    assert checks_of(Claim(parent.lei, parent=child.lei), register)["parent"].verdict == "warn"


def test_relationships_that_go_in_circles_come_to_an_end(register, twins):
    one, other = twins
    for start, end in ((one, other), (other, one), (one, one)):
        LeiRelationship.objects.create(
            start=start.lei,
            end=end.lei,
            type="IS_ULTIMATELY_CONSOLIDATED_BY",
            status="ACTIVE",
            register="local",
            attributes={"relationship": {"startNode": {"id": start.lei}, "endNode": {"id": end.lei}}},
        )
    assert checks_of(Claim(other.lei, parent=one.lei), register)["parent"].verdict == "pass"


def test_ten_thousand_children_are_counted_and_cut(register, twins):
    parent = twins[0]
    LeiRelationship.objects.bulk_create(
        LeiRelationship(
            start=f"{number:020d}",
            end=parent.lei,
            type="IS_DIRECTLY_CONSOLIDATED_BY",
            status="ACTIVE",
            register="local",
        )
        for number in range(10_000)
    )
    page = register.children(parent.lei, limit=50)
    assert (page.total, page.truncated) == (10_000, True)
    assert checks_of(Claim(parent.lei, TWINS, "DE"), register)["existence"].verdict == "pass"


def test_a_hundred_leis_are_few_questions(register, django_assert_max_num_queries):
    records = [LeiRecordFactory(legal_name=f"Muster {number} GmbH") for number in range(100)]
    claims = [Claim(record.lei, record.legal_name, "DE") for record in records]
    with django_assert_max_num_queries(12):
        reports = check_claims(claims, register=register)
    assert {check.code for report in reports for check in report.checks if check.verdict == "fail"} == set()
    assert all(report.record for report in reports)
