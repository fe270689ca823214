"""The audit trail is sealed in the order of its events, at a cost that does not grow with its length."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from research import audit
from research.models import AuditEvent, AuditSeal
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def run():
    return RunFactory()


def happen(run, count):
    AuditEvent.objects.bulk_create([audit.about("tested", run, number=number) for number in range(count)])


def test_it_asks_as_much_for_one_event_as_for_many(run):
    asked = []
    for count in (1, 200):
        happen(run, count)
        with CaptureQueriesContext(connection) as queries:
            assert audit.seal_events() == count
        asked.append(len(queries))
    assert asked[0] == asked[1]
    assert audit.verify_chain() == audit.ChainReport(201, 0)


def test_it_seals_all_batch_after_batch(run, monkeypatch):
    monkeypatch.setattr(audit, "BATCH", 4)
    happen(run, 10)
    assert audit.seal_all() == 10
    assert audit.verify_chain() == audit.ChainReport(10, 0)


def test_an_event_that_was_stored_late_is_sealed_behind_those_that_were_not(run):
    happen(run, 3)
    first, *rest = AuditEvent.objects.order_by("id")
    AuditSeal.objects.bulk_create(audit.sealed(rest, 0, ""))
    assert audit.seal_events() == 1
    assert list(AuditSeal.objects.values_list("event", flat=True)) == [
        *(event.pk for event in rest),
        first.pk,
    ]
    assert audit.verify_chain().ok


def test_one_that_was_stored_much_too_late_is_told_and_sealed_when_all_are_asked_for(run, monkeypatch):
    monkeypatch.setattr(audit, "BEHIND", 2)
    happen(run, 5)
    _, *rest = AuditEvent.objects.order_by("id")
    AuditSeal.objects.bulk_create(audit.sealed(rest, 0, ""))
    assert audit.seal_events() == 0
    assert audit.verify_chain() == audit.ChainReport(4, 1)
    assert audit.seal_all(everything=True) == 1
    assert audit.verify_chain() == audit.ChainReport(5, 0)
