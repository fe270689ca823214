"""SearXNG, a metasearch engine one runs oneself: ``GET /search?format=json``. Shape from its public documentation; not
verified live. The instance must allow the format ``json`` (``search.formats``), else it answers 403."""

from dataclasses import dataclass

from common.outside.faults import FaultCode, SourceFault
from research.jsontext import Json
from research.web.search.base import MAX_SNIPPET, MAX_TITLE, Hit
from research.web.search.client import ask
from research.web.search.reading import day, items, number, text


@dataclass(frozen=True)
class Searxng:
    """``results`` of ``{url, title, content, score, publishedDate?, engines}``. It knows no limit of results. Where
    the engines behind it did not answer (``unresponsive_engines``), no result is not the same as nothing found."""

    base_url: str
    name: str = "searxng"

    def search(self, query: str, max_results: int, *, seconds: float) -> list[Hit]:
        document = ask(
            self.name,
            f"{self.base_url.rstrip('/')}/search",
            params={"q": query, "format": "json"},
            refine=_refine,
            seconds=seconds,
        )
        found = [
            Hit(
                url=item.get("url", ""),
                title=text(item.get("title"), MAX_TITLE),
                snippet=text(item.get("content"), MAX_SNIPPET),
                published=day(item.get("publishedDate")),
                score=number(item.get("score")),
                provider=self.name,
            )
            for item in items(document, "results", provider=self.name)
        ]
        if not found and document.get("unresponsive_engines"):
            raise SourceFault(self.name, "server_error", "had no answer from the engines behind it")
        return found[:max_results]


def _refine(status: int, document: Json) -> FaultCode | None:
    """There is no key: 403 says that the format is switched off."""
    return "refused" if status == 403 else None
