from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from entities.memory import ChangeLog, RefusedWrite, add_event, add_representation, end_links, link
from entities.models import EntityEvent, Relationship, Representation
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
OWNED = Relationship.Type.OWNED_BY


@pytest.fixture
def pair():
    return EntityFactory(slug="child"), EntityFactory(slug="parent")


@pytest.fixture
def log():
    return ChangeLog()


def test_a_representation_seen_again_only_moves_its_date(pair, log):
    first = add_representation(entity=pair[0], type="isin", key=" DE0008404005 ", log=log)
    long_ago = timezone.now() - timedelta(days=400)
    Representation.objects.update(last_seen_at=long_ago, discovered_at=long_ago)
    again = add_representation(entity=pair[0], type="isin", key="DE0008404005", log=log)
    again.refresh_from_db()
    assert again.pk == first.pk
    assert again.last_seen_at > again.discovered_at
    assert log.changes == [{"entity": "child", "field": "isin", "old": None, "new": "DE0008404005"}]


def test_a_representation_belongs_to_one_entity(pair):
    add_representation(entity=pair[0], type="bic", authority="SWIFT", key="ALLVDEMMXXX")
    with pytest.raises(RefusedWrite, match="belongs to child already, not to parent"):
        add_representation(entity=pair[1], type="bic", authority="SWIFT", key="ALLVDEMMXXX")
    add_representation(entity=pair[1], type="bic", authority="another", key="ALLVDEMMXXX")
    assert Representation.objects.count() == 2


def test_a_representation_no_longer_used_is_free_for_another(pair):
    add_representation(entity=pair[0], type="bic", key="ALLVDEMMXXX")
    Representation.objects.update(active=False)
    assert add_representation(entity=pair[1], type="bic", key="ALLVDEMMXXX").entity == pair[1]


def test_a_representation_needs_a_key(pair):
    with pytest.raises(RefusedWrite, match="needs a key"):
        add_representation(entity=pair[0], type="bic", key="  ")


def test_a_link_stated_again_changes_nothing(pair, log):
    child, parent = pair
    for _ in range(2):
        link(subject=child, object=parent, type=OWNED, percentage=Decimal("33.333333"), log=log)
    stored = Relationship.objects.get()
    assert stored.percentage == Decimal("33.3333")
    assert [change["field"] for change in log.changes] == ["owned-by"]


@pytest.mark.parametrize(
    ("field", "old", "new"),
    [
        ("percentage", Decimal(25), Decimal(75)),
        ("percentage", None, Decimal(75)),
        ("percentage", Decimal(25), Decimal(0)),  # nothing is left of it
        ("valid_from", None, date(2026, 1, 1)),
        ("metadata", {"a": 1}, {"a": 2}),
    ],
)
def test_a_link_stated_differently_is_noted_old_and_new(pair, log, field, old, new):
    child, parent = pair
    link(subject=child, object=parent, type=OWNED, source="first", **{field: old})
    known = link(subject=child, object=parent, type=OWNED, source="second", log=log, **{field: new})
    known.refresh_from_db()
    assert (getattr(known, field), known.source) == (new, "second")
    assert [change["field"] for change in log.changes] == [f"owned-by parent {field}"]


def test_a_link_stated_with_less_keeps_what_it_had(pair, log):
    child, parent = pair
    link(subject=child, object=parent, type=OWNED, percentage=Decimal(25), source="first")
    known = link(subject=child, object=parent, type=OWNED, source="second", log=log)
    assert (known.percentage, known.source, log.changes) == (Decimal(25), "first", [])


@pytest.mark.parametrize("percentage", ["-0.1", "100.1", "NaN", "Infinity"])
def test_a_percentage_is_one(pair, percentage):
    with pytest.raises(RefusedWrite, match="not a percentage"):
        link(subject=pair[0], object=pair[1], type=OWNED, percentage=Decimal(percentage))


def test_nothing_is_linked_to_itself(pair):
    with pytest.raises(RefusedWrite, match="itself"):
        link(subject=pair[0], object=pair[0], type=OWNED)


def test_links_of_one_source_end_when_it_states_another(pair, log):
    child, parent = pair
    old, other_type, other_source = EntityFactory(slug="old"), "member-of", "a person"
    link(subject=child, object=old, type=OWNED, source="register")
    link(subject=child, object=parent, type=OWNED, source="register")
    link(subject=child, object=old, type=other_type, source="register")
    link(subject=child, object=EntityFactory(), type=OWNED, source=other_source)
    end_links(subject=child, type=OWNED, keep=parent, source="register", log=log)
    assert Relationship.objects.filter(valid_to=None).count() == 3
    assert Relationship.objects.get(object=old, type=OWNED).valid_to == timezone.localdate()
    assert [change["field"] for change in log.changes] == ["owned-by old ended"]


def test_a_link_that_ended_can_begin_again(pair, log):
    child, parent = pair
    link(subject=child, object=parent, type=OWNED)
    Relationship.objects.update(valid_to=date(2025, 1, 1))
    link(subject=child, object=parent, type=OWNED, log=log)
    assert Relationship.objects.count() == 2
    assert len(log.changes) == 1


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles"])
def test_an_event_is_told_once_a_day(pair, log, zone):
    morning = datetime(2026, 3, 1, 11, 30, tzinfo=UTC)
    with timezone.override(zone):
        for hours in (0, 0, 48):
            add_event(
                entity=pair[0], type="red-flag", summary="Hm.", at=morning + timedelta(hours=hours), log=log
            )
    assert EntityEvent.objects.count() == 2
    assert [change["new"] for change in log.changes] == ["Hm.", "Hm."]


def test_events_are_newest_first(pair):
    for day in (1, 3, 2):
        add_event(entity=pair[0], type="note", summary=str(day), at=datetime(2026, 1, day, tzinfo=UTC))
    assert [event.summary for event in pair[0].events.all()] == ["3", "2", "1"]
