"""What a decision stated ends when it is taken back; what was known, and when, stays on record."""

from datetime import date

import pytest

from entities.memory import knowledge_of
from entities.models import Entity, Relationship, Statement
from research.services.rollback import roll_back_verbs

pytestmark = pytest.mark.django_db
BOTH = '(entity.ensure :entity-type "company" :name "Child")(entity.ensure :entity-type "company" :name "Parent")'
OWN = '(ownership.record :owner "parent" :owned "child" :percentage {} :source "report {}" :as-of "{}")'


@pytest.fixture
def reports(executed):
    """70 % by the report of 2024, then 40 % by that of 2025: two decisions."""
    executed(BOTH)
    return [executed(OWN.format(share, year, year)) for share, year in ((70, 2024), (40, 2025))]


def shares(day=None, known_at=None):
    told = knowledge_of(Entity.objects.get(slug="child"), day=day, known_at=known_at).facts
    return [int(one.statement.share_low) for one in told if one.statement.property == "owned-by"]


def test_two_decisions_about_one_share_are_both_kept(reports, person):
    assert shares(date(2025, 6, 1)) == [70]
    assert shares(date(2026, 6, 1)) == [40]
    rows = Statement.objects.filter(property="owned-by", recorded_to=None).order_by("valid_from")
    told = {(int(one.share_low), one.source, one.source_kind, one.decision, one.signed_by) for one in rows}
    assert told == {
        (70, "report 2024", "document", reports[0].pk, person.username),
        (40, "report 2025", "document", reports[1].pk, person.username),
    }


def test_a_call_states_all_at_one_time(reports):
    for call in reports[1].verb_calls.all():
        stated = Statement.objects.filter(call=call.pk, cut_by=None)
        assert stated.values("recorded_from").distinct().count() == 1


def test_the_newer_one_taken_back_leaves_the_older_one_whole(reports, person):
    known = Statement.objects.get(share_low=40).recorded_from
    roll_back_verbs(result=reports[1].result, actor=person, reason="misread")
    assert Relationship.objects.get().percentage == 70
    assert shares() == shares(date(2026, 6, 1)) == [70]
    assert shares(date(2026, 6, 1), known_at=known) == [40]
    [now] = Statement.objects.filter(property="owned-by", recorded_to=None)
    assert (now.valid_to, now.decision) == (None, reports[0].pk)


def test_the_older_one_taken_back_leaves_the_newer_one(reports, person):
    roll_back_verbs(result=reports[0].result, actor=person, reason="misread")
    assert shares(date(2026, 6, 1)) == [40]
    roll_back_verbs(result=reports[1].result, actor=person, reason="both misread")
    assert not [one for one in Statement.objects.filter(recorded_to=None) if one.share_low == 40]


def test_what_was_known_of_an_entity_that_is_gone_stays(executed, person):
    decision = executed('(entity.ensure :entity-type "company" :name "Mistake Ltd")')
    entity = Entity.objects.get()
    roll_back_verbs(result=decision.result, actor=person, reason="no such company")
    assert not Entity.objects.exists()
    assert not Statement.objects.filter(recorded_to=None).exists()
    assert Statement.objects.get(property="name").subject_id == entity.pk


def test_a_decision_that_said_the_same_is_not_lost_with_the_first(executed, person):
    executed(BOTH)
    first, second = (executed(OWN.format(70, year, year)) for year in (2024, 2025))
    roll_back_verbs(result=first.result, actor=person, reason="misread")
    [left] = Statement.objects.filter(property="owned-by", recorded_to=None)
    assert left.decision == second.pk
