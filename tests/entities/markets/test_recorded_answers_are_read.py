"""Answers that Helius' interface and X really gave. They are no part of the project: DOSSIER_SHARED_DATA says where."""

import json
import os
from pathlib import Path

import pytest

from tests.entities.markets.market import rpc
from tests.web.search.doubles import Reply

SHARED = os.environ.get("DOSSIER_SHARED_DATA", "")
pytestmark = pytest.mark.skipif(
    not SHARED, reason="DOSSIER_SHARED_DATA does not say where recorded answers are"
)
RECORDED = Path(SHARED) / "markets"
ASSETS = sorted(RECORDED.glob("helius-das/*get_asset*.json")) if SHARED else []
SEARCHES = sorted(RECORDED.glob("x/*search*.json")) if SHARED else []


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.stem[-30:])
def test_an_asset_is_read(market, markets, path):
    asset = json.loads(path.read_text(encoding="utf-8"))
    market.says(getAsset=rpc(asset), jupiter=[])
    answer = markets.token_metadata(asset["id"])
    assert answer["success"] is True
    data = answer["data"]
    assert data["name"] == asset.get("content", {}).get("metadata", {}).get("name")
    assert data["extensions"] == sorted(asset.get("mint_extensions") or {})
    assert data["mintAuthority"]["state"] != "revoked"
    if "token_info" not in asset:
        assert {"decimals", "supply", "mintAuthority"} <= set(data["unknown"])


def test_accounts_are_added_up(market, markets):
    page = json.loads(
        (RECORDED / "helius-das/token_accounts_tests__get_token_accounts_by_mint.json").read_text()
    )
    mint = page["token_accounts"][0]["mint"]
    asset = {"id": mint, "token_info": {"supply": page["token_accounts"][0]["amount"], "decimals": 9}}
    market.says(getAsset=rpc(asset), getTokenAccounts=rpc(page))
    data = markets.holder_distribution(mint)["data"]
    assert (data["totalHolders"], data["top10Concentration"], data["complete"]) == (1, "100", True)


@pytest.mark.parametrize("path", SEARCHES, ids=lambda path: path.stem)
def test_a_search_of_x_is_read(market, markets, path):
    recorded = json.loads(path.read_text(encoding="utf-8"))
    response = recorded[0]["response"]
    market.says(posts=Reply(response["body"], response["status"]["code"], dict(response["headers"])))
    data = markets.sentiment("Tweepy")["data"]
    assert data["mentionCount"] + data["copies"] == len(response["body"]["data"])
    assert data["moreMentions"] is ("next_token" in response["body"]["meta"])
