"""The shipped facts hold together."""

from collections import Counter
from datetime import date

from entities.gleif.demo.facts import AS_OF, Entity, load
from tests.cases import cases

ENTITIES = {entity.lei: entity for entity in load()}
ALLIANZ, INVESTORS, UMBRELLA = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658", "4KT8DCRLAREP7C35MW05"
COLUMNS = ("direct", "ultimate", "manager", "umbrella")


def of(column: str, lei: str) -> list[Entity]:
    return [entity for entity in load() if entity.up(column) == lei]


def test_it_has_enough_entities_each_once() -> None:
    assert len(load()) == len(ENTITIES) >= 80


@cases("lei", ENTITIES)
def test_it_holds_only_leis_that_pass_iso_17442(lei: str) -> None:
    assert len(lei) == 20
    assert lei[18:].isdigit()
    assert 2 <= int(lei[18:]) <= 98
    assert int("".join(str(int(char, 36)) for char in lei)) % 97 == 1


def test_it_points_only_to_entities_it_has() -> None:
    assert not [
        (entity.lei, column)
        for entity in load()
        for column in COLUMNS
        if entity.up(column) not in {"", *ENTITIES}
    ]


def test_it_names_an_ultimate_parent_by_reference_only_where_the_direct_one_has_none() -> None:
    apexes = {ENTITIES[entity.direct] for entity in load() if entity.ultimate == "="}
    assert apexes
    assert all(apex.exception("ultimate") is not None for apex in apexes)


def test_it_has_the_allianz_group() -> None:
    assert len(of("direct", ALLIANZ)) >= 20
    assert len(of("manager", INVESTORS)) >= 15
    assert len(of("umbrella", UMBRELLA)) >= 5
    assert ENTITIES["529900FAHFDMSXCPII15"].successor == INVESTORS
    assert ENTITIES[ALLIANZ].exception("direct") is not None


def test_it_has_namesakes_in_two_countries() -> None:
    namesakes = [entity for entity in load() if entity.name == "Allianz Pensionskasse Aktiengesellschaft"]
    assert {entity.jurisdiction for entity in namesakes} == {"DE", "AT"}


def test_it_has_other_groups_from_many_countries() -> None:
    apexes = Counter(entity.up("direct") for entity in load() if entity.up("direct"))
    assert len(apexes) >= 8
    assert len({entity.jurisdiction[:2] for entity in load()}) >= 30


@cases("status", ["ISSUED", "LAPSED", "RETIRED", "PENDING_ARCHIVAL", "PENDING_TRANSFER"])
def test_it_has_every_registration_status_that_is_found_in_real_data(status: str) -> None:
    assert any(entity.registration == status for entity in load())


@cases("reason", ["NO_KNOWN_PERSON", "NATURAL_PERSONS", "NON_CONSOLIDATING", "NON_PUBLIC", ""])
def test_it_has_reporting_exceptions_of_several_kinds(reason: str) -> None:
    assert any(entity.exception("direct") == reason for entity in load())


def test_it_writes_every_day_as_a_date_not_later_than_the_table() -> None:
    for entity in load():
        days = [entity.initial, entity.updated, entity.seen]
        assert all(date.fromisoformat(day) <= date.fromisoformat(AS_OF[:10]) for day in days if day), (
            entity.lei
        )
        assert not entity.renewal or date.fromisoformat(entity.renewal) > date(2010, 1, 1)


def test_it_belongs_other_names_and_isins_to_entities_it_has() -> None:
    assert sum(len(entity.names) for entity in load()) >= 30
    assert sum(len(entity.isins) for entity in load()) == 5
    assert not any(entity.synthetic for entity in load())
