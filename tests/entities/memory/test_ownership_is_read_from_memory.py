"""The owners above an entity, through every chain, as memory states them."""

from datetime import date
from decimal import Decimal

import pytest
from django.utils import timezone

from entities import memory
from entities.memory import interests
from entities.memory.interests import TooManyInterests, read_structure, record_interest
from entities.ownership.assessment import assess
from entities.ownership.interests import InterestType, PartyKind, UnspecifiedReason
from entities.ownership.shares import Share
from entities.ownership.thresholds import threshold
from tests.factories import EntityFactory, UserFactory

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


def test_a_band_keeps_its_ends_and_the_present_has_no_percentage():
    target, person = EntityFactory(), EntityFactory(type="person")
    band = Share(Decimal(25), Decimal(50), low_open=True)
    record_interest(subject=target, holder=person, type=InterestType.SHAREHOLDING, share=band, source="PSC")
    [interest] = read_structure(target, DAY).interests
    assert (interest.share, interest.type, interest.way) == (band, InterestType.SHAREHOLDING, "direct")
    [link] = memory.relationships_of(target)
    assert (link.type, link.percentage) == ("owned-by", None)


def test_an_owner_who_is_not_named_is_a_gap_with_its_reason():
    target = EntityFactory()
    reason = UnspecifiedReason.NO_BENEFICIAL_OWNERS
    record_interest(subject=target, holder=None, type=InterestType.UNKNOWN, reason=reason, source="filing")
    found = read_structure(target, DAY)
    assert [found.party(each.holder).reason for each in found.interests] == [reason]


def test_a_person_is_nobodys():
    person, company = EntityFactory(type="person"), EntityFactory()
    with pytest.raises(memory.RefusedWrite, match="whom nobody can own"):
        record_interest(subject=person, holder=company, type=InterestType.SHAREHOLDING)


def test_two_sources_that_disagree_are_both_read():
    target, holding = EntityFactory(), EntityFactory()
    for share, source in ((70, "report 2025"), (40, "report 2026")):
        exact = Share.exactly(share)
        record_interest(
            subject=target, holder=holding, type=InterestType.SHAREHOLDING, share=exact, source=source
        )
    found = assess(read_structure(target, DAY), str(target.pk), threshold("eu-amlr"))
    assert [finding.code for finding in found.findings] == ["disagreement"]


def test_what_was_known_earlier_is_read_as_it_was():
    target, holding = EntityFactory(), EntityFactory()
    before = timezone.now()
    record_interest(subject=target, holder=holding, type=InterestType.SHAREHOLDING, share=Share.exactly(70))
    assert not read_structure(target, DAY, before).interests
    assert read_structure(target, DAY, timezone.now()).interests


@pytest.mark.parametrize("most", [0, 5_000])
def test_what_is_said_of_a_merged_company_is_said_of_the_one_that_stays(monkeypatch, most):
    monkeypatch.setattr(interests, "MAX_MERGES", most)  # of more each level asks for its own
    target, other, owner = EntityFactory(), EntityFactory(), EntityFactory()
    own(owner, other, 60)
    person = UserFactory(is_superuser=True)
    plan = memory.plan_merge(into=target, other=other)
    memory.merge_entities(into=target, other=other, actor=person, reason="one", digest=plan.digest)
    assert [each.holder for each in read_structure(target, DAY).interests] == [str(owner.pk)]


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
    with django_assert_num_queries(3):
        found = read_structure(target, DAY)
    assert len(found.interests) == 5
