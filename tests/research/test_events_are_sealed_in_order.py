"""The audit trail is sealed in the order of its events, at a cost that does not grow with its length."""

from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from research import audit
from research.audit import seals
from research.models import AuditEvent, AuditHead, AuditSeal
from tests.factories import RunFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("trail_elsewhere")]


@pytest.fixture
def run():
    return RunFactory()


def happen(run, count):
    AuditEvent.objects.bulk_create([audit.about("tested", run, number=number) for number in range(count)])


def sealed_and_not() -> tuple[int, int]:
    return AuditSeal.objects.count(), AuditEvent.objects.filter(seal__isnull=True).count()


def test_it_asks_as_much_for_one_event_as_for_many(run):
    asked = []
    for count in (1, 200):
        happen(run, count)
        with CaptureQueriesContext(connection) as queries:
            assert audit.seal_events() == count
        asked.append(len(queries))
    assert asked[0] == asked[1]
    assert sealed_and_not() == (201, 0)


def test_it_seals_all_batch_after_batch(run, monkeypatch):
    monkeypatch.setattr(seals, "BATCH", 4)
    happen(run, 10)
    assert audit.seal_all() == 10
    assert sealed_and_not() == (10, 0)


def test_an_event_that_was_stored_late_is_sealed_behind_those_that_were_not(run):
    happen(run, 3)
    first, *rest = AuditEvent.objects.order_by("id")
    AuditSeal.objects.bulk_create(seals.sealed(rest, 0))
    assert audit.seal_events() == 1
    assert list(AuditSeal.objects.values_list("event", flat=True)) == [
        *(event.pk for event in rest),
        first.pk,
    ]


def test_one_that_was_stored_much_too_late_is_told_and_sealed_when_all_are_asked_for(run, monkeypatch):
    monkeypatch.setattr(seals, "BEHIND", 2)
    happen(run, 5)
    _, *rest = AuditEvent.objects.order_by("id")
    AuditSeal.objects.bulk_create(seals.sealed(rest, 0))
    assert audit.seal_events() == 0
    assert sealed_and_not() == (4, 1)
    assert audit.seal_all(everything=True) == 1
    assert sealed_and_not() == (5, 0)


def test_a_head_is_signed_for_what_is_new_and_costs_what_is_new(run, settings):
    asked = []
    for count in (300, 3, 3):
        happen(run, count)
        audit.seal_all()
        with CaptureQueriesContext(connection) as queries:
            head = audit.keep_head()
        asked.append(len(queries))
        assert head.size == AuditSeal.objects.count()
        assert head.note in Path(settings.DOSSIER_TRAIL_HEADS).read_text(encoding="utf-8")
    assert audit.keep_head() is None
    assert asked[0] == asked[1] == asked[2]
    assert AuditHead.objects.count() == 3
