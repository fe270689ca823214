"""The owners above an entity, through every chain, as memory states them."""

from datetime import date

import pytest

from entities import memory
from entities.memory import interests
from entities.memory.interests import TooManyInterests, read_structure
from entities.ownership.interests import InterestType, PartyKind
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
DAY = date(2026, 3, 1)


def own(owner, owned, percentage=None, kind="direct_ownership", **options):
    type = "owned-by" if "ownership" in kind else "controlled-by"
    link = {"type": type, "percentage": percentage, "metadata": {"ownership_type": kind}}
    memory.link(subject=owned, object=owner, source="a report", **link, **options)


def test_it_climbs_every_chain_and_comes_back_from_a_circle():
    target, holding, person = EntityFactory(), EntityFactory(), EntityFactory(type="person", name="Jane Doe")
    own(holding, target, 60)
    own(person, holding, 100)
    own(target, holding, 10)
    found = read_structure(target, DAY)
    assert {each.holder for each in found.interests} == {str(each.pk) for each in (target, holding, person)}
    assert found.party(str(person.pk)).kind == PartyKind.PERSON
    assert str(found.held[str(target.pk)][0].share) == "60 %"


def test_a_link_that_has_ended_counts_for_the_days_before():
    target, holding = EntityFactory(), EntityFactory()
    own(holding, target, 60, valid_from=date(2020, 1, 1), valid_to=date(2025, 1, 1))
    assert not read_structure(target, DAY).interests
    assert read_structure(target, date(2024, 12, 31)).held


def test_votes_and_control_keep_their_types():
    target, holding = EntityFactory(), EntityFactory()
    own(holding, target, 60)
    own(holding, target, kind="board_control")
    types = {each.type for each in read_structure(target, DAY).interests}
    assert types == {InterestType.SHAREHOLDING, InterestType.APPOINTMENT_OF_BOARD}


def test_a_structure_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(interests, "MAX_INTERESTS", 2)
    target = EntityFactory()
    for _ in range(3):
        own(EntityFactory(), target, 10)
    with pytest.raises(TooManyInterests, match="More than 2 interests"):
        read_structure(target, DAY)


def test_a_level_is_one_query(django_assert_num_queries):
    target = EntityFactory()
    for _ in range(5):
        own(EntityFactory(), target, 10)
    with django_assert_num_queries(2):
        found = read_structure(target, DAY)
    assert len(found.interests) == 5
