import pytest

from entities.memory import ChangeLog, RefusedWrite, add_representation, ensure_entity, free_slug
from entities.models import Entity
from tests.cases import cases
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
LEI, OTHER = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658"


@pytest.fixture
def log():
    return ChangeLog()


def _fields(log):
    return [change["field"] for change in log.changes]


def test_a_new_entity_is_created_unverified(log):
    entity = ensure_entity(name=" Acme ", type="fund", jurisdiction="LU", metadata={"a": 1}, log=log)
    entity.refresh_from_db()
    assert (entity.name, entity.slug, entity.type, entity.jurisdiction) == ("Acme", "acme", "fund", "LU")
    assert (entity.verified, entity.verified_by, entity.metadata) == (False, "", {"a": 1})
    assert log.changes == [
        {
            "entity": "acme",
            "field": "created",
            "old": None,
            "new": {"name": "Acme", "type": "fund", "lei": "", "jurisdiction": "LU"},
        }
    ]


@cases("name", ["Acme", "ACME", " acme", "x" * 10_000, 'A") (entity.ensure :name "x', "שלום", "株式会社"])
def test_the_same_statement_twice_makes_one_entity_and_no_change(name, log):
    first = ensure_entity(name=name, jurisdiction="DE")
    again = ensure_entity(name=name, jurisdiction="DE", log=log)
    assert (again.pk, log.changes, Entity.objects.count()) == (first.pk, [], 1)


def test_the_lei_decides_before_the_name(log):
    allianz = EntityFactory(name="Allianz SE", lei=LEI)
    EntityFactory(name="Acme")
    assert ensure_entity(name="Acme", lei=LEI, log=log) == allianz


def test_only_a_register_renames(log):
    EntityFactory(name="Allianz SE", slug="allianz-se", lei=LEI)
    assert ensure_entity(name=LEI, lei=LEI).name == "Allianz SE"
    assert ensure_entity(name="ALLIANZ SE", lei=LEI, rename=True, log=log).name == "ALLIANZ SE"
    assert {"entity": "allianz-se", "field": "name", "old": "Allianz SE", "new": "ALLIANZ SE"} in log.changes


def test_an_entity_without_an_lei_gets_the_one_found(log):
    entity = EntityFactory(name="Allianz SE", slug="allianz-se")
    assert ensure_entity(name="allianz se", lei=LEI, log=log).pk == entity.pk
    entity.refresh_from_db()
    assert entity.lei == LEI
    assert _fields(log) == ["lei", "lei GLEIF"]


def test_an_entity_with_another_lei_is_never_taken_over(log):
    first = EntityFactory(name="Allianz Global Investors GmbH", lei=LEI)
    second = ensure_entity(name="Allianz Global Investors GmbH", lei=OTHER, log=log)
    first.refresh_from_db()
    assert second.pk != first.pk
    assert (first.lei, second.lei) == (LEI, OTHER)
    assert second.slug == "allianz-global-investors-gmbh"


@pytest.mark.parametrize(("field", "value"), [("type", "fund"), ("jurisdiction", "FR")])
def test_an_entity_of_another_type_or_place_is_another(field, value):
    stored = EntityFactory(name="Acme", jurisdiction="DE")
    assert ensure_entity(**{"name": "Acme", "jurisdiction": "DE", field: value}).pk != stored.pk


def test_a_place_that_was_open_is_filled_in(log):
    stored = EntityFactory(name="Acme", slug="acme")
    assert ensure_entity(name="Acme", jurisdiction="DE", log=log).pk == stored.pk
    assert log.changes == [{"entity": "acme", "field": "jurisdiction", "old": "", "new": "DE"}]


def test_the_same_place_wins_over_an_open_one():
    EntityFactory(name="Acme")
    there = EntityFactory(name="Acme", jurisdiction="DE")
    assert ensure_entity(name="Acme", jurisdiction="DE").pk == there.pk


def test_a_name_that_several_have_is_refused():
    for slug in ("one", "two"):
        EntityFactory(name="Acme", slug=slug, jurisdiction="DE")
    with pytest.raises(RefusedWrite, match="one, two"):
        ensure_entity(name="Acme")
    assert Entity.objects.count() == 2


def test_an_lei_settles_what_the_name_leaves_open():
    twins = [EntityFactory(name="Acme"), EntityFactory(name="Acme")]
    assert ensure_entity(name="Acme", lei=LEI).pk not in {twin.pk for twin in twins}


def test_values_that_differ_are_noted_old_and_new_and_empty_ones_change_nothing(log):
    EntityFactory(name="Acme", slug="acme", lei=LEI, metadata={"a": 1, "b": 2}, aliases=[{"name": "Old"}])
    ensure_entity(name="Acme", lei=LEI, aliases=[], metadata={"b": 3}, log=log)
    assert {
        "entity": "acme",
        "field": "metadata",
        "old": {"a": 1, "b": 2},
        "new": {"a": 1, "b": 3},
    } in log.changes
    assert "aliases" not in _fields(log)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": " "}, "needs a name"),
        ({"type": "spaceship"}, "spaceship"),
        ({"lei": "529900K9B0N5BT694848"}, "not a valid LEI"),
        ({"jurisdiction": "Bundesrepublik"}, "not a jurisdiction"),
    ],
)
def test_what_memory_cannot_hold_is_refused(values, message):
    with pytest.raises(RefusedWrite, match=message):
        ensure_entity(**{"name": "Acme", **values})
    assert not Entity.objects.exists()


def test_an_lei_that_another_entity_shows_undoes_the_whole_statement():
    other = EntityFactory()
    add_representation(entity=other, type="lei", authority="GLEIF", key=LEI)
    with pytest.raises(RefusedWrite, match=other.slug):
        ensure_entity(name="Acme", lei=LEI)
    assert Entity.objects.count() == 1


@cases(
    ("taken", "name", "slug"),
    [
        ([], "Allianz SE", "allianz-se"),
        (["allianz-se"], "Allianz SE", "allianz-se-2"),
        (["allianz-se", "allianz-se-2"], "Allianz SE", "allianz-se-3"),
        (["allianz-se-2"], "Allianz SE", "allianz-se"),
        (["allianz-se-holding"], "Allianz SE", "allianz-se"),
        ([], "株式会社", "entity-e6843c6e"),
        ([], "  --  ", "entity-94a501c3"),
        ([], "Zürich & Söhne S.à r.l.", "zurich-sohne-sa-rl"),
        ([], "a" * 99 + " bc", "a" * 99),
    ],
)
def test_a_slug_is_free(taken, name, slug):
    for each in taken:
        EntityFactory(slug=each)
    assert free_slug(name) == slug
