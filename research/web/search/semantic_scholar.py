"""Semantic Scholar: ``GET /paper/search``. Shape from its public documentation; not verified live."""

from dataclasses import dataclass, field
from urllib.parse import quote

from research.jsontext import JsonObject
from research.web.search.base import MAX_SNIPPET, MAX_TEXT, MAX_TITLE, Hit, usable_url
from research.web.search.client import ask
from research.web.search.reading import cut, day, inside, items, plain, text

FIELDS = "title,abstract,year,publicationDate,venue,url,externalIds,openAccessPdf,authors,citationCount"
MAX_AUTHORS = 10


@dataclass(frozen=True)
class SemanticScholar:
    """``data`` of the ``FIELDS`` asked for, each of which may be null. The key is optional: without one all callers of
    the world share a pool that answers 429 much of the time."""

    base_url: str
    key: str = field(default="", repr=False)
    name: str = "semantic_scholar"

    def search(self, query: str, max_results: int, *, seconds: float) -> list[Hit]:
        document = ask(
            self.name,
            f"{self.base_url.rstrip('/')}/paper/search",
            headers={"x-api-key": self.key} if self.key else {},
            params={"query": query, "limit": min(max_results, 100), "fields": FIELDS},
            seconds=seconds,
        )
        found = [self._hit(item) for item in items(document, "data", provider=self.name)]
        return found[:max_results]

    def _hit(self, item: JsonObject) -> Hit:
        abstract = plain(item.get("abstract"), MAX_TEXT)
        doi = text(inside(item, "externalIds", "DOI"), 200)
        year = item.get("year")
        return Hit(
            url=_url(item, doi),
            title=plain(item.get("title"), MAX_TITLE),
            snippet=cut(abstract, MAX_SNIPPET),
            text=abstract,
            published=day(item.get("publicationDate")) or day(str(year) if isinstance(year, int) else None),
            provider=self.name,
            extra={
                "doi": doi,
                "authors": _authors(item),
                "venue": text(item.get("venue"), 200),
                "pdf": usable_url(inside(item, "openAccessPdf", "url")),
            },
        )


def _url(item: JsonObject, doi: str) -> str:
    """The DOI where there is one: it leads to the publisher, the provider's own page is only a record of it."""
    return f"https://doi.org/{quote(doi, safe='/():;.')}" if doi else usable_url(item.get("url"))


def _authors(item: JsonObject) -> list[str]:
    authors = item.get("authors")
    listed = authors[:MAX_AUTHORS] if isinstance(authors, list) else []
    return [name for author in listed if (name := text(inside(author, "name"), 100))]
