"""The verdict table: each check of a claimed LEI against synthetic records."""

from datetime import date

import pytest

from entities.gleif.records import Successor
from entities.gleif.register import demo_register
from entities.gleif.verification import Claim, Policy, verify
from tests.cases import cases

TODAY = date(2026, 6, 1)


@pytest.fixture
def verdict_of(record, register_of):
    """The verdict and message of one check on one synthetic record."""

    def verdict_of(code, *, said_name=None, said_place=None, policy=None, **facts):
        subject = record(**facts)
        claim = Claim(subject.lei, said_name, said_place)
        [report] = verify([claim], register_of(subject), today=TODAY, policy=policy)
        found = [check for check in report.checks if check.code == code]
        assert len(found) <= 1
        return (found[0].verdict, found[0].message) if found else (None, "")

    return verdict_of


def test_a_retired_lei_of_the_right_name_is_not_the_right_lei():
    """It exists, its name and jurisdiction fit: only its status and its successor give it away."""
    claim = Claim("529900FAHFDMSXCPII15", "Allianz Global Investors GmbH", "DE")
    [report] = verify([claim], demo_register(), today=TODAY)
    verdicts = {check.code: check.verdict for check in report.checks}
    assert report.verdict == "fail"
    assert report.successor == "OJ2TIQSVQND4IZYYK658"
    assert [suggestion.lei for suggestion in report.suggestions] == ["OJ2TIQSVQND4IZYYK658"]
    assert {code for code, verdict in verdicts.items() if verdict == "fail"} == {
        "registration_status",
        "entity_status",
        "successor",
    }
    assert {verdicts[code] for code in ("existence", "name", "jurisdiction")} == {"pass"}


def test_its_successor_is_the_right_lei():
    claim = Claim("OJ2TIQSVQND4IZYYK658", "Allianz Global Investors GmbH", "DE")
    [report] = verify([claim], demo_register(), today=date(2026, 1, 2))
    assert {check.verdict for check in report.checks} <= {"pass", "warn"}
    assert report.successor is None


def test_a_record_in_good_order_passes_every_check(record, register_of):
    subject = record()
    [report] = verify([Claim(subject.lei, "Muster SE", "DE")], register_of(subject), today=TODAY)
    assert report.verdict == "pass"
    assert [check.code for check in report.checks] == [
        *("format", "check_digits", "existence", "registration_status", "entity_status"),
        *("successor", "name", "jurisdiction", "renewal"),
    ]


@cases(
    ("status", "verdict"),
    [
        ("ISSUED", "pass"),
        ("LAPSED", "warn"),
        ("PENDING_TRANSFER", "warn"),
        ("PENDING_ARCHIVAL", "warn"),
        ("RETIRED", "fail"),
        ("DUPLICATE", "fail"),
        ("ANNULLED", "fail"),
        ("MERGED", "fail"),
        ("CANCELLED", "fail"),
        ("BRAND_NEW_STATUS", "unknown"),
        ("", "unknown"),
    ],
)
def test_the_registration_status_decides(verdict_of, status, verdict):
    found, message = verdict_of("registration_status", registration_status=status)
    assert found == verdict
    assert status in message


def test_a_policy_may_take_a_lapsed_registration_for_a_failure(verdict_of):
    policy = Policy(registration={"ISSUED": "pass", "LAPSED": "fail"})
    assert verdict_of("registration_status", registration_status="LAPSED", policy=policy)[0] == "fail"


@cases(
    ("facts", "verdict"),
    [
        ({"entity_status": "ACTIVE"}, "pass"),
        ({"entity_status": "NULL"}, "warn"),
        ({"entity_status": "INACTIVE"}, "fail"),
        ({"entity_status": "ACTIVE", "expiration_date": date(2025, 1, 1)}, "fail"),
        ({"entity_status": "INACTIVE", "expiration_reason": "DISSOLVED"}, "fail"),
        ({"entity_status": ""}, "unknown"),
        ({"entity_status": "SOMETHING"}, "unknown"),
    ],
)
def test_an_entity_that_has_ended_fails(verdict_of, facts, verdict):
    assert verdict_of("entity_status", **facts)[0] == verdict


def test_the_end_of_an_entity_is_told_with_date_and_reason(verdict_of):
    facts = {
        "entity_status": "INACTIVE",
        "expiration_date": date(2025, 1, 1),
        "expiration_reason": "DISSOLVED",
    }
    assert "2025-01-01" in verdict_of("entity_status", **facts)[1]
    assert "DISSOLVED" in verdict_of("entity_status", **facts)[1]


def test_a_successor_known_by_name_only_is_a_warning(verdict_of):
    verdict, message = verdict_of("successor", successors=(Successor(None, "Nachfolger AG"),))
    assert verdict == "warn"
    assert "Nachfolger AG" in message


