"""An anomaly is assigned and decided by a person, once for its evidence."""

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from entities.memory import NotAllowed, OutOfDate, RefusedWrite
from entities.models import Anomaly, AnomalyAct, Entity
from entities.services.anomalies import Finding, assign_anomaly, decide_anomaly, report_anomalies
from tests.cases import cases
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
RIGHTS = ["view_anomaly", "decide_anomaly", "view_entity"]


@pytest.fixture
def person():
    return UserFactory(username="rita", rights=RIGHTS, is_staff=True)


@pytest.fixture
def entity():
    return EntityFactory(name="Allianz SE")


def report(entity, *, found=True, **evidence):
    findings = [Finding(entity, "X", "It lapsed.", evidence or {"status": "LAPSED"})] if found else []
    report_anomalies(kind="register-lapsed", findings=findings, among=Entity.objects.filter(pk=entity.pk))
    return Anomaly.objects.first()


def kinds():
    return list(AnomalyAct.objects.order_by("id").values_list("kind", flat=True))


def test_what_was_decided_is_not_shown_again_until_its_evidence_changes(entity, person):
    row = report(entity)
    decide_anomaly(anomaly=row, actor=person, reason="Renewal is filed.", digest=row.digest)
    assert report(entity).state == "decided"
    assert report(entity, status="LAPSED", as_of="2026-04-01").state == "decided"  # only read later
    changed = report(entity, status="RETIRED")
    assert (changed.state, changed.pk) == ("open", row.pk)
    assert kinds() == ["found", "decided", "changed"]


def test_what_is_no_longer_found_is_gone_and_comes_back(entity):
    report(entity)
    assert report(entity, found=False).state == "gone"
    assert report(entity).state == "open"
    assert kinds() == ["found", "gone", "changed"]


def test_what_was_decided_stays_decided_when_it_is_no_longer_found(entity, person):
    row = report(entity)
    decide_anomaly(anomaly=row, actor=person, reason="Fine.", digest=row.digest)
    assert report(entity, found=False).state == "decided"


def test_the_second_of_two_people_is_told_who_decided(entity, person):
    row = report(entity)
    decide_anomaly(anomaly=row, actor=person, reason="Fine.", digest=row.digest)
    with pytest.raises(OutOfDate, match="was decided by rita on"):
        decide_anomaly(anomaly=row, actor=UserFactory(rights=RIGHTS), reason="No.", digest=row.digest)
    assert kinds().count("decided") == 1


def test_evidence_that_changed_meanwhile_is_looked_at_again(entity, person):
    seen = report(entity).digest
    row = report(entity, status="RETIRED")
    with pytest.raises(OutOfDate, match="the evidence has changed"):
        decide_anomaly(anomaly=row, actor=person, reason="Fine.", digest=seen)
    with pytest.raises(OutOfDate, match="is gone"):
        decide_anomaly(anomaly=report(entity, found=False), actor=person, reason="Fine.", digest=row.digest)


def test_deciding_needs_the_right_and_a_reason(entity, person):
    row = report(entity)
    with pytest.raises(NotAllowed):
        decide_anomaly(anomaly=row, actor=UserFactory(), reason="Fine.", digest=row.digest)
    with pytest.raises(RefusedWrite, match="a reason is needed"):
        decide_anomaly(anomaly=row, actor=person, reason="  ", digest=row.digest)
    assert Anomaly.objects.get().state == "open"


def test_it_is_given_only_to_those_who_may_decide(entity, person):
    row = report(entity)
    with pytest.raises(NotAllowed, match="may not decide anomalies"):
        assign_anomaly(anomaly=row, actor=person, to=UserFactory())
    assert assign_anomaly(anomaly=row, actor=person, to=person).assigned_to == person
    assert assign_anomaly(anomaly=row, actor=person, to=None).assigned_to is None
    assert kinds() == ["found", "assigned", "assigned"]


def test_what_happened_cannot_be_changed(entity):
    report(entity)
    for change in (AnomalyAct.objects.all().delete, lambda: AnomalyAct.objects.update(reason="x")):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


@pytest.fixture
def browser(person):
    client = Client()
    client.force_login(User.objects.get(pk=person.pk))
    return client


def page(row, name="change"):
    return reverse(f"admin:entities_anomaly_{name}", args=[row.pk])


def test_the_list_shows_open_ones_first(browser, entity, person):
    row = report(entity)
    assert b"It lapsed." in browser.get(reverse("admin:entities_anomaly_changelist")).content
    decide_anomaly(anomaly=row, actor=person, reason="Fine.", digest=row.digest)
    assert b"It lapsed." not in browser.get(reverse("admin:entities_anomaly_changelist")).content
    decided = browser.get(reverse("admin:entities_anomaly_changelist") + "?state=decided")
    assert b"It lapsed." in decided.content


def test_a_person_takes_and_decides_it_on_its_page(browser, entity):
    row = report(entity, name="<script>alert(1)</script>")
    shown = browser.get(page(row)).content.decode()
    assert "&lt;script&gt;" in shown
    assert "<script>alert" not in shown
    browser.post(page(row, "assign"), {"to": "me"})
    assert Anomaly.objects.get().assigned_to.username == "rita"
    body = {"reason": "It was renewed.", "digest": row.digest}
    done = browser.post(page(row, "decide"), body, follow=True).content.decode()
    assert "It is not shown again unless its evidence changes." in done
    assert "It was renewed." in done
    assert "Close it" not in done


@cases("name", ["assign", "decide"])
def test_who_may_only_look_changes_nothing(name):
    entity = EntityFactory(name="Allianz SE")
    row = report(entity)
    client = Client()
    client.force_login(UserFactory(rights=["view_anomaly"], is_staff=True))
    assert client.get(page(row)).status_code == 200
    assert client.post(page(row, name), {"reason": "x", "digest": row.digest}).status_code == 403
    assert Anomaly.objects.get().state == "open"


def test_the_page_of_the_entity_and_the_start_page_say_so(browser, entity, person):
    row = report(entity)
    assert b"It lapsed." in browser.get(reverse("admin:entities_entity_change", args=[entity.pk])).content
    assert b"1 anomaly</a> of entities waits for a decision" in browser.get(reverse("admin:index")).content
    decide_anomaly(anomaly=row, actor=person, reason="Fine.", digest=row.digest)
    assert b"It lapsed." not in browser.get(reverse("admin:entities_entity_change", args=[entity.pk])).content
    assert b"wait for a decision" not in browser.get(reverse("admin:index")).content
