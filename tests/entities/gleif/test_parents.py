"""A parent is a record, a reporting exception, or nothing reported; never a guess, never an error."""

from collections.abc import Callable
from typing import Any

import pytest

from entities.gleif.client import GleifClient
from entities.gleif.demo.facts import Entity
from entities.gleif.demo.server import DemoServer
from entities.gleif.errors import GleifNotFound, GleifUnavailable
from entities.gleif.records import ParentAnswer
from entities.gleif.register import Register
from tests.cases import cases

ALLIANZ, INVESTORS, SHELL = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658", "21380068P1DRHMJ8KU70"


@pytest.fixture
def register(server: DemoServer) -> Register:
    return Register(GleifClient(server.url))


def paths(server: DemoServer) -> list[str]:
    return [path.removeprefix("/lei-records/") for path, _ in server.requests]


def test_it_finds_the_parent_with_the_relationship(register: Register) -> None:
    answer = register.parent(INVESTORS, "direct")
    assert answer.kind == "record"
    assert answer.record is not None
    assert answer.record.lei == ALLIANZ
    assert answer.relationship is not None
    assert (answer.relationship.start, answer.relationship.end) == (INVESTORS, ALLIANZ)
    assert answer.relationship.type == "IS_DIRECTLY_CONSOLIDATED_BY"


@cases(
    ("lei", "reason"),
    [(SHELL, "NO_KNOWN_PERSON"), ("335800CCCPHKUOXPC332", "NATURAL_PERSONS"), (ALLIANZ, "")],
)
@cases("level", ["direct", "ultimate"])
def test_it_gives_the_reason_of_a_reporting_exception(
    register: Register, lei: str, reason: str, level: Any
) -> None:
    answer = register.parent(lei, level)
    assert (answer.kind, answer.record, answer.reason) == ("exception", None, reason)
    assert answer.exception is not None
    assert answer.exception.lei == lei


def test_it_keeps_the_two_levels_apart(register: Register) -> None:
    amazon_uk = "254900LNRYNOQ9YPU758"
    assert register.parent(amazon_uk, "direct").reason == "NON_PUBLIC"
    ultimate = register.parent(amazon_uk, "ultimate").record
    assert ultimate is not None
    assert ultimate.legal_name == "AMAZON.COM, INC."


def test_it_lets_the_record_say_where_to_look(register: Register, server: DemoServer) -> None:
    register.parent(SHELL, "direct")
    assert paths(server) == [SHELL, f"{SHELL}/direct-parent-reporting-exception"]


def test_it_reads_404_on_a_parent_as_none_reported(register: Register, server: DemoServer) -> None:
    unsaid = "4851004AVN7A3X7NXE12"
    assert register.parent(unsaid, "direct") == ParentAnswer("none")
    assert paths(server) == [unsaid, f"{unsaid}/direct-parent", f"{unsaid}/direct-parent-reporting-exception"]


def test_it_does_not_take_an_unknown_entity_for_one_without_parents(
    register: Register, invent: Callable[[int], str]
) -> None:
    with pytest.raises(GleifNotFound):
        register.parent(invent(1), "direct")


@pytest.mark.parametrize("fault", ["down", "broken", "html", "truncated"])
def test_it_does_not_take_trouble_for_none_reported(
    server: DemoServer, client: GleifClient, fault: Any
) -> None:
    register = Register(client)
    register.record(ALLIANZ)
    server.fail(fault)
    with pytest.raises(GleifUnavailable):
        register.parent(ALLIANZ, "direct")


def test_it_survives_a_parent_link_that_leads_nowhere(
    register_with: Callable[..., Register], invent: Callable[[int], str]
) -> None:
    orphan = Entity(invent(1), "Orphan", direct=invent(2), synthetic=True)
    assert register_with(orphan).parent(orphan.lei, "direct") == ParentAnswer("none")