@cases(
    ("claimed", "verdict", "says"),
    [
        ("Muster SE", "pass", "as claimed"),
        ("muster", "pass", "but for the legal form"),
        ("Alte Firma AG", "warn", "previous legal name"),
        ("Sample", "warn", "trading or operating name"),
        ("Mustr SE", "warn", "close to the legal name"),
        ("Alte Frma AG", "warn", "close to “Alte Firma AG”"),
        ("Muster GmbH", "warn", "another legal form"),
        ("Something Else Ltd", "fail", "No name of this entity"),
        ("Muster Bank SE", "fail", "one side only: “bank”"),
    ],
)
def test_the_name_must_be_the_legal_name(verdict_of, claimed, verdict, says):
    names = [("Alte Firma AG", "PREVIOUS_LEGAL_NAME"), ("Sample", "TRADING_OR_OPERATING_NAME")]
    found, message = verdict_of("name", said_name=claimed, names=names)
    assert found == verdict
    assert says in message
    assert "Muster SE" in message


def test_the_evidence_of_a_name_tells_which_name_of_which_type_and_language(record, register_of):
    subject = record(names=[("Alte Firma AG", "PREVIOUS_LEGAL_NAME")])
    [report] = verify([Claim(subject.lei, "Alte Firma")], register_of(subject), today=TODAY)
    evidence = next(check.evidence for check in report.checks if check.code == "name")
    assert evidence["claimed"] == "Alte Firma"
    assert evidence["seen"] == "Muster SE"
    assert evidence["matched"] == "Alte Firma AG"
    assert (evidence["type"], evidence["language"], evidence["score"]) == ("PREVIOUS_LEGAL_NAME", "de", 98.0)
    assert evidence["stripped"] == ["ag"]


@cases(
    ("claimed", "facts", "verdict"),
    [
        ("DE", {}, "pass"),
        ("de", {}, "pass"),
        ("Germany", {}, "pass"),
        ("US-DE", {"jurisdiction": "US-DE"}, "pass"),
        ("US", {"jurisdiction": "US-DE"}, "pass"),
        ("US-NY", {"jurisdiction": "US-DE"}, "warn"),
        ("US-DE", {"jurisdiction": "US"}, "warn"),
        ("CH", {"hq_country": "CH"}, "warn"),
        ("CH", {"legal_country": "CH"}, "warn"),
        ("DE", {"jurisdiction": "", "legal_country": "DE"}, "pass"),
        ("AT", {}, "fail"),
        ("DE", {"jurisdiction": "US-DE", "legal_country": "US", "hq_country": "US"}, "fail"),
        ("Narnia", {}, "unknown"),
        ("DE", {"jurisdiction": "", "legal_country": ""}, "unknown"),
    ],
)
def test_the_jurisdiction_is_compared_by_country_and_subdivision(verdict_of, claimed, facts, verdict):
    assert verdict_of("jurisdiction", said_place=claimed, **facts)[0] == verdict


@pytest.mark.parametrize("nothing", [None, "", "  "])
def test_what_nobody_claimed_is_not_checked(verdict_of, nothing):
    assert verdict_of("name", said_name=nothing) == (None, "")
    assert verdict_of("jurisdiction", said_place=nothing) == (None, "")


@pytest.mark.parametrize(
    ("due", "verdict", "says"),
    [
        (date(2027, 1, 1), "pass", "due on 2027-01-01"),
        (TODAY, "pass", "due on"),
        (date(2025, 6, 1), "warn", "overdue"),
        (date(2026, 3, 1), "warn", "too old to show it"),  # the data is of January
        (None, "unknown", "no renewal date"),
    ],
)
def test_an_overdue_renewal_is_a_warning(verdict_of, due, verdict, says):
    found, message = verdict_of("renewal", next_renewal=due)
    assert found == verdict
    assert says in message


def test_every_message_is_one_sentence_without_the_markup_of_programs(record, register_of):
    subject = record(
        entity_status="NULL", registration_status="LAPSED", names=[("Alt", "PREVIOUS_LEGAL_NAME")]
    )
    [report] = verify([Claim(subject.lei, "Alt", "CH")], register_of(subject), today=TODAY)
    for check in report.checks:
        assert check.message[-1] in ".?"
        assert "_" not in check.message
        assert "None" not in check.message


def test_hostile_text_stays_bounded(record, register_of):
    subject = record(legal_name="Muster\n<script>" * 1000)
    [report] = verify([Claim(subject.lei, "x" * 100_000, "y" * 100_000)], register_of(subject), today=TODAY)
    assert all(len(check.message) < 600 and "\n" not in check.message for check in report.checks)
