"""X: posts of the last day. Two kinds of 429 are told apart: the window's, and the month's quota."""

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from common.outside.client import Client, fault_of, json_or_none
from common.outside.exchange import Reply
from common.outside.faults import SourceFault
from entities.markets.values import Json, JsonObject, count, exact_json, inner, items, text

PAGE = 100  # the most that the API gives at once; every post counts against a monthly quota
MAX_TEXT = 1_000
SPENT = ("usagecapexceeded", "usage-capped", "spendcap", "spend-cap", "creditsdepleted", "credits-depleted")
_LANGUAGE = re.compile(r"[a-z]{2,3}")


@dataclass(frozen=True)
class Post:
    """``language`` is X's own guess, empty when it has none; ``engagement`` counts likes and reposts."""

    id: str
    text: str
    language: str = ""
    author: str | None = None
    engagement: int | None = None
    created_at: str | None = None


@dataclass(frozen=True)
class Posts:
    """Newest first, ``more`` when there are others that were not asked for."""

    found: list[Post] = field(default_factory=list)
    more: bool = False


def refine_x(reply: Reply) -> SourceFault | None:
    """429, 402 and 403 of a quota that is used up: waiting minutes is of no use. Else the window's reset is told."""
    if reply.status in {402, 403, 429} and _is_spent(json_or_none(reply)):
        return fault_of("x", "quota", reply)
    if reply.status == 429:
        return fault_of("x", "rate_limited", reply, _until_reset(reply.headers))
    return None


def _is_spent(document: Json) -> bool:
    said = document if isinstance(document, dict) else {}
    told = [said, *items(said.get("errors"))]
    words = [str(one.get(name, "")).lower() for one in told for name in ("title", "type", "reason")]
    return any(sign in word for sign in SPENT for word in words)


def _until_reset(headers: Mapping[str, str]) -> float | None:
    moment = headers.get("x-rate-limit-reset", "")
    if not (moment.isascii() and moment.isdigit() and len(moment) <= 11):
        return None
    return max(1.0, float(moment) - time.time())


class X:
    """Asks one address; nothing is kept between questions."""

    def __init__(self, source: Client) -> None:
        self.source = source

    def posts(self, query: str, now: datetime) -> Posts:
        """Posts of the 24 hours before ``now``. No hits are an empty list: then the API sends no ``data`` at all.

        Raises:
            SourceFault: no answer.
        """
        since = now.astimezone(UTC) - timedelta(hours=24)
        asked: dict[str, str | int] = {
            "query": query,
            "max_results": PAGE,
            "start_time": since.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "tweet.fields": "created_at,public_metrics,lang",
            "expansions": "author_id",
            "user.fields": "username",
        }
        document = self.source.ask("/2/tweets/search/recent", read=exact_json, params=asked)
        if not isinstance(document, dict) or not _is_answer(document):
            raise SourceFault("x", "unreadable", "gave an answer that cannot be read", status=200)
        names = {
            str(user.get("id")): user.get("username")
            for user in items(inner(document, "includes").get("users"))
        }
        read = [_post(item, names) for item in items(document.get("data"))]
        posts = {post.id: post for post in read if post is not None}
        recent = [post for post in posts.values() if _is_since(post, since)]
        return Posts(recent, more=isinstance(inner(document, "meta").get("next_token"), str))


def _is_answer(document: JsonObject) -> bool:
    """With hits a list, without them a ``meta`` that says so."""
    if "data" in document:
        return isinstance(document["data"], list)
    return count(inner(document, "meta").get("result_count")) == 0


def _post(item: JsonObject, names: Mapping[str, Json]) -> Post | None:
    key, said = text(item.get("id"), 30), text(item.get("text"), MAX_TEXT)
    if key is None or said is None:
        return None
    metrics, language = inner(item, "public_metrics"), item.get("lang")
    counted = [count(metrics.get(name)) for name in ("like_count", "retweet_count")]
    known = [number for number in counted if number is not None]
    return Post(
        key,
        said,
        language if isinstance(language, str) and _LANGUAGE.fullmatch(language) else "",
        text(names.get(str(item.get("author_id"))), 50),
        sum(known) if known else None,
        text(item.get("created_at"), 40),
    )


def _is_since(post: Post, since: datetime) -> bool:
    """A post whose time cannot be read is kept: the source was asked for recent ones."""
    try:
        moment = datetime.fromisoformat(post.created_at or "")
    except ValueError:
        return True
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) >= since
