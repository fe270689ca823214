"""Two entities that may be the same wait for a person: same, different (remembered for ever), or later."""

import threading

import pytest
from django.db import connection

from entities.memory import (
    NotAllowed,
    OutOfDate,
    RefusedWrite,
    create_entity,
    ensure_entity,
    find_pairs,
    judge_pair,
    merge_entities,
    pairs_of,
    plan_merge,
    propose_pairs,
    told_apart,
    undo_merge,
    waiting_pairs,
)
from entities.memory.likeness import lookalikes
from entities.models import EntityAct, EntityPair
from tests.cases import cases
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    return UserFactory(rights=("merge_entity",))


@pytest.fixture
def known():
    return EntityFactory(name="Allianz SE", slug="allianz-se")


@pytest.fixture
def pair(known):
    ensure_entity(name="Alianz SE")
    return EntityPair.objects.select_related("entity", "other").get()


def _merge(into, other, person):
    digest = plan_merge(into=into, other=other).digest
    return merge_entities(into=into, other=other, actor=person, reason="one", digest=digest)


def _ask_again(entity):
    return propose_pairs(entity, lookalikes(entity.name, type=entity.type, besides=entity))


def test_the_same_merges_the_two_and_closes_the_pair(pair, known, person):
    digest = plan_merge(into=known, other=pair.entity).digest
    act = judge_pair(
        pair=pair, judgement="same", actor=person, reason="a slip of the pen", into=known, digest=digest
    )
    pair.refresh_from_db()
    assert (act.kind, act.entity, act.other) == ("merged", known, pair.entity)
    assert (pair.state, pair.judged_by) == ("same", person)
    assert not waiting_pairs().exists()


def test_what_would_happen_must_have_been_seen(pair, known, person):
    with pytest.raises(OutOfDate):
        judge_pair(pair=pair, judgement="same", actor=person, reason="one", into=known, digest="0" * 64)
    pair.refresh_from_db()
    assert (pair.state, EntityAct.objects.count()) == ("open", 0)


def test_which_one_stays_must_be_said(pair, person):
    with pytest.raises(RefusedWrite, match="which of the two"):
        judge_pair(pair=pair, judgement="same", actor=person, reason="one", into=EntityFactory(name="Other"))


def test_different_is_remembered_and_the_entity_is_found_by_its_name(pair, known, person):
    former = pair.entity.slug
    act = judge_pair(pair=pair, judgement="different", actor=person, reason="another country")
    assert (act.kind, act.entity, act.other, act.reason) == (
        "told-apart",
        pair.entity,
        known,
        "another country",
    )
    entity = act.entity
    entity.refresh_from_db()
    assert (entity.pending_verification, entity.slug) == (False, "alianz-se")
    assert entity.representations.get(type="former-slug").key == former
    assert "Not the same as Allianz SE" in entity.events.get().summary
    assert _ask_again(entity) == _ask_again(known) == []
    assert not waiting_pairs().exists()


def test_one_of_the_very_same_name_stays_apart(person):
    create_entity(name="Seeker", type="crypto-token")
    fake = create_entity(name="Seeker", type="crypto-token", key="Fake111")
    judge_pair(pair=pairs_of(fake).get(), judgement="different", actor=person, reason="a fake")
    fake.refresh_from_db()
    assert fake.pending_verification


def test_later_leaves_the_question_open_behind_the_others(pair, person):
    judge_pair(pair=pair, judgement="later", actor=person, reason="waiting for the register")
    ensure_entity(name="Fuchs AG")
    ensure_entity(name="Fuchs GmbH")
    assert [each.state for each in waiting_pairs()] == ["open", "later"]
    judge_pair(pair=pair, judgement="different", actor=person, reason="two")
    assert list(EntityAct.objects.order_by("pk").values_list("kind", flat=True)) == ["put-off", "told-apart"]


@cases("then", ["same", "different", "later"])
def test_who_comes_second_is_told_what_the_first_has_said(known, then):
    first, second = (UserFactory(rights=("merge_entity",)) for _ in range(2))
    [pair] = _ask_again(EntityFactory(name="Alianz SE"))
    judge_pair(pair=pair, judgement="different", actor=first, reason="two")
    with pytest.raises(OutOfDate, match=f"{first.username} has judged this pair already: different"):
        judge_pair(pair=pair, judgement=then, actor=second, reason="one", into=known)
    assert EntityAct.objects.filter(other=known).count() == 1


