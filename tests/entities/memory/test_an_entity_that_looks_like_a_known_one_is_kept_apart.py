"""Nothing that looks like a known entity is created in silence: it is kept apart, and a person is asked."""

import pytest

from entities.memory import ChangeLog, RefusedWrite, create_entity, ensure_entity, pairs_of, resolve
from entities.models import Entity, EntityPair
from tests.cases import cases
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
LEI, OTHER = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658"


@pytest.fixture
def allianz():
    return EntityFactory(name="Allianz SE", slug="allianz-se", jurisdiction="DE")


def _ensured(name):
    return ensure_entity(name=name, metadata={"stated_by": "decision 7"})


def _created(name):
    return create_entity(name=name, type="legal-entity", metadata={"stated_by": "decision 7"})


@cases("name", ["Alianz SE", "Allianz Aktiengesellschaft", "Allianz AG"])
@pytest.mark.parametrize("make", [_ensured, _created])
def test_one_with_a_name_alike_waits_and_is_a_pair(allianz, make, name):
    entity = make(name)
    assert entity.pending_verification
    assert "-unverified-" in entity.slug
    [pair] = EntityPair.objects.all()
    assert (pair.entity, pair.other, pair.state, pair.found_by) == (entity, allianz, "open", "decision 7")
    assert 84 <= pair.score <= 94
    assert "Allianz SE" in pair.explanation


@cases("name", ["ALLIANZ S.E.", "Allianz, SE", "Allianz Societas Europaea"])
def test_facts_about_another_spelling_are_facts_about_the_known_one(allianz, name):
    assert ensure_entity(name=name) == allianz
    assert not EntityPair.objects.exists()


@cases("name", ["ALLIANZ S.E.", "Allianz"])
def test_one_that_is_created_by_a_tool_is_always_another(allianz, name):
    entity = create_entity(name=name, type="legal-entity")
    assert entity.pending_verification
    assert [pair.other for pair in pairs_of(entity)] == [allianz]


@cases("name", ["Allianz Global Investors GmbH", "Fuchs SE", "Allianz Fund II"])
def test_one_that_only_shares_a_word_is_an_entity_like_any_other(allianz, name):
    assert not ensure_entity(name=name).pending_verification
    assert not EntityPair.objects.exists()


def test_stated_again_it_is_the_one_that_waits(allianz):
    first, again = ensure_entity(name="Alianz SE"), ensure_entity(name="Alianz SE", jurisdiction="DE")
    assert (again.pk, Entity.objects.count(), EntityPair.objects.count()) == (first.pk, 2, 1)


def test_two_spellings_of_an_owner_are_never_two_silent_entities():
    log = ChangeLog()
    one, other = (
        ensure_entity(name=name, log=log) for name in ("Alpha Holding Ltd", "Alpha Holding Limited")
    )
    assert one == other
    wound_up = ensure_entity(name="Alpha Holding Ltd in liquidation", log=log)
    assert wound_up.pending_verification
    assert [pair.other for pair in pairs_of(wound_up)] == [one]


def test_a_line_of_a_register_that_looks_like_an_entity_without_lei_waits(allianz):
    entity = ensure_entity(name="Allianz Aktiengesellschaft", lei=LEI, jurisdiction="DE", rename=True)
    assert entity.pending_verification
    assert resolve(LEI).entity == entity


@pytest.mark.parametrize("known", [{"lei": OTHER}, {"jurisdiction": "FR"}])
def test_two_leis_or_two_countries_tell_two_entities_apart(allianz, known):
    Entity.objects.filter(pk=allianz.pk).update(**{"jurisdiction": "", **known})
    entity = ensure_entity(name="Allianz Aktiengesellschaft", lei=LEI, jurisdiction="DE")
    assert not entity.pending_verification


def test_a_fund_and_a_company_of_one_name_are_a_question(allianz):
    fund = ensure_entity(name="Allianz SE", type="fund")
    assert fund.pending_verification
    assert [pair.other for pair in pairs_of(fund)] == [allianz]


def test_a_person_is_never_taken_for_another_by_the_spelling():
    one = ensure_entity(name="José García", type="person")
    other = ensure_entity(name="Jose Garcia", type="person")
    assert other.pk != one.pk
    assert other.pending_verification


def test_a_token_is_asked_about_only_if_it_has_the_whole_name_or_the_symbol():
    create_entity(name="Seeker", type="crypto-token", symbol="SKR")
    assert not create_entity(name="Seekers", type="crypto-token", symbol="SKS").pending_verification
    fake = create_entity(name="Seeker", type="crypto-token", key="Fake111")
    assert pairs_of(fake).count() == 1


def test_a_name_that_two_that_wait_have_is_not_given_a_third(allianz):
    for jurisdiction in ("DE", "AT"):
        EntityFactory(name="Alianz SE", pending_verification=True, jurisdiction=jurisdiction)
    with pytest.raises(RefusedWrite, match="could be any of"):
        ensure_entity(name="Alianz SE")


def test_an_open_pair_does_not_stand_in_the_way_of_taking_back(allianz):
    from entities.memory import plan_taking_back, take_back

    log = ChangeLog()
    entity = ensure_entity(name="Alianz SE", log=log)
    steps = plan_taking_back(log.rows.settled())
    assert [step.action for step in steps if step.table == "entity"] == ["remove"]
    take_back(steps, reason="a slip", source="test")
    assert not Entity.objects.filter(pk=entity.pk).exists()
    assert not EntityPair.objects.exists()
