from dataclasses import replace

import pytest

from entities.gleif.intake import Intake, read_surroundings, tally
from entities.gleif.records import ParentAnswer
from entities.gleif.register import demo_register
from entities.memory import ChangeLog
from entities.models import (
    Entity,
    EntityEvent,
    GleifImport,
    LeiRecord,
    LeiRelationship,
    Relationship,
    ReportingException,
    Representation,
)
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
ALLIANZ, AGI, RETIRED = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658", "529900FAHFDMSXCPII15"
SUBFUND, UMBRELLA = "5299002WOGP7C2R2FD60", "4KT8DCRLAREP7C35MW05"


@pytest.fixture(scope="module")
def register():
    return demo_register()


@pytest.fixture
def log():
    return ChangeLog()


@pytest.fixture
def take(register, log):
    """Take in a record with its surroundings."""

    def take_in(lei):
        return Intake(register, log).surroundings(read_surroundings(register, lei))

    return take_in


def test_a_record_becomes_an_entity_with_its_identifiers(take, register, log):
    entity = take(AGI)
    record = register.record(AGI)
    assert (entity.name, entity.lei, entity.jurisdiction) == (record.legal_name, AGI, "DE")
    assert (entity.type, entity.verified) == ("legal-entity", False)
    keys = {(form.type, form.key) for form in entity.representations.all()}
    assert ("lei", AGI) in keys
    assert ("register-number", record.registered_as) in keys
    assert {("bic", bic) for bic in record.bics} <= keys
    assert entity.metadata["registration_status"] == record.registration_status
    assert entity.metadata["register"] == "demo"


def test_other_names_become_aliases(take, register):
    entity = take(AGI)
    others = {variant.name for variant in register.record(AGI).names[1:]}
    assert {alias["name"] for alias in entity.aliases} == others


def test_the_record_itself_is_kept(take, register):
    take(ALLIANZ)
    kept = LeiRecord.objects.get(pk=ALLIANZ)
    assert (kept.legal_name, kept.entity_status, kept.registration_status) == (
        "Allianz SE",
        "ACTIVE",
        "ISSUED",
    )
    assert kept.attributes == register.record(ALLIANZ).attributes
    assert (kept.register, kept.as_of) == ("demo", register.as_of)


def test_parents_become_relationships(take):
    entity = take(AGI)
    links = {(each.type, each.object.lei) for each in entity.relationships.all()}
    assert links == {("directly-consolidated-by", ALLIANZ), ("ultimately-consolidated-by", ALLIANZ)}
    assert LeiRelationship.objects.filter(start=AGI, end=ALLIANZ).count() == 2


def test_a_fund_is_linked_to_its_manager_and_its_umbrella(take):
    fund = take(SUBFUND)
    links = {(each.type, each.object.lei) for each in fund.relationships.all()}
    assert fund.type == "fund"
    assert ("fund-managed-by", AGI) in links
    assert ("subfund-of", UMBRELLA) in links


def test_an_exception_is_kept_as_what_it_is(register, log):
    answer = ParentAnswer("exception", reason="NATURAL_PERSONS")
    intake = Intake(register, log)
    entity = intake.record(register.record(ALLIANZ))
    assert intake.parent(entity, "ultimate", answer) is None
    kept = ReportingException.objects.get()
    assert (kept.lei, kept.category, kept.reason) == (
        ALLIANZ,
        "ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT",
        "NATURAL_PERSONS",
    )
    assert not entity.relationships.exists()


def test_silence_concludes_nothing(register, log):
    intake = Intake(register, log)
    entity = intake.record(register.record(ALLIANZ))
    assert intake.parent(entity, "direct", ParentAnswer("none")) is None
    assert not ReportingException.objects.exists()
    assert not Relationship.objects.exists()


def test_an_entity_that_is_its_own_parent_is_not_linked(register, log):
    intake = Intake(register, log)
    record = register.record(ALLIANZ)
    entity = intake.record(record)
    assert intake.parent(entity, "direct", ParentAnswer("record", record=record)) is None


