"""Crossref, the registry of DOIs: ``GET /works?query.bibliographic=``. Shape from its public documentation; not
verified live."""

import re
from dataclasses import dataclass
from urllib.parse import quote

from research.jsontext import Json, JsonObject
from research.web.search.base import MAX_SNIPPET, MAX_TEXT, MAX_TITLE, Hit, usable_url
from research.web.search.client import ask
from research.web.search.reading import cut, inside, items, number, parts_day, plain, text

FIELDS = "DOI,URL,title,abstract,author,container-title,publisher,issued,score,type"
MAX_AUTHORS = 10
HEADING = re.compile(r"<(jats:title|title)>\s*Abstract\s*</\1>", re.IGNORECASE)


@dataclass(frozen=True)
class Crossref:
    """``message.items`` of works: titles and journals are lists, abstracts are JATS, dates are ``date-parts``.

    ``mailto`` is the operator's address, which Crossref asks for and answers faster to.
    """

    base_url: str
    mailto: str
    name: str = "crossref"

    def search(self, query: str, max_results: int, *, seconds: float) -> list[Hit]:
        document = ask(
            self.name,
            f"{self.base_url.rstrip('/')}/works",
            params={
                "query.bibliographic": query,
                "rows": min(max_results, 100),
                "select": FIELDS,
                "mailto": self.mailto,
            },
            seconds=seconds,
        )
        found = [self._hit(item) for item in items(document, "message", "items", provider=self.name)]
        return found[:max_results]

    def _hit(self, item: JsonObject) -> Hit:
        abstract = abstract_text(item.get("abstract"))
        doi = text(item.get("DOI"), 200)
        dates = inside(item, "issued", "date-parts")
        return Hit(
            url=f"https://doi.org/{quote(doi, safe='/():;.')}" if doi else usable_url(item.get("URL")),
            title=plain(_first(item.get("title")), MAX_TITLE),
            snippet=cut(abstract, MAX_SNIPPET),
            text=abstract,
            published=parts_day(_first(dates)),
            score=number(item.get("score")),
            provider=self.name,
            extra={
                "doi": doi,
                "authors": _authors(item),
                "venue": plain(_first(item.get("container-title")), 200),
                "publisher": text(item.get("publisher"), 200),
            },
        )


def abstract_text(value: Json) -> str:
    """An abstract without JATS tags and without the heading that only says "Abstract"."""
    if not isinstance(value, str):
        return ""
    return plain(HEADING.sub(" ", value, count=1), MAX_TEXT).removeprefix("Abstract: ")


def _first(value: Json) -> Json:
    return value[0] if isinstance(value, list) and value else None


def _authors(item: JsonObject) -> list[str]:
    authors = item.get("author")
    listed = authors[:MAX_AUTHORS] if isinstance(authors, list) else []
    return [name for author in listed if (name := _author(author))]


def _author(author: Json) -> str:
    """A person has a given and a family name, an organisation a name."""
    person = f"{text(inside(author, 'given'), 60)} {text(inside(author, 'family'), 60)}".strip()
    return person or text(inside(author, "name"), 120)
