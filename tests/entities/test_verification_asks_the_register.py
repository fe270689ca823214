"""What verification asks, how often, and what it makes of a register in trouble."""

from datetime import date

import pytest

from entities.gleif.errors import GleifBadAnswer, GleifRateLimited, GleifUnavailable
from entities.gleif.records import Successor
from entities.gleif.verification import MAX_HOPS, MAX_REPAIRS_LOOKED_UP, Claim, verify
from entities.lei import repairs

TODAY = date(2026, 6, 1)
NEEDS_THE_RECORD = {"existence", "registration_status", "entity_status", "successor", "renewal"}
TROUBLES = [
    GleifUnavailable("The register is down."),
    GleifRateLimited("Slow down.", 30),
    GleifBadAnswer("HTML."),
]


def report_on(claim, register):
    [report] = verify([claim], register, today=TODAY)
    return report, {check.code: check for check in report.checks}


def test_many_claims_are_one_question(record, register_of):
    subjects = [record(number) for number in range(1, 31)]
    register = register_of(*subjects)
    reports = verify([Claim(s.lei) for s in subjects] * 2, register, today=TODAY)
    assert [report.lei for report in reports] == [s.lei for s in subjects] * 2
    assert {report.verdict for report in reports} == {"pass"}
    assert register.asked == [sorted(s.lei for s in subjects)]


def test_no_claim_is_no_question(register_of):
    register = register_of()
    assert verify([], register, today=TODAY) == []
    assert register.asked == []


def test_an_lei_that_cannot_be_is_not_asked_for(register_of):
    register = register_of()
    report, checks = report_on(Claim("not an LEI"), register)
    assert report.verdict == "fail"
    assert set(checks) == {"format"}
    assert register.asked == []


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: type(trouble).__name__)
def test_trouble_is_unknown_and_never_a_failure(record, register_of, trouble):
    subject = record()
    report, checks = report_on(Claim(subject.lei, "Wrong name", "XX"), register_of(subject, trouble=trouble))
    unknown = {code for code, check in checks.items() if check.verdict == "unknown"}
    assert unknown == NEEDS_THE_RECORD | {"name", "jurisdiction"}
    assert {checks[code].verdict for code in ("format", "check_digits")} == {"pass"}
    assert report.verdict == "unknown"
    assert str(trouble) in checks["existence"].message


def test_form_is_checked_even_when_the_register_is_down(register_of):
    down = register_of(trouble=TROUBLES[0])
    assert report_on(Claim("529900K9BON5BT694847"), down)[0].verdict == "fail"


def test_an_lei_absent_from_the_answer_does_not_exist(lei, register_of):
    report, checks = report_on(Claim(lei(7), "Muster SE", "DE"), register_of())
    assert report.verdict == "fail"
    assert checks["existence"].verdict == "fail"
    assert set(checks) == {"format", "check_digits", "existence"}


def test_a_typed_lei_is_looked_up_as_it_was_meant(record, register_of):
    subject = record()
    report, checks = report_on(Claim(f" {subject.lei.lower()} "), register_of(subject))
    assert (report.lei, report.verdict) == (subject.lei, "warn")
    assert checks["format"].verdict == "warn"
    assert checks["existence"].verdict == "pass"


def test_a_slip_is_offered_when_the_register_has_what_was_meant(record, register_of):
    subject = record()
    slip = subject.lei[:3] + subject.lei[4] + subject.lei[3] + subject.lei[5:]
    report, checks = report_on(Claim(slip), register_of(subject))
    assert report.verdict == "fail"
    assert [(s.lei, s.name) for s in report.suggestions] == [(subject.lei, "Muster SE")]
    assert checks["did_you_mean"].verdict == "warn"
    assert subject.lei in checks["did_you_mean"].message


def test_a_slip_that_is_well_formed_itself_is_offered_too(record, register_of, lei):
    number = next(number for number in range(1, 100) if repairs(lei(number)))
    report, checks = report_on(Claim(repairs(lei(number))[0]), register_of(record(number)))
    assert checks["check_digits"].verdict == "pass"
    assert checks["existence"].verdict == "fail"
    assert [suggestion.lei for suggestion in report.suggestions] == [lei(number)]


def test_an_lei_with_text_around_it_is_offered_without(record, register_of):
    subject = record()
    report, checks = report_on(Claim(f"LEI: {subject.lei} (Muster SE)"), register_of(subject))
    assert checks["format"].verdict == "fail"
    assert [suggestion.lei for suggestion in report.suggestions] == [subject.lei]


