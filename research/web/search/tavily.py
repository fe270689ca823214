"""Tavily: ``POST /search``. Shape from its public documentation and client; not verified live."""

from dataclasses import dataclass, field

from common.outside.faults import FaultCode
from research.jsontext import Json
from research.web.search.base import MAX_SNIPPET, MAX_TEXT, MAX_TITLE, Hit
from research.web.search.client import ask
from research.web.search.reading import day, items, number, passage, text


@dataclass(frozen=True)
class Tavily:
    """``results`` of ``{title, url, content, score, raw_content?, published_date?}``; ``content`` is made for models.

    The whole page (``raw_content``) is not asked for: what is quoted must have been fetched by us.
    """

    base_url: str
    key: str = field(repr=False)
    name: str = "tavily"

    def search(self, query: str, max_results: int, *, seconds: float) -> list[Hit]:
        document = ask(
            self.name,
            f"{self.base_url.rstrip('/')}/search",
            headers={"Authorization": f"Bearer {self.key}"},
            body={"query": query, "max_results": min(max_results, 20), "search_depth": "basic"},
            refine=_refine,
            seconds=seconds,
        )
        found = [
            Hit(
                url=item.get("url", ""),
                title=text(item.get("title"), MAX_TITLE),
                snippet=text(item.get("content"), MAX_SNIPPET),
                text=passage(item.get("raw_content"), MAX_TEXT),
                published=day(item.get("published_date")),
                score=number(item.get("score")),
                provider=self.name,
            )
            for item in items(document, "results", provider=self.name)
        ]
        return found[:max_results]


def _refine(status: int, document: Json) -> FaultCode | None:
    """432: the plan's limit is reached; 433: the pay-as-you-go limit is."""
    return "quota" if status in {432, 433} else None
