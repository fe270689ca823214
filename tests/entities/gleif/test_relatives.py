"""Children, funds, managers, umbrellas and ISINs; an empty answer is an answer."""

from collections.abc import Callable

import pytest

from entities.gleif.client import GleifClient
from entities.gleif.demo.server import DemoServer
from entities.gleif.errors import GleifNotFound, GleifUnavailable
from entities.gleif.records import Page
from entities.gleif.register import Register

ALLIANZ, INVESTORS, RETIRED = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658", "529900FAHFDMSXCPII15"
UMBRELLA, SUB_FUND, PUMA = "4KT8DCRLAREP7C35MW05", "5299002WOGP7C2R2FD60", "529900GRZ2BQY5ZM9N49"


def test_it_lists_children_with_the_total_and_what_was_cut(demo: Register) -> None:
    whole, part = demo.children(ALLIANZ), demo.children(ALLIANZ, limit=5)
    assert (len(whole.items), whole.truncated) == (whole.total, False)
    assert (len(part.items), part.total, part.truncated) == (5, whole.total, True)


def test_it_tells_direct_from_ultimate_children(demo: Register) -> None:
    direct = {record.lei for record in demo.children("984500501A1B1045PB30").items}
    ultimate = {record.lei for record in demo.children("984500501A1B1045PB30", level="ultimate").items}
    assert direct == {"2138002YAB7Z9KO21397"}
    assert ultimate == {"2138002YAB7Z9KO21397", "98450051BS9C610A8T78"}


def test_it_finds_no_funds_under_the_retired_manager_of_the_same_name(demo: Register) -> None:
    assert demo.managed_funds(RETIRED) == Page((), 0, truncated=False)
    assert demo.managed_funds(INVESTORS).total >= 15


def test_it_knows_the_manager_and_the_umbrella_of_a_sub_fund(demo: Register) -> None:
    manager, umbrella = demo.fund_manager(SUB_FUND), demo.umbrella(SUB_FUND)
    assert manager is not None
    assert manager.lei == INVESTORS
    assert umbrella is not None
    assert umbrella.lei == UMBRELLA


def test_it_has_no_manager_and_no_umbrella_for_a_company(demo: Register) -> None:
    assert demo.fund_manager(ALLIANZ) is None
    assert demo.umbrella(ALLIANZ) is None


def test_it_goes_from_an_issuer_to_its_isins_and_back(demo: Register) -> None:
    assert "DE0006969603" in demo.isins(PUMA)
    assert len(demo.isins(PUMA, limit=1)) == 1
    assert [record.lei for record in demo.by_isin("DE0006969603")] == [PUMA]
    assert demo.by_isin("CH0000000000") == []
    assert demo.isins(ALLIANZ) == []


def test_it_has_no_relatives_of_an_unknown_entity(demo: Register, invent: Callable[[int], str]) -> None:
    assert demo.children(invent(1)).total == 0
    assert demo.isins(invent(1)) == []


@pytest.mark.parametrize("text", ["", "x", "../../admin", "529900K9B0N5BT69484?", f"{ALLIANZ}/isins"])
def test_it_asks_nothing_about_what_is_no_lei(server: DemoServer, text: str) -> None:
    register = Register(GleifClient(server.url))
    for ask in (register.record, register.children, register.isins, register.managed_funds):
        with pytest.raises(GleifNotFound):
            ask(text)
    assert server.requests == []


def test_it_does_not_take_trouble_for_an_empty_list(server: DemoServer, client: GleifClient) -> None:
    server.fail("broken")
    for ask in (Register(client).children, Register(client).isins, Register(client).managed_funds):
        with pytest.raises(GleifUnavailable):
            ask(ALLIANZ)


def test_it_asks_twice_for_the_same_record_only_when_two_minutes_have_passed(server: DemoServer) -> None:
    now = [0.0]
    register = Register(GleifClient(server.url), clock=lambda: now[0])
    for moment in (0.0, 119.0, 121.0):
        now[0] = moment
        register.record(ALLIANZ)
    assert len(server.requests) == 2
