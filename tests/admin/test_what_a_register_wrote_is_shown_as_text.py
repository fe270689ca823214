from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from config.urls import admin
from entities.memory import create_entity, verify_entity
from entities.models import (
    Entity,
    EntityEvent,
    EntityLook,
    EntityPair,
    EntityResearch,
    Erasure,
    GoldenCopyImport,
    LeiRecord,
    LeiRelationship,
    ListEntry,
    ListVersion,
    Relationship,
    ReportingException,
    Representation,
    ScreeningDecision,
    ScreeningHit,
    ScreeningPolicy,
    ScreeningRun,
)
from entities.screening.records import ListedName, make_entry
from entities.services.anomalies import Finding, report_anomalies
from tests.cases import cases
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>\"><img src=x onerror=alert(2)>'"
LEI = "529900K9B0N5BT694847"
# What Dossier and people wrote about registers; what a person chose from one has tests of its own.
WITHOUT_ROWS = {"GleifImport", "LeiPolicy", "RegisterSelection", "RegisterCorrection"}


@pytest.fixture
def memory():
    """Entities whose every free text is hostile, as a register or a model might write it."""
    aliases = [{"name": HOSTILE, "type": HOSTILE, "language": "de"}]
    one, other = EntityFactory.create_batch(
        2, name=HOSTILE, symbol=HOSTILE[:30], aliases=aliases, metadata={HOSTILE: [HOSTILE]}
    )
    Representation.objects.create(
        entity=one, type="register-number", authority=HOSTILE, key=HOSTILE, context={"x": HOSTILE}
    )
    Relationship.objects.create(subject=one, object=other, type="member-of", source=HOSTILE)
    EntityEvent.objects.create(entity=one, type="note", summary=HOSTILE, source=HOSTILE)
    EntityResearch.objects.create(
        entity=one,
        ttl=300,
        expires_at=timezone.now() + timedelta(minutes=5),
        findings={"x": HOSTILE},
        sources=[HOSTILE],
        confidence=1,
    )
    verify_entity(entity=one, actor=UserFactory(is_superuser=True), reason=HOSTILE)
    found = Finding(one, HOSTILE, HOSTILE, {HOSTILE: HOSTILE})
    report_anomalies(kind="renamed", findings=[found], among=Entity.objects.all())
    screened(one)
    EntityPair.objects.create(entity=one, other=other, score=90, explanation=HOSTILE, found_by=HOSTILE)
    Erasure.objects.create(entity=one.pk, reason=HOSTILE, counts={HOSTILE: {"deleted": 1, "emptied": 0}})
    EntityLook.objects.create(entity=one, person=UserFactory(), day=timezone.localdate(), how="page")
    create_entity(name=f"{HOSTILE} stated", type="concept", metadata={"note": HOSTILE})
    LeiRecord.objects.create(
        lei=LEI, legal_name=HOSTILE, attributes={"entity": {"x": HOSTILE}}, register="gleif"
    )
    LeiRelationship.objects.create(start=LEI, end=LEI, type="x", status=HOSTILE[:20], register="gleif")
    ReportingException.objects.create(lei=LEI, category="x", reason=HOSTILE[:60], register="gleif")
    said = {"source": HOSTILE, "phase": HOSTILE[:40], "error": HOSTILE, "owner": HOSTILE}
    GoldenCopyImport.objects.create(
        kind="lei2", scope="full", state="failed", publish_date=timezone.now(), counts={HOSTILE: 1}, **said
    )


def screened(entity):
    """A list, its entry, a hit and a decision, as their publisher and people might write them."""
    digests = dict.fromkeys(("subject_digest", "entry_digest", "fingerprint"), "0" * 64)
    version = ListVersion.objects.create(
        list_name="un",
        state="live",
        source=HOSTILE,
        digest="0" * 64,
        size=1,
        left_out=[HOSTILE],
        error=HOSTILE,
    )
    entry = make_entry(
        key="1", kind="person", names=[ListedName(HOSTILE)], programs=[HOSTILE], remarks=HOSTILE
    )
    ListEntry.objects.create(
        list_name="un",
        key=HOSTILE[:100],
        digest="0" * 64,
        kind="person",
        name=HOSTILE,
        content=entry.as_json(),
        since=version,
    )
    ScreeningPolicy.objects.create(note=HOSTILE)
    ScreeningRun.objects.create(entity=entity, state="done", algorithm=HOSTILE[:40], outcome="none")
    hit = ScreeningHit.objects.create(
        entity=entity, source="un", key="1", name=HOSTILE, score=90, note=HOSTILE, version=version, **digests
    )
    ScreeningDecision.objects.create(
        hit=hit, revision=1, verdict="unsure", reason=HOSTILE, basis={HOSTILE: HOSTILE}, actor=UserFactory()
    )


@cases(
    "model",
    [model for model in admin.site._registry if model._meta.app_label == "entities"],
    ids=lambda model: model._meta.model_name,
)
def test_it_is_text_in_lists_and_on_pages(client, memory, model):
    client.force_login(UserFactory(is_superuser=True, is_staff=True))
    name = f"admin:entities_{model._meta.model_name}"
    pages = [
        client.get(reverse(f"{name}_changelist"), {"q": HOSTILE}),
        client.get(reverse(f"{name}_changelist")),
    ]
    pages += [client.get(reverse(f"{name}_change", args=[row.pk])) for row in model.objects.all()]
    assert model.__name__ in WITHOUT_ROWS or len(pages) > 2
    for page in pages:
        assert page.status_code == 200
        assert "<script>alert" not in page.content.decode()
        assert "<img src=x" not in page.content.decode()
