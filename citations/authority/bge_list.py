"""Builds the index of start pages from the court's public lists of the official collection.

What the pages of the court's list look like is not documented, and was not verified live. Read are the links of HTML
pages, by the identifier of a decision in their address (``atf://145-III-229``, percent-encoded or not) or by a text
that is nothing but a locus (``BGE 145 III 229``, ``145 III 229``); and CSV with the columns ``volume,division,page``.
Loci in running text are left alone: a summary cites other decisions.
"""

import csv
import re
from collections.abc import Iterable, Mapping
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import unquote

from lxml import etree
from lxml import html as markup

from citations.authority.bge import BgeIndex, Series, implausible

MIN_WINDOW = 30  # pages; the longest decision of a short series is no measure
COLUMNS = ("volume", "division", "page")
_DIVISION = r"(?:I[ab]?|II|III|IV|V)"
_IDENTIFIER = re.compile(rf"atf://(\d{{1,3}})-({_DIVISION})-(\d{{1,4}})(?!\d)")
_LOCUS = re.compile(rf"(?:(?:BGE|ATF|DTF)\s+)?(\d{{1,3}})\s+({_DIVISION})\s+(\d{{1,4}})")


class Locus(NamedTuple):
    """Where a decision begins."""

    volume: int
    division: str
    page: int


def read_list(text: str) -> set[Locus]:
    """The loci of one list, HTML or CSV. Raises ValueError when it has none, or a row that is none."""
    found = _of_page(text) if text.lstrip()[:1] == "<" else _of_table(text)
    if not found:
        raise ValueError("no decision of the official collection was found in it")
    return found


def _of_page(text: str) -> set[Locus]:
    try:
        page = markup.document_fromstring(text)
    except (etree.ParserError, ValueError) as error:
        raise ValueError(f"this is no HTML ({error})") from None
    found = set()
    for link in page.iter("a"):
        words = " ".join("".join(link.itertext()).split())
        named = _IDENTIFIER.search(unquote(link.get("href") or "")) or _LOCUS.fullmatch(words)
        if named:
            found.add(Locus(int(named[1]), named[2], int(named[3])))
    return found


def _of_table(text: str) -> set[Locus]:
    reader = csv.DictReader(text.lstrip("\ufeff").splitlines())
    missing = set(COLUMNS) - set(reader.fieldnames or ())
    if missing:
        raise ValueError(f"this is neither HTML nor CSV with the columns {', '.join(COLUMNS)}")
    return {_of_row(number, row) for number, row in enumerate(reader, 2)}


def _of_row(number: int, row: Mapping[str, str | None]) -> Locus:
    written = " ".join(str(row[column] or "").strip() for column in COLUMNS)
    found = _LOCUS.fullmatch(written)
    if not found:
        raise ValueError(f"line {number} is no decision of the official collection: {written[:60]!r}")
    return Locus(int(found[1]), found[2], int(found[3]))


def build_index(loci: Iterable[Locus], *, today: date, onto: BgeIndex | None = None) -> BgeIndex:
    """The series of the loci, in the place of those of the same volume and division in ``onto``.

    Raises:
        ValueError: a locus cannot be; nothing is built of a list that holds one.
    """
    series: dict[tuple[int, str], set[int]] = {}
    for locus in loci:
        if implausible(*locus, today=today):
            raise ValueError(f"BGE {locus.volume} {locus.division} {locus.page} cannot be")
        series.setdefault((locus.volume, locus.division), set()).add(locus.page)
    built = {key: _series(pages) for key, pages in series.items()}
    merged = {**(onto.series if onto else {}), **built}
    return BgeIndex(max((volume for volume, _ in merged), default=0), merged)


def _series(pages: set[int]) -> Series:
    starts = tuple(sorted(pages))
    return Series(starts, max([MIN_WINDOW, *(b - a for a, b in pairwise(starts))]))


def as_document(index: BgeIndex) -> dict[str, Any]:
    """The index as ``import-bge`` reads it."""
    families = {
        f"{volume}|{division.upper()}": {"starts": list(one.starts), "window": one.window}
        for (volume, division), one in sorted(index.series.items())
    }
    return {"max_volume": index.newest, "families": families}
