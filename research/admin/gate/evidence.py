"""Checks and sources, put beside the rows they speak of."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from research.admin.documents import document_url
from research.admin.gate.changes import field_id
from research.admin.gate.quotes import QuoteNote
from research.checks.verdict import WORST_FIRST, CheckLike
from research.models import Source
from research.review.rows import Row

WORDS = {"fail": "failed", "warn": "warning", "unknown": "unknown", "pass": "passed"}
MAX_SUGGESTIONS = 4
_LEI = re.compile(r"\b[A-Z0-9]{18}[0-9]{2}\b")


@dataclass
class Badges:
    """The checks of one row: what needs a look in full, what passed, and the quotes it rests on."""

    problems: list[CheckLike] = field(default_factory=list)
    passes: list[CheckLike] = field(default_factory=list)
    quotes: list[QuoteNote] = field(default_factory=list)

    def add(self, check: CheckLike) -> None:
        if check.kind == "quote":
            self.quotes.append(QuoteNote(check))
        else:
            (self.passes if check.verdict == "pass" else self.problems).append(check)

    def count(self, verdict: str) -> int:
        """How many checks and quotes that are no pass have one verdict."""
        return self._verdicts[verdict] if verdict != "pass" else 0

    @cached_property
    def _verdicts(self) -> Counter[str]:
        checks = [check.verdict for check in (*self.problems, *self.passes)]
        return Counter([*checks, *(quote.verdict for quote in self.quotes)])

    @property
    def troubled(self) -> bool:
        """Whether something needs a look."""
        return self.worst not in ("", "pass")

    @property
    def suggestions(self) -> list[tuple[str, str]]:
        """LEIs that were perhaps meant, as (LEI, name): successors, and what the spelling is close to."""
        found = [pair for check in self.problems for pair in _suggested(check)]
        return list(dict(found).items())[:MAX_SUGGESTIONS]

    @property
    def worst(self) -> str:
        """fail, warn, unknown, pass, or nothing."""
        return next((word for word in WORST_FIRST if self._verdicts[word]), "")


@dataclass(frozen=True)
class Total:
    """How many checks have one verdict, and what part of all that is, for the bar: start and width in percent."""

    verdict: str
    count: int
    start: float
    width: float

    @property
    def word(self) -> str:
        plural = self.verdict == "warn" and self.count != 1
        return f"{WORDS[self.verdict]}s" if plural else WORDS[self.verdict]

    @property
    def filter(self) -> str:
        """The id of the filter that shows the rows with this verdict."""
        filters = {"fail": "show-failed", "pass": "show-all"}
        return filters.get(self.verdict, "show-problems")


def _suggested(check: CheckLike) -> Iterator[tuple[str, str]]:
    chain = (
        check.evidence.get("seen") if check.code == "successor" and not check.evidence.get("loop") else None
    )
    if isinstance(chain, list):
        yield from ((lei, "the successor") for lei in chain[-1:] if lei)
    for one in check.evidence.get("suggestions") or ():
        yield one["lei"], one.get("name", "")


def totals(checks: Iterable[CheckLike]) -> list[Total]:
    """Counts by verdict, the worst first."""
    counts = Counter(check.verdict for check in checks)
    whole = sum(counts.values()) or 1
    found, start = [], 0.0
    for verdict in WORST_FIRST:
        width = 100 * counts[verdict] / whole
        found.append(Total(verdict, counts[verdict], round(start, 2), round(width, 2)))
        start += width
    return found


def badges(checks: Iterable[CheckLike], rows: Sequence[Row], places: Mapping[str, str]) -> dict[str, Badges]:
    """Badges by row pointer. A check of a place without a row stands at the nearest row above it, last at ""."""
    row_at = {place: pointer for pointer, place in places.items()}
    shown = {row.pointer for row in rows}
    found: dict[str, Badges] = {}
    for check in checks:
        place = check.pointer
        while place and row_at.get(place) not in shown:
            place = place.rpartition("/")[0]
        found.setdefault(row_at.get(place, "") if place else "", Badges()).add(check)
    for item in found.values():
        item.problems.sort(key=lambda check: WORST_FIRST.index(check.verdict))
        item.quotes.sort(key=lambda quote: WORST_FIRST.index(quote.verdict))
    return found


@dataclass
class SourceNote:
    """A source with the rows that rest on it, as (id, label), and what became of the quotes from it."""

    source: Source
    link: str
    archived: str = ""
    rows: list[tuple[str, str]] = field(default_factory=list)
    quotes: Counter[str] = field(default_factory=Counter)

    @property
    def held(self) -> int:
        """Quotes that stand in it."""
        return self.quotes["pass"] + self.quotes["warn"]

    @property
    def broken(self) -> int:
        """Quotes that do not."""
        return self.quotes["fail"]


def source_notes(
    sources: Sequence[Source], rows: Sequence[Row], made: Mapping[str, Badges], texts: Mapping[int, str]
) -> list[SourceNote]:
    """A source stands behind a row that quotes it, that names an LEI it names, or whose value is its address.

    ``texts`` are the archived register records by document; in pages of the web LEIs are not looked for.
    """
    notes = [_note(source) for source in sources]
    behind: dict[str | int, list[SourceNote]] = {}
    for note in notes:
        keys: set[str | int] = {*_identifiers(note.source, texts), note.source.number}
        for text in keys:
            behind.setdefault(text, []).append(note)
    titles = {row.pointer: row.label for row in rows if row.kind in ("item", "group")}
    for row in rows:
        quotes = made[row.pointer].quotes if row.pointer in made else []
        for quote in quotes:
            for note in behind.get(quote.number, ()) if isinstance(quote.number, int) else ():
                note.quotes[quote.verdict] += 1
        above = titles.get(row.pointer.rpartition("/")[0], "")
        label = f"{above} · {row.label}" if above else row.label
        named: list[str | int] = [quote.number for quote in quotes if quote.number]
        named += [row.value] if isinstance(row.value, str) else []
        for note in {id(note): note for name in named for note in behind.get(name, ())}.values():
            note.rows.append((field_id(row.pointer), label))
    return notes


def _note(source: Source) -> SourceNote:
    archived = document_url(source.document_id) if source.document_id else ""
    return SourceNote(source, safe_link(source.url), archived)


def safe_link(url: str) -> str:
    """The URL if it is http or https, else nothing: a source may name any scheme."""
    return url if url.lower().startswith(("https://", "http://")) else ""


def _identifiers(source: Source, texts: Mapping[int, str]) -> set[str]:
    """The LEIs that a source names, and its address."""
    archived = texts.get(source.document_id or 0, "")
    named = _LEI.findall(f"{source.key} {source.title} {source.snippet} {archived}")
    return {*named, source.url} - {""}
