"""Helius first; Jupiter for what is missing, and only for the very same mint."""

from copy import deepcopy

import pytest

from tests.cases import cases
from tests.entities.markets.market import ALICE, GOOD, MINT
from tests.web.search.doubles import Reply


def asset(**info):
    changed = deepcopy(GOOD["getAsset"])
    changed["result"]["token_info"] |= info
    return changed


def test_amounts_are_exact(market, markets):
    data = markets.token_metadata(MINT)["data"]
    assert data["supplyRaw"] == "9007199254740993000001"
    assert data["supply"] == "9007199254740993.000001"
    assert market.asked == ["getAsset"]  # complete: nobody else is asked
    assert market.questions[0].body["params"] == {"id": MINT, "displayOptions": {"showFungible": True}}


@cases("supply", [-5, "-1", None, "many", 1e300, [], True, 10**80])
def test_a_supply_that_cannot_be_is_unknown(market, markets, supply):
    market.says(getAsset=asset(supply=supply), jupiter=[])
    data = markets.token_metadata(MINT)["data"]
    assert data["supply"] is None
    assert "supply" in data["unknown"]


@pytest.mark.parametrize("decimals", [-1, 256, "six", None, 1.5])
def test_without_decimals_there_is_no_amount(market, markets, decimals):
    market.says(getAsset=asset(decimals=decimals), jupiter=[])
    data = markets.token_metadata(MINT)["data"]
    assert data["decimals"] is data["supply"] is None
    assert data["supplyRaw"] is not None


def test_numbers_may_be_texts(market, markets):
    market.says(getAsset=asset(supply="1500000", decimals="6"))
    assert markets.token_metadata(MINT)["data"]["supply"] == "1.5"


def test_an_answer_without_token_info_leaves_it_to_jupiter(market, markets):
    changed = deepcopy(GOOD["getAsset"])
    del changed["result"]["token_info"]
    market.says(getAsset=changed)
    data = markets.token_metadata(MINT)["data"]
    assert (data["name"], data["decimals"], data["supplyRaw"]) == ("Mill Coin", 6, "9000000250000")
    assert data["listedAsVerified"] is True


def test_jupiter_alone_is_enough(market, markets):
    market.says(getAsset=Reply({}, 401))
    answer = markets.token_metadata(MINT)
    assert answer["source"] == "jupiter"
    assert answer["data"]["name"] == "Mill"
    assert [failed["code"] for failed in answer["data"]["failed"]] == ["denied"]


def test_a_token_of_the_same_symbol_is_another_token(market, markets):
    market.says(getAsset=Reply({}, 401), jupiter=[GOOD["jupiter"][0]])
    assert markets.token_metadata(MINT)["error"]["code"] == "denied"


def test_helius_answering_about_another_token_is_no_answer(market, markets):
    changed = deepcopy(GOOD["getAsset"])
    changed["result"]["id"] = ALICE
    market.says(getAsset=changed, jupiter=[])
    assert markets.token_metadata(MINT)["error"]["code"] == "unreadable"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"code": -32000, "message": "RecordNotFound Error: Asset Not Found"}, "not_found"),
        ({"code": -32602, "message": "Invalid params"}, "refused"),
        ({"code": -32429, "message": "slow down"}, "rate_limited"),
        ({"code": -32603, "message": "Internal"}, "server_error"),
        ("nonsense", "server_error"),
    ],
)
def test_an_error_of_json_rpc_comes_with_http_200(market, markets, error, code):
    market.says(getAsset={"jsonrpc": "2.0", "id": "1", "error": error}, jupiter=Reply({}, 401))
    assert markets.token_metadata(MINT)["error"]["code"] == code


def test_what_they_disagree_about_is_named(market, markets):
    changed = asset(symbol="MILLE", decimals=9)
    del changed["result"]["token_info"]["mint_authority"]
    market.says(getAsset=changed)
    data = markets.token_metadata(MINT)["data"]
    assert {one["field"] for one in data["disagreements"]} >= {"symbol", "decimals"}
    assert data["symbol"] == "MILLE"


@pytest.mark.parametrize(
    "link", ["javascript:alert(1)", "data:text/html,x", "//x", 7, "https://" + "x" * 2000]
)
def test_a_logo_is_an_address_of_the_web(market, markets, link):
    changed = deepcopy(GOOD["getAsset"])
    changed["result"]["content"]["links"]["image"] = link
    market.says(getAsset=changed)
    assert markets.token_metadata(MINT)["data"]["logoUri"] is None


def test_a_name_is_bounded_and_on_one_line(market, markets):
    changed = deepcopy(GOOD["getAsset"])
    changed["result"]["content"]["metadata"]["name"] = "Mill\n\u202eCoin\x00" + "x" * 5_000
    market.says(getAsset=changed)
    name = markets.token_metadata(MINT)["data"]["name"]
    assert name.startswith("Mill Coin ")
    assert len(name) == 200
