import uuid

import pytest

from entities.memory import MAX_CANDIDATES, MAX_KEY, add_representation, resolve
from research.tools.memory import resolve_entity
from tests.cases import cases
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
LEI = "529900K9B0N5BT694847"


@pytest.fixture
def allianz():
    allianz = EntityFactory(name="Allianz SE", slug="allianz-se", lei=LEI, symbol="ALV")
    add_representation(entity=allianz, type="bic", authority="SWIFT", key="ALLVDEMMXXX")
    add_representation(entity=allianz, type="isin", key="de-000 840 4005")
    return allianz


@cases(
    ("text", "how"),
    [
        (LEI, "lei"),
        (LEI.lower(), "lei"),
        ("5299 00K9 B0N5 BT69 4847", "lei"),
        ("ALLVDEMMXXX", "key"),
        ("allvdemmxxx", "key"),
        ("DE0008404005", "key"),
        ("de 000 840 4005", "key"),
        ("allianz-se", "slug"),
        ("Allianz-SE", "slug"),
        ("alv", "symbol"),
        ("Allianz SE", "name"),
        ("  allianz se\n", "name"),
    ],
)
def test_it_is_found_by_every_key_it_has(allianz, text, how):
    found = resolve(text)
    assert (found.entity, found.how, found.candidates) == (allianz, how, ())


def test_it_is_found_by_its_id_before_all_else(allianz):
    EntityFactory(name=str(allianz.pk))
    assert resolve(str(allianz.pk)).entity == allianz


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_nothing_is_asked_for_nothing(allianz, text):
    assert resolve(text).how == "empty"


@cases("text", ["Nobody", str(uuid.UUID(int=1)), "549300J4ASJ4UGJ5R887", "%", "_", "x" * 10_000])
def test_what_is_not_known_is_not_found(allianz, text):
    found = resolve(text)
    assert (found.entity, found.candidates, found.how) == (None, (), "not found")


def test_a_narrower_kind_of_key_wins(allianz):
    other = EntityFactory(name="ALV", slug="other")
    assert resolve("alv").entity == allianz
    allianz.symbol = ""
    allianz.save()
    assert resolve("alv").entity == other


def test_entities_of_one_name_are_candidates():
    twins = {EntityFactory(name="Acme"), EntityFactory(name="ACME")}
    found = resolve("acme")
    assert (found.entity, set(found.candidates), found.how) == (None, twins, "name")


def test_the_whole_name_wins_over_a_part():
    short = EntityFactory(name="Acme")
    EntityFactory(name="Acme Holding")
    assert resolve("acme").entity == short


def test_a_part_of_a_name_decides_nothing(allianz):
    found = resolve("anz")
    assert (found.entity, found.candidates, found.how) == (None, (allianz,), "part of the name")


def test_candidates_are_bounded_and_in_order():
    for number in range(MAX_CANDIDATES + 3):
        EntityFactory(name=f"Fund {number:02d}")
    found = resolve("fund")
    assert [entity.name for entity in found.candidates] == [f"Fund {n:02d}" for n in range(MAX_CANDIDATES)]


def test_a_key_that_is_no_longer_used_finds_nothing(allianz):
    allianz.representations.update(active=False)
    assert resolve("ALLVDEMMXXX").entity is None


def test_a_key_minds_its_case_where_two_differ_in_nothing_else():
    small, large = EntityFactory(), EntityFactory()
    for entity, key in ((small, "abc"), (large, "ABC")):
        add_representation(entity=entity, type="spot-token", authority="solana", key=key)
    assert (resolve("abc").entity, resolve("ABC").entity) == (small, large)


@cases("text", [LEI, "allianz-se", "ALV", "Acme", "allianz", "nobody", "ALLVDEMMXXX"])
def test_the_tool_says_the_same(allianz, text):
    EntityFactory(name="Acme")
    EntityFactory(name="Acme")
    found, told = resolve(text), resolve_entity({"identifier": text}, None).data
    assert told["how"] == found.how
    assert (told["entity"] or {}).get("slug") == (found.entity.slug if found.entity else None)
    assert [entity["slug"] for entity in told["candidates"]] == [e.slug for e in found.candidates]


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", "\0", "x" * 10_000])
def test_it_finds_nothing_for_text_that_no_database_takes(text):
    assert resolve(text).entity is None


@pytest.fixture
def deutsche():
    aliases = [
        {"name": "Deutsche Boerse AG", "type": "TRADING_OR_OPERATING_NAME", "language": "en"},
        {"name": "Rolex Deutschland", "type": "PREVIOUS_LEGAL_NAME", "language": "de"},
    ]
    return EntityFactory(name="DEUTSCHE BÖRSE AKTIENGESELLSCHAFT", aliases=aliases)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("deutsche börse aktiengesellschaft", "name"),
        ("Deutsche Bo\u0308rse  Aktiengesellschaft", "name"),
        ("deutsche boerse ag", "alias"),
        ("ROLEX DEUTSCHLAND", "alias"),
    ],
)
def test_case_and_composition_of_a_name_do_not_matter_on_any_database(deutsche, text, how):
    found = resolve(text)
    assert (found.entity, found.how) == (deutsche, how)


def test_a_name_of_its_own_wins_over_an_alias_of_another(deutsche):
    other = EntityFactory(name="Rolex Deutschland")
    assert resolve("Rolex Deutschland").entity == other


def test_an_alias_that_two_have_decides_nothing(deutsche):
    other = EntityFactory(aliases=[{"name": "Rolex Deutschland"}])
    found = resolve("rolex deutschland")
    assert (found.entity, set(found.candidates), found.how) == (None, {deutsche, other}, "alias")


def test_an_entity_is_no_longer_found_under_names_that_it_lost(deutsche):
    deutsche.name, deutsche.aliases = "Deutsche Börse AG", []
    deutsche.save(update_fields=["name", "aliases"])
    assert resolve("Deutsche Börse AG").entity == deutsche
    assert resolve("ROLEX DEUTSCHLAND").how == "not found"
    assert resolve("DEUTSCHE BÖRSE AKTIENGESELLSCHAFT").how == "name, spelled otherwise"


def test_a_long_text_is_only_ever_a_whole_name():
    long = "x" * MAX_KEY + "y"
    entity = EntityFactory(name=long + "z")
    assert resolve(long).how == "not found"
    assert resolve(long + "z").entity == entity
