"""A fake shares the name or the symbol of the real one; nothing may be put on the wrong one of them."""

import re

import pytest
from django.db import IntegrityError, transaction

from entities.memory import (
    RefusedWrite,
    add_representation,
    by_reference,
    create_entity,
    ensure_entity,
    key_of,
    resolve,
    search,
)
from entities.models import Entity
from tests.cases import cases
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
MINT, FAKE = "So11111111111111111111111111111111111111112", "Fake1111111111111111111111111111111111111111"


@pytest.fixture
def seeker():
    entity = create_entity(name="Seeker", type="crypto-token", symbol="SKR")
    add_representation(entity=entity, type="spot-token", authority="spl", chain="solana", key=MINT)
    return entity


@pytest.fixture
def fake(seeker):
    return create_entity(name="Seeker", type="crypto-token", symbol="SKR", key=FAKE)


def test_the_first_of_a_name_is_unverified_and_not_apart(seeker):
    assert (seeker.slug, seeker.verified, seeker.pending_verification, seeker.tags) == (
        "seeker",
        False,
        False,
        [],
    )


def test_one_that_looks_like_it_says_so_in_its_slug_and_tags(fake):
    assert fake.slug == "seeker-unverified-fake11"
    assert fake.tags == ["pending-verification"]


@pytest.mark.parametrize(
    ("name", "symbol"), [("Seeker", ""), ("  seeker ", ""), ("Something else", "skr"), ("SEEKER", "NEW")]
)
def test_a_name_or_a_symbol_is_enough(seeker, name, symbol):
    other = create_entity(name=name, type="crypto-token", symbol=symbol)
    assert other.pending_verification
    assert re.search(r"-unverified-[0-9a-f]{6}$", other.slug)


@pytest.mark.parametrize("kind", ["person", "protocol"])
def test_the_same_name_of_another_kind_is_no_fake(seeker, kind):
    assert create_entity(name="Seeker", type=kind).slug == "seeker-2"


@pytest.mark.parametrize("text", ["Seeker", "SKR", "seeker"])
def test_a_fake_does_not_stand_in_the_way_of_the_real_one(seeker, fake, text):
    found = resolve(text)
    assert found.entity == seeker
    if found.how != "slug":
        assert found.lookalikes == (fake,)
        assert "kept apart" in found.message


def test_a_name_that_happens_to_be_a_slug_is_still_a_name(db):
    twins = {EntityFactory(name="Acme", slug="acme"), EntityFactory(name="Acme", slug="acme-2")}
    assert set(resolve("Acme").candidates) == twins
    assert resolve("acme-2").entity.slug == "acme-2"


def test_a_fake_is_found_by_what_is_its_own(fake):
    add_representation(entity=fake, type="spot-token", authority="spl", chain="solana", key=FAKE)
    assert [resolve(text).entity for text in (FAKE, fake.slug, str(fake.pk))] == [fake] * 3
    assert resolve(FAKE).representation.key == FAKE


def test_a_name_alone_never_leads_to_one_that_waits(seeker, fake):
    Entity.objects.filter(pk=seeker.pk).delete()
    found = resolve("Seeker")
    assert (found.entity, found.candidates) == (None, (fake,))
    assert found.how == "only entities that wait for verification"


def test_facts_about_a_name_do_not_land_on_one_that_waits(fake):
    assert ensure_entity(name="Seeker", type="crypto-token").slug == "seeker"


def test_search_shows_those_that_wait_last(seeker, fake):
    assert search(query="seeker") == [seeker, fake]
    assert search(query=MINT) == [seeker]


def test_created_again_before_anything_tells_them_apart_it_is_the_same(db):
    once, again = (create_entity(name="New", type="meme", symbol="NEW") for _ in range(2))
    assert once == again


def test_an_unverified_token_gets_no_second_address(seeker):
    with pytest.raises(RefusedWrite, match="create another entity"):
        add_representation(entity=seeker, type="spot-token", authority="spl", chain="solana", key=FAKE)
    add_representation(entity=seeker, type="spot-token", authority="erc20", chain="ethereum", key="0xAb")
    assert seeker.representations.count() == 2


def test_nobody_is_verified_and_waiting(fake):
    with pytest.raises(IntegrityError), transaction.atomic():
        Entity.objects.filter(pk=fake.pk).update(verified=True, verified_by="team")


@cases(
    ("wrong", "message"),
    [
        ({"name": " "}, "needs a name"),
        ({"name": "x" * 20_001}, "at most 20,000"),
        ({"type": "spaceship"}, "spaceship"),
        ({"symbol": "x" * 31}, "at most 30"),
        ({"metadata": {"x": "y" * 200_001}}, "at most 200,000"),
        ({"metadata": {"x": {1, 2}}}, "not JSON"),
    ],
)
def test_what_memory_cannot_hold_is_refused(db, wrong, message):
    with pytest.raises(RefusedWrite, match=message):
        create_entity(**{"name": "New", "type": "meme", **wrong})
    assert not Entity.objects.exists()


def test_an_lei_that_is_also_a_mint_is_a_question(db):
    lei = "529900K9B0N5BT694847"
    company, token = EntityFactory(lei=lei), EntityFactory(type="crypto-token")
    add_representation(entity=token, type="spot-token", chain="solana", key=lei)
    found = resolve(lei)
    assert found.entity is None
    assert set(found.candidates) == {company, token}


@pytest.mark.parametrize("mint", ["529900K9B0N5BT694847529900K9B0N5BT694847", "5299 00K9B0N5BT694847x"])
def test_what_begins_like_an_lei_is_not_taken_for_one(db, mint):
    EntityFactory(lei="529900K9B0N5BT694847")
    assert resolve(mint).entity is None


def test_a_reference_is_a_uuid_or_a_slug_and_nothing_else(seeker):
    assert by_reference(str(seeker.pk)) == by_reference("seeker") == seeker
    assert by_reference("Seeker Token") is None


@cases(
    ("kind", "context", "key"),
    [
        ("spot-token", {"mint": MINT}, MINT),
        ("perp-contract", {"market": "SOL-PERP"}, "SOL-PERP"),
        ("lp-pair", {"pair": "SOL-USDC"}, "SOL-USDC"),
        ("lp-pair", {"pair": "SOL-USDC", "poolAddress": "Pool1"}, "Pool1"),
        ("docket", {"docket": "4A_123/2024"}, "4A_123/2024"),
        ("lei", {"lei": "529900K9B0N5BT694847"}, "529900K9B0N5BT694847"),
    ],
)
def test_the_context_names_the_key(kind, context, key):
    assert key_of(kind, context) == key


@pytest.mark.parametrize(
    ("kind", "context"),
    [("spot-token", {}), ("spot-token", {"mint": 7}), ("isin", {"mint": "x"}), ("painting", {"key": "x"})],
)
def test_a_context_without_its_key_is_refused(kind, context):
    with pytest.raises(RefusedWrite):
        key_of(kind, context)
