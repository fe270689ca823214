"""What somebody states beside an LEI: register number, legal form, category, parent; and how its record stands."""

from datetime import date

import pytest

from entities.gleif.errors import GleifUnavailable
from entities.gleif.records import ParentAnswer, ReportingException
from entities.gleif.verification import CODES, Claim, Policy, verify
from tests.cases import cases
from tests.entities.conftest import StubRegister

TODAY = date(2026, 6, 1)


class Knowing(StubRegister):
    """A register that also knows parents and namesakes."""

    def __init__(self, *records, parents=None, namesakes=None, trouble_with_more=None):
        super().__init__(*records)
        self._parents, self._namesakes, self._trouble = parents or {}, namesakes or {}, trouble_with_more

    def parents(self, leis):
        if self._trouble:
            raise self._trouble
        return {lei: self._parents[lei] for lei in leis if lei in self._parents}

    def namesakes(self, names):
        if self._trouble:
            raise self._trouble
        return {name: self._namesakes.get(name, ()) for name in names}


def verdict_of(code, register, lei, *, policy=None, **stated):
    [report] = verify([Claim(lei, **stated)], register, today=TODAY, policy=policy)
    [found] = [check for check in (*report.checks, *report.skipped) if check.code == code]
    return found


@cases(
    ("number", "authority", "facts", "verdict"),
    [
        ("HRB 164232", "RA000304", {}, "pass"),
        ("hrb164232", "ra000304", {}, "pass"),
        ("HRB 164232", None, {}, "warn"),
        ("HRB 164232", "RA000304", {"registered_at": ""}, "warn"),
        ("HRB 164233", "RA000304", {}, "fail"),
        ("HRB 164232", "RA000242", {}, "fail"),
        ("HRB 164232", "RA000304", {"registered_as": ""}, "unknown"),
    ],
)
def test_a_register_number_counts_with_its_register(record, number, authority, facts, verdict):
    subject = record(**({"registered_as": "HRB 164232", "registered_at": "RA000304"} | facts))
    stated = {"registered_as": number, "registered_at": authority}
    assert verdict_of("registration_number", StubRegister(subject), subject.lei, **stated).verdict == verdict


@cases(
    ("claimed", "facts", "verdict"),
    [
        ("SGST", {}, "unknown"),  # letters only: read as words, and no form is written so
        ("2HBR", {}, "pass"),
        ("6QQB", {}, "fail"),
        ("GmbH", {}, "pass"),
        ("Gesellschaft mit beschränkter Haftung", {}, "pass"),
        ("AG", {}, "fail"),
        ("2HBR", {"legal_form": ""}, "unknown"),
        ("GmbH", {"legal_name": "Muster"}, "unknown"),
        ("GmbH", {"legal_form": "8888", "legal_form_text": "Körperschaft"}, "warn"),
        ("GmbH", {"legal_form": "9999"}, "warn"),
    ],
)
def test_a_legal_form_is_compared_as_a_code_or_in_words(record, claimed, facts, verdict):
    subject = record(**({"legal_name": "Muster GmbH", "legal_form": "2HBR"} | facts))
    assert verdict_of("legal_form", StubRegister(subject), subject.lei, legal_form=claimed).verdict == verdict


@pytest.mark.parametrize(
    ("claimed", "category", "verdict"),
    [
        ("GENERAL", "GENERAL", "pass"),
        ("fund", "FUND", "pass"),
        ("GENERAL", "FUND", "warn"),
        ("GENERAL", "BRANCH", "warn"),
        ("GENERAL", "", "unknown"),
    ],
)
def test_a_fund_is_no_company(record, claimed, category, verdict):
    subject = record(category=category)
    assert verdict_of("category", StubRegister(subject), subject.lei, category=claimed).verdict == verdict


def parent_answers(record, direct=None, ultimate=None):
    def answer(found):
        if isinstance(found, str):
            return ParentAnswer("exception", reason=found, exception=ReportingException("", "", found))
        return ParentAnswer("record", record=found) if found else ParentAnswer("none")

    return {"direct": answer(direct), "ultimate": answer(ultimate)}


@cases(
    ("claimed", "direct", "ultimate", "verdict", "says"),
    [
        (2, 2, None, "pass", "direct parent"),
        (3, 2, 3, "pass", "ultimate parent"),
        ("Dach AG", 2, None, "pass", "direct parent"),
        (4, 2, 3, "fail", "reported parents"),
        ("Ganz Andere SA", 2, None, "fail", "reported parents"),
        (2, "NATURAL_PERSONS", "NO_KNOWN_PERSON", "warn", "natural persons and no known person"),
        (3, "NON_PUBLIC", 3, "pass", "ultimate parent"),
        (2, None, None, "warn", "no reason"),
    ],
)
def test_a_claimed_parent_is_looked_for_among_those_reported(  # noqa: PLR0917
    record, lei, claimed, direct, ultimate, verdict, says
):
    named = {2: record(2, legal_name="Dach AG"), 3: record(3, legal_name="Spitze SE")}
    answers = parent_answers(record, named.get(direct, direct), named.get(ultimate, ultimate))
    register = Knowing(record(1), parents={lei(1): answers})
    found = verdict_of(
        "parent", register, lei(1), parent=lei(claimed) if isinstance(claimed, int) else claimed
    )
    assert found.verdict == verdict
    assert says in found.message


@pytest.mark.parametrize(
    "register_of",
    [StubRegister, lambda *r: Knowing(*r, trouble_with_more=GleifUnavailable("Down."))],
    ids=["one that knows no parents", "one in trouble"],
)
def test_a_parent_that_was_not_looked_up_is_unknown(record, register_of):
    subject = record()
    assert verdict_of("parent", register_of(subject), subject.lei, parent="Dach AG").verdict == "unknown"


