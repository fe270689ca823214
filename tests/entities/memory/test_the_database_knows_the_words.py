"""Types are words that the database knows, whoever writes."""

import importlib

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from entities.memory import resolve
from entities.models import Entity, NameKey, Relationship, Representation
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "wrong", [{"type": "company"}, {"name": ""}, {"verified": True, "verified_by": "me"}]
)
def test_an_entity_has_a_name_and_a_known_type(wrong):
    entity = EntityFactory()
    with pytest.raises(IntegrityError), transaction.atomic():
        Entity.objects.filter(pk=entity.pk).update(**wrong)


@pytest.mark.parametrize("model", [Representation, Relationship])
def test_forms_and_relationships_have_a_known_type(model):
    one, other = EntityFactory(), EntityFactory()
    Representation.objects.create(entity=one, type="bic", key="X")
    Relationship.objects.create(subject=one, object=other, type="member-of")
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.update(type="friend-of")


def test_an_upgrade_finds_what_was_there_before():
    entity = EntityFactory(name="Old Company", aliases=[{"name": "Older Company"}])
    NameKey.objects.all().delete()
    assert resolve("old company").how != "name"
    migration = importlib.import_module("entities.migrations.0003_fill_name_keys")
    migration.fill(apps, None)
    assert (resolve("old company").entity, resolve("older company").entity) == (entity, entity)
