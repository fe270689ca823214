"""Whatever a source sends instead of its answer, the tool's value says what went wrong and nothing is made up."""

import pytest

from common.outside.client import Patience
from entities.markets.markets import Markets
from entities.markets.sources import open_sources
from tests.cases import cases
from tests.entities.markets.market import KEYS, MINT
from tests.web.search.doubles import Reply

QUESTIONS = {
    "metadata": lambda m: m.token_metadata(MINT),
    "prices": lambda m: m.price_history(MINT),
    "risks": lambda m: m.rugcheck(MINT),
    "holders": lambda m: m.holder_distribution(MINT),
    "talk": lambda m: m.sentiment("MILL"),
}
HTML = b"<!doctype html><title>Sign in to the hotel network</title>"
CASES = {
    "HTML instead of JSON": (HTML, "unreadable", False),
    "cut JSON": (b'{"data": [', "unreadable", False),
    "an empty body": (b"", "unreadable", False),
    "a bare null": (b"null", "unreadable", False),
    "a bare number": (b"7", "unreadable", False),
    "401": (Reply({"message": "no"}, 401), "denied", False),
    "403": (Reply(HTML, 403), "denied", False),
    "402": (Reply({}, 402), "quota", False),
    "404 of a gateway": (Reply(HTML, 404), "unreadable", False),
    "429": (Reply({}, 429), "rate_limited", True),
    "500": (Reply({}, 500), "server_error", True),
    "503 in HTML": (Reply(HTML, 503), "server_error", True),
    "a redirect": (Reply({}, 302, {"Location": "https://example.org/"}), "unreadable", False),
}


@cases("question", QUESTIONS)
@cases("case", CASES)
def test_it_names_what_went_wrong(market, open_markets, question, case):
    play, code, retryable = CASES[case]
    market.everything(play)
    answer = QUESTIONS[question](open_markets())
    assert answer["success"] is False
    assert "data" not in answer
    assert (answer["error"]["code"], answer["error"]["retryable"]) == (code, retryable)


@cases("question", QUESTIONS)
@cases("body", [{}, {"data": None}, {"success": True, "data": None}, {"result": None}, []])
def test_an_answer_about_nothing_is_no_answer(market, open_markets, question, body):
    market.everything(body)
    answer = QUESTIONS[question](open_markets())
    assert answer["success"] is False
    assert answer["error"]["code"] in ("unreadable", "not_found")


@cases("question", QUESTIONS)
@cases("play", [Reply({"message": "no: {key}"}, 401), HTML, Reply({}, 500)])
def test_no_key_is_ever_told(market, open_markets, question, play, caplog):
    market.everything(play)
    caplog.set_level("DEBUG")  # as DOSSIER_LOG_LEVEL sets it
    told = f"{QUESTIONS[question](open_markets())}{caplog.text}"
    assert not [key for key in KEYS.values() if key in told]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_source_that_is_away_is_a_value(market, markets, question):
    market._server.server_close()
    answer = QUESTIONS[question](markets)
    assert answer["error"]["code"] == "network"
    assert answer["error"]["retryable"] is True
    assert answer["http_status"] is None


def test_a_body_without_end_is_cut_off(market, open_markets, monkeypatch):
    monkeypatch.setattr("entities.markets.sources.MAX_BODY", 1_000)
    market.says(report=b'{"risks": "' + b"x" * 2_000 + b'"}', summary=b"x" * 2_000)
    assert open_markets().rugcheck(MINT)["error"]["code"] == "unreadable"


@pytest.mark.parametrize("slow", [Reply({}, hang=True), Reply({"score": 1}, drip=True), Reply({}, late=True)])
def test_the_whole_exchange_has_a_deadline(market, open_markets, monkeypatch, slow):
    monkeypatch.setattr("entities.markets.sources.PATIENCE", Patience(attempt=0.2, tries=1))
    market.says(report=slow, summary=slow)
    assert open_markets().rugcheck(MINT)["error"]["code"] == "timeout"


@cases("mint", ["", "nonsense", "529900K9B0N5BT694847", MINT[:40], f"{MINT}/../x"])
@cases("question", ["token_metadata", "price_history", "rugcheck", "holder_distribution"])
def test_what_is_no_mint_is_asked_nowhere(market, markets, question, mint):
    answer = getattr(markets, question)(mint)
    assert answer["error"]["code"] == "bad_request"
    assert market.asked == []


def test_without_a_key_the_setting_is_named(market, settings, traffic):
    for name in KEYS:
        setattr(settings, name, "")
    markets = Markets(open_sources(traffic))
    told = {name: ask(markets) for name, ask in QUESTIONS.items()}
    assert told.pop("risks")["success"] is True  # Rugcheck needs none
    assert {answer["error"]["code"] for answer in told.values()} == {"not_set_up"}
    assert "HELIUS_API_KEY" in told["metadata"]["error"]["message"]
    assert "JUPITER_API_KEY" in told["metadata"]["error"]["message"]
    assert set(market.asked) == {"report"}
