"""Every record in force of a set of real ones, under its own name. They are no part of the project."""

import json
import os
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from entities.gleif.records import parse_record
from entities.gleif.verification import Claim, verify
from entities.lei import is_valid
from tests.entities.conftest import StubRegister

FOLDER = os.environ.get("DOSSIER_SHARED_DATA", "")
FILE = Path(FOLDER) / "gleif" / "lei_records.jsonl"
pytestmark = pytest.mark.skipif(
    not FOLDER or not FILE.is_file(), reason="no real records: set DOSSIER_SHARED_DATA"
)


@pytest.fixture(scope="module")
def items():
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def test_every_lei_has_the_form_of_one(items):
    assert all(is_valid(item["id"]) for item in items)


def test_no_record_in_force_fails_under_its_own_name(items):
    records = [parse_record(item) for item in items if item["_source"]["kind"] != "partial"]
    issued = [record for record in records if record.registration_status == "ISSUED"]
    claims = [
        Claim(r.lei, r.legal_name, r.jurisdiction, r.registered_as, r.registered_at, r.legal_form, r.category)
        for r in issued
    ]
    reports = verify(claims, StubRegister(*records), today=date(2026, 1, 3))
    failed = Counter(check.code for report in reports for check in report.checks if check.verdict == "fail")
    ended = {r.lei for r in issued if r.entity_status == "INACTIVE" or r.expiration_date or r.successors}
    wrong = [report.lei for report in reports if report.verdict == "fail" and report.lei not in ended]
    assert len(issued) == 1_296
    assert (wrong, set(failed) - {"entity_status", "successor"}) == ([], set())


def test_every_record_can_be_verified_whatever_it_holds(items):
    records = [parse_record(item) for item in items]
    reports = verify(
        [Claim(r.lei, r.legal_name) for r in records], StubRegister(*records), today=date(2026, 1, 3)
    )
    assert len(reports) == len(items)
    assert all(len(report.as_json()["checks"]) == 18 for report in reports)
