"""Types are words that the database knows, whoever writes."""

import pytest
from django.db import IntegrityError, transaction

from entities.models import Entity, Relationship, Representation
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
