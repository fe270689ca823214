"""``ownership.record``: what the owner is, the type of interest, a share or a band with its ends."""

import pytest
from django.utils import timezone

from entities import memory
from entities.memory.interests import read_structure
from entities.models import Entity, Relationship
from research.verbs.handlers import VerbRefused
from tests.cases import cases

pytestmark = pytest.mark.django_db
OWN = '(ownership.record :owner-name "Jane Doe" :owner-type "person" :owned-name "Alpha AG" {})'


def interest_of(name):
    entity = Entity.objects.get(name=name)
    structure = read_structure(entity, timezone.localdate())
    [interest] = structure.interests
    return structure.party(interest.holder), interest


def test_a_person_is_a_person(do):
    do(OWN.format(":percentage 60"))
    assert Entity.objects.get(name="Jane Doe").type == "person"
    assert Entity.objects.get(name="Alpha AG").type == "legal-entity"
    party, interest = interest_of("Alpha AG")
    assert (party.kind, str(interest.share)) == ("person", "60 %")


def test_an_owner_of_whom_nobody_says_what_it_is_is_not_made_a_company(do):
    with pytest.raises(VerbRefused, match="nobody knows what Jane Doe is: say it with owner-type"):
        do('(ownership.record :owner-name "Jane Doe" :owned-name "Alpha AG" :percentage 60)')
    assert not Entity.objects.exists()


def test_an_owner_whom_memory_knows_need_not_be_described(do):
    memory.create_entity(name="Jane Doe", type="person")
    do('(ownership.record :owner-name "Jane Doe" :owned-name "Alpha AG" :percentage 60)')
    assert Entity.objects.filter(name="Jane Doe").count() == 1
    assert interest_of("Alpha AG")[0].kind == "person"


@cases(
    "band, told",
    [
        (":more-than 25 :at-most 50", "more than 25 to 50 %"),
        (":more-than 50 :less-than 75", "more than 50 to less than 75 %"),
        (":at-least 75", "75 % or more"),
        (":at-most 10", "up to 10 %"),
    ],
)
def test_a_band_keeps_its_ends(do, band, told):
    do(OWN.format(band))
    assert str(interest_of("Alpha AG")[1].share) == told
    assert Relationship.objects.get().percentage is None


def test_a_band_without_a_value_is_refused(do):
    with pytest.raises(VerbRefused, match="No share is"):
        do(OWN.format(":more-than 50 :at-most 25"))


def test_the_type_of_interest_is_that_of_the_standard(do):
    do(
        OWN.format(
            ':interest "votingRights" :percentage 30 :valid-from "2024-05" :as-of "2025-12-31" :source "filing"'
        )
    )
    interest = interest_of("Alpha AG")[1]
    assert (interest.type, str(interest.share), interest.source) == ("votingRights", "30 %", "filing")
    assert (str(interest.start), str(interest.stated_on)) == ("2024-05-01", "2025-12-31")
    assert Relationship.objects.get().type == "controlled-by"
