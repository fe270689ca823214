"""Revoked is what a source says in so many words; whatever is missing is unknown."""

from copy import deepcopy

import pytest

from entities.markets.authority import UNKNOWN, Authority, agreed
from tests.cases import cases
from tests.entities.markets.market import ALICE, GOOD, MINT
from tests.web.search.doubles import Reply


def report(**token):
    return {**GOOD["report"], "token": token}


@cases(
    ("token", "state", "address"),
    [
        ({"mintAuthority": None}, "revoked", None),
        ({"mintAuthority": ALICE}, "set", ALICE),
        ({}, "unknown", None),
        ({"mintAuthority": ""}, "unknown", None),
        ({"mintAuthority": False}, "unknown", None),
        ({"mintAuthority": "nobody"}, "unknown", None),
    ],
)
def test_rugcheck_says_none_by_an_explicit_null(market, markets, token, state, address):
    market.says(report=report(**token))
    data = markets.rugcheck(MINT)["data"]
    assert (data["mintAuthority"]["state"], data["mintAuthority"]["address"]) == (state, address)
    assert data["freezeAuthority"]["state"] == "unknown"
    assert ("mintAuthority" in data["unknown"]) is (state == "unknown")


@pytest.mark.parametrize("token", [None, [], "x"])
def test_a_report_without_a_token_says_nothing(market, markets, token):
    market.says(report={**GOOD["report"], "token": token})
    assert markets.rugcheck(MINT)["data"]["mintAuthority"]["state"] == "unknown"


def test_the_summary_knows_no_authorities(market, markets):
    market.says(report=Reply({}, 500))
    data = markets.rugcheck(MINT)["data"]
    assert data["mintAuthority"]["state"] == data["freezeAuthority"]["state"] == "unknown"
    assert data["topHolders"] is None
    assert data["failed"][0]["code"] == "server_error"


@pytest.mark.parametrize("info", [{}, {"mint_authority": None}, None])
def test_an_authority_that_helius_leaves_out_is_unknown(market, markets, settings, info):
    asset = deepcopy(GOOD["getAsset"])
    asset["result"]["token_info"] = info
    market.says(getAsset=asset, jupiter=[])
    data = markets.token_metadata(MINT)["data"]
    assert data["mintAuthority"] == data["freezeAuthority"] == UNKNOWN.as_json()
    assert {"mintAuthority", "freezeAuthority", "supply"} <= {*data["unknown"], "supply"}


def test_a_second_source_may_say_it(market, markets):
    asset = deepcopy(GOOD["getAsset"])
    del asset["result"]["token_info"]["mint_authority"]
    market.says(getAsset=asset)
    answer = markets.token_metadata(MINT)
    assert answer["source"] == "helius+jupiter"
    assert answer["data"]["mintAuthority"] == Authority("revoked", None, "jupiter").as_json()


def test_sources_that_contradict_each_other_leave_it_unknown():
    assert agreed([Authority("set", ALICE, "a"), Authority("revoked", None, "b"), UNKNOWN]) == UNKNOWN


def test_the_one_who_names_the_holder_is_told():
    named = Authority("set", ALICE, "b")
    assert agreed([Authority("set", None, "a"), named]) == named
