"""OpenAlex: ``GET /works?search=``. Shape from its public documentation; not verified live.

Since February 2026 a key (free) is needed for more than a few questions a day. The documentation names a query
parameter for it; pyalex, its usual client, sends a bearer token, which keeps the key out of addresses, as we do.
"""

from dataclasses import dataclass, field

from common.outside.faults import FaultCode
from research.jsontext import Json, JsonObject
from research.web.search.base import MAX_SNIPPET, MAX_TEXT, MAX_TITLE, Hit, usable_url
from research.web.search.client import ask
from research.web.search.reading import cut, day, inside, items, number, plain, text

FIELDS = "id,doi,display_name,publication_date,primary_location,best_oa_location,authorships,abstract_inverted_index"
MAX_WORDS, MAX_WORD = 5_000, 100
MAX_AUTHORS = 10


@dataclass(frozen=True)
class OpenAlex:
    """``results`` of works; an abstract comes as the positions of its words (``abstract_inverted_index``)."""

    base_url: str
    key: str = field(default="", repr=False)
    name: str = "openalex"

    def search(self, query: str, max_results: int, *, seconds: float) -> list[Hit]:
        document = ask(
            self.name,
            f"{self.base_url.rstrip('/')}/works",
            headers={"Authorization": f"Bearer {self.key}"} if self.key else {},
            params={"search": query, "per_page": min(max_results, 100), "select": FIELDS},
            refine=_refine,
            seconds=seconds,
        )
        found = [self._hit(item) for item in items(document, "results", provider=self.name)]
        return found[:max_results]

    def _hit(self, item: JsonObject) -> Hit:
        abstract = plain(abstract_text(item.get("abstract_inverted_index")), MAX_TEXT)
        return Hit(
            url=_url(item),
            title=plain(item.get("display_name") or item.get("title"), MAX_TITLE),
            snippet=cut(abstract, MAX_SNIPPET),
            text=abstract,
            published=day(item.get("publication_date")),
            score=number(item.get("relevance_score")),
            provider=self.name,
            extra={
                "doi": text(item.get("doi"), 200).removeprefix("https://doi.org/"),
                "authors": _authors(item),
                "venue": text(inside(item, "primary_location", "source", "display_name"), 200),
                "pdf": usable_url(inside(item, "best_oa_location", "pdf_url")),
            },
        )


def abstract_text(index: Json) -> str:
    """The words of an inverted index in their order; empty for anything else. Positions may have gaps."""
    if not isinstance(index, dict):
        return ""
    placed = {
        place: word[:MAX_WORD]
        for word, places in index.items()
        if isinstance(places, list)
        for place in places
        if type(place) is int and 0 <= place < MAX_WORDS
    }
    return " ".join(placed[place] for place in sorted(placed))


def _url(item: JsonObject) -> str:
    places = (
        item.get("doi"),
        inside(item, "primary_location", "landing_page_url"),
        item.get("id"),
    )
    return next((found for place in places if (found := usable_url(place))), "")


def _authors(item: JsonObject) -> list[str]:
    authors = item.get("authorships")
    listed = authors[:MAX_AUTHORS] if isinstance(authors, list) else []
    return [name for each in listed if (name := text(inside(each, "author", "display_name"), 100))]


def _refine(status: int, document: Json) -> FaultCode | None:
    """403 is its word for going too fast, 429 for the day's allowance."""
    said = f"{inside(document, 'error')} {inside(document, 'message')}".lower()
    if status == 403 and "rate limit" in said:
        return "rate_limited"
    return "quota" if status == 429 and ("daily" in said or "budget" in said or "credits" in said) else None
