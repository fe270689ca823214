"""Federal acts from Fedlex: which version is in force (SPARQL, the JOLux ontology), and the text of one article of it.

The text is read from the HTML of the consolidation, where each article is ``<article id="art_N">``. An article that is
not there is reported as such only when the page holds articles at all.
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Any

from citations.sources.asking import Asker, Time
from citations.sources.faults import SourceUnavailable
from citations.sources.kept import Kept
from citations.statutes.acts import Act, ActTable, built_in
from common.outside.limits import Rate

NAME = "fedlex"
HOST = "https://fedlex.data.admin.ch"
SITE = "https://www.fedlex.admin.ch"
RATE = Rate(1, 5)
DAY = 24 * 3_600.0
MAX_TEXT = 20_000
_LANGUAGES = {"de": "DEU", "fr": "FRA", "it": "ITA", "en": "ENG"}
_NUMBER = re.compile(r"\d[\d.]{0,30}")
_ARTICLE = re.compile(r"\d{1,4}[a-z]{0,3}(?:bis|ter|quater|quinquies|sexies|septies|octies)?")
_SUFFIX = re.compile(r"(\d+)([a-z]*?)(bis|ter|quater|quinquies|sexies|septies|octies)?$")
_QUERY = """
PREFIX jolux: <http://data.legilux.public.lu/resource/ontology/jolux#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
SELECT ?work ?date ?title ?short ?file WHERE {
  ?work a jolux:ConsolidationAbstract ; jolux:classifiedByTaxonomyEntry/skos:notation ?sr .
  FILTER(str(?sr) = "%(number)s")
  ?version jolux:isMemberOf ?work ; jolux:dateApplicability ?date ; jolux:isRealizedBy ?text .
  FILTER(?date <= "%(today)s"^^xsd:date)
  ?text jolux:language <http://publications.europa.eu/resource/authority/language/%(language)s> ;
        jolux:isEmbodiedBy ?form .
  ?form jolux:userFormat <https://fedlex.data.admin.ch/vocabulary/user-format/html> ; jolux:isExemplifiedBy ?file .
  OPTIONAL {
    ?work jolux:isRealizedBy ?name .
    ?name jolux:language <http://publications.europa.eu/resource/authority/language/%(language)s> ;
          jolux:title ?title .
    OPTIONAL { ?name jolux:titleShort ?short }
  }
} ORDER BY DESC(?date) LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Version:
    """The version of an act that is in force: since when, and where it is read by people and by us."""

    number: str
    title: str
    abbreviation: str
    language: str
    in_force_since: date | None
    url: str
    file: str


@dataclass(frozen=True, slots=True)
class Article:
    """``text`` without markup, a line for each block."""

    version: Version
    number: str
    text: str
    url: str


class Fedlex:
    """Acts and articles are kept for a day in the memory of the process."""

    def __init__(self, base_url: str, *, times: Time | None = None, rate: Rate = RATE) -> None:
        times = times or Time()
        self._base = base_url.rstrip("/")
        self._asker = Asker(NAME, base_url, rate=rate, seconds=30.0, times=times)
        self._versions: Kept[Version | None] = Kept(DAY, 300, times.clock)
        self._articles: Kept[Article | None] = Kept(DAY, 500, times.clock)
        self._pages: Kept[bytes] = Kept(DAY, 5, times.clock)

    def version(
        self, act: str, *, language: str, today: date, acts: ActTable | None = None
    ) -> Version | None:
        """The version in force of an act, named by SR number or abbreviation; None when Fedlex knows none.

        Raises:
            SourceUnavailable: it could not be asked.
            ValueError: neither a number nor an abbreviation that any table has.
        """
        number, known = number_of(act, acts or built_in())
        key = (number, language, today)
        return self._versions.get(key, lambda: self._ask_version(number, known, language, today))

    def article(
        self, act: str, article: str, *, language: str, today: date, acts: ActTable | None = None
    ) -> Article | None:
        """The text of ``97`` or ``336c`` as in force today; None when the act, or its text, has no such article.

        Raises:
            SourceUnavailable: it could not be asked, or its page holds no articles.
            ValueError: the act or the article is not one by its form.
        """
        if not _ARTICLE.fullmatch(article):
            raise ValueError(f"{article[:20]!r} is not the number of an article")
        version = self.version(act, language=language, today=today, acts=acts)
        if version is None:
            return None
        return self._articles.get((version.file, article), lambda: self._ask_article(version, article))

    def _ask_version(self, number: str, known: Act | None, language: str, today: date) -> Version | None:
        query = _QUERY % {"number": number, "today": today.isoformat(), "language": _LANGUAGES[language]}
        headers = {"Accept": "application/sparql-results+json"}
        answer = self._asker.json("sparqlendpoint", form={"query": query}, headers=headers)
        rows = _rows(answer)
        return _version(rows[0], number, known, language) if rows else None

    def _ask_article(self, version: Version, article: str) -> Article | None:
        page = self._pages.get(version.file, lambda: self._page(version.file))
        text = article_text(page, article)
        if text is None:
            return None
        return Article(version, article, text, f"{version.url}#{anchor(article)}")

    def _page(self, file: str) -> bytes:
        """Only from the source itself: the address comes out of an answer."""
        if not file.startswith((f"{HOST}/", f"{self._base}/")):
            raise SourceUnavailable(NAME, "unreadable", f"{NAME} names a file on another host.")
        path = file.removeprefix(HOST).removeprefix(self._base)
        return self._asker.ask(path, headers={"Accept": "text/html"}).body