def test_a_new_parent_ends_the_link_to_the_old_one(take, register, log):
    entity = take(AGI)
    intake = Intake(register, log)
    other = register.record("254900PKUZU0PVS5TA11")
    intake.parent(entity, "direct", ParentAnswer("record", record=other))
    current = entity.relationships.filter(valid_to=None)
    assert {(each.type, each.object.lei) for each in current} == {
        ("directly-consolidated-by", other.lei),
        ("ultimately-consolidated-by", ALLIANZ),
    }
    assert "directly-consolidated-by allianz-se ended" in [change["field"] for change in log.changes]


def test_a_parent_that_a_person_stated_stays(take, register, log):
    entity = take(AGI)
    entity.relationships.update(source="a person")
    other = register.record("254900PKUZU0PVS5TA11")
    Intake(register, log).parent(entity, "direct", ParentAnswer("record", record=other))
    assert entity.relationships.filter(type="directly-consolidated-by", valid_to=None).count() == 2


@pytest.mark.parametrize("lei", [ALLIANZ, AGI, SUBFUND, RETIRED])
def test_taking_it_in_again_changes_nothing(take, log, lei):
    take(lei)
    count = len(log.changes)
    tables = (Entity, Representation, Relationship, EntityEvent, LeiRecord, LeiRelationship)
    rows = [table.objects.count() for table in tables]
    take(lei)
    assert count
    assert log.changes[count:] == []
    assert [table.objects.count() for table in tables] == rows


def test_a_changed_record_is_noted_field_by_field(take, register, log):
    entity = take(ALLIANZ)
    log.changes.clear()
    record = replace(register.record(ALLIANZ), legal_name="Allianz Holding SE", registration_status="LAPSED")
    Intake(register, log).record(record)
    entity.refresh_from_db()
    assert (entity.name, entity.metadata["registration_status"]) == ("Allianz Holding SE", "LAPSED")
    assert [change["field"] for change in log.changes] == ["name", "metadata"]


def test_a_register_number_that_two_share_is_an_event_and_no_failure(register, log):
    intake = Intake(register, log)
    number = {"registered_as": "HRB 9340", "registered_at": "RA000242"}
    live, retired = (replace(register.record(lei), **number) for lei in (AGI, RETIRED))
    first, second = intake.record(live), intake.record(retired)
    intake.record(retired)
    event = EntityEvent.objects.get(type="identifier-conflict")
    assert event.entity == second != first
    assert event.summary == f"register-number HRB 9340 belongs to {first.slug} already, not to {second.slug}"
    assert event.source == "LEI register (demo)"
    assert "identifier-conflict" in [change["field"] for change in log.changes]


def test_the_retired_record_names_its_successor(take):
    take(RETIRED)
    kept = LeiRecord.objects.get(pk=RETIRED)
    assert kept.successor == AGI
    assert (
        Entity.objects.get(lei=RETIRED).metadata["registration_status"]
        == kept.registration_status
        != "ISSUED"
    )


def test_an_entity_known_by_name_only_is_completed(take, log):
    known = EntityFactory(name="Allianz SE", slug="known", jurisdiction="DE")
    assert take(ALLIANZ).pk == known.pk
    assert {"entity": "known", "field": "lei", "old": "", "new": ALLIANZ} in log.changes


def test_an_lei_is_adopted_only_where_there_is_none(register, log):
    bare, full = EntityFactory(slug="bare"), EntityFactory(lei=AGI)
    intake = Intake(register, log)
    intake.adopt(bare, ALLIANZ)
    intake.adopt(full, RETIRED)
    intake.adopt(EntityFactory(), AGI)
    bare.refresh_from_db()
    full.refresh_from_db()
    assert (bare.lei, full.lei) == (ALLIANZ, AGI)
    assert log.changes == [{"entity": "bare", "field": "lei", "old": "", "new": ALLIANZ}]


def test_an_import_keeps_its_account(take, register, log):
    intake = Intake(register, log)
    account = intake.begin("tree", AGI, {"depth": 1})
    take(AGI)
    counts = intake.finish(account)
    assert counts == {"entities_created": 2, "entities_updated": 0, "relationships_created": 2} == tally(log)
    kept = GleifImport.objects.get()
    assert (kept.counts, kept.register) == (counts, "demo")
    assert kept.finished_at >= kept.started_at
