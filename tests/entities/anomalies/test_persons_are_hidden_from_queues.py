"""Anomalies and pairs of natural persons are shown only to people who may see natural persons."""

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from entities.models import Anomaly, Entity, EntityPair
from entities.services.anomalies import Finding, report_anomalies
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
RIGHTS = ["view_anomaly", "decide_anomaly", "view_entitypair", "merge_entity", "view_entity"]


@pytest.fixture
def jane():
    one = EntityFactory(name="Jane Doe", type="person")
    other = EntityFactory(name="Jane M. Doe", type="person")
    findings = [Finding(one, "X", "Jane Doe looks wrong.", {"name": "Jane Doe"})]
    report_anomalies(kind="contradiction", findings=findings, among=Entity.objects.all())
    EntityPair.objects.create(entity=other, other=one, score=90, explanation="Jane Doe and Jane M. Doe.")


@pytest.mark.parametrize("may", [False, True])
def test_lists_pages_and_counts_leave_them_out(jane, may):
    user = UserFactory(rights=[*RIGHTS, *["view_person"] * may], is_staff=True)
    anomaly, pair = Anomaly.objects.get(), EntityPair.objects.get()
    pages, rest = Client(), APIClient()
    pages.force_login(user)
    rest.force_authenticate(user)
    shown = {
        "start": b"1 anomaly</a>" in pages.get(reverse("admin:index")).content,
        "list": b"Jane Doe" in pages.get(reverse("admin:entities_anomaly_changelist")).content,
        "page": pages.get(reverse("admin:entities_anomaly_change", args=[anomaly.pk])).status_code == 200,
        "pairs": b"Jane" in pages.get(reverse("admin:entities_entitypair_changelist")).content,
        "pair": pages.get(reverse("admin:entities_entitypair_change", args=[pair.pk])).status_code == 200,
        "rest": bool(rest.get(reverse("api-anomalies")).json()["results"]),
        "rest one": rest.get(reverse("api-anomaly", args=[anomaly.pk])).status_code == 200,
        "rest pairs": bool(rest.get(reverse("api-pairs")).json()["results"]),
        "rest pair": rest.get(reverse("api-pair", args=[pair.pk])).status_code == 200,
        "rest take": rest.put(reverse("api-anomaly-assignment", args=[anomaly.pk])).status_code == 200,
    }
    assert shown == dict.fromkeys(shown, may)
