"""Rugcheck: raw score, normalised score (higher is riskier), risks, and nothing that it does not say."""

import pytest

from tests.cases import cases
from tests.entities.markets.market import ALICE, GOOD, MINT
from tests.web.search.doubles import Reply


def test_scores_are_told_with_their_scale(market, markets):
    data = markets.rugcheck(MINT)["data"]
    assert (data["score"], data["scoreNormalised"]) == ("1991", "61")
    assert "higher is riskier" in data["scale"]
    assert data["risks"][0]["level"] == "danger"
    assert data["lpBurned"] == "unknown"


def test_a_holder_who_is_listed_twice_is_one(market, markets):
    holders = markets.rugcheck(MINT)["data"]["topHolders"]
    assert [(one["owner"] == ALICE, one["percent"]) for one in holders] == [(True, "22"), (False, "3")]


@cases(
    ("field", "value", "name"),
    [
        ("score_normalised", 101, "scoreNormalised"),
        ("score_normalised", -1, "scoreNormalised"),
        ("score_normalised", "high", "scoreNormalised"),
        ("lpLockedPct", 1e300, "lpLockedPercent"),
        ("totalHolders", -3, "totalHolders"),
        ("totalHolders", "4.5", "totalHolders"),
        ("totalMarketLiquidity", None, "totalLiquidity"),
        ("insiderNetworks", None, "insiderNetworks"),
    ],
)
def test_a_value_that_cannot_be_is_unknown(market, markets, field, value, name):
    market.says(report={**GOOD["report"], field: value})
    data = markets.rugcheck(MINT)["data"]
    assert data[name] is None
    assert name in data["unknown"]


@pytest.mark.parametrize("risks", [None, "x", [None, 7], [{}]])
def test_risks_may_be_missing(market, markets, risks):
    market.says(report={**GOOD["report"], "risks": risks})
    found = markets.rugcheck(MINT)["data"]["risks"]
    assert found in (
        [],
        [{"name": "unnamed", "level": "unknown", "value": None, "description": None, "score": None}],
    )


def test_a_report_on_another_token_is_no_answer(market, markets):
    market.says(report={**GOOD["report"], "mint": ALICE}, summary={**GOOD["summary"], "mint": ALICE})
    assert markets.rugcheck(MINT)["error"]["code"] == "unreadable"


def test_a_token_that_is_not_known_is_not_safe(market, markets):
    market.says(report=Reply({"error": "not found"}, 404))
    assert markets.rugcheck(MINT)["error"]["code"] == "not_found"
    assert market.asked == ["report"]


def test_a_missing_list_of_risks_is_told_apart_from_an_empty_one(market, markets):
    market.says(report={"mint": MINT, "error": "unable to generate report"})
    assert markets.rugcheck(MINT)["error"]["code"] == "not_found"
