"""Corrections: what a wrong choice imported is undone unless others built on it, and all of it stays on record."""

import pytest
from django.db import DatabaseError, transaction

from entities import memory
from entities.memory import NotAllowed, OutOfDate, RefusedWrite
from entities.models import (
    Entity,
    EntityEvent,
    ImportedFact,
    RegisterCorrection,
    RegisterSelection,
    Relationship,
    Representation,
    Statement,
)
from entities.registers.errors import RegisterNotFound
from entities.services.correction import correct_selection, preview_correction
from entities.services.selection import in_force, select_company
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def take_back(decider):
    def work(selection, kind="unlink", reason="it was another company", by=decider, **more):
        return correct_selection(selection=selection, kind=kind, reason=reason, by=by, **more)

    return work


def told(plan):
    return [(step.fact.kind, step.action) for step in plan.steps]


def test_a_look_ahead_says_what_will_be_done_and_writes_nothing(choose):
    selection = choose()
    plan = preview_correction(selection)
    assert told(plan) == [
        ("event", "keep"),
        ("relationship", "end"),
        ("entity", "set apart"),
        ("relationship", "end"),
        ("entity", "set apart"),
        ("field", "restore"),
        ("field", "restore"),
        ("field", "restore"),
        ("representation", "end"),
    ]
    assert Relationship.objects.filter(valid_to=None).count() == 2
    assert preview_correction(selection).digest == plan.digest


def test_everything_that_was_imported_is_taken_back(choose, take_back, lamps):
    before = (lamps.aliases, lamps.jurisdiction, lamps.metadata)
    selection = choose()
    correction = take_back(selection)
    lamps.refresh_from_db()
    assert (lamps.aliases, lamps.jurisdiction, lamps.metadata) == before
    assert not Representation.objects.filter(entity=lamps, active=True).exists()
    assert not Relationship.objects.filter(subject=lamps, valid_to=None).exists()
    assert in_force(lamps, "companies_house") is None
    assert memory.resolve("Ms Ada Lumen").entity is None
    assert correction.kind == "unlink"
    assert len(correction.undone) == 9


def test_what_the_register_was_taken_to_say_ends_and_stays_on_record(choose, take_back, lamps, decider):
    selection = choose()
    said = Statement.objects.filter(document=f"selection {selection.pk}")
    assert set(said.values_list("source_kind", "signed_by")) == {("register", decider.username)}
    assert {"identifier", "jurisdiction"} <= set(said.values_list("property", flat=True))
    take_back(selection)
    left = said.filter(recorded_to=None).exclude(subject=lamps)
    assert not said.filter(subject=lamps, recorded_to=None).exists()
    assert set(left.values_list("property", flat=True)) <= {"name", "type"}  # of owners that are set apart


@pytest.fixture
def merged(choose, lamps):
    """A selection whose entity was merged into another afterwards; and the merge."""
    selection, into, merger = (
        choose(),
        EntityFactory(name="Lamps Group"),
        UserFactory(rights=["merge_entity"]),
    )
    lamps.refresh_from_db()
    digest = memory.plan_merge(into=into, other=lamps).digest
    act = memory.merge_entities(into=into, other=lamps, actor=merger, reason="one company", digest=digest)
    return selection, into, act


def test_what_moved_in_a_merge_is_taken_back_where_it_is(merged, take_back):
    selection, into, _ = merged
    assert Representation.objects.filter(entity=into, active=True).exists()
    take_back(selection)
    into.refresh_from_db()
    assert [alias["name"] for alias in into.aliases] == [
        "London Lamps Limited"
    ]  # by the merge, not the register
    assert (into.jurisdiction, into.metadata) == ("", {})
    assert not Representation.objects.filter(entity=into, active=True).exists()
    assert not Relationship.objects.filter(subject=into, valid_to=None).exists()
    assert EntityEvent.objects.filter(entity=into, type="register-unlinked").exists()


def test_undoing_the_merge_does_not_bring_it_again(merged, take_back, lamps):
    selection, _, act = merged
    take_back(selection)
    memory.undo_merge(act=act, actor=act.actor, reason="two companies after all")
    lamps.refresh_from_db()
    assert (lamps.aliases, lamps.jurisdiction, lamps.metadata) == ([], "", {})
    assert not Representation.objects.filter(entity=lamps, active=True).exists()


