"""Migrate puts triggers back that somebody has dropped; that they were missing stays known."""

import pytest
from django.core.management import call_command
from django.db import connection

from common import append_only
from research.append_only import GUARDED
from research.audit.verification import verify_trail
from research.models import AuditEvent

pytestmark = pytest.mark.django_db


def test_an_event_names_them_and_verify_warns(sealed):
    call_command("migrate", verbosity=0)
    assert not AuditEvent.objects.filter(action="triggers.restored").exists()
    append_only.remove(connection, ["research_decision", "entities_entityact"])
    lost = append_only.faults(connection, GUARDED)
    call_command("migrate", verbosity=0)
    assert append_only.faults(connection, GUARDED) == []
    event = AuditEvent.objects.get(action="triggers.restored")
    assert event.detail == {"faults": lost}
    report = verify_trail()
    assert report.ok
    (warning,) = report.warnings
    assert all(sentence in warning for sentence in lost)
    assert len(lost) >= 4
    call_command("migrate", verbosity=0)
    assert AuditEvent.objects.filter(action="triggers.restored").count() == 1
