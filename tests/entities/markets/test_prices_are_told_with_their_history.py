"""Prices in US dollars; what is not determined is unknown."""

import pytest

from tests.cases import cases
from tests.entities.markets.market import GOOD, MINT, NOW
from tests.web.search.doubles import Reply


def points(*items):
    return {"success": True, "data": {"items": list(items)}}


@pytest.mark.parametrize(
    ("timeframe", "step", "days"), [("24h", "15m", 1), ("7d", "1H", 7), ("30d", "4H", 30)]
)
def test_it_asks_for_the_timeframe(market, markets, timeframe, step, days):
    assert markets.price_history(MINT, timeframe)["success"] is True
    asked = market.questions[1].query
    assert asked["type"] == step
    assert int(asked["time_to"]) - int(asked["time_from"]) == days * 86_400


def test_the_change_is_against_the_first_price(market, markets):
    data = markets.price_history(MINT)["data"]
    assert (data["currentPrice"], data["priceChange"]) == ("1.1", "10")
    assert [point["price"] for point in data["history"]] == ["1", "1.05"]
    assert market.questions[0].headers["X-API-KEY"] == "birdeye-secret"


@cases(
    "history",
    [
        points(),
        {"success": True, "data": {}},
        {"success": True, "data": {"items": None}},
        points(
            {"unixTime": None, "value": 1}, {"unixTime": NOW}, {"value": 3}, 7, {"unixTime": NOW, "value": 0}
        ),
        points({"unixTime": 5, "value": 1}),  # long before what was asked for
        points({"unixTime": NOW - 5, "value": -1}),
        Reply({}, 500),
    ],
)
def test_without_history_the_change_is_unknown(market, markets, history):
    market.says(history=history)
    data = markets.price_history(MINT)["data"]
    assert data["history"] == []
    assert data["priceChange"] is None
    assert "priceChange" in data["unknown"]


def test_points_are_ordered_and_one_a_moment(market, markets):
    market.says(
        history=points(
            {"unixTime": NOW, "value": "2"}, {"unixTime": NOW - 60, "value": 1}, {"unixTime": NOW, "value": 4}
        )
    )
    assert markets.price_history(MINT)["data"]["history"] == [
        {"at": NOW - 60, "price": "1"},
        {"at": NOW, "price": "4"},
    ]


@cases("value", [None, 0, -1, "free", True, "1e999"])
def test_a_token_without_a_price_is_not_listed(market, markets, value):
    market.says(price={"success": True, "data": {"value": value}})
    assert markets.price_history(MINT)["error"]["code"] == "not_found"


def test_nulls_are_not_zeros(market, markets):
    market.says(
        price={"success": True, "data": {"value": "0.00000001", "liquidity": None, "priceChange24h": None}},
        overview={"success": True, "data": {"v24hUSD": None}},
    )
    data = markets.price_history(MINT)["data"]
    assert data["currentPrice"] == "0.00000001"
    assert {"liquidity", "priceChange24h", "volume24h", "marketCap"} <= set(data["unknown"])


def test_a_missing_overview_leaves_the_price(market, markets):
    market.says(overview=Reply({}, 403))
    data = markets.price_history(MINT)["data"]
    assert data["currentPrice"] == "1.1"
    assert data["marketCap"] is None
    assert data["failed"] == [
        {
            "source": "birdeye",
            "code": "denied",
            "message": "birdeye does not accept the key or our address (HTTP 403).",
        }
    ]


@pytest.mark.parametrize(
    "body", [{"success": False, "message": "no"}, {"success": "yes", "data": {}}, {"data": {}}]
)
def test_only_a_success_is_one(market, markets, body):
    market.says(price=body)
    assert markets.price_history(MINT)["success"] is False


def test_an_unknown_timeframe_is_refused(market, markets):
    assert "24h, 7d, 30d" in markets.price_history(MINT, "1y")["error"]["message"]
    assert market.asked == []


def test_a_change_beyond_reason_is_unknown(market, markets):
    market.says(
        history=points({"unixTime": NOW - 60, "value": "1e-59"}),
        price={"success": True, "data": {"value": "1e59"}},
    )
    assert markets.price_history(MINT)["data"]["priceChange"] is None
    assert GOOD["price"]["data"]["value"] == 1.1
