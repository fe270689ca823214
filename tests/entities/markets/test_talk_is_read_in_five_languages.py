"""Word lists, negation, and what X does not say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entities.markets.lexicon import LANGUAGES, WORDS, score
from entities.markets.talk import query_for
from tests.cases import cases
from tests.entities.markets.market import post
from tests.web.search.doubles import Reply

SAID = [
    ("en", "Bullish, buying more", 1),
    ("en", "Total scam, sell now", -1),
    ("en", "This is not a scam", 1),
    ("en", "I don't recommend it", -1),
    ("en", "Not good, but the team is strong", 1),
    ("en", "no news today", 0),
    ("de", "Ich kaufe nach, das Wachstum ist stark", 1),
    ("de", "Das ist Betrug", -1),
    ("de", "Das ist kein Betrug", 1),
    ("de", "Ich kaufe nicht", -1),
    ("de", "Nicht gut, aber seriös", 1),
    ("fr", "Le cours monte, excellent projet", 1),
    ("fr", "C'est une arnaque", -1),
    ("fr", "Ce n'est pas une arnaque", 1),
    ("fr", "Je n'achète pas", -1),
    ("fr", "Je n'achète plus", -1),
    ("fr", "Le projet est plus fort que jamais", 1),
    ("it", "Ottimo progetto, il prezzo sale", 1),
    ("it", "È una truffa", -1),
    ("it", "Non è una truffa", 1),
    ("it", "Non compro", -1),
    ("es", "Va a subir, excelente", 1),
    ("es", "Es una estafa", -1),
    ("es", "No es una estafa", 1),
    ("es", "Nunca compro esto", -1),
    ("pt", "to the moon, bullish", 1),
    ("ja", "rug pull だ", -1),
]


@cases(("language", "text", "sign"), SAID)
def test_it_reads_the_direction(language, text, sign):
    found = score(text, language)
    assert (found > 0) - (found < 0) == sign


@cases(("language", "text", "sign"), [s for s in SAID if s[0] in LANGUAGES and len(s[1]) > 16])
def test_the_language_is_found_when_x_does_not_say(language, text, sign):
    found = score(text, "und")
    assert (found > 0) - (found < 0) in (sign, 0)


def test_a_negation_weighs_less_than_praise():
    assert 0 < score("not a scam", "en") < score("a gem", "en")


def test_a_negation_does_not_reach_over_a_comma():
    assert score("no, this is strong", "en") > 0


def test_addresses_and_people_are_no_words():
    assert score("https://scam.example/rug @moon", "en") == 0


def test_no_word_points_both_ways_within_a_language():
    for language in LANGUAGES:
        assert not set(WORDS["up"][language].split()) & set(WORDS["down"][language].split()), language


@given(st.text(max_size=300), st.sampled_from([*LANGUAGES, "", "xx"]))
def test_any_text_has_a_score(text, language):
    assert isinstance(score(text, language), int | float)


def test_mentions_are_counted_and_the_method_is_named(market, markets):
    data = markets.sentiment("$MILL", "Mill Coin")["data"]
    assert (data["sentiment"], data["bullishCount"], data["bearishCount"]) == ("bullish", 4, 1)
    assert data["topTweets"][0] == {
        "author": "miller",
        "text": "The mill opens at nine.",
        "engagement": 92,
        "at": "2026-09-21T14:00:00.000Z",
    }
    assert "irony is not read" in data["method"]
    assert market.questions[0].headers["Authorization"] == "Bearer x-secret"


@pytest.mark.parametrize("body", [{"meta": {"result_count": 0}}, {"data": [], "meta": {"result_count": 0}}])
def test_no_hits_are_no_opinion(market, markets, body):
    market.says(posts=body)
    data = markets.sentiment("MILL")["data"]
    assert (data["mentionCount"], data["sentiment"]) == (0, "unknown")
    assert "sentiment" in data["unknown"]


@pytest.mark.parametrize(
    "body", [{"errors": []}, {"data": "x"}, {"data": None}, {"meta": {"result_count": 3}}]
)
def test_missing_posts_are_no_silence(market, markets, body):
    market.says(posts=body)
    assert markets.sentiment("MILL")["error"]["code"] == "unreadable"


def test_four_opinions_are_too_few(market, markets):
    market.says(posts={"data": [post(n, f"buy it {n}") for n in range(4)]})
    assert markets.sentiment("MILL")["data"]["sentiment"] == "unknown"


def test_the_same_text_counts_once(market, markets):
    market.says(posts={"data": [post(n, f"Buy now! https://t.co/{n}") for n in range(9)]})
    data = markets.sentiment("MILL")["data"]
    assert (data["mentionCount"], data["bullishCount"], data["copies"]) == (1, 1, 8)


def test_sides_that_are_level_are_neutral(market, markets):
    texts = [f"{word} {n}" for n, word in enumerate(["buy", "sell"] * 4)]
    market.says(posts={"data": [post(n, text) for n, text in enumerate(texts)]})
    assert markets.sentiment("MILL")["data"]["sentiment"] == "neutral"


@cases("bad", [None, 7, {}, {"id": "1"}, {"text": "x"}, {"id": 1, "text": "x"}, {"id": "1", "text": ""}])
def test_a_post_that_cannot_be_read_is_left_out(market, markets, bad):
    market.says(posts={"data": [bad, post(2, "buy")]})
    assert markets.sentiment("MILL")["data"]["mentionCount"] == 1


def test_old_posts_are_left_out(market, markets):
    old = {**post(1, "buy"), "created_at": "2026-09-01T00:00:00Z"}
    market.says(posts={"data": [old, {**post(2, "sell"), "created_at": "?"}]})
    assert markets.sentiment("MILL")["data"]["bearishCount"] == 1


@pytest.mark.parametrize("metrics", [None, {}, {"like_count": "many"}, {"like_count": -1}])
def test_engagement_may_be_unknown(market, markets, metrics):
    market.says(posts={"data": [{**post(1, "x"), "public_metrics": metrics}]})
    assert markets.sentiment("MILL")["data"]["topTweets"][0]["engagement"] is None


@cases(
    ("symbol", "name", "query"),
    [
        ("$MILL", "", "(MILL) -is:retweet"),
        ("MILL", "Mill Coin", '(MILL OR "Mill Coin") -is:retweet'),
        ("OR", 'x" OR from:me "', '("OR" OR "x OR from:me") -is:retweet'),
        ("a) lang:en (", "", '("a) lang:en (") -is:retweet'),
        ("MILL", "MILL", "(MILL) -is:retweet"),
    ],
)
def test_words_cannot_become_operators(symbol, name, query):
    assert query_for(symbol, name) == query


def test_an_empty_symbol_is_refused(market, markets):
    assert markets.sentiment(" $ ")["error"]["code"] == "bad_request"
    assert market.asked == []


def test_a_refusal_is_no_opinion(market, markets):
    market.says(posts=Reply({}, 500))
    assert "data" not in markets.sentiment("MILL")
