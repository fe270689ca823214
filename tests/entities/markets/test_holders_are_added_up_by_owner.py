"""Token accounts are not owners."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entities.markets.holders import by_owner
from tests.cases import cases
from tests.entities.markets.market import ALICE, BOB, CAROL, GOOD, MINT, account, address, rpc
from tests.web.search.doubles import Reply


def page(*accounts, cursor=None):
    return rpc({"total": len(accounts), "limit": 1000, "cursor": cursor, "token_accounts": list(accounts)})


def pages(*listed):
    """Pages by cursor: 0, 1, 2 ..."""

    def play(question):
        number = int(question.body["params"].get("cursor", "0"))
        following = str(number + 1) if number + 1 < len(listed) else None
        return page(*listed[number], cursor=following)

    return play


def supply(amount, decimals=0):
    asset = deepcopy(GOOD["getAsset"])
    asset["result"]["token_info"] |= {"supply": amount, "decimals": decimals}
    return asset


def test_accounts_of_one_owner_are_one_holder(market, markets):
    data = markets.holder_distribution(MINT)["data"]
    assert data["totalHolders"] == 2  # Carol's account is empty
    assert [holder["owner"] for holder in data["topHolders"]] == [ALICE, BOB]
    assert data["topHolders"][0]["amount"] == "7000000000000000"


def test_all_pages_are_read_and_an_account_counts_once(market, markets):
    first, second = account(1, ALICE, 30), account(2, BOB, 10)
    market.says(
        getAsset=supply(100), getTokenAccounts=pages([first, second], [second, account(3, CAROL, 60)])
    )
    data = markets.holder_distribution(MINT)["data"]
    assert {holder["owner"]: holder["percent"] for holder in data["topHolders"]} == {
        CAROL: "60",
        ALICE: "30",
        BOB: "10",
    }
    assert data["top10Concentration"] == "100"
    assert market.asked.count("getTokenAccounts") == 2


@cases("amount", [None, -5, "x", 1.5, True, "9" * 90])
def test_an_account_without_an_amount_is_not_counted(market, markets, amount):
    market.says(getAsset=supply(100), getTokenAccounts=page(account(1, ALICE, 40), account(2, BOB, amount)))
    assert markets.holder_distribution(MINT)["data"]["totalHolders"] == 1


def test_accounts_of_another_mint_are_not_counted(market, markets):
    market.says(getTokenAccounts=page(account(1, ALICE, 40), account(2, BOB, 9, mint=ALICE)))
    assert markets.holder_distribution(MINT)["data"]["totalHolders"] == 1


def test_nobody_holds_it(market, markets):
    market.says(getTokenAccounts=page())
    data = markets.holder_distribution(MINT)["data"]
    assert (data["totalHolders"], data["topHolders"], data["complete"]) == (0, [], True)


@pytest.mark.parametrize("amount", [None, 0, -1, 10])
def test_without_a_whole_there_are_no_shares(market, markets, amount):
    market.says(getAsset=supply(amount), getTokenAccounts=page(account(1, ALICE, 40)))
    data = markets.holder_distribution(MINT)["data"]
    assert data["top10Concentration"] is data["topHolders"][0]["percent"] is None
    assert data["topHolders"][0]["amount"] == "40"


def test_a_long_list_is_left_to_the_largest_accounts(market, markets, monkeypatch):
    monkeypatch.setattr("entities.markets.helius.MAX_PAGES", 2)
    market.says(getTokenAccounts=pages([account(1, ALICE, 1)], [account(2, BOB, 1)], [account(3, CAROL, 1)]))
    answer = markets.holder_distribution(MINT)
    data = answer["data"]
    assert answer["source"] == "birdeye"
    assert data["totalHolders"] is None
    assert (data["topHolders"][0]["amount"], data["top10Concentration"]) == ("500.000001", "60")
    assert "totalHolders" in data["unknown"]


def test_part_of_a_list_proves_no_concentration(market, markets, monkeypatch):
    monkeypatch.setattr("entities.markets.helius.MAX_PAGES", 1)
    market.says(getTokenAccounts=pages([account(1, ALICE, 1)], []), holders=Reply({}, 402))
    data = markets.holder_distribution(MINT)["data"]
    assert data["holdersSeen"] == 1
    assert data["totalHolders"] is data["top10Concentration"] is None
    assert [failed["code"] for failed in data["failed"]] == ["quota"]


def test_a_page_that_does_not_come_leaves_nothing_to_count(market, markets):
    market.says(getTokenAccounts=Reply({}, 500), holders=Reply({}, 500))
    assert markets.holder_distribution(MINT)["error"]["code"] == "server_error"


def test_pages_in_a_circle_are_no_list(market, markets):
    market.says(getTokenAccounts=page(account(1, ALICE, 1), cursor="0"), holders=Reply({}, 500))
    assert markets.holder_distribution(MINT)["success"] is False


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 10**25)), max_size=30))
def test_nothing_is_lost_or_made_up(accounts):
    held = by_owner((address(owner), amount) for owner, amount in accounts)
    assert sum(held.values()) == sum(amount for _, amount in accounts)
    assert 0 not in held.values()
    assert list(held.values()) == sorted(held.values(), reverse=True)
