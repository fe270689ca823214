"""Perplexity's search (not its chat): ``POST /search``. Shape from its public OpenAPI; not verified live."""

from dataclasses import dataclass, field

from research.jsontext import JsonObject
from research.web.search.base import MAX_SNIPPET, MAX_TEXT, MAX_TITLE, Hit
from research.web.search.client import ask
from research.web.search.reading import day, items, passage, text

PAGE_TOKENS = 512  # of each page: its default sends whole pages


@dataclass(frozen=True)
class Perplexity:
    """``results`` of ``{title, url, snippet, date?, last_updated?}``; the snippet is a passage of the page."""

    base_url: str
    key: str = field(repr=False)
    name: str = "perplexity"

    def search(self, query: str, max_results: int, *, seconds: float) -> list[Hit]:
        document = ask(
            self.name,
            f"{self.base_url.rstrip('/')}/search",
            headers={"Authorization": f"Bearer {self.key}"},
            body={
                "query": query,
                "max_results": min(max_results, 20),
                "max_tokens_per_page": PAGE_TOKENS,
            },
            seconds=seconds,
        )
        found = [self._hit(item) for item in items(document, "results", provider=self.name)]
        return found[:max_results]

    def _hit(self, item: JsonObject) -> Hit:
        return Hit(
            url=item.get("url", ""),
            title=text(item.get("title"), MAX_TITLE),
            snippet=text(item.get("snippet"), MAX_SNIPPET),
            text=passage(item.get("snippet"), MAX_TEXT),
            published=day(item.get("date")) or day(item.get("last_updated")),
            provider=self.name,
        )
