"""How a token is talked about on X within a day."""

import re
from collections.abc import Iterable
from datetime import datetime

from entities.markets.found import Found
from entities.markets.lexicon import METHOD, score
from entities.markets.values import JsonObject, text
from entities.markets.x import Post, X

SHOWN = 3
ENOUGH = 5  # opinions; fewer say nothing about a market
MARGIN = 0.2  # of all opinions, by which one side must be ahead
_BARE = re.compile(r"[\w.]{1,30}")
_SAME = re.compile(r"https?://\S+|[\W_]+")


def sentiment(symbol: str, name: str, x: X, now: datetime) -> Found:
    """``{sentiment, mentionCount, bullishCount, bearishCount, neutralCount, languages, topTweets, method, ...}``.

    ``sentiment`` is bullish, bearish or neutral; unknown with fewer than five opinions. The same text posted again
    counts once, by whomever: ``copies`` says how often that was so.

    Raises:
        SourceFault: X gave no answer.
    """
    posts = x.posts(query_for(symbol, name), now)
    once = list({_SAME.sub(" ", post.text.casefold()): post for post in reversed(posts.found)}.values())
    scores = [score(post.text, post.language) for post in once]
    bullish, bearish = sum(s > 0 for s in scores), sum(s < 0 for s in scores)
    data = {
        "symbol": symbol,
        "sentiment": _verdict(bullish, bearish),
        "mentionCount": len(once),
        "bullishCount": bullish,
        "bearishCount": bearish,
        "neutralCount": len(once) - bullish - bearish,
        "copies": len(posts.found) - len(once),
        "moreMentions": posts.more,
        "languages": _languages(once),
        "topTweets": _top(once),
        "period": "the last 24 hours",
        "method": METHOD,
    }
    return Found(data, ("x",))


def query_for(symbol: str, name: str = "") -> str:
    """A question in X's own language; nothing in the words can add an operator to it."""
    wanted = list(dict.fromkeys(_quoted(word) for word in (symbol, name) if word.strip()))
    return f"({' OR '.join(wanted)}) -is:retweet"


def _quoted(word: str) -> str:
    bare = word.strip().removeprefix("$")
    if _BARE.fullmatch(bare) and bare not in ("OR", "AND", "NOT"):
        return bare
    return '"' + (text(bare.replace('"', " ").replace("\\", " "), 100) or "") + '"'


def _verdict(bullish: int, bearish: int) -> str:
    opinions = bullish + bearish
    if opinions < ENOUGH:
        return "unknown"
    if abs(bullish - bearish) < MARGIN * opinions:
        return "neutral"
    return "bullish" if bullish > bearish else "bearish"


def _languages(posts: Iterable[Post]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for post in posts:
        counted[post.language or "und"] = counted.get(post.language or "und", 0) + 1
    return dict(sorted(counted.items(), key=lambda one: (-one[1], one[0])))


def _top(posts: Iterable[Post]) -> list[JsonObject]:
    best = sorted(posts, key=lambda post: (-(post.engagement or 0), post.id))[:SHOWN]
    return [
        {"author": post.author, "text": post.text[:280], "engagement": post.engagement, "at": post.created_at}
        for post in best
    ]
