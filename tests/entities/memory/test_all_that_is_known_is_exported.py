"""An export holds every row about an entity, whoever wrote it, and says who asked for it and why."""

import json

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from entities.memory import (
    NotAllowed,
    RefusedWrite,
    add_event,
    add_representation,
    create_entity,
    link,
    merge_entities,
    plan_merge,
)
from entities.models import Entity, EntityAct, LeiRecord
from entities.services.export import export_entity, parts_of
from tests.factories import EntityFactory, RunFactory, UserFactory

pytestmark = pytest.mark.django_db
LEI = "529900K9B0N5BT694847"
HELD_ELSEWHERE = {"entities.NameKey"}  # digests of names that the export has in full


@pytest.fixture
def rita():
    return UserFactory(
        username="rita", rights=["export_entity", "view_person", "merge_entity", "view_entity"]
    )


def exported(entity, actor, reason="She asked for it."):
    return json.loads("".join(export_entity(entity=entity, actor=actor, reason=reason)))


def test_it_holds_what_was_written_and_nothing_of_others(rita):
    one = create_entity(name="Jane “Q” Doe", type="person")
    other = create_entity(name="Acme", type="legal-entity")
    link(subject=other, object=one, type="owned-by", percentage=60)
    add_event(entity=one, type="note", summary="She moved.")
    add_event(entity=other, type="note", summary="Not about her.")
    add_event(entity=other, type="note", summary="About both.", related=[one])
    told = exported(one, rita)
    assert (told["exported_by"], told["reason"]) == ("rita", "She asked for it.")
    parts = told["parts"]
    assert [row["name"] for row in parts["entities.entity"]] == ["Jane “Q” Doe"]
    assert [row["percentage"] for row in parts["entities.relationship"]] == ["60.0000"]
    assert {row["summary"] for row in parts["entities.entityevent"]} >= {"She moved.", "About both."}
    assert "Not about her." not in json.dumps(told)
    assert any(row["value"] == "Jane “Q” Doe" for row in parts["entities.statement"])


def test_what_was_merged_into_it_and_its_register_line_are_exported(rita):
    into, other = EntityFactory(name="Allianz SE", lei=LEI), EntityFactory(name="Allianz Group")
    add_representation(entity=other, type="bic", key="ALVSDEMM")
    plan = plan_merge(into=into, other=other)
    merge_entities(into=into, other=other, actor=rita, reason="Same.", digest=plan.digest)
    LeiRecord.objects.create(lei=LEI, legal_name="Allianz SE", register="gleif")
    RunFactory(subject=into)
    parts = exported(into, rita)["parts"]
    assert len(parts["entities.entity"]) == 2
    assert len(parts["entities.leirecord"]) == len(parts["research.run"]) == 1


def test_who_exported_it_and_why_is_recorded(rita):
    entity = EntityFactory()
    exported(entity, rita)
    act = EntityAct.objects.get()
    assert (act.kind, act.actor, act.reason) == ("exported", rita, "She asked for it.")


def test_every_table_about_entities_is_part_of_it():
    parts = {part.model._meta.label for part in parts_of(EntityFactory(lei=LEI))}
    about = {
        model._meta.label
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if field.concrete and field.is_relation and field.related_model is Entity
    }
    assert about - parts - HELD_ELSEWHERE == set()


def test_it_needs_the_right_a_reason_and_for_persons_a_second_right(rita):
    person = create_entity(name="Jane Doe", type="person")
    with pytest.raises(NotAllowed, match="export entities"):
        export_entity(entity=person, actor=UserFactory(), reason="x")
    with pytest.raises(NotAllowed, match="see natural persons"):
        export_entity(entity=person, actor=UserFactory(rights=["export_entity"]), reason="x")
    with pytest.raises(RefusedWrite, match="a reason is needed"):
        export_entity(entity=person, actor=rita, reason=" ")
    assert not EntityAct.objects.exists()


def test_it_is_read_in_pieces_however_much_there_is(rita, django_assert_max_num_queries):
    entity = EntityFactory()
    for number in range(600):
        add_event(entity=entity, type="note", summary=f"Event {number}")
    with django_assert_max_num_queries(60):
        pieces = list(export_entity(entity=entity, actor=rita, reason="x"))
    assert len(pieces) > 600
    assert len(json.loads("".join(pieces))["parts"]["entities.entityevent"]) == 600


def test_a_person_downloads_it_on_the_page(rita):
    rita.is_staff = True
    rita.save()
    client, entity = Client(), EntityFactory(name="Acme", slug="acme")
    client.force_login(rita)
    page = client.get(reverse("admin:entities_entity_change", args=[entity.pk])).content.decode()
    assert "Export as JSON" in page
    answer = client.post(reverse("admin:entities_entity_export", args=[entity.pk]), {"reason": "Asked."})
    assert answer["Content-Disposition"] == 'attachment; filename="acme.json"'
    assert json.loads(b"".join(answer.streaming_content))["reason"] == "Asked."