def test_an_owner_that_was_merged_into_another_is_left_alone(choose, take_back):
    selection, into = choose(), EntityFactory(name="Ada Lumen")
    owner, merger = Entity.objects.get(name="Ms Ada Lumen"), UserFactory(rights=["merge_entity"])
    into.refresh_from_db()
    digest = memory.plan_merge(into=into, other=owner).digest
    memory.merge_entities(into=into, other=owner, actor=merger, reason="one person", digest=digest)
    take_back(selection)
    into.refresh_from_db()
    assert (into.pending_verification, into.metadata.get("withdrawn")) == (False, None)


def test_nothing_is_erased(choose, take_back, lamps):
    selection = choose()
    facts = ImportedFact.objects.count()
    take_back(selection)
    assert RegisterSelection.objects.filter(pk=selection.pk).exists()
    assert ImportedFact.objects.count() == facts
    assert Representation.objects.filter(entity=lamps, active=False).count() == 1
    assert Relationship.objects.filter(subject=lamps).count() == 2
    assert Entity.objects.filter(name="Ms Ada Lumen").exists()
    kinds = set(EntityEvent.objects.filter(entity=lamps).values_list("type", flat=True))
    assert {"register-linked", "register-unlinked"} <= kinds


def test_another_line_is_taken_in_its_place(choose, take_back, lamps):
    wrong = choose(number="99999", reason="I was sure")
    correction = take_back(wrong, kind="wrong-entity", number="12345")
    lamps.refresh_from_db()
    assert correction.replacement.number == "00012345"
    assert in_force(lamps, "companies_house") == correction.replacement
    assert lamps.metadata["registers"]["companies_house"]["number"] == "00012345"
    active = Representation.objects.filter(entity=lamps, active=True)
    assert [form.key for form in active] == ["00012345"]


def test_old_data_are_read_again(choose, take_back, house, lamps):
    from tests.entities.registers.doubles import company

    selection = choose()
    house.route("/company/00012345", company("00012345", "LONDON LAMPS LIMITED", company_status="dissolved"))
    correction = take_back(selection, kind="stale-data", number="12345", reason="it has been dissolved")
    lamps.refresh_from_db()
    assert lamps.metadata["registers"]["companies_house"]["standing"] == "ended"
    assert correction.replacement.number == "00012345"
    assert Relationship.objects.filter(subject=lamps, valid_to=None).count() == 2


def test_a_line_moves_to_the_entity_it_is_of(choose, take_back, lamps):
    selection = choose()
    right = EntityFactory(name="London Lamps Ltd", slug="the-right-one")
    correction = take_back(selection, kind="merge-required", into=right)
    assert in_force(right, "companies_house") == correction.replacement
    assert in_force(lamps, "companies_house") is None
    assert Representation.objects.get(active=True, key="00012345").entity == right


def test_an_lei_is_given_and_taken_back(decider, take_back):
    allianz = EntityFactory(name="Allianz SE", jurisdiction="DE")
    selection = select_company(entity=allianz, register="gleif", by=decider)
    allianz.refresh_from_db()
    assert (selection.verdict, allianz.lei) == ("auto-selected", "529900K9B0N5BT694847")
    assert memory.resolve("529900K9B0N5BT694847").entity == allianz
    take_back(selection)
    allianz.refresh_from_db()
    assert allianz.lei == ""
    assert memory.resolve("529900K9B0N5BT694847").entity is None


def test_an_lei_that_another_entity_has_is_refused(decider):
    EntityFactory(name="Allianz", lei="529900K9B0N5BT694847")
    with pytest.raises(RefusedWrite):
        select_company(
            entity=EntityFactory(name="Allianz SE", jurisdiction="DE"), register="gleif", by=decider
        )
    assert not RegisterSelection.objects.exists()


def test_an_entity_with_another_lei_keeps_it(decider):
    other = EntityFactory(name="Allianz SE", jurisdiction="DE", lei="21380068P1DRHMJ8KU70")
    with pytest.raises(RefusedWrite, match="has the LEI"):
        select_company(
            entity=other, register="gleif", by=decider, number="529900K9B0N5BT694847", reason="it is"
        )


