"""That a register does not have an LEI: an answer of a complete and fresh one, and of no other."""

from datetime import date, timedelta

import pytest

from entities.gleif import register as module
from entities.gleif.claims import Claim
from entities.gleif.errors import GleifUnavailable
from entities.gleif.policy import Policy
from entities.gleif.register import demo_register, open_register
from entities.gleif.verification import verify
from entities.lei import complete
from entities.models import GoldenCopyImport
from tests.register_files import MORNING, attributes_of

pytestmark = pytest.mark.django_db
ABSENT = complete("529900ZZZZZZZZZZZZ")
PUBLISHED = MORNING.date()


@pytest.fixture(autouse=True)
def nothing_opened(monkeypatch):
    """Imports of other tests, which were rolled back, had the numbers that imports have here."""
    monkeypatch.setattr(module, "_opened", {})


def existence(register, *, today=PUBLISHED, days=7):
    [report] = verify([Claim(ABSENT)], register, today=today, policy=Policy(absence_max_age_days=days))
    return next(check for check in report.checks if check.code == "existence")


def test_a_full_and_fresh_copy_can_tell(load):
    load([attributes_of(1, "Muster AG")])
    check = existence(open_register("gleif"), today=PUBLISHED + timedelta(days=7))
    assert check.verdict == "fail"
    assert "1 records, golden copy of 2026-02-10" in check.message


def test_an_old_copy_cannot(load):
    load([attributes_of(1, "Muster AG")])
    check = existence(open_register("gleif"), today=PUBLISHED + timedelta(days=8))
    assert check.verdict == "unknown"
    assert "the copy is 8 days old" in check.message
    assert existence(open_register("gleif"), today=PUBLISHED + timedelta(days=8), days=30).verdict == "fail"


def test_a_part_of_a_copy_cannot(load):
    load([attributes_of(1, "Muster AG")])
    GoldenCopyImport.objects.update(left_out=["Line 7: a record without a name."])
    assert existence(open_register("gleif")).evidence["reason"] == "it is a part of GLEIF's golden copy"


def test_the_demo_register_cannot():
    check = existence(demo_register(), today=date(2026, 1, 3))
    assert check.verdict == "unknown"
    assert "small selection" in check.message


def test_what_was_begun_with_a_register_goes_on_with_it(load):
    begun = open_register("gleif").pin
    load([attributes_of(1, "Muster AG")])
    assert begun == "live"
    assert not open_register(begun).local, "an import in the middle of a case changes nothing"
    pinned = open_register("gleif").pin
    assert (pinned, open_register(pinned).local) == ("local", True)
    GoldenCopyImport.objects.all().delete()
    module._opened.clear()
    with pytest.raises(GleifUnavailable):
        open_register(pinned)