def test_different_holds_when_one_of_the_two_goes_into_a_third(pair, known, person):
    judge_pair(pair=pair, judgement="different", actor=person, reason="two")
    third = EntityFactory(name="Allianz Europe SE")
    act = _merge(third, known, person)
    assert told_apart(pair.entity, third)
    third.name = "Allianz SE"
    third.save()
    assert _ask_again(pair.entity) == _ask_again(third) == []
    undo_merge(act=act, actor=person, reason="not one after all")
    assert told_apart(pair.entity, known)
    assert not told_apart(pair.entity, third)


def test_an_open_question_goes_along_with_a_merge(pair, known, person):
    third = EntityFactory(name="Something else")
    act = _merge(third, known, person)
    assert [(each.entity, each.other) for each in waiting_pairs()] == [(pair.entity, third)]
    undo_merge(act=act, actor=person, reason="not one after all")
    assert [(each.entity, each.other) for each in waiting_pairs()] == [(pair.entity, known)]


def test_a_merge_elsewhere_answers_the_question_and_its_undoing_asks_again(pair, known, person):
    act = _merge(known, pair.entity, person)
    pair.refresh_from_db()
    assert (pair.state, pair.judged_by) == ("same", person)
    undo_merge(act=act, actor=person, reason="not one after all")
    assert [each.pk for each in waiting_pairs()] == [pair.pk]


def test_a_merge_of_two_that_were_told_apart_says_so(pair, known, person):
    judge_pair(pair=pair, judgement="different", actor=person, reason="two")
    assert "different entities" in " ".join(plan_merge(into=known, other=pair.entity).conflicts)


def test_a_question_about_a_merged_entity_is_none(pair, known, person):
    EntityFactory(name="Third")
    type(known).objects.filter(pk=known.pk).update(merged_into=EntityFactory(name="Fourth"))
    assert not waiting_pairs().exists()
    with pytest.raises(OutOfDate, match="was merged"):
        judge_pair(pair=pair, judgement="different", actor=person, reason="two")


@pytest.mark.parametrize("judgement", ["open", "maybe", ""])
def test_there_are_three_judgements(pair, person, judgement):
    with pytest.raises(RefusedWrite, match="same, different or later"):
        judge_pair(pair=pair, judgement=judgement, actor=person, reason="x")


def test_who_may_not_merge_may_not_judge(pair):
    with pytest.raises(NotAllowed):
        judge_pair(pair=pair, judgement="different", actor=UserFactory(), reason="x")


def test_a_judgement_needs_a_reason(pair, person):
    with pytest.raises(RefusedWrite, match="reason"):
        judge_pair(pair=pair, judgement="different", actor=person, reason=" ")


def test_two_are_asked_about_once(pair, known):
    assert _ask_again(known) == _ask_again(pair.entity) == []
    assert EntityPair.objects.count() == 1


def test_what_was_stored_before_is_looked_through_in_steps():
    for name in ("Fuchs AG", "Fuchs A.G.", "Hase GmbH", "Hase AG", "Igel SE"):
        EntityFactory(name=name)
    found, after, steps = 0, "", 0
    while steps == 0 or after:
        more, after = find_pairs(found_by="a look", after=after, limit=2)
        found, steps = found + more, steps + 1
    assert (found, steps) == (2, 3)
    assert find_pairs(found_by="a look")[0] == 0
    assert set(EntityPair.objects.values_list("found_by", flat=True)) == {"a look"}


@pytest.mark.django_db(transaction=True)
def test_of_two_who_decide_at_once_one_wins():
    known, person = EntityFactory(name="Allianz SE"), UserFactory(rights=("merge_entity",))
    entity = ensure_entity(name="Alianz SE")
    told, start = [], threading.Barrier(2)

    def decide():
        mine = EntityPair.objects.select_related("entity", "other").get()
        start.wait(timeout=20)
        try:
            judge_pair(pair=mine, judgement="different", actor=person, reason="two")
            told.append("done")
        except OutOfDate:
            told.append("told")
        finally:
            connection.close()

    threads = [threading.Thread(target=decide) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(told) == ["done", "told"]
    assert EntityAct.objects.filter(entity=entity, other=known).count() == 1