def test_what_was_changed_since_is_kept_and_said(choose, take_back, lamps):
    selection = choose()
    lamps.refresh_from_db()
    lamps.jurisdiction = "GB-SCT"
    lamps.save()
    correction = take_back(selection)
    lamps.refresh_from_db()
    assert lamps.jurisdiction == "GB-SCT"
    assert any(step["note"] == "jurisdiction has been changed since" for step in correction.undone)


def test_an_owner_whom_others_know_too_is_kept(choose, take_back, lamps):
    selection = choose()
    ada = Relationship.objects.get(subject=lamps, object__name="Ms Ada Lumen").object
    memory.link(subject=EntityFactory(name="Other plc"), object=ada, type="owned-by", source="a filing")
    correction = take_back(selection)
    ada.refresh_from_db()
    assert "withdrawn" not in ada.metadata
    assert any("other facts rest on" in step["note"] for step in correction.undone)


def test_what_memory_knew_before_is_not_the_selections_to_take_back(choose, take_back, lamps):
    memory.add_representation(
        entity=lamps, type="register-number", authority="companies_house", key="00012345"
    )
    take_back(choose())
    assert Representation.objects.filter(entity=lamps, active=True, key="00012345").exists()


def test_a_plan_that_has_become_another_is_refused(choose, take_back, lamps):
    selection = choose()
    digest = preview_correction(selection).digest
    Representation.objects.filter(entity=lamps).update(active=False)
    with pytest.raises(OutOfDate):
        take_back(selection, digest=digest)
    assert not RegisterCorrection.objects.exists()
    assert take_back(selection, digest=preview_correction(selection).digest).pk


def test_a_selection_is_taken_back_once(choose, take_back):
    selection = choose()
    take_back(selection)
    with pytest.raises(RefusedWrite, match="corrected already"):
        take_back(selection)
    with pytest.raises(DatabaseError), transaction.atomic():
        RegisterCorrection.objects.create(
            selection=selection, kind="unlink", reason="again", corrected_by=selection.chosen_by
        )


def test_after_a_correction_one_may_choose_again(choose, take_back):
    take_back(choose())
    assert choose().verdict == "auto-selected"


def test_where_nothing_was_chosen_nothing_is_taken_back(choose, take_back):
    selection = choose(entity=EntityFactory(name="Nobody Whatsoever"))
    with pytest.raises(RefusedWrite, match="nothing was chosen"):
        take_back(selection)


def test_only_who_may_decide_corrects(choose, take_back, nobody):
    with pytest.raises(NotAllowed):
        take_back(choose(), by=nobody)


@pytest.mark.parametrize(
    "order",
    [
        {"kind": "whim"},
        {"reason": "  "},
        {"kind": "unlink", "number": "12345"},
        {"kind": "merge-required"},
    ],
)
def test_an_unsound_order_is_refused(choose, take_back, order):
    selection = choose()
    with pytest.raises(RefusedWrite):
        take_back(selection, **order)
    assert not RegisterCorrection.objects.exists()


def test_when_the_other_line_cannot_be_read_nothing_is_taken_back(choose, take_back, lamps):
    selection = choose()
    with pytest.raises(RegisterNotFound):
        take_back(selection, kind="wrong-entity", number="88888888")
    assert in_force(lamps, "companies_house") == selection


def test_the_other_line_may_be_someone_elses_and_then_nothing_is_taken_back(choose, take_back, lamps):
    other = EntityFactory(name="Silent Holdings plc")
    choose(entity=other, number="99999", reason="known")
    selection = choose()
    with pytest.raises(RefusedWrite, match="belongs to"):
        take_back(selection, kind="wrong-entity", number="99999")
    lamps.refresh_from_db()
    assert lamps.metadata["registers"]["companies_house"]["number"] == "00012345"
    assert in_force(lamps, "companies_house") == selection


def test_the_database_refuses_to_change_a_correction(choose, take_back):
    correction = take_back(choose())
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        RegisterCorrection.objects.filter(pk=correction.pk).update(reason="other")
