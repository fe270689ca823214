"""Rules say how long what is kept; a hold keeps it, and the trail says what the policy took."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from entities import memory
from entities.memory.holds import place_hold
from entities.models import Entity, EntityLook, EntityResearch, Erasure
from research.audit.verification import verify_trail
from research.models import AuditEvent, Decision, ResearchResult, Run, Step
from research.services.retention import PolicyRefused, apply_retention, policy
from tests.erasure.conftest import NAME

LATER = timezone.now() + timedelta(days=400)


def test_without_a_rule_nothing_goes(jane):
    assert apply_retention(now=LATER) == {}


@pytest.mark.parametrize("word", ["looks", "looks=0", "looks=x", "names=5", "looks.person=5", "entities=5"])
def test_a_rule_that_cannot_be_read_is_refused(settings, word):
    settings.DOSSIER_RETENTION = [word]
    with pytest.raises(PolicyRefused, match=word.split("=")[0]):
        policy()


def test_old_findings_looks_and_journals_go(jane, person, settings):
    EntityLook.objects.create(entity=jane, person=person, day=timezone.localdate(), how="page")
    Step.objects.update(raw={"said": NAME})
    Run.objects.update(finished_at=timezone.now())
    settings.DOSSIER_RETENTION = ["findings.person=365", "looks=365", "journal=365"]
    dry = apply_retention(dry_run=True, now=LATER)
    assert EntityLook.objects.exists()
    assert EntityResearch.objects.exists()
    assert dry == apply_retention(now=LATER) == {"findings.person=365": 1, "looks=365": 1, "journal=365": 2}
    assert not EntityLook.objects.exists()
    assert not EntityResearch.objects.exists()
    assert not Step.objects.filter(raw__isnull=False).exists()
    assert AuditEvent.objects.get(action="retention.applied").detail == dry
    assert apply_retention(now=LATER) == dict.fromkeys(dry, 0)
    assert verify_trail().faults == []


def test_a_rejected_answer_keeps_that_it_was_rejected(jane, settings):
    settings.DOSSIER_RETENTION = ["rejected=365"]
    assert apply_retention(now=LATER) == {"rejected=365": 1}
    decision = Decision.objects.get(verdict="rejected")
    assert (decision.reason, decision.result.data) == ("[erased]", {})
    assert ResearchResult.objects.get(state="approved").data != {}
    connection.check_constraints()
    report = verify_trail()
    assert report.faults == []
    assert "by the policy of retention" in report.erased[0]


def test_persons_of_whom_nothing_was_heard_are_erased_unless_they_are_held(jane, person, settings, found_in):
    settings.DOSSIER_RETENTION = ["entities.person=365"]
    kept = memory.create_entity(name="Kept Person", type="person")
    place_hold(entity=kept, actor=person, reason="suit")
    assert apply_retention(now=LATER, dry_run=True) == {"entities.person=365": 1}
    assert apply_retention(now=timezone.now()) == {"entities.person=365": 0}
    assert apply_retention(now=LATER) == {"entities.person=365": 1}
    connection.check_constraints()
    assert [*Entity.objects.filter(type="person")] == [kept]
    assert Erasure.objects.get().actor is None
    assert found_in(NAME) == []
    assert verify_trail().faults == []
