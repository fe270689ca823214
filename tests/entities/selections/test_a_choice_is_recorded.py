"""Choosing a line of a register: what is put on record, who may, and that nothing is written in vain."""

from decimal import Decimal

import pytest
from django.db import DatabaseError, transaction

from entities.memory import NotAllowed, RefusedWrite
from entities.models import Entity, ImportedFact, RegisterSelection, RegisterThreshold, Relationship
from entities.registers.errors import RegisterDenied, RegisterNotConfigured, RegisterNotFound
from entities.services.selection import Origin, candidates_for, in_force, reject_candidates
from tests.entities.registers.fake import Reply
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db


def test_what_the_rule_takes_is_recorded_with_its_reasons(choose, decider, lamps):
    selection = choose()
    assert (selection.verdict, selection.number, selection.chooser) == ("auto-selected", "00012345", "rule")
    assert selection.score == Decimal("1.000")
    assert selection.chosen_by == decider
    assert "100 of 100" in selection.reason
    assert selection.query == {"name": "London Lamps Limited", "jurisdiction": "", "number": ""}
    assert selection.thresholds["auto"] == "0.880"
    assert [one["number"] for one in selection.candidates] == ["00012345", "00012346"]
    assert selection.url.endswith("/company/00012345")
    assert in_force(lamps, "companies_house") == selection


def test_what_a_person_chooses_is_told_from_what_the_rule_says(choose):
    assert choose(number="12345").verdict == "user-confirmed"


def test_a_person_may_choose_beside_the_rule_and_says_why(choose):
    selection = choose(number="SC77", reason="it was renamed, see the file")
    assert (selection.verdict, selection.chooser) == ("user-selected", "person")
    assert selection.reason == "it was renamed, see the file"


def test_beside_the_rule_a_reason_is_needed(choose):
    with pytest.raises(RefusedWrite, match="reason in words"):
        choose(number="SC77")
    assert not RegisterSelection.objects.exists()


def test_a_model_that_proposed_is_named_and_the_person_too(choose, decider):
    selection = choose(number="12345", origin=Origin(model="some-model", reference="result-1"))
    assert (selection.chooser, selection.model, selection.reference) == ("model", "some-model", "result-1")
    assert selection.chosen_by == decider


def test_the_same_name_twice_is_recorded_and_nothing_imported(choose):
    twin = EntityFactory(name="Twin Trading Limited")
    selection = choose(entity=twin)
    assert (selection.verdict, selection.number) == ("ambiguous", "")
    assert len(selection.candidates) == 2
    assert not ImportedFact.objects.exists()


def test_nobody_of_that_name_is_recorded_too(choose):
    selection = choose(entity=EntityFactory(name="Nobody Whatsoever"))
    assert selection.verdict == "no-match"
    assert not ImportedFact.objects.exists()


def test_none_of_these_is_a_decision(house, decider, lamps):
    selection = reject_candidates(
        entity=lamps, register="companies_house", by=decider, reason="another company of that name"
    )
    assert (selection.verdict, selection.chooser) == ("rejected", "person")
    assert in_force(lamps, "companies_house") is None


def test_looking_writes_nothing(house, lamps):
    found = candidates_for(entity=lamps, register="companies_house")
    assert found.outcome.verdict == "auto"
    assert not RegisterSelection.objects.exists()


def test_only_who_may_decide_decides(choose, house, nobody, lamps):
    with pytest.raises(NotAllowed):
        choose(by=nobody)
    with pytest.raises(NotAllowed):
        reject_candidates(entity=lamps, register="companies_house", by=nobody, reason="x")
    assert house.questions == []


def test_one_line_of_a_register_is_in_force_at_a_time(choose):
    choose()
    with pytest.raises(RefusedWrite, match="correct that selection first"):
        choose(number="99999", reason="no, this one")


