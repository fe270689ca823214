"""Anomalies: where memory and the LEI register differ, where shares do not add up, where sources contradict."""

from datetime import date

import pytest
from django.utils import timezone

from entities.memory import link
from entities.models import Anomaly, GoldenCopyImport, LeiRelationship, Relationship
from entities.services.register_anomalies import look_for_anomalies
from tests.cases import cases
from tests.factories import EntityFactory, LeiRecordFactory

pytestmark = pytest.mark.django_db
LEI, PARENT, OTHER = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658", "5493004N3P9GWIHDGR24"


@pytest.fixture
def allianz():
    return EntityFactory(name="Allianz SE", lei=LEI)


def record(**fields):
    told = {
        "lei": LEI,
        "legal_name": "Allianz SE",
        "registration_status": "ISSUED",
        "entity_status": "ACTIVE",
    }
    return LeiRecordFactory(**{**told, "register": "local", "as_of": "2026-03-01", **fields})


def full_copy():
    publish = {"source": "lei2.csv", "publish_date": timezone.now()}
    return GoldenCopyImport.objects.create(kind="lei2", scope="full", state="live", **publish)


def kinds():
    return sorted(Anomaly.objects.filter(state="open").values_list("kind", flat=True))


def test_an_entity_like_its_record_is_no_anomaly(allianz):
    record()
    full_copy()
    assert look_for_anomalies() == 0
    assert not Anomaly.objects.exists()


@cases(
    ("fields", "kind", "said"),
    [
        (
            {"registration_status": "LAPSED", "next_renewal": date(2026, 1, 2)},
            "register-lapsed",
            "2026-01-02",
        ),
        ({"registration_status": "RETIRED", "entity_status": "INACTIVE"}, "register-ended", "RETIRED"),
        ({"registration_status": "MERGED", "successor": OTHER}, "register-ended", OTHER),
        ({"registration_status": "ANNULLED"}, "register-ended", "ANNULLED"),
        ({"entity_status": "INACTIVE"}, "register-ended", "INACTIVE"),
        ({"legal_name": "Meta Platforms, Inc."}, "renamed", "Meta Platforms, Inc."),
    ],
)
def test_what_the_register_says_is_found(fields, kind, said):
    EntityFactory(name="Allianz SE", lei=LEI)
    record(**fields)
    assert look_for_anomalies() == 1
    [found] = Anomaly.objects.all()
    assert (found.kind, found.matter) == (kind, LEI)
    assert said in found.summary
    assert found.evidence["as_of"] == "2026-03-01"


@cases("name", ["ALLIANZ S.E.", "Allianz Societas Europaea"])
def test_another_spelling_is_no_other_name(name):
    EntityFactory(name=name, lei=LEI)
    record()
    assert look_for_anomalies() == 0


def test_a_former_name_that_memory_knows_is_no_anomaly(allianz):
    allianz.aliases = [{"name": "Meta Platforms, Inc.", "type": "other"}]
    allianz.save()
    record(legal_name="Meta Platforms, Inc.")
    assert look_for_anomalies() == 0


def test_a_record_that_left_a_full_register_is_found(allianz):
    assert look_for_anomalies() == 0  # nothing is imported: nothing is known
    full_copy()
    assert look_for_anomalies() == 1
    assert kinds() == ["register-left"]
    record()
    look_for_anomalies()
    assert Anomaly.objects.get().state == "gone"


def test_another_parent_is_found(allianz):
    record()
    parent = EntityFactory(name="Old Parent", lei=PARENT)
    record(lei=PARENT, legal_name="Old Parent")
    link(subject=allianz, object=parent, type=Relationship.Type.DIRECTLY_CONSOLIDATED_BY)
    row = {"type": "IS_DIRECTLY_CONSOLIDATED_BY", "status": "ACTIVE", "register": "local"}
    same = LeiRelationship.objects.create(start=LEI, end=PARENT, **row)
    assert look_for_anomalies() == 0
    same.delete()
    LeiRelationship.objects.create(start=LEI, end=OTHER, **row)
    look_for_anomalies()
    [found] = Anomaly.objects.all()
    assert (found.kind, found.evidence["memory"], found.evidence["register"]) == (
        "owner-changed",
        PARENT,
        OTHER,
    )


def test_shares_over_the_whole_are_found(allianz):
    for name, share in (("Alpha", 70), ("Beta", 60)):
        link(subject=allianz, object=EntityFactory(name=name), type="owned-by", percentage=share)
    look_for_anomalies()
    [found] = Anomaly.objects.all()
    assert (found.kind, found.summary) == ("shares", "Shares of its owners add up to 130 %.")


def test_sources_that_contradict_each_other_are_found(allianz):
    owner = EntityFactory(name="Alpha")
    for source, share in (("register A", 70), ("register B", 40)):
        day = date(2026, 1, 1)
        link(
            subject=allianz,
            object=owner,
            type="owned-by",
            percentage=share,
            source=source,
            valid_from=day,
        )
    look_for_anomalies()
    found = Anomaly.objects.get(kind="contradiction")
    assert "70 %" in found.summary
    assert "40 %" in found.summary


def test_entities_that_were_merged_are_not_looked_at(allianz):
    record(legal_name="Meta")
    allianz.merged_into = EntityFactory(name="Other")
    allianz.save()
    assert look_for_anomalies() == 0


def test_more_entities_than_a_chunk_are_all_looked_at(monkeypatch):
    monkeypatch.setattr("entities.services.register_anomalies.CHUNK", 2)
    full_copy()
    for number, lei in enumerate((LEI, PARENT, OTHER)):
        EntityFactory(name=f"Company {number}", lei=lei)
    assert look_for_anomalies() == 3
