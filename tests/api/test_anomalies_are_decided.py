"""REST lists anomalies, gives them to a person and takes decisions."""

import pytest

from entities.models import Anomaly, Entity
from entities.services.anomalies import Finding, report_anomalies
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def row():
    entity = EntityFactory(name="Allianz SE", slug="allianz-se")
    findings = [Finding(entity, "X", "It lapsed.", {"status": "LAPSED"})]
    report_anomalies(kind="register-lapsed", findings=findings, among=Entity.objects.all())
    return Anomaly.objects.get()


@pytest.fixture
def writer(client_of):
    return client_of(UserFactory(username="rita", rights=["view_anomaly", "decide_anomaly"]))


def test_they_are_listed_and_read(writer, url, row):
    [told] = writer.get(url("anomalies") + "?state=open&kind=register-lapsed").json()["results"]
    assert (told["id"], told["entity"], told["summary"]) == (str(row.pk), "allianz-se", "It lapsed.")
    assert writer.get(url("anomalies") + "?state=decided").json()["results"] == []
    assert writer.get(url("anomaly", row.pk)).json()["acts"][0]["kind"] == "found"


def test_one_is_taken_decided_and_told_apart_from_an_older_one(writer, url, row):
    assert writer.put(url("anomaly-assignment", row.pk)).json()["assigned_to"] == "rita"
    assert writer.delete(url("anomaly-assignment", row.pk)).json()["assigned_to"] is None
    old = writer.post(url("anomaly-decision", row.pk), {"reason": "Fine.", "digest": "0" * 64})
    assert (old.status_code, "evidence has changed" in str(old.json())) == (409, True)
    done = writer.post(url("anomaly-decision", row.pk), {"reason": "Fine.", "digest": row.digest})
    assert (done.status_code, done.json()["state"]) == (200, "decided")