def test_a_number_that_another_entity_has_is_refused_whole(choose):
    choose()
    other = EntityFactory(name="London Lamps Limited")
    with pytest.raises(RefusedWrite, match="belongs to london-lamps already"):
        choose(entity=other)
    assert RegisterSelection.objects.filter(entity=other).count() == 0
    other.refresh_from_db()
    assert other.metadata == {}


def test_trouble_writes_nothing(choose, house):
    house.guard = lambda question: Reply({}, 401)
    with pytest.raises(RegisterDenied):
        choose()
    assert not RegisterSelection.objects.exists()


def test_a_number_that_is_not_there_writes_nothing(choose):
    with pytest.raises(RegisterNotFound):
        choose(number="88888888", reason="I know it")
    assert not RegisterSelection.objects.exists()


def test_a_register_that_is_not_set_up_is_named(lamps, decider, settings):
    settings.DOSSIER_REGISTERS = []
    with pytest.raises(RegisterNotConfigured, match="COMPANIES_HOUSE_API_KEY"):
        candidates_for(entity=lamps, register="companies_house")


def test_thresholds_that_people_set_decide(choose):
    RegisterThreshold.objects.filter(register="companies_house").update(always_human=True)
    selection = choose()
    assert selection.verdict == "ambiguous"
    assert "always decided by a person" in selection.reason


def test_what_is_imported_is_kept_under_the_selection(choose, lamps):
    selection = choose()
    lamps.refresh_from_db()
    assert [alias["name"] for alias in lamps.aliases] == ["CANDLE WORKS LIMITED"]
    assert lamps.jurisdiction == "GB"
    assert lamps.metadata["registers"]["companies_house"]["status"] == "active"
    facts = [(fact.kind, fact.field) for fact in selection.facts.all()]
    assert facts == [
        ("representation", ""),
        ("field", "aliases"),
        ("field", "jurisdiction"),
        ("field", "metadata.registers.companies_house"),
        ("entity", ""),
        ("relationship", "owned-by"),
        ("entity", ""),
        ("relationship", "owned-by"),
        ("event", ""),
    ]


def test_owners_are_linked_in_bands_without_percentages(choose, lamps):
    choose()
    links = Relationship.objects.filter(subject=lamps).select_related("object").order_by("object__name")
    assert [(link.object.name, link.type, link.percentage) for link in links] == [
        ("Beacon Holdings S.A.", "owned-by", None),
        ("Ms Ada Lumen", "owned-by", None),
    ]
    assert [nature["band"] for nature in links[1].metadata["natures_of_control"]] == ["25–50 %", "50–75 %"]


def test_a_person_of_the_same_name_elsewhere_is_not_taken_for_the_owner(choose, lamps):
    other = EntityFactory(name="Ms Ada Lumen", type=Entity.Type.PERSON)
    choose()
    ada = Relationship.objects.get(subject=lamps, object__name="Ms Ada Lumen").object
    assert ada != other
    assert ada.pending_verification


@pytest.mark.parametrize("model", [RegisterSelection, ImportedFact])
def test_the_database_refuses_to_change_the_record(choose, model):
    choose()
    row = model.objects.first()
    field = "reason" if model is RegisterSelection else "field"
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        model.objects.filter(pk=row.pk).update(**{field: "changed"})
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        model.objects.filter(pk=row.pk)._raw_delete("default")


def test_the_database_wants_a_number_with_every_choice(lamps):
    with pytest.raises(DatabaseError), transaction.atomic():
        RegisterSelection.objects.create(
            entity=lamps, register="x", query={}, verdict="auto-selected", chooser="rule", reason="r"
        )


@pytest.mark.parametrize(
    "values", [("0.5", "0.7", "0.1"), ("0.9", "0.4", "0.5"), ("1.1", "0.7", "0.5"), ("0.9", "0.7", "-0.1")]
)
def test_thresholds_keep_their_order(values):
    auto, ambiguous, reject = map(Decimal, values)
    with pytest.raises(DatabaseError), transaction.atomic():
        RegisterThreshold.objects.create(register="x", auto=auto, ambiguous=ambiguous, reject=reject)
