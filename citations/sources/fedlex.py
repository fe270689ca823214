"""Federal acts from Fedlex (SPARQL, the JOLux ontology): which version is in force, the text of one article of it, its
articles, its dates, acts by words of their titles, and the acts that cite or change it.

The text is read from the HTML of the consolidation, where each article is ``<article id="art_N">``. An article that is
not there is reported as such only when the page holds articles at all.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from citations.sources import fedlex_queries as queries
from citations.sources.client import open_client
from citations.sources.kept import Kept
from citations.statutes.acts import Act, ActTable, built_in
from common.outside.client import TRAFFIC, Traffic
from common.outside.faults import SourceFault
from common.outside.pace import Rate

NAME = "fedlex"
HOST = "https://fedlex.data.admin.ch"
SITE = "https://www.fedlex.admin.ch"
RATE = Rate(5, 5)
DAY = 24 * 3_600.0
MAX_TEXT = 20_000
_LANGUAGES = {"de": "DEU", "fr": "FRA", "it": "ITA", "en": "ENG"}
_NUMBER = re.compile(r"\d[\d.]{0,30}")
_ARTICLE = re.compile(r"\d{1,4}[a-z]{0,3}(?:bis|ter|quater|quinquies|sexies|septies|octies)?")
_ANCHOR = re.compile(r"art_(\d{1,4}(?:_[a-z]{1,8}){0,2})")
_LABEL = re.compile(r"^Art\.? ?\d+ ?[a-z]{0,8} ?")
_PARAGRAPH = re.compile(
    r"(?P<name>(?P<number>\d{1,2})(?P<more>bis|ter|quater|quinquies|sexies)?)"
    r"(?: ?(?:und|et|e|[-–]) ?(?P<last>\d{1,2}))?[ \xa0]+(?=\S)"
)
_BLOCKS = ("h6", "p", "dt", "dd")
_WORD = re.compile(r"\w{2,40}")
_SUFFIX = re.compile(r"(\d+)([a-z]*?)(bis|ter|quater|quinquies|sexies|septies|octies)?$")
MOST_ARTICLES, MOST_RELATED = 2_500, 100


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

    @property
    def in_force_since(self) -> date | None:
        return self.version.in_force_since


@dataclass(frozen=True, slots=True)
class ActEntry:
    """An act of the compilation without its text. ``how`` says how it is related to another, ``versions`` how often it
    was consolidated until today, the last time on ``latest``."""

    number: str
    title: str
    abbreviation: str
    url: str
    in_force_since: date | None = None
    in_force_until: date | None = None
    adopted: date | None = None
    latest: date | None = None
    versions: int = 0
    how: str = ""


@dataclass(frozen=True, slots=True)
class Acts:
    """Acts of one answer, each once. It is not ``complete`` when there may be more than were asked for."""

    acts: tuple[ActEntry, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Heading:
    """An article of an act: its number and, where it has one, its heading."""

    number: str
    heading: str


class Fedlex:
    """Acts and articles are kept for a day in the memory of the process."""

    def __init__(self, base_url: str, *, traffic: Traffic = TRAFFIC, rate: Rate = RATE) -> None:
        self._base = base_url.rstrip("/")
        self._client = open_client(NAME, base_url, rate, traffic, attempt=30.0)
        self._versions: Kept[Version | None] = Kept(DAY, 300, traffic.clock)
        self._articles: Kept[Article | None] = Kept(DAY, 500, traffic.clock)
        self._pages: Kept[bytes] = Kept(DAY, 5, traffic.clock)
        self._lists: Kept[Acts] = Kept(DAY, 200, traffic.clock)

    def version(
        self, act: str, *, language: str, today: date, acts: ActTable | None = None
    ) -> Version | None:
        """The version in force of an act, named by SR number or abbreviation; None when Fedlex knows none.

        Raises:
            SourceFault: it could not be asked.
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
            SourceFault: it could not be asked, or its page holds no articles.
            ValueError: the act or the article is not one by its form.
        """
        if not _ARTICLE.fullmatch(article):
            raise ValueError(f"{article[:20]!r} is not the number of an article")
        version = self.version(act, language=language, today=today, acts=acts)
        if version is None:
            return None
        return self._articles.get((version.file, article), lambda: self._ask_article(version, article))

    def headings(
        self, act: str, *, language: str, today: date, acts: ActTable | None = None
    ) -> tuple[Version, tuple[Heading, ...]] | None:
        """The articles of an act as in force today, in their order; None when Fedlex knows no such act.

        Raises SourceFault and ValueError as ``version``.
        """
        version = self.version(act, language=language, today=today, acts=acts)
        if version is None:
            return None
        return version, headings_of(self._pages.get(version.file, lambda: self._page(version.file)))

    def search(self, words: str, *, language: str, today: date, limit: int = 10) -> Acts:
        """Acts in force whose title or abbreviation holds all words, short titles first. Raises SourceFault."""
        wanted = [word.lower() for word in _WORD.findall(words)][:8]
        if not wanted:
            return Acts()
        held = " && ".join(queries.WORD % word for word in wanted)
        found = self._asked(queries.SEARCH, language, today, words=held, limit=4 * limit)
        return Acts(found.acts[:limit], found.complete and len(found.acts) <= limit)

    def metadata(
        self, act: str, *, language: str, today: date, acts: ActTable | None = None
    ) -> ActEntry | None:
        """Title and dates of an act; None when Fedlex knows no such act. Raises as ``version``."""
        number, known = number_of(act, acts or built_in())
        found = self._asked(queries.METADATA, language, today, number=number, limit=5).acts
        spoken = language if language in ("de", "fr", "it") else "de"
        short = known.abbreviation(spoken) if known else ""  # type: ignore[arg-type]
        return (
            replace(found[0], number=number, abbreviation=found[0].abbreviation or short) if found else None
        )

    def related(self, act: str, *, language: str, today: date, acts: ActTable | None = None) -> Acts:
        """Acts that cite it, that it cites, and those that changed it. Raises as ``version``."""
        number, _ = number_of(act, acts or built_in())
        return self._asked(queries.RELATED, language, today, number=number, limit=3 * MOST_RELATED)

    def _asked(self, query: str, language: str, today: date, *, limit: int, **filled: Any) -> Acts:
        """In the order of the answer; an act may be filed under several numbers."""
        more = {"language": _LANGUAGES[language], "today": today.isoformat(), "limit": limit}
        written = query % {**filled, **more}

        def ask() -> Acts:
            rows = self._sparql(written)
            return Acts(_entries(rows, language), len(rows) < limit)

        return self._lists.get(written, ask)

    def _sparql(self, query: str) -> list[dict[str, str]]:
        headers = {"Accept": "application/sparql-results+json"}
        return _rows(self._client.object("sparqlendpoint", form={"query": query}, headers=headers))

    def _ask_version(self, number: str, known: Act | None, language: str, today: date) -> Version | None:
        query = queries.VERSION % {
            "number": number,
            "today": today.isoformat(),
            "language": _LANGUAGES[language],
        }
        rows = [row for row in self._sparql(query) if {"work", "date", "file"} <= set(row)]
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
            raise SourceFault(NAME, "unreadable", "names a file on another host")
        path = file.removeprefix(HOST).removeprefix(self._base)
        return self._client.reply(path, headers={"Accept": "text/html"}).body


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
    """The text of an article of a page; None when the page has others. Raises SourceFault when it has none."""
    found = next((one for one in _articles(page) if one.get("id") == anchor(article)), None)
    if found is None:
        return None
    for note in found.xpath(".//*[contains(@class, 'footnotes')] | .//sup[a]"):
        note.drop_tree()
    return "\n".join(_lines(found))[:MAX_TEXT]


def _lines(article: Any) -> Iterator[str]:
    """Heading, paragraphs and items of lists. An item has its mark before it: one that begins with a number, as
    ``2 Monate``, would else look like the paragraph of that number."""
    mark = ""
    for block in article.xpath(".//h6 | .//p | .//dt | .//dd") or [article]:
        own = (text for text in block.xpath(".//text()") if _block_of(text, article) in (block, article))
        line = " ".join("".join(own).split())
        if block.tag == "dt":
            mark = f"{mark} {line}".strip()
        elif line:
            yield f"{mark} {line}".strip()
            mark = ""
    if mark:
        yield mark


def _block_of(text: Any, article: Any) -> Any:
    """The element that a text is a line of: the next around it that is one. Its tail stands behind an element."""
    one = text.getparent().getparent() if text.is_tail else text.getparent()
    while one is not article and one.tag not in _BLOCKS:
        one = one.getparent()
    return one


def headings_of(page: bytes) -> tuple[Heading, ...]:
    """The articles of a page. Raises SourceFault when it has none."""
    found: list[Heading] = []
    for one in _articles(page):
        parts = _ANCHOR.fullmatch(one.get("id"))
        if parts and len(found) < MOST_ARTICLES:
            for note in one.xpath(".//h6//sup[a]"):
                note.drop_tree()
            heading = " ".join(" ".join(each.text_content() for each in one.xpath(".//h6")[:1]).split())
            number = parts[1].replace("_", "")
            found.append(Heading(number, _LABEL.sub("", heading)[:300]))
    return tuple(found)


def paragraph_of(text: str, paragraph: str) -> str | None:
    """A paragraph of an article with what belongs to it; None where the text does not show where it begins."""
    lines = text.split("\n")
    begins = dict(_paragraphs(lines))
    if paragraph not in begins:
        return None
    start = begins[paragraph]
    end = min((at for at in begins.values() if at > start), default=len(lines))
    return "\n".join(lines[start:end])


def _paragraphs(lines: list[str]) -> Iterator[tuple[str, int]]:
    """Where each begins. They are counted: a number that is not next, as of ``30 Tage`` in a list, begins none."""
    before = 0
    for at, line in enumerate(lines):
        found = _PARAGRAPH.match(line)
        if found and int(found["number"]) == before + (not found["more"]):
            before = int(found["last"] or found["number"])
            yield found["name"], at


def _articles(page: bytes) -> list[Any]:
    """Raises SourceFault."""
    import lxml.html  # heavy, and a process that verifies nothing does without

    try:
        tree = lxml.html.document_fromstring(page, parser=lxml.html.HTMLParser(encoding="utf-8"))
    except (ValueError, lxml.etree.LxmlError):
        raise SourceFault(NAME, "unreadable", "gave a page that cannot be read") from None
    articles: list[Any] = tree.xpath("//article[starts-with(@id, 'art_')]")
    if not articles:
        raise SourceFault(NAME, "unreadable", "gave a page without articles")
    return articles


def _version(row: dict[str, str], number: str, known: Act | None, language: str) -> Version:
    path = row["work"].removeprefix(HOST) if row["work"].startswith(f"{HOST}/eli/") else ""
    spoken = language if language in ("de", "fr", "it") else "de"
    short = row.get("short", "") or (known.abbreviation(spoken) if known else "")  # type: ignore[arg-type]
    return Version(
        number,
        row.get("title", "")[:500],
        short[:80],
        language,
        _day(row["date"]),
        f"{SITE}{path}/{language}",
        row["file"],
    )


def _rows(answer: dict[str, Any]) -> list[dict[str, str]]:
    results = answer.get("results")
    bindings = results.get("bindings") if isinstance(results, dict) else None
    if not isinstance(bindings, list):
        raise SourceFault(NAME, "unreadable", "gave an answer without bindings")
    rows = [
        {name: str(cell["value"]) for name, cell in row.items() if isinstance(cell, dict) and "value" in cell}
        for row in bindings
        if isinstance(row, dict)
    ]
    return [row for row in rows if row]


def _entries(rows: list[dict[str, str]], language: str) -> tuple[ActEntry, ...]:
    found: dict[tuple[str, str], ActEntry] = {}
    for row in rows:
        name = row.get("other") or row.get("work", "")
        if name.startswith(f"{HOST}/"):
            found.setdefault((row.get("how", ""), name), _entry(row, name, language))
    return tuple(found.values())


def _entry(row: dict[str, str], name: str, language: str) -> ActEntry:
    return ActEntry(
        number=(row.get("number") or row.get("sr", ""))[:40],
        title=" ".join(row.get("title", "").split())[:500],
        abbreviation=row.get("short", "")[:80],
        url=f"{SITE}{name.removeprefix(HOST)}/{language}",
        in_force_since=_day(row.get("since", "")),
        in_force_until=_day(row.get("until", "")),
        adopted=_day(row.get("document", "")),
        latest=_day(row.get("latest", "")),
        versions=int(row["versions"]) if row.get("versions", "").isdigit() else 0,
        how=row.get("how", "")[:20],
    )


def _day(written: str) -> date | None:
    try:
        return date.fromisoformat(written[:10])
    except ValueError:
        return None
