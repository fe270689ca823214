"""Successors are followed to the record in force, with a guard against circles."""

from collections.abc import Callable

import pytest

from entities.gleif.demo.facts import Entity
from entities.gleif.errors import GleifNotFound
from entities.gleif.register import MAX_CHAIN, Register


def test_it_leads_from_the_retired_manager_to_the_live_one(demo: Register) -> None:
    answer = demo.successor("529900FAHFDMSXCPII15")
    assert answer.chain == ("529900FAHFDMSXCPII15", "OJ2TIQSVQND4IZYYK658")
    assert (answer.current.registration_status, answer.loop) == ("ISSUED", False)


def test_it_stays_where_there_is_no_successor(demo: Register) -> None:
    answer = demo.successor("529900K9B0N5BT694847")
    assert answer.chain == ("529900K9B0N5BT694847",)
    assert answer.current.legal_name == "Allianz SE"


def test_it_stays_with_a_successor_known_by_name_only(demo: Register) -> None:
    answer = demo.successor("9845005E0KD7CC49CN24")
    assert answer.chain == ("9845005E0KD7CC49CN24",)
    assert [(one.lei, one.name) for one in answer.current.successors] == [(None, "itm8 A/S")]


def test_it_stays_when_the_register_does_not_have_the_successor(demo: Register) -> None:
    assert demo.successor("529900LG8QM04AAON372").chain == ("529900LG8QM04AAON372",)


def heirs(leis: list[str]) -> list[Entity]:
    """Each entity succeeded by the next; the last by none."""
    return [
        Entity(lei, "Heir", registration="MERGED", successor=following, synthetic=True)
        for lei, following in zip(leis, [*leis[1:], ""], strict=True)
    ]


def test_it_follows_a_chain(register_with: Callable[..., Register], invent: Callable[[int], str]) -> None:
    leis = [invent(number) for number in range(4)]
    assert register_with(*heirs(leis)).successor(leis[0]).chain == tuple(leis)


def test_it_stops_a_chain_without_end(
    register_with: Callable[..., Register], invent: Callable[[int], str]
) -> None:
    leis = [invent(number) for number in range(MAX_CHAIN + 5)]
    assert len(register_with(*heirs(leis)).successor(leis[0]).chain) == MAX_CHAIN


@pytest.mark.parametrize("length", [1, 2, 3])
def test_it_notices_a_circle(
    register_with: Callable[..., Register], invent: Callable[[int], str], length: int
) -> None:
    leis = [invent(number) for number in range(length)]
    ring = [
        Entity(lei, "Ring", registration="DUPLICATE", successor=leis[(place + 1) % length], synthetic=True)
        for place, lei in enumerate(leis)
    ]
    answer = register_with(*ring).successor(leis[0])
    assert (answer.chain, answer.loop) == (tuple(leis), True)


def test_it_does_not_know_the_successor_of_an_unknown_entity(
    demo: Register, invent: Callable[[int], str]
) -> None:
    with pytest.raises(GleifNotFound):
        demo.successor(invent(1))
