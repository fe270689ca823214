"""Many LEIs are asked for in few calls, and absence counts only in a complete answer."""

from collections.abc import Callable
from typing import Any

import pytest

from entities.gleif.client import GleifClient, Items
from entities.gleif.demo.facts import Entity
from entities.gleif.demo.server import DemoServer
from entities.gleif.errors import GleifBadAnswer, GleifUnavailable
from entities.gleif.register import Register

ALLIANZ, PUMA = "529900K9B0N5BT694847", "529900GRZ2BQY5ZM9N49"


def test_it_asks_for_a_hundred_leis_in_one_call(fund_family: tuple[Entity, ...]) -> None:
    leis = [entity.lei for entity in fund_family]
    with DemoServer(fund_family) as server:
        found = Register(GleifClient(server.url)).records(leis)
    assert list(found) == leis
    assert [len(query["filter[lei]"].split(",")) for _, query in server.requests] == [100, 100, 51]
    assert {query["page[size]"] for _, query in server.requests} == {"100"}


def test_it_leaves_out_what_the_register_does_not_have(demo: Register, invent: Callable[[int], str]) -> None:
    assert list(demo.records([PUMA, invent(7), ALLIANZ])) == [PUMA, ALLIANZ]


def test_it_asks_for_each_lei_once_and_never_for_what_is_none(server: DemoServer) -> None:
    found = Register(GleifClient(server.url)).records([ALLIANZ, ALLIANZ.lower(), "A,B", "../x", "", PUMA])
    assert list(found) == [ALLIANZ, PUMA]
    assert [query["filter[lei]"] for _, query in server.requests] == [f"{ALLIANZ},{PUMA}"]


def test_it_asks_nothing_for_an_empty_batch(server: DemoServer) -> None:
    assert Register(GleifClient(server.url)).records([]) == {}
    assert server.requests == []


def test_it_refuses_to_conclude_from_an_answer_that_was_cut() -> None:
    class Cut(GleifClient):
        def items(self, path: str, query: Any = None, *, limit: int | None = None) -> Items:
            return Items((), total=2, truncated=False)

    with pytest.raises(GleifBadAnswer, match="fewer"):
        Cut().batch([ALLIANZ, PUMA])


def test_it_answers_with_trouble_rather_than_with_absence(server: DemoServer, client: GleifClient) -> None:
    server.fail("broken")
    with pytest.raises(GleifUnavailable):
        Register(client).records([ALLIANZ])
