"""Natures of control as the law of the United Kingdom reads them, not as conversions round them."""

import pytest
from django.utils import timezone

from entities.memory import link
from entities.memory.interests import read_structure
from entities.ownership.assessment import assess
from entities.ownership.interests import InterestType
from entities.ownership.psc import band_of, interests_of
from entities.ownership.thresholds import threshold
from tests.cases import cases
from tests.entities.ownership.structures import share
from tests.factories import EntityFactory


@cases(
    "word, band",
    [
        ("ownership-of-shares-25-to-50-percent", "(25,50]"),
        ("voting-rights-50-to-75-percent", "(50,75)"),
        ("ownership-of-shares-75-to-100-percent", "[75,100]"),
        ("ownership-of-shares-75-to-100-percent-as-trust", "[75,100]"),
        ("part-right-to-share-surplus-assets-25-to-50-percent-as-firm", "(25,50]"),
        ("ownership-of-shares-more-than-25-percent-registered-overseas-entity", "(25,100]"),
    ],
)
def test_each_band_has_the_ends_of_the_law(word, band):
    assert band_of(word) == share(band)


@cases(
    "word",
    ["right-to-appoint-and-remove-directors", "significant-influence-or-control", "x-60-to-50-percent", ""],
)
def test_what_is_no_share_has_no_band(word):
    assert band_of(word) is None


def test_one_type_held_alone_and_as_a_trust_is_at_least_the_larger_and_at_most_the_sum():
    found = interests_of(
        [
            "ownership-of-shares-25-to-50-percent",
            "ownership-of-shares-25-to-50-percent-as-trust",
            "right-to-appoint-and-remove-directors",
        ]
    )
    assert found[InterestType.SHAREHOLDING] == share("(25,100]")
    assert found[InterestType.APPOINTMENT_OF_BOARD] is None


@pytest.mark.django_db
def test_what_the_register_said_is_computed_with():
    target, person = EntityFactory(jurisdiction="GB"), EntityFactory(type="person")
    natures = [
        {"stated": "ownership-of-shares-25-to-50-percent"},
        {"stated": "right-to-appoint-and-remove-directors"},
    ]
    link(
        subject=target,
        object=person,
        type="owned-by",
        metadata={"natures_of_control": natures},
        source="register",
    )
    structure = read_structure(target, timezone.localdate())
    told = {(each.type.value, each.way, str(each.share)) for each in structure.interests}
    assert told == {
        ("shareholding", "unknown", "more than 25 to 50 %"),
        ("appointmentOfBoard", "direct", "None"),
    }
    assert assess(structure, str(target.pk), threshold("uk-psc")).owners[0].answer == "met"