def number_of(act: str, acts: ActTable) -> tuple[str, Act | None]:
    """The SR number of an act, and the act where a table has it. Raises ValueError."""
    name = act.strip().removeprefix("SR ").removeprefix("RS ")
    readings = acts.find(name)
    known = acts.named(name) or (readings[0] if len(readings) == 1 else None)
    if known is not None:
        return known.number, known
    if _NUMBER.fullmatch(name):
        return name, next((one for one in acts.acts if one.number == name), None)
    raise ValueError(
        f"{act[:40]!r} is neither a number of the classified compilation nor a known abbreviation"
    )


def anchor(article: str) -> str:
    """``art_336_c`` for 336c, ``art_305_bis`` for 305bis."""
    found = _SUFFIX.match(article)
    return "art_" + "_".join(part for part in (found.groups() if found else (article,)) if part)


def article_text(page: bytes, article: str) -> str | None:
    """The text of an article of a page; None when the page has others. Raises SourceUnavailable when it has none."""
    import lxml.html  # heavy, and a process that verifies nothing does without

    try:
        tree = lxml.html.document_fromstring(page, parser=lxml.html.HTMLParser(encoding="utf-8"))
    except (ValueError, lxml.etree.LxmlError):
        raise SourceUnavailable(NAME, "unreadable", f"{NAME} gave a page that cannot be read.") from None
    articles = tree.xpath("//article[starts-with(@id, 'art_')]")
    if not articles:
        raise SourceUnavailable(NAME, "unreadable", f"{NAME} gave a page without articles.")
    found = next((one for one in articles if one.get("id") == anchor(article)), None)
    if found is None:
        return None
    for note in found.xpath(".//*[contains(@class, 'footnotes')] | .//sup[a]"):
        note.drop_tree()
    blocks = found.xpath(".//h6 | .//p | .//dt | .//dd[not(.//p)]") or [found]
    lines = (" ".join(block.text_content().split()) for block in blocks)
    return "\n".join(filter(None, lines))[:MAX_TEXT]


def _version(row: dict[str, str], number: str, known: Act | None, language: str) -> Version:
    path = row["work"].removeprefix(HOST) if row["work"].startswith(f"{HOST}/eli/") else ""
    spoken = language if language in ("de", "fr", "it") else "de"
    short = row.get("short", "") or (known.abbreviation(spoken) if known else "")  # type: ignore[arg-type]
    try:
        since = date.fromisoformat(row["date"][:10])
    except ValueError:
        since = None
    return Version(
        number,
        row.get("title", "")[:500],
        short[:80],
        language,
        since,
        f"{SITE}{path}/{language}",
        row["file"],
    )


def _rows(answer: dict[str, Any]) -> list[dict[str, str]]:
    results = answer.get("results")
    bindings = results.get("bindings") if isinstance(results, dict) else None
    if not isinstance(bindings, list):
        raise SourceUnavailable(NAME, "unreadable", f"{NAME} gave an answer without bindings.")
    rows = [
        {name: str(cell["value"]) for name, cell in row.items() if isinstance(cell, dict) and "value" in cell}
        for row in bindings
        if isinstance(row, dict)
    ]
    return [row for row in rows if {"work", "date", "file"} <= set(row)]
