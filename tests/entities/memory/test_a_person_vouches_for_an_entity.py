import pytest

from entities.memory import (
    NotAllowed,
    OutOfDate,
    RefusedWrite,
    by_slug,
    create_entity,
    resolve,
    unverify_entity,
    verify_entity,
)
from entities.models import EntityAct
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    return UserFactory(username="petra", rights=["verify_entity"])


@pytest.fixture
def apart():
    create_entity(name="Seeker", type="crypto-token")
    return create_entity(name="Seeker", type="crypto-token", key="Fake11")


def test_verifying_says_who_when_and_why(person):
    entity = EntityFactory()
    act = verify_entity(entity=entity, actor=person, reason="Seen in the register.")
    assert (entity.verified, entity.verified_by, entity.verified_at) == (True, "team", act.at)
    assert (act.kind, act.actor, act.reason) == ("verified", person, "Seen in the register.")
    assert entity.events.get().summary == "Verified by petra: Seen in the register."


def test_one_that_waited_gets_a_slug_of_its_own_and_keeps_the_old_one(person, apart):
    verify_entity(entity=apart, actor=person, reason="It is another token.")
    assert (apart.slug, apart.tags) == ("seeker-2", [])
    assert by_slug("seeker-unverified-fake11") == resolve("seeker-unverified-fake11").entity == apart


def test_once_verified_a_name_is_a_question_between_the_two(person, apart):
    verify_entity(entity=apart, actor=person, reason="It is another token.")
    assert len(resolve("Seeker").candidates) == 2


def test_it_is_taken_back_with_a_reason(person):
    entity = EntityFactory(name="Acme")
    verify_entity(entity=entity, actor=person, reason="Seen.")
    unverify_entity(entity=entity, actor=person, reason="It was a mistake.")
    assert (entity.verified, entity.verified_by, entity.verified_at) == (False, "", None)
    assert resolve("Acme").entity == entity
    assert list(EntityAct.objects.values_list("kind", flat=True)) == ["unverified", "verified"]


def test_a_fake_can_be_put_apart(person):
    entity = EntityFactory(name="Acme")
    unverify_entity(entity=entity, actor=person, reason="It is a fake.", keep_apart=True)
    assert resolve("Acme").entity is None
    assert resolve("Acme").candidates == (entity,)


@pytest.mark.parametrize("again", [verify_entity, unverify_entity])
def test_what_would_change_nothing_is_refused(person, again):
    entity = EntityFactory()
    if again is verify_entity:
        verify_entity(entity=entity, actor=person, reason="x")
    with pytest.raises(OutOfDate):
        again(entity=entity, actor=person, reason="y")


@pytest.mark.parametrize("do", [verify_entity, unverify_entity])
def test_it_needs_the_right_and_a_reason(person, do):
    entity = EntityFactory()
    with pytest.raises(NotAllowed, match="verify_entity"):
        do(entity=entity, actor=UserFactory(), reason="x")
    with pytest.raises(RefusedWrite, match="reason"):
        do(entity=entity, actor=person, reason="\0 ")
    assert not EntityAct.objects.exists()