@pytest.mark.parametrize(
    ("level", "verdict"),
    [
        ("FULLY_CORROBORATED", "pass"),
        ("PARTIALLY_CORROBORATED", "warn"),
        ("ENTITY_SUPPLIED_ONLY", "warn"),
        ("", "unknown"),
    ],
)
def test_it_tells_how_well_a_record_was_corroborated(record, level, verdict):
    subject = record(corroboration=level)
    found = verdict_of("corroboration", StubRegister(subject), subject.lei)
    assert (found.verdict, found.skipped) == (verdict, not level)


@pytest.mark.parametrize(
    ("flag", "verdict"),
    [("CONFORMING", "pass"), ("NON_CONFORMING", "warn"), ("NOT_APPLICABLE", "unknown"), ("", "unknown")],
)
def test_it_tells_whether_a_record_conforms(record, flag, verdict):
    subject = record(conformity=flag)
    assert verdict_of("conformity", StubRegister(subject), subject.lei).verdict == verdict


def event(type, recorded, status="COMPLETED"):
    return {
        "type": type,
        "status": status,
        "effectiveDate": "2010-01-01",
        "recordedDate": f"{recorded}T00:00:00Z",
    }


@cases(
    ("events", "verdict"),
    [
        ([], "pass"),
        ([event("CHANGE_LEGAL_NAME", "2026-05-01")], "warn"),
        ([event("CHANGE_LEGAL_NAME", "2024-05-01")], "pass"),
        ([event("CHANGE_LEGAL_ADDRESS", "2026-05-01")], "pass"),
        ([event("LIQUIDATION", "2019-05-01", "IN_PROGRESS")], "warn"),
        ([{"type": None}, "nonsense", 7], "pass"),
    ],
)
def test_recent_events_ask_for_a_look(record, events, verdict):
    subject = record(attributes={"entity": {"eventGroups": [{"events": events}]}})
    assert verdict_of("recent_changes", StubRegister(subject), subject.lei).verdict == verdict


def test_a_record_without_a_list_of_events_says_nothing_about_changes(record):
    subject = record()
    assert verdict_of("recent_changes", StubRegister(subject), subject.lei).skipped


@cases(
    ("others", "place", "verdict", "says"),
    [
        ([], None, "pass", "No other"),
        ([{"jurisdiction": "AT"}], None, "warn", "as well"),
        ([{"jurisdiction": "AT"}], "DE", "pass", "other places"),
        ([{"jurisdiction": "DE"}], "DE", "warn", "as well"),
        ([{"registration_status": "RETIRED"}], None, "pass", "No other"),
        ([{"entity_status": "INACTIVE"}], None, "pass", "No other"),
        ([{"legal_name": "Muster Bank SE"}], None, "pass", "No other"),
    ],
)
def test_another_lei_in_force_of_the_same_name_makes_it_ambiguous(record, lei, others, place, verdict, says):
    namesakes = {"Muster SE": [record(1), *(record(n, **facts) for n, facts in enumerate(others, start=2))]}
    found = verdict_of(
        "ambiguity", Knowing(record(1), namesakes=namesakes), lei(1), name="Muster SE", jurisdiction=place
    )
    assert found.verdict == verdict
    assert says in found.message


def test_ambiguity_may_be_a_failure_by_policy(record, lei):
    register = Knowing(record(1), namesakes={"Muster SE": [record(2)]})
    policy = Policy().with_values({"ambiguous": "fail"})
    assert verdict_of("ambiguity", register, lei(1), name="Muster SE", policy=policy).verdict == "fail"


@pytest.mark.parametrize(
    "register_of",
    [StubRegister, lambda *r: Knowing(*r, trouble_with_more=GleifUnavailable("Down."))],
    ids=["one that cannot search", "one in trouble"],
)
def test_a_search_that_was_not_run_is_no_verdict(record, register_of):
    subject = record()
    found = verdict_of("ambiguity", register_of(subject), subject.lei, name="Muster SE")
    assert (found.verdict, found.skipped) == ("unknown", True)


@pytest.mark.parametrize("claimed", ["nonsense", "lei(1)", "lei(7)", "down"])
def test_a_report_has_all_checks_whatever_was_claimed(record, lei, register_of, claimed):
    trouble = GleifUnavailable("Down.") if claimed == "down" else None
    text = {"lei(1)": lei(1), "lei(7)": lei(7), "down": lei(1)}.get(claimed, claimed)
    [report] = verify([Claim(text, "Muster SE")], register_of(record(1), trouble=trouble), today=TODAY)
    assert tuple(check["code"] for check in report.as_json()["checks"]) == CODES
    assert all(check.message.endswith((".", "?")) for check in (*report.checks, *report.skipped))
    assert {check.verdict for check in report.skipped} <= {"unknown"}


def test_what_could_not_be_checked_does_not_spoil_the_verdict(record, register_of):
    subject = record()
    [report] = verify([Claim(subject.lei)], register_of(subject), today=TODAY)
    assert report.verdict == "pass"
    assert {"name", "parent", "corroboration", "ambiguity", "did_you_mean"} <= {
        c.code for c in report.skipped
    }


def test_every_check_of_a_record_names_the_day_of_its_data(record, register_of):
    subject = record()
    [report] = verify([Claim(subject.lei, "Muster SE")], register_of(subject), today=TODAY)
    dated = {check.code for check in report.checks if check.evidence.get("as_of") == "2026-01-02T00:00:00Z"}
    assert dated == {check.code for check in report.checks} - {"format", "check_digits"}
