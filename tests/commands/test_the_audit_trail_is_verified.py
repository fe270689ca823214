import pytest
from django.db import connection

from research import append_only
from research.audit import record
from research.models import AuditEvent
from tests.factories import RunFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def events():
    research = RunFactory()
    return [record(f"test.{number}", research) for number in range(3)]


def test_it_says_how_many_events_are_sealed(run, events):
    assert run("audit", "verify", "--json").document == {"ok": True, "sealed": 0, "unsealed": 3, "fault": ""}
    assert run("audit", "seal", "--json").document == {"sealed": 3}
    outcome = run("audit", "verify")
    assert outcome.code == 0
    assert "3 sealed, 0 not sealed yet" in outcome.out


def test_it_names_the_event_that_was_changed(run, events):
    run("audit", "seal")
    append_only.remove(connection)
    AuditEvent.objects.filter(pk=events[1].pk).update(action="test.forged")
    append_only.install(connection)
    outcome = run("audit", "verify", "--json")
    assert (outcome.code, outcome.document["ok"], outcome.document["sealed"]) == (1, False, 1)
    assert str(events[1].pk) in outcome.document["fault"]
