"""Google's Custom Search JSON API: ``GET /customsearch/v1``. Shape from its public documentation; not verified live.

Google has closed it to new customers and announced its end for 1 January 2027.
"""

from dataclasses import dataclass, field

from common.outside.faults import FaultCode
from research.jsontext import Json, JsonObject
from research.web.search.base import MAX_SNIPPET, MAX_TITLE, Hit
from research.web.search.client import ask
from research.web.search.reading import day, inside, items, text

MAX_RESULTS = 10  # of one question
DATES = ("article:published_time", "datepublished", "date", "dc.date", "og:updated_time")


@dataclass(frozen=True)
class Google:
    """``items`` of ``{title, link, snippet, pagemap?: {metatags: [{...}]}}``; the key goes into a header, which
    Google's system parameters allow, instead of the address."""

    base_url: str
    key: str = field(repr=False)
    engine: str  # cx, the id of the programmable search engine
    name: str = "google"

    def search(self, query: str, max_results: int, *, seconds: float) -> list[Hit]:
        document = ask(
            self.name,
            f"{self.base_url.rstrip('/')}/customsearch/v1",
            headers={"X-Goog-Api-Key": self.key},
            params={"cx": self.engine, "q": query, "num": min(max_results, MAX_RESULTS)},
            refine=_refine,
            seconds=seconds,
        )
        found = [
            Hit(
                url=item.get("link", ""),
                title=text(item.get("title"), MAX_TITLE),
                snippet=text(item.get("snippet"), MAX_SNIPPET),
                published=_published(item),
                provider=self.name,
            )
            for item in items(document, "items", provider=self.name)
        ]
        return found[:max_results]


def _published(item: JsonObject) -> str:
    tags = inside(item, "pagemap", "metatags")
    first = tags[0] if isinstance(tags, list) and tags else None
    return next((found for name in DATES if (found := day(inside(first, name)))), "")


def _refine(status: int, document: Json) -> FaultCode | None:
    """Google's ``error.errors[0].reason``: limits come as 403 or 429, a wrong key as 400."""
    errors = inside(document, "error", "errors")
    reason = inside(errors[0], "reason") if isinstance(errors, list) and errors else None
    if reason in {"rateLimitExceeded", "userRateLimitExceeded"}:
        return "quota" if "per day" in str(inside(document, "error", "message")) else "rate_limited"
    if reason in {"dailyLimitExceeded", "quotaExceeded", "limitExceeded"}:
        return "quota"
    if reason == "keyInvalid" or "API key" in str(inside(document, "error", "message")):
        return "denied"
    return None