def test_guessing_has_a_limit(register_of, lei):
    slips = [lei(number)[:-1] for number in range(60)]
    register = register_of()
    verify([Claim(slip) for slip in slips], register, today=TODAY)
    assert sum(map(len, register.asked)) <= MAX_REPAIRS_LOOKED_UP


def test_successors_are_followed_to_the_one_in_force(record, register_of, lei):
    chain = [
        record(1, entity_status="INACTIVE", successors=(Successor(lei(2), None),)),
        record(2, entity_status="INACTIVE", successors=(Successor(lei(3), None),)),
        record(3, legal_name="Aktuell SE"),
    ]
    register = register_of(*chain)
    report, checks = report_on(Claim(lei(1)), register)
    assert report.successor == lei(3)
    assert checks["successor"].verdict == "fail"
    assert checks["successor"].evidence["seen"] == [lei(2), lei(3)]
    assert "Aktuell SE" in checks["successor"].message
    assert [suggestion.lei for suggestion in report.suggestions] == [lei(3), lei(2)]
    assert len(register.asked) == 3


def test_a_chain_of_successors_that_is_too_long_names_no_current_one(record, register_of, lei):
    chain = [record(n, successors=(Successor(lei(n + 1), None),)) for n in range(1, MAX_HOPS + 2)]
    report, checks = report_on(Claim(lei(1)), register_of(*chain, record(MAX_HOPS + 2)))
    assert (report.successor, checks["successor"].verdict) == (None, "fail")
    assert "more than 10" in checks["successor"].message
    short, _ = report_on(Claim(lei(2)), register_of(*chain, record(MAX_HOPS + 2)))
    assert short.successor == lei(MAX_HOPS + 2)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_successors_that_go_in_circles_are_noticed(record, register_of, lei, length):
    ring = [record(n, successors=(Successor(lei(n % length + 1), None),)) for n in range(1, length + 1)]
    report, checks = report_on(Claim(lei(1)), register_of(*ring))
    assert report.successor is None
    assert checks["successor"].verdict == "fail"
    assert checks["successor"].evidence["loop"] is True
    assert "circles" in checks["successor"].message


def test_a_chain_without_end_is_cut(record, register_of, lei):
    endless = [record(n, successors=(Successor(lei(n + 1), None),)) for n in range(1, 40)]
    register = register_of(*endless)
    report, checks = report_on(Claim(lei(1)), register)
    assert checks["successor"].verdict == "fail"
    assert report.successor is None  # the last one seen has been taken over as well
    assert report.suggestions
    assert len(register.asked) < 20


def test_a_successor_that_the_register_does_not_have_is_not_offered(record, register_of, lei):
    subject = record(1, successors=(Successor(lei(2), "Weg AG"),))
    report, checks = report_on(Claim(lei(1)), register_of(subject))
    assert (report.successor, report.suggestions) == (None, ())
    assert "does not have" in checks["successor"].message


def test_trouble_on_the_way_to_the_successor_loses_nothing_else(record, register_of, lei):
    subject = record(1, successors=(Successor(lei(2), None),))
    register = register_of(subject, trouble=TROUBLES[0], trouble_from=2)
    report, checks = report_on(Claim(lei(1), "Muster SE"), register)
    assert checks["name"].verdict == "pass"
    assert checks["successor"].verdict == "fail"
    assert report.successor == lei(2)
    assert "could not be looked up" in checks["successor"].message


def test_of_several_successors_all_are_offered(record, register_of, lei):
    split = record(
        1, successors=(Successor(lei(2), None), Successor(None, "Nur Name"), Successor(lei(3), None))
    )
    register = register_of(split, record(2, legal_name="Teil A"), record(3, legal_name="Teil B"))
    report, _ = report_on(Claim(lei(1)), register)
    assert [suggestion.name for suggestion in report.suggestions] == ["Teil A", "Teil B"]


def test_the_report_as_json_has_the_public_shape(record, register_of):
    subject = record()
    report, _ = report_on(Claim(subject.lei, "Muster SE"), register_of(subject))
    document = report.as_json()
    assert list(document) == ["lei", "verdict", "checks", "record", "successor", "suggestions", "as_of"]
    assert list(document["checks"][0]) == ["code", "verdict", "message", "evidence"]
    assert document["record"]["legal_name"] == "Muster SE"
    assert document["as_of"] == "2026-01-02T00:00:00Z"
    assert document["successor"] is None
